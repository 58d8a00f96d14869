"""What holds for the differ whatever the catalogue: nothing for equals, exactly the edit for one edit.

Reads the committed catalogue snapshots and the documents of tests/cases_diff and spec/; edits and respells them at random.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codegen import show
from codegen.catalogue import Alias, Catalogue, Event, Field, Model, Package, Stream, Type
from codegen.compare import compare
from codegen.diff import diff
from codegen.diff_scope import family, is_component
from codegen.documents import parse
from codegen.kinds import KINDS, worst
from codegen.sides import from_bytes, read_side
from tests.small_spec import fragment, write_spec
from tests.spelling import reordered, respelled

ROOT = Path(__file__).resolve().parent.parent
SNAPSHOTS = sorted(path.stem for path in (ROOT / "spec" / "snapshots").glob("*.json"))
SMALL, LARGE = "openai-2025-04-29", "openai-2026-07-15"
DOCUMENTS = sorted((ROOT / "tests" / "cases_diff").glob("*/old.yaml"))


def _catalogue(name: str) -> Catalogue:
    return read_side(name, ROOT / "spec").catalogue


CATALOGUES: Mapping[str, Catalogue] = {name: _catalogue(name) for name in (SMALL, LARGE)}


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_nothing_changed_between_equals(name: str) -> None:
    catalogue = _catalogue(name)
    assert diff(catalogue, _catalogue(name)) == []


@dataclass(frozen=True)
class Edit:
    """A catalogue with one edit, and the kind, subject and level that must be told."""

    catalogue: Catalogue
    kind: str
    name: str
    level: str


def _replaced(catalogue: Catalogue, package: Package, **changes: Any) -> Catalogue:
    changed = dataclasses.replace(package, **changes)
    packages = tuple(changed if each is package else each for each in catalogue.packages)
    return dataclasses.replace(catalogue, packages=packages)


def _level(kind: str, package: Package, name: str) -> str:
    """The level where a model or alias of this name is reached; reachability as `show` has it."""
    reached = [stream for stream in package.streams if name in _reached(package, stream)]
    assert reached
    return worst([KINDS[kind].level(stream.direction) for stream in reached])


def _reached(package: Package, stream: Stream) -> set[str]:
    models = {model.name: model for model in package.models}
    found = show.reachable(package, stream)
    types = [field.type for name in found for field in models[name].fields]
    types += [models[name].extra or Type("any") for name in found]
    names = {ref for type_ in types for ref in show.references(type_)}
    aliases = {alias.name: alias for alias in package.aliases}
    todo = [name for name in names if name in aliases]
    while todo:
        for ref in show.references(aliases[todo.pop()].type):
            if ref in aliases and ref not in names:
                todo.append(ref)
            names.add(ref)
    return found | names


Change = Callable[[Field], tuple[Field | None, str]]
"""A field after the edit, None where it is removed, and the kind of change."""

FIELD_EDITS: tuple[Change, ...] = (
    lambda field: (None, "field-removed"),
    lambda field: (dataclasses.replace(field, name=field.name + "_x", schema=""), "field-renamed"),
    lambda field: (
        dataclasses.replace(field, required=not field.required),
        "made-optional" if field.required else "made-required",
    ),
    lambda field: (
        dataclasses.replace(field, type=dataclasses.replace(field.type, null=not field.type.null)),
        "no-longer-nullable" if field.type.null else "made-nullable",
    ),
    lambda field: (
        dataclasses.replace(field, default=({"a": 1},)),
        "default-changed",
    ),
    lambda field: (
        dataclasses.replace(field, deprecated=not field.deprecated),
        "deprecation-changed",
    ),
    lambda field: (
        dataclasses.replace(
            field,
            type=Type("string" if family(field.type) == "boolean" else "boolean", field.type.null),
        ),
        "type-changed",
    ),
)


def _plain_fields(package: Package, model: Model) -> list[Field]:
    """Fields with types of their own, not the tags by which an event or a member of a union is found again."""
    tags = {stream.tag for stream in package.streams} | {"type", "object", "role"}
    kinds = ("array", "boolean", "integer", "map", "number", "string")
    return [field for field in model.fields if field.name not in tags and field.type.kind in kinds]


@st.composite
def field_edits(draw: st.DrawFn) -> tuple[Catalogue, Edit]:
    catalogue = CATALOGUES[draw(st.sampled_from((SMALL, LARGE)))]
    package = draw(st.sampled_from(catalogue.packages))
    models = [model for model in package.models if _plain_fields(package, model)]
    model = draw(st.sampled_from(models))
    field = draw(st.sampled_from(_plain_fields(package, model)))
    changed, kind = draw(st.sampled_from(FIELD_EDITS))(field)
    fields = tuple(
        each for old in model.fields for each in ([changed] if old is field else [old]) if each
    )
    edited = dataclasses.replace(model, fields=fields)
    made = tuple(edited if each is model else each for each in package.models)
    level = _level(kind, package, model.name)
    return catalogue, Edit(_replaced(catalogue, package, models=made), kind, field.name, level)


@st.composite
def additions(draw: st.DrawFn) -> tuple[Catalogue, Edit]:
    catalogue = CATALOGUES[draw(st.sampled_from((SMALL, LARGE)))]
    package = draw(st.sampled_from(catalogue.packages))
    model = draw(st.sampled_from(package.models))
    required = draw(st.booleans())
    field = Field("quite_new", "", Type("string"), required)
    kind = "required-field-added" if required else "field-added"
    edited = dataclasses.replace(model, fields=(*model.fields, field))
    made = tuple(edited if each is model else each for each in package.models)
    level = _level(kind, package, model.name)
    return catalogue, Edit(_replaced(catalogue, package, models=made), kind, field.name, level)


@st.composite
def enum_edits(draw: st.DrawFn) -> tuple[Catalogue, Edit]:
    catalogue = CATALOGUES[draw(st.sampled_from((SMALL, LARGE)))]
    package = draw(st.sampled_from([each for each in catalogue.packages if _enums(each)]))
    alias = draw(st.sampled_from(_enums(package)))
    values = alias.type.values
    listed = ("listed", "unlisted") if alias.type.open else ("added", "removed")
    changes: list[tuple[dict[str, Any], str]] = [
        ({"values": (*values, "quite new")}, f"enum-value-{listed[0]}"),
        ({"values": values[1:]}, f"enum-value-{listed[1]}"),
        ({"open": not alias.type.open}, "enum-closed" if alias.type.open else "enum-opened"),
    ]
    change, kind = draw(st.sampled_from(changes))
    edited = dataclasses.replace(alias, type=dataclasses.replace(alias.type, **change))
    made = tuple(edited if each is alias else each for each in package.aliases)
    level = _level(kind, package, alias.name)
    return catalogue, Edit(_replaced(catalogue, package, aliases=made), kind, "", level)


def _enums(package: Package) -> list[Alias]:
    """Enums of payloads, not of tags: their values tell members apart."""
    return [
        alias
        for alias in package.aliases
        if alias.type.kind == "enum"
        and len(alias.type.values) > 2
        and not alias.name.endswith("Type")
    ]


@st.composite
def event_edits(draw: st.DrawFn) -> tuple[Catalogue, Edit]:
    catalogue = CATALOGUES[draw(st.sampled_from((SMALL, LARGE)))]
    package = draw(st.sampled_from(catalogue.packages))
    stream = draw(st.sampled_from(package.streams))
    event = draw(st.sampled_from(stream.events))
    rest = tuple(each for each in stream.events if each is not event)
    new = dataclasses.replace(event, tag=event.tag + ".new")
    changes: list[tuple[tuple[Event, ...], str, str]] = [
        (rest, "event-removed", event.tag),
        ((*rest, new), "event-renamed", event.tag),
        ((*rest, event, new), "event-added", new.tag),
    ]
    events, kind, name = draw(st.sampled_from(changes))
    edited = dataclasses.replace(stream, events=events)
    made = tuple(edited if each is stream else each for each in package.streams)
    level = KINDS[kind].level(stream.direction)
    return catalogue, Edit(_replaced(catalogue, package, streams=made), kind, name, level)


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.one_of(field_edits(), additions(), enum_edits(), event_edits()))
def test_one_edit_is_found_exactly(case: tuple[Catalogue, Edit]) -> None:
    catalogue, edit = case
    (change,) = diff(catalogue, edit.catalogue)
    assert (change.kind, change.level) == (edit.kind, edit.level)
    assert change.subject.endswith(edit.name) and change.beneath == ()
    assert change.events and change.places


@st.composite
def retargets(draw: st.DrawFn) -> tuple[Catalogue, Catalogue, str]:
    """A property that leads to another component than before; nothing else is edited."""
    catalogue = CATALOGUES[draw(st.sampled_from((SMALL, LARGE)))]
    package = draw(st.sampled_from(catalogue.packages))
    components = {model.name: model for model in package.models if is_component(model.schema)}
    places = [
        (model, field)
        for model in components.values()
        for field in model.fields
        if field.type.kind == "ref" and field.type.name in components
    ]
    model, field = draw(st.sampled_from(places))
    target = draw(st.sampled_from(sorted(components.keys() - {field.type.name})))
    changed = dataclasses.replace(field, type=dataclasses.replace(field.type, name=target))
    fields = tuple(changed if each is field else each for each in model.fields)
    edited = dataclasses.replace(model, fields=fields)
    made = tuple(edited if each is model else each for each in package.models)
    return catalogue, _replaced(catalogue, package, models=made), field.name


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(retargets())
def test_another_schema_at_one_place_is_one_change_there(
    case: tuple[Catalogue, Catalogue, str],
) -> None:
    old, new, name = case
    changes = diff(old, new)
    assert len(changes) <= 1  # two schemas may say the same
    for change in changes:
        assert change.kind in ("schema-replaced", "type-changed") and change.subject.endswith(name)
        assert bool(change.beneath) is (change.kind == "schema-replaced")


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(DOCUMENTS), st.integers(0, 2**32))
def test_order_does_not_count(path: Path, seed: int) -> None:
    """Neither as a change, nor in the id of one."""
    random = Random(seed)
    streams = path.parent / "streams.yaml"
    with TemporaryDirectory() as folder:
        texts = [fragment()]
        if streams.exists():
            rows = parse(b"rows:\n" + streams.read_bytes(), "streams.yaml")["rows"]
            texts = [fragment(**{"module": row["stream"], **row}) for row in rows]
        spec = write_spec(Path(folder), "", texts)
        trees = [
            parse((path.parent / f"{side}.yaml").read_bytes(), side) for side in ("old", "new")
        ]
        plain, mixed = (
            [from_bytes(json.dumps(tree).encode(), "x", spec, "d") for tree in each]
            for each in (trees, [reordered(tree, random) for tree in trees])
        )
        ids = [{change.id for change in compare(*sides).changes} for sides in (plain, mixed)]
    assert ids[0] == ids[1]


WIDER: tuple[tuple[str, str], ...] = (
    ("type: integer", "type: number"),
    ("type: string", ""),
    ("type: integer", ""),
    ("type: string, maxLength: 5", "type: string"),
    ("type: string, maxLength: 5", "type: string, maxLength: 6"),
    ("type: string, minLength: 2", "type: string, minLength: 1"),
    ("type: string, pattern: a", "type: string"),
    ("type: integer, multipleOf: 4", "type: integer, multipleOf: 2"),
    ("type: integer, minimum: 0", "type: integer, minimum: -1"),
    ("type: integer, exclusiveMaximum: 9", "type: integer"),
    ("type: array, items: {type: string}, minItems: 1", "type: array, items: {type: string}"),
    ("type: array, items: {type: string}, uniqueItems: true", "type: array, items: {type: string}"),
    ("type: array, items: {type: integer}", "type: array, items: {type: number}"),
    ("type: object, additionalProperties: {type: integer}", "type: object"),
    ("type: object, maxProperties: 3", "type: object"),
    (
        "type: object, properties: {a: {}}, additionalProperties: false",
        "type: object, properties: {a: {}}",
    ),
    ("type: string, format: uri", "type: string"),
    ("type: string", "type: [string, 'null']"),
    ("type: string, enum: [a, b]", "type: string, enum: [a, b, c]"),
    ("type: string, enum: [a, b]", "anyOf: [{type: string}, {type: string, enum: [a, b]}]"),
    ("type: string, enum: [a, b]", "type: string"),
    ("type: string", "type: [string, integer]"),
)
"""A schema and one that allows all of it and more."""


def _levels(old: str, new: str, direction: str) -> set[str]:
    """The levels of what changed in a property from one schema to another."""
    transport = "sse" if direction == "server" else "websocket"
    value = json.loads(fragment(direction=direction, transport=transport))
    if direction == "client":
        del value["framing"]
    document = "openapi: 3.1.0\ncomponents: {schemas: {Ev: {anyOf: [{$ref: '#/components/schemas/A'}]}, A: {type: object, %s}}}"
    with TemporaryDirectory() as folder:
        spec = write_spec(Path(folder), "", [json.dumps(value)])
        texts = [
            document % f"properties: {{type: {{const: a}}, v: {{{text}}}}}" for text in (old, new)
        ]
        sides = [from_bytes(text.encode(), "x", spec, "d") for text in texts]
        return {change.level for change in compare(*sides).changes}


@pytest.mark.parametrize("pair", WIDER, ids=[" > ".join(pair) for pair in WIDER])
def test_who_sends_may_be_allowed_more_and_who_reads_may_meet_less(pair: tuple[str, str]) -> None:
    narrow, wide = pair
    harmless = {"additive", "info"}
    sent, received = _levels(narrow, wide, "client"), _levels(wide, narrow, "server")
    member = {"dangerous"} if "[string, integer]" in wide else set()
    assert sent and sent <= harmless
    assert received and received <= harmless | member
    assert _levels(wide, narrow, "client") & {"breaking", "dangerous"}
    assert _levels(narrow, wide, "server") & {"breaking", "dangerous"} or "properties" in wide


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(DOCUMENTS), st.integers(0, 2**32))
def test_other_spellings_are_no_changes(path: Path, seed: int) -> None:
    tree = parse(path.read_bytes(), path.name)
    made = json.dumps(respelled(tree, Random(seed))).encode()
    with TemporaryDirectory() as folder:
        spec = write_spec(Path(folder), "")
        old, new = (from_bytes(data, "document", spec, "d") for data in (path.read_bytes(), made))
    assert compare(old, new).changes == ()


@pytest.mark.parametrize("seed", range(3))
def test_other_spellings_of_the_whole_document_are_no_changes(seed: int) -> None:
    data = (ROOT / "spec" / "documents" / "openai.yaml").read_bytes()
    made = json.dumps(respelled(parse(data, "openai.yaml"), Random(seed))).encode()
    old, new = (from_bytes(each, "openai", ROOT / "spec", "openai") for each in (data, made))
    comparison = compare(old, new)
    assert comparison.changes == ()
    assert comparison.spelling > 100
