"""A document that may lack some of our streams, as a catalogue.

Reads documents and fragments; returns a `Catalogue` of the streams that are there, each property with its place. Never
takes for a fault that a stream, a tag or the schema of a snapshot is absent: that is what a comparison is to tell.

Unlike for `generate`, streams do not share classes here: what a WebSocket event has besides the event that it stands for
would otherwise show up in the other stream.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping

from codegen.catalogue import Alias, Catalogue, Field, Json, Model, Package, Source, Type
from codegen.cut import cut
from codegen.diff_names import json_text
from codegen.diff_pointers import field_pointer
from codegen.documents import Document
from codegen.load import Fragment, Specification
from codegen.resolve import resolve
from codegen.schemas import REF_PREFIX, Node, Schemas, Shape, listed
from codegen.yaml_lines import escape, unescape

DIGEST = 12
"""Hexadecimal digits of a digest: enough to tell two spellings of one schema apart."""
UNREAD = frozenset("not patternProperties prefixItems propertyNames readOnly writeOnly".split())
"""Keywords that the cut keeps and a catalogue does not hold."""
SIZES = frozenset({"maxProperties", "minProperties"})
"""Held for objects with free keys only."""
_ABSENT = frozenset(
    "complete error follow needs order reads repair shares snapshot snapshot_name terminal unlisted usage".split()
)
"""What a fragment says of events and schemas that may be absent, or that does not concern a comparison."""


def catalogue_of(
    documents: Mapping[str, Document],
    fragments: Iterable[Fragment],
    sources: tuple[Source, ...] = (),
) -> Catalogue:
    """The streams that the documents have; SpecError for what cannot be read in one that is there."""
    kept: list[Fragment] = []
    trees: dict[str, Document] = {}
    fragments = tuple(fragments)
    for name, document in documents.items():
        own = present([each for each in fragments if each["document"] == name], document)
        roots = [fragment["union"] for fragment in own]
        tree = cut(document.tree, dict.fromkeys(roots), document.where)
        for fragment in own:
            _map_untagged(tree["components"]["schemas"], fragment)
        trees[name] = dataclasses.replace(document, tree=tree)
        kept += own
    catalogue = resolve(Specification(trees, tuple(kept), sources))
    return dataclasses.replace(
        catalogue, packages=tuple(_placed(package, trees) for package in catalogue.packages)
    )


def present(fragments: Iterable[Fragment], document: Document) -> tuple[Fragment, ...]:
    """The fragments whose union is in the document and has events, without what may be absent."""
    schemas = _schemas(document)
    found = []
    for fragment in fragments:
        if not _has_events(schemas, fragment["union"]):
            continue
        values = {key: value for key, value in fragment.values.items() if key not in _ABSENT}
        values["tag"] = _tag(schemas, fragment)
        values["events"] = {
            tag: _without_rule(entry) for tag, entry in values.get("events", {}).items()
        }
        found.append(dataclasses.replace(fragment, values=values, own_events=()))
    return tuple(found)


def _without_rule(entry: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in entry.items() if key != "rule"}


def written(document: Document, fragments: Iterable[Fragment]) -> dict[str, str]:
    """Component → digest of its schema as it is written, keywords that carry facts only, then those that we do not read."""
    roots = [fragment["union"] for fragment in present(fragments, document)]
    tree = cut(document.tree, dict.fromkeys(roots), document.where)
    return {
        name: " ".join([_digest(schema, DIGEST), *sorted(set(_rules(schema)))])
        for name, schema in sorted(tree["components"]["schemas"].items())
    }


def _digest(value: object, digits: int) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:digits]


def _rules(schema: object) -> Iterator[str]:
    """Keywords of a schema, and of those within, that have no place in a catalogue, each with a digest of its value."""
    if isinstance(schema, list):
        for each in schema:
            yield from _rules(each)
    if not isinstance(schema, dict):
        return
    unread = UNREAD | SIZES if "properties" in schema or "allOf" in schema else UNREAD
    for word, value in schema.items():
        if word in unread and value is not False:
            yield f"{word}:{_digest(json_text(value), DIGEST // 2)}"
        elif word in ("properties", "patternProperties"):
            for each in value.values():
                yield from _rules(each)
        else:
            yield from _rules(value)


def _schemas(document: Document) -> Schemas:
    return Schemas(document.tree["components"]["schemas"], document.where)


def _has_events(schemas: Schemas, union: str) -> bool:
    if union not in schemas.components:
        return False
    node = schemas.follow(schemas.component(union))
    if not isinstance(node.schema, dict):
        return False
    return bool(schemas.members(node)) or schemas.is_object(node)


def _tag(schemas: Schemas, fragment: Fragment) -> str:
    """The property that tells the events apart: the fragment's, unless the document says another and has no such tags."""
    union = schemas.follow(schemas.component(fragment["union"]))
    discriminator = union.schema.get("discriminator")
    named = discriminator.get("propertyName") if isinstance(discriminator, dict) else None
    own: str = fragment["tag"]
    if not isinstance(named, str) or named == own:
        return own
    members = [shape for node in schemas.members(union) for shape in _shapes(schemas, node)]
    return own if any(_is_literal(shape.properties.get(own)) for shape in members) else named


def _shapes(schemas: Schemas, node: Node) -> list[Shape]:
    return schemas.shapes(node) if schemas.is_object(schemas.follow(node)) else []


def _is_literal(node: Node | None) -> bool:
    schema = node.schema if node else None
    return isinstance(schema, dict) and bool("const" in schema or listed(schema, "enum"))


def _map_untagged(components: dict[str, object], fragment: Fragment) -> None:
    """Old documents give the one event of a stream no literal: the fragment's tag is mapped to it, as a discriminator would."""
    union = components[fragment["union"]]
    if "untagged" in fragment and isinstance(union, dict) and "properties" in union:
        target = {fragment["untagged"]: REF_PREFIX + escape(fragment["union"])}
        union["discriminator"] = {"propertyName": fragment["tag"], "mapping": target}


def _placed(package: Package, documents: Mapping[str, Document]) -> Package:
    """The package with the pointer of each property that does not stand right below its model."""
    schemas = _schemas(documents[package.streams[0].document])
    return dataclasses.replace(
        package,
        models=tuple(_with_places(model, schemas) for model in package.models),
        aliases=tuple(_with_parts(alias, schemas) for alias in package.aliases),
    )


def _with_parts(alias: Alias, schemas: Schemas) -> Alias:
    """An enum with the components that it is joined from as members, the innermost first, each named by its pointer."""
    if alias.type.kind != "enum":
        return alias
    members = tuple(dict.fromkeys(_parts(schemas, _node(schemas, alias.schema))))
    return dataclasses.replace(alias, type=dataclasses.replace(alias.type, members=members))


def _parts(schemas: Schemas, node: Node) -> Iterator[Type]:
    for member in schemas.members(schemas.follow(node)):
        yield from _parts(schemas, member)
        target = schemas.plain_target(member)
        if target is not None:
            part = schemas.component(target)
            values = [_values(each) for each in schemas.alternatives(part)]
            joined = tuple(dict.fromkeys(value for each in values for value in each))
            if joined:
                yield Type("enum", name=part.pointer, values=joined, open=not all(values))


def _values(node: Node) -> list[Json]:
    schema = node.schema
    if not isinstance(schema, dict):
        return []
    found = [schema["const"]] if "const" in schema else listed(schema, "enum")
    return [value for value in found if isinstance(value, (str, int, float))]


def _with_places(model: Model, schemas: Schemas) -> Model:
    shapes = schemas.shapes(_node(schemas, model.schema))
    names = {field.name for field in model.fields}
    shape = next((each for each in shapes if each.properties.keys() == names), shapes[0])
    fields = tuple(_with_place(field, model, shape) for field in model.fields)
    return dataclasses.replace(model, fields=fields)


def _with_place(field: Field, model: Model, shape: Shape) -> Field:
    node = shape.properties.get(field.name)
    if node is None or node.pointer == field_pointer(model.schema, field):
        return field
    return dataclasses.replace(field, schema=node.pointer)


def _node(schemas: Schemas, pointer: str) -> Node:
    """The node at a pointer into the components."""
    component, *steps = pointer.removeprefix(REF_PREFIX).split("/")
    node = schemas.component(unescape(component))
    for step in map(unescape, steps):
        node = node.child(int(step) if isinstance(node.schema, list) else step)
    return node
