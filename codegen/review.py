"""What a reader of the specification should know, though it stops nothing.

Reads a `Specification` and its `Catalogue`; returns notes in the form of findings, sorted. Never changes either.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from codegen.catalogue import Catalogue, Event, Stream
from codegen.documents import Document
from codegen.errors import Finding
from codegen.load import Fragment, Specification, roots
from codegen.schemas import COMBINING, REF_PREFIX, Node, listed
from codegen.unions import mapped_tags
from codegen.yaml_lines import escape, unescape

_KEPT = "Nothing to do, or an overlay in spec/overlays/."


@dataclass(frozen=True)
class NoEntry:
    """A tag of a stream without an entry in its fragment: the place where one goes, and the line to add there."""

    stream: Stream
    tag: str
    where: str
    action: str


def review(specification: Specification, catalogue: Catalogue) -> list[Finding]:
    """Notes on documents, fragments and what they do not say about each other."""
    notes = unruled(specification, catalogue)
    for document in specification.documents.values():
        notes += _document(document)
        notes += _orphans(document, specification)
    return sorted(set(notes))


def unruled(specification: Specification, catalogue: Catalogue) -> list[Finding]:
    """Those notes that ask for a line: tags of the unions that their fragments have no entry for, or no rule where the
    stream accumulates; sorted."""
    return sorted(set(_tags(specification, catalogue)))


def without_entry(catalogue: Catalogue, fragments: Iterable[Fragment]) -> Iterator[NoEntry]:
    """Tags that their fragment says nothing about. Where the stream that a fragment is like has the tag too, an entry there is one
    for both, and that stream alone is named."""
    named = {fragment["stream"]: fragment for fragment in fragments}
    tags = {stream.name: {event.tag for event in stream.events} for stream in catalogue.streams}
    for stream in (each for each in catalogue.streams if each.name in named):
        fragment = named[stream.name]
        known = {*fragment.get("events", {}), *tags.get(fragment.get("like", ""), ())}
        for event in stream.events:
            if event.tag not in known:
                action = f"Add under `events`: {_line(stream, event, fragment)}"
                yield NoEntry(stream, event.tag, fragment.where("events"), action)


def _line(stream: Stream, event: Event, fragment: Fragment) -> str:
    """The entry of an event as one line, valid as it stands: its sentence is for a person to say, its rule to be thought about.

    Whether there is a rule, the fragment says: the catalogue of a comparison has no snapshots.
    """
    fields = [
        f"family: {_family(stream, event.tag)}",
        "sentence: Not described yet.",
        f"stability: {event.stability}",
        "provenance: documented",
        *(["rule: [ignore]"] if fragment.get("snapshot") else []),
    ]
    return f"{json.dumps(event.tag)}: {{{', '.join(fields)}}}"


def _family(stream: Stream, tag: str) -> str:
    """The family of the events whose tags begin with the same two words or more; "other" where none does."""
    words = tag.split(".")
    shared = {
        len(os.path.commonprefix([words, event.tag.split(".")])): event.family
        for event in reversed(stream.events)
        if event.family
    }
    most = max(shared, default=0)
    return shared[most] if most > 1 else "other"


def _tags(specification: Specification, catalogue: Catalogue) -> Iterator[Finding]:
    for each in without_entry(catalogue, specification.fragments):
        what = f"the tag {each.tag!r} of {each.stream.union} has no entry"
        yield Finding(each.where, what, each.action)
    fragments = {fragment["stream"]: fragment for fragment in specification.fragments}
    for stream in catalogue.streams:
        fragment = fragments[stream.name]
        for event in stream.events:
            if stream.snapshot and event.tag in fragment.get("events", {}) and not event.rules:
                what = f"the tag {event.tag!r} of {stream.union} has no entry `rule`"
                line = "Add to its entry: rule: [ignore], or what the event does to the snapshot."
                yield Finding(fragment.where(event.tag), what, line)


def _document(document: Document) -> Iterator[Finding]:
    """Spellings that the version of OpenAPI does not have, and names required that do not exist."""
    for node in _schemas(document):
        schema = node.schema
        where = document.where(node.pointer)
        if document.version == "3.1" and "nullable" in schema:
            yield Finding(where, "nullable is used in OpenAPI 3.1; it is read as null", _KEPT)
        properties = schema.get("properties")
        alone = not COMBINING & schema.keys() and "/allOf/" not in node.pointer
        if isinstance(properties, dict) and alone:
            for name in listed(schema, "required"):
                if name not in properties:
                    what = f"required names the property {name!r}, which does not exist"
                    yield Finding(where, what, _KEPT)
        yield from _mapping(document, node)


def _mapping(document: Document, node: Node) -> Iterator[Finding]:
    """Keys of a discriminator's mapping that the member's own literal contradicts."""
    discriminator = node.schema.get("discriminator")
    name = discriminator.get("propertyName") if isinstance(discriminator, dict) else None
    components = document.tree["components"]["schemas"]
    for component, tags in mapped_tags(node).items():
        member = components.get(component)
        properties = member.get("properties") if isinstance(member, dict) else None
        values = _literals((properties or {}).get(name))
        for tag in tags:
            if values and tag not in values:
                own = ", ".join(map(repr, values))
                what = f"the mapping's key {tag!r} contradicts the enum {own} of {component} itself"
                yield Finding(
                    document.where(node.pointer), what, "The member's own value is taken."
                )


def _orphans(document: Document, specification: Specification) -> Iterator[Finding]:
    """Schemas that look like events of a stream and are in no union."""
    fragments = [each for each in specification.fragments if each["document"] == document.name]
    reached = _reached(document, roots(specification.fragments, document.name))
    for name, schema in document.tree["components"]["schemas"].items():
        if name in reached or not isinstance(schema, dict):
            continue
        for tag in dict.fromkeys(fragment["tag"] for fragment in fragments):
            values = _literals((schema.get("properties") or {}).get(tag))
            if len(values) == 1 and "." in values[0]:
                what = (
                    f"the schema {name} looks like an event ({tag} is the literal {values[0]!r}) "
                    "but is in no union"
                )
                action = "Add it to its union by an overlay if it is one."
                yield Finding(document.where(REF_PREFIX + escape(name)), what, action)


def _reached(document: Document, names: list[str]) -> set[str]:
    """The components that refs lead to from those named, these included."""
    refs: dict[str, set[str]] = {}
    for node in _schemas(document):
        target = str(node.schema.get("$ref", "")).removeprefix(REF_PREFIX)
        refs.setdefault(node.pointer.split("/")[3], set()).add(target)
    found: set[str] = set()
    todo = [escape(name) for name in names]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += refs.get(name, ())
    return {unescape(name) for name in found}


def _literals(schema: Any) -> list[str]:
    if not isinstance(schema, dict):
        return []
    values = [schema["const"]] if "const" in schema else listed(schema, "enum")
    return [value for value in values if isinstance(value, str)]


def _schemas(document: Document) -> Iterator[Node]:
    """Every schema of the document, none of them twice."""
    components = document.tree["components"]["schemas"]
    stack = [Node(schema, REF_PREFIX + escape(name)) for name, schema in components.items()]
    while stack:
        node = stack.pop()
        if not isinstance(node.schema, dict):
            continue
        yield node
        for keyword in COMBINING:
            stack += node.children(keyword)
        stack += [
            node.child(word) for word in ("items", "additionalProperties") if word in node.schema
        ]
        properties = node.schema.get("properties")
        if isinstance(properties, dict):
            stack += [node.child("properties", name) for name in properties]
