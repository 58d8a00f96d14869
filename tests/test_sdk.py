"""The official client as a side of a comparison: reading, installing, and what it cannot say.

Reads small clients, written here, and the installed `openai`. Expected are: nothing for one fact in two spellings; for the whole,
what the independent reading in `client_comparison` finds, and what the client's own release notes say. Never uses the network but in
the one test that says so.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from codegen.align import align
from codegen.changes import Change
from codegen.diff import diff
from codegen.errors import SpecError
from codegen.sdk import DISTRIBUTION, document_tree
from codegen.sdk_install import read_types, reading_key
from codegen.sides import read_side
from tests.sdk_comparison import changes
from tests.small_client import NAME, client_side, read_client, write_client, write_wheel
from tests.small_spec import fragment, write_spec

TYPES = {"s": f"{NAME}.types.Ev"}


# name, its schema in the document, required there, the client's annotation, the kinds of change
FIELDS: tuple[tuple[str, str, bool, str, tuple[str, ...]], ...] = (
    ("same", "{type: string}", True, "str", ()),
    ("optional", "{type: string}", False, "Optional[str] = None", ()),
    ("nullable", "{anyOf: [{type: string}, {type: 'null'}]}", False, "Optional[str] = None", ()),
    ("required_null", "{type: [string, 'null']}", True, "Optional[str] = None", ()),
    ("absent_now", "{type: string}", True, "Optional[str] = None", ("made-optional",)),
    ("there_now", "{type: string}", False, "str", ("made-required",)),
    ("not_null", "{type: [string, 'null']}", True, "str", ("no-longer-nullable",)),
    ("constant", "{type: string, enum: [a], x-stainless-const: true}", True, "Literal['a']", ()),
    ("single", "{type: string, enum: [a]}", True, "Literal['a']", ()),
    ("closed", "{type: string, enum: [a, b]}", True, "Literal['b', 'a']", ()),
    (
        "open",
        "{anyOf: [{type: string}, {type: string, enum: [a, b]}]}",
        True,
        "Union[str, Literal['a', 'b']]",
        (),
    ),
    (
        "open_listed",
        "{anyOf: [{type: string}, {type: string, enum: [a, b]}]}",
        True,
        "Literal['a', 'b']",
        (),
    ),
    ("open_unlisted", "{anyOf: [{type: string}, {type: string, enum: [a]}]}", True, "str", ()),
    (
        "opened",
        "{type: string, enum: [a, b]}",
        True,
        "Union[Literal['a', 'b'], str]",
        ("enum-opened",),
    ),
    (
        "values",
        "{type: string, enum: [a, b]}",
        True,
        "Literal['a', 'c']",
        ("enum-value-added", "enum-value-removed"),
    ),
    ("bounds", "{type: integer, minimum: 1, default: 2, format: unixtime}", True, "int", ()),
    ("deprecated", "{type: string, deprecated: true}", True, "str", ()),
    ("number", "{type: number}", True, "float", ()),
    ("either_number", "{type: [integer, number]}", True, "float", ()),
    ("integer_now", "{type: number}", True, "int", ("type-narrowed",)),
    ("other_type", "{type: string}", True, "bool", ("type-changed",)),
    ("time", "{type: string, format: date-time}", True, "datetime", ()),
    ("any", "{}", True, "object", ()),
    ("any_object", "{type: object}", True, "Dict[str, object]", ()),
    ("any_either", "{type: object, additionalProperties: true}", True, "object", ()),
    ("no_fields", "{type: object}", True, "Free", ()),
    ("map", "{type: object, additionalProperties: {type: string}}", True, "Dict[str, str]", ()),
    ("list", "{type: array, maxItems: 4, items: {type: string}}", True, "List[str]", ()),
    (
        "null_items",
        "{type: array, items: {type: [string, 'null']}}",
        True,
        "List[Optional[str]]",
        (),
    ),
    (
        "items_not_null",
        "{type: array, items: {type: [string, 'null']}}",
        True,
        "List[str]",
        ("no-longer-nullable",),
    ),
    ("renamed", "{$ref: '#/components/schemas/Leaf'}", True, "Zed", ()),
    ("inline", "{type: object, properties: {a: {type: string}}}", True, "Inner", ()),
    (
        "union",
        "{anyOf: [{$ref: '#/components/schemas/Leaf'}, {$ref: '#/components/schemas/Twig'}]}",
        True,
        "Union[Younger, Zed]",
        (),
    ),
    (
        "tagged",
        "{anyOf: [{$ref: '#/components/schemas/Leaf'}, {$ref: '#/components/schemas/Twig'}]}",
        True,
        "Annotated[Union[Zed, Younger], 'a discriminator']",
        (),
    ),
    (
        "member_gone",
        "{anyOf: [{$ref: '#/components/schemas/Leaf'}, {$ref: '#/components/schemas/Twig'}]}",
        True,
        "Zed",
        ("union-member-removed",),
    ),
    (
        "member_came",
        "{anyOf: [{type: string}, {$ref: '#/components/schemas/Leaf'}]}",
        True,
        "Union[str, Zed, List[str]]",
        ("union-member-added",),
    ),
    ("recursive", "{$ref: '#/components/schemas/Tree'}", True, "Tree", ()),
    ("gone", "{type: string}", False, "", ("field-removed",)),
    ("came", "", False, "Optional[str] = None", ("field-added",)),
    ("came_required", "", False, "Zed", ("required-field-added",)),
)


CLIENT = """\
class Free(Model):
    pass

class Inner(Model):
    a: Optional[str] = None

class Zed(Model):
    type: Literal["leaf"]
    text: str

class Younger(Model):
    type: Literal["twig"]
    leaves: List[Zed]

class Tree(Model):
    type: Literal["tree"]
    parts: List[Union[Zed, object]]

"""


def a_document() -> str:
    """A document whose one event has the properties of `FIELDS`, and components beside it."""
    rows = [f"        {name}: {schema}\n" for name, schema, *_ in FIELDS if schema]
    required = ", ".join(name for name, schema, needed, *_ in FIELDS if needed)
    return f"""\
openapi: 3.1.0
info: {{title: T, version: "1"}}
components:
  schemas:
    Ev:
      type: object
      required: [type, {required}]
      properties:
        type: {{type: string, enum: [ev], x-stainless-const: true}}
{''.join(rows)}\
    Leaf:
      type: object
      required: [type, text]
      properties: {{type: {{type: string, enum: [leaf]}}, text: {{type: string, description: prose}}}}
    Twig:
      type: object
      required: [type, leaves]
      properties:
        type: {{type: string, enum: [twig]}}
        leaves: {{type: array, items: {{$ref: '#/components/schemas/Leaf'}}}}
    Tree:
      type: object
      required: [type, parts]
      properties:
        type: {{type: string, enum: [tree]}}
        parts:
          type: array
          items:
            oneOf: [{{$ref: '#/components/schemas/Leaf'}}, {{$ref: '#/components/schemas/Tree'}}]
"""


def a_client() -> str:
    """A client whose one event has the fields of `FIELDS`, in the opposite order."""
    rows = [f"    {name}: {said}\n" for name, _, _, said, _ in reversed(FIELDS) if said]
    return f'{CLIENT}class Event(Model):\n    type: Literal["ev"]\n{"".join(rows)}\nEv = Event\n'


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> list[Change]:
    """The changes from the document of `FIELDS` to their client."""
    folder = tmp_path_factory.mktemp("small")
    spec = write_spec(folder, a_document(), [fragment(client=f"{NAME}.types.Ev")])
    side = client_side(folder / "client", spec, a_client())
    document = read_side("spec", spec).catalogue
    return diff(*align(document, side.catalogue))


@pytest.mark.parametrize("row", FIELDS, ids=lambda row: row[0])
def test_only_what_the_client_says_is_a_change(
    row: tuple[str, str, bool, str, tuple[str, ...]], small: list[Change]
) -> None:
    name, *_, expected = row
    own = [change for change in small if change.subject.split("[")[0] == f"Ev.{name}"]
    assert tuple(sorted(change.kind for change in own)) == expected


def test_every_change_is_one_of_a_field(small: list[Change]) -> None:
    assert {change.subject.split("[")[0] for change in small} == {
        f"Ev.{name}" for name, *_, expected in FIELDS if expected
    }


def test_a_change_stands_where_the_document_has_it(small: list[Change]) -> None:
    change = next(each for each in small if each.subject == "Ev.values")
    place = "#/components/schemas/Ev/properties/values"
    assert {(each.old, each.new) for each in change.places} == {(place, place)}


EVENTS = """\
openapi: 3.1.0
info: {title: T, version: "1"}
components:
  schemas:
    Ev:
      anyOf: [{$ref: '#/components/schemas/One'}, {$ref: '#/components/schemas/Two'}]
      discriminator: {propertyName: type}
    One:
      type: object
      required: [type, item]
      properties: {type: {const: one}, item: {$ref: '#/components/schemas/Item'}}
    Two:
      type: object
      required: [type, item]
      properties: {type: {const: two}, item: {$ref: '#/components/schemas/Item'}}
    Item: {type: object, required: [id], properties: {id: {type: string}}}
"""


def test_events_come_and_go(tmp_path: Path) -> None:
    client = (
        "class Part(Model):\n    id: str\n"
        'class A(Model):\n    type: Literal["one"]\n    item: Part\n'
        'class B(Model):\n    type: Literal["three"]\n    count: int\n'
        "Ev: TypeAlias = Union[B, A]\n"
    )
    found = {change.id for change in changes(tmp_path, EVENTS, client)}
    assert found == {"event-added/three", "event-removed/two"}


def test_two_classes_for_one_schema_are_told_apart(tmp_path: Path) -> None:
    client = (
        "class Part(Model):\n    id: str\n"
        "class PartParam(Model):\n    id: str\n    more: Optional[int] = None\n"
        'class A(Model):\n    type: Literal["one"]\n    item: Part\n'
        'class B(Model):\n    type: Literal["two"]\n    item: PartParam\n'
        "Ev: TypeAlias = Union[A, B]\n"
    )
    (change,) = changes(tmp_path, EVENTS, client)
    assert change.id == "field-added/Item.more/integer or null"
    assert [reach.tag for reach in change.events] == ["two"]


def test_params_that_are_typed_dicts_say_null_by_itself(tmp_path: Path) -> None:
    client = (
        "class Part(TypedDict, total=False):\n    id: Required[Optional[str]]\n"
        'class A(TypedDict, total=False):\n    type: Required[Literal["one"]]\n    item: Required[Part]\n'
        'class B(TypedDict, total=False):\n    type: Required[Literal["two"]]\n    item: Part\n'
        "Ev: TypeAlias = Union[A, B]\n"
    )
    found = {change.id for change in changes(tmp_path, EVENTS, client)}
    assert found == {"made-nullable/Item.id", "made-optional/Two.item"}


def test_a_type_that_the_client_lacks_is_a_stream_that_went(tmp_path: Path) -> None:
    found = changes(tmp_path, EVENTS, "")
    assert [change.id for change in found] == ["stream-removed/s"]


def test_classes_of_one_name_get_names_by_their_modules() -> None:
    item = {"type": "object", "properties": {"a": {"type": "string"}}}
    definitions = {"x__one__Item": item, "x__two__Item": item, "x__two__Other": item}
    refs = [{"$ref": f"#/$defs/{name}"} for name in definitions]
    value = {
        "distribution": NAME,
        "version": "1",
        "streams": {"s": {"anyOf": refs}},
        "definitions": definitions,
    }
    schemas = document_tree(value, {"s": "Ev"})["components"]["schemas"]
    assert list(schemas) == ["one_Item", "two_Item", "Other", "Ev"]


def test_no_prose_of_the_client_passes(tmp_path: Path) -> None:
    text = (
        'class Ev(Model):\n    """Long prose."""\n    type: Literal["ev"]\n    """More prose."""\n'
    )
    value = read_client(write_client(tmp_path, text))
    assert "Long prose." in json.dumps(value)
    tree = document_tree(value, {"s": "Ev"})
    assert "prose" not in json.dumps(tree) and "title" not in tree["components"]["schemas"]["Ev"]


def test_what_is_not_installed_cannot_be_read() -> None:
    with pytest.raises(SpecError, match=r"sdk: the types of smallclient cannot be read .*Install"):
        read_types(NAME, "", TYPES)


@pytest.mark.parametrize("version", ["--upgrade", "1.0 --pre", "latest", "../1.0"])
def test_what_is_no_version_is_not_given_to_pip(version: str) -> None:
    with pytest.raises(SpecError, match="this is not a version"):
        read_types(NAME, version, TYPES)


def test_a_version_that_does_not_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(SpecError, match="has no version 9.9 of smallclient"):
        read_types(NAME, "9.9", TYPES, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_an_installed_folder_stands_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client here asks for no pydantic, which is installed beside us and not beside it."""
    write_wheel(tmp_path, "Ev = int\n")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(SpecError, match="No module named 'pydantic'.*another version"):
        read_types(NAME, "1.0", TYPES, tmp_path / "cache")


def test_what_was_read_of_a_version_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    types = {"chat": "openai.types.chat.ChatCompletionChunk"}
    kept = tmp_path / "cache"
    kept.mkdir()
    with pytest.raises(SpecError):
        read_types(DISTRIBUTION, "3.0.0", types, kept)
    value = {"distribution": "openai", "version": "3.0.0", "streams": {}, "definitions": {}}
    (kept / f"openai-3.0.0-{reading_key(types)}.json").write_text(json.dumps(value))
    assert read_types(DISTRIBUTION, "3.0.0", types, kept) == value
    with pytest.raises(SpecError):  # other types are another reading
        read_types(DISTRIBUTION, "3.0.0", {**types, "s": "openai.types.Completion"}, kept)
