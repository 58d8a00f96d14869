"""What a reader of the specification should know, though it stops nothing.

Reads a `Specification` and its `Catalogue`; returns notes in the form of findings, sorted. Never changes either.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codegen.catalogue import Catalogue
from codegen.documents import Document
from codegen.errors import Finding
from codegen.load import Specification
from codegen.schemas import REF_PREFIX

_KEPT = "Nothing to do, or an overlay in spec/overlays/."


def review(specification: Specification, catalogue: Catalogue) -> list[Finding]:
    """Notes on documents, fragments and what they do not say about each other."""
    notes = list(_tags(specification, catalogue))
    for document in specification.documents.values():
        notes += _document(document)
        notes += _orphans(document, specification, catalogue)
    return sorted(set(notes))


def _tags(specification: Specification, catalogue: Catalogue) -> Iterator[Finding]:
    """Tags of the unions that their fragments have no entry for."""
    fragments = {fragment["stream"]: fragment for fragment in specification.fragments}
    for stream in catalogue.streams:
        fragment = fragments[stream.name]
        for event in stream.events:
            if event.tag not in fragment.get("events", {}):
                what = f"the tag {event.tag!r} of {stream.union} has no entry"
                line = f"Add under `events`: {event.tag}: {{family: …, sentence: …, stability: ga, provenance: documented}}"
                yield Finding(fragment.path, what, line)


def _document(document: Document) -> Iterator[Finding]:
    """Spellings that the version of OpenAPI does not have, and names required that do not exist."""
    for pointer, schema in _schemas(document):
        if document.version == "3.1" and "nullable" in schema:
            yield Finding(
                document.where(pointer),
                "nullable is used in OpenAPI 3.1; it is read as null",
                _KEPT,
            )
        properties = schema.get("properties")
        if isinstance(properties, dict) and "allOf" not in schema and "/allOf/" not in pointer:
            for name in schema.get("required") or ():
                if name not in properties:
                    what = f"required names the property {name!r}, which does not exist"
                    yield Finding(document.where(pointer), what, _KEPT)
        yield from _mapping(document, pointer, schema)


def _mapping(document: Document, pointer: str, schema: dict[str, Any]) -> Iterator[Finding]:
    """Keys of a discriminator's mapping that the member's own literal contradicts."""
    discriminator = schema.get("discriminator")
    if not isinstance(discriminator, dict):
        return
    mapping = discriminator.get("mapping")
    components = document.tree["components"]["schemas"]
    for tag, target in (mapping or {}).items():
        member = components.get(str(target).rpartition("/")[2])
        field = ((member or {}).get("properties") or {}).get(discriminator["propertyName"], {})
        values = [field["const"]] if "const" in field else field.get("enum", [tag])
        if tag not in values:
            what = f"the mapping's key {tag!r} contradicts the member's own {', '.join(map(repr, values))}"
            yield Finding(document.where(pointer), what, "The member's own value is taken.")


def _orphans(
    document: Document, specification: Specification, catalogue: Catalogue
) -> Iterator[Finding]:
    """Schemas that look like events of a stream and are in no union."""
    used = {model.schema for package in catalogue.packages for model in package.models}
    for name, schema in document.tree["components"]["schemas"].items():
        pointer = REF_PREFIX + name
        if pointer in used or not isinstance(schema, dict):
            continue
        for fragment in specification.fragments:
            field = (schema.get("properties") or {}).get(fragment["tag"])
            values = _constants(field)
            if fragment["document"] == document.name and any("." in value for value in values):
                what = f"{name} looks like an event ({', '.join(values)}) but is in no union"
                yield Finding(
                    document.where(pointer), what, "Add it to its union by an overlay if it is one."
                )
                break


def _constants(field: Any) -> list[str]:
    if not isinstance(field, dict):
        return []
    values = [field["const"]] if "const" in field else field.get("enum") or []
    return [value for value in values if isinstance(value, str)] if len(values) == 1 else []


def _schemas(document: Document) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema of the document with its pointer, components first to last."""
    stack: list[tuple[str, Any]] = [
        (REF_PREFIX + name, schema)
        for name, schema in reversed(document.tree["components"]["schemas"].items())
    ]
    while stack:
        pointer, schema = stack.pop()
        if not isinstance(schema, dict):
            continue
        yield pointer, schema
        for keyword in ("anyOf", "oneOf", "allOf"):
            stack += [
                (f"{pointer}/{keyword}/{at}", part)
                for at, part in enumerate(schema.get(keyword) or ())
            ]
        for keyword in ("items", "additionalProperties"):
            stack.append((f"{pointer}/{keyword}", schema.get(keyword)))
        properties = schema.get("properties")
        if isinstance(properties, dict):
            stack += [(f"{pointer}/properties/{name}", part) for name, part in properties.items()]
