"""`codegen adopt`: what is picked is gone afterwards, nothing else has changed, and a failure writes nothing.

Reads small specifications beside small clients, and the specification of the repository without the overlays that were written by
hand for the installed client. Expected is always what `diff` says of the written folder, which knows nothing of overlays.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codegen.adopt import adopt
from codegen.adopt_schema import json_path
from codegen.compare import compare
from codegen.errors import SpecError
from codegen.load import load
from codegen.overlay import read_overlay
from codegen.resolve import resolve
from codegen.sides import Side, read_side
from tests.small_client import NAME, client_side
from tests.small_spec import fragment, write_spec
from tests.test_sdk import FIELDS, a_client, a_document

"""The overlays for the OpenAI document that follow the client."""

DOCUMENT = """\
openapi: 3.1.0
info: {title: T, version: "1"}
components:
  schemas:
    Ev:
      anyOf:
        - {$ref: '#/components/schemas/One'}
        - {$ref: '#/components/schemas/Two'}
        - type: object
          required: [type]
          properties: {type: {const: three}}
    One:
      allOf:
        - {$ref: '#/components/schemas/Base'}
        - type: object
          required: [type, item]
          properties:
            type: {type: string, enum: [one], x-stainless-const: true}
            item: {$ref: '#/components/schemas/Item'}
    Two:
      type: object
      required: [type, item]
      properties: {type: {const: two}, item: {$ref: '#/components/schemas/Item'}}
    Base: {type: object, required: [n], properties: {n: {type: integer}}}
    Item: {type: object, required: [id], properties: {id: {type: string}, 'a-b': {type: string}}}
"""
SAME = """\
class Part(Model):
    id: str
    a_b: Optional[str] = None
    model_config = ConfigDict(extra="allow", alias_generator=lambda name: name.replace("_", "-"))
"""
ONE = 'class A(Model):\n    n: int\n    type: Literal["one"]\n    item: Part\n'
TWO = 'class B(Model):\n    type: Literal["two"]\n    item: Part\n'
THREE = 'class C(Model):\n    type: Literal["three"]\n'
UNION = "Ev: TypeAlias = Union[A, B, C]\n"


def prepared(tmp_path: Path, client: str, document: str = DOCUMENT) -> tuple[Path, Side]:
    """A folder `spec` and the side of a client."""
    spec = write_spec(tmp_path, document, [fragment(client=f"{NAME}.types.Ev")])
    return spec, client_side(tmp_path / "client", spec, client)


def ids(spec: Path, side: Side) -> list[str]:
    """The ids of what the client says otherwise than the folder does."""
    return [change.id for change in compare(read_side("spec", spec), side).changes]


def contents(spec: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {str(path): path.read_bytes() for path in sorted(spec.rglob("*")) if path.is_file()}


def test_equal_sides_have_nothing_to_adopt(tmp_path: Path) -> None:
    spec, side = prepared(tmp_path, SAME + ONE + TWO + THREE + UNION)
    assert ids(spec, side) == []
    before = contents(spec)
    assert adopt(spec, side, "30-client").actions == 0
    assert contents(spec) == before


CLIENTS = {
    "an event comes": (
        SAME + ONE + TWO + THREE,
        'class D(Model):\n    type: Literal["four"]\n    item: Part\n    more: List[Zed]\n'
        "class Zed(Model):\n    inner: Optional[Zed] = None\n    kind: Literal['a', 'b']\n"
        "Ev: TypeAlias = Union[A, B, C, D]\n",
        ["event-added/four"],
    ),
    "an event of a ref goes": (
        SAME + ONE + THREE,
        "Ev: TypeAlias = Union[A, C]\n",
        ["event-removed/two"],
    ),
    "an event that is written out goes": (
        SAME + ONE + TWO,
        "Ev: TypeAlias = Union[A, B]\n",
        ["event-removed/three"],
    ),
    "a property goes from a part of allOf": (
        SAME + TWO + THREE,
        'class A(Model):\n    type: Literal["one"]\n    item: Part\n' + UNION,
        ["field-removed/Base.n/integer"],
    ),
    "a property comes beside allOf": (
        SAME + TWO + THREE,
        ONE.replace("n: int", "n: int\n    more: int") + UNION,
        ["required-field-added/One.more/integer"],
    ),
    "a property of allOf is no longer required": (
        SAME + TWO + THREE,
        ONE.replace("n: int", "n: Optional[int] = None") + UNION,
        ["made-optional/Base.n"],
    ),
    "one of two classes for a schema has more": (
        SAME + ONE + THREE,
        "class Other(Part):\n    x: Optional[int] = None\n" + TWO.replace("Part", "Other") + UNION,
        ["field-added/Item.x/integer or null"],
    ),
    "a name that is no identifier": (
        ONE + TWO + THREE,
        "class Part(Model):\n    id: str\n" + UNION,
        ["field-removed/Item.a-b/string"],
    ),
}


@pytest.mark.parametrize("name", CLIENTS)
def test_what_is_adopted_is_gone(name: str, tmp_path: Path) -> None:
    before, after, expected = CLIENTS[name]
    spec, side = prepared(tmp_path, before + after)
    assert ids(spec, side) == expected
    done = adopt(spec, side, "30-client")
    assert ids(spec, side) == []
    assert [change.id for change in done.adopted] == expected and not done.along
    resolve(load(spec))


def test_every_kind_of_a_field_is_adopted(tmp_path: Path) -> None:
    spec, side = prepared(tmp_path, a_client(), a_document())
    before = ids(spec, side)
    assert len(before) == sum(len(kinds) for *_, kinds in FIELDS)
    adopt(spec, side, "30-client")
    assert ids(spec, side) == []
    untouched = {name for name, *_, kinds in FIELDS if not kinds}
    (overlay,) = spec.glob("overlays/*.yaml")
    touched = {
        action.target.split(".")[5]
        for action in read_overlay(overlay).actions
        if ".properties." in action.target
    }
    assert not touched & untouched


@pytest.mark.parametrize("position", range(0, 16, 3))
def test_one_change_is_picked_and_the_others_stay(position: int, tmp_path: Path) -> None:
    spec, side = prepared(tmp_path, a_client(), a_document())
    before = ids(spec, side)
    chosen = before[position % len(before)]
    done = adopt(spec, side, "30-client", only=[chosen])
    assert [change.id for change in done.adopted] == [chosen]
    assert done.along == ()
    assert ids(spec, side) == [each for each in before if each != chosen]


def test_an_overlay_tells_its_reason_and_its_evidence(tmp_path: Path) -> None:
    client = SAME + ONE.replace("n: int", "n: int\n    more: Optional[int] = None") + TWO + THREE
    spec, side = prepared(tmp_path, client + UNION)
    done = adopt(spec, side, "30-more-of-one")
    assert done.path.read_text() == """\
overlay: "1.0.0"
x-document: d
info:
  title: "Adopted from smallclient 1.0: more of one"
  version: "1.0.0"
actions:
  - target: "$.components.schemas.One.allOf[1]"
    description: "The types of the official client (smallclient 1.0) have the property more, and do not tell absent from null: both are allowed."
    update:
      properties:
        more:
          anyOf:
            - type: integer
            - type: "null"
"""


def test_what_is_accepted_is_left(tmp_path: Path) -> None:
    spec, side = prepared(tmp_path, a_client(), a_document())
    kept, *others = ids(spec, side)
    entry = f"accepted:\n- id: {kept!r}\n  reason: It was looked at.\n  who: everyone\n  events: {{s: all}}\n"
    (spec / "accepted.yaml").write_text(entry)
    adopt(spec, side, "30-client", today="2026-01-01")
    assert ids(spec, side) == [kept]


def test_an_event_without_an_entry_is_told(tmp_path: Path) -> None:
    before, after, _ = CLIENTS["an event comes"]
    spec, side = prepared(tmp_path, before + after)
    done = adopt(spec, side, "30-client")
    assert any("'four'" in each.what and "has no entry" in each.what for each in done.todo)
    assert all(str(spec) in each.where for each in done.todo)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a name without a number": ({"name": "client"}, "is not a name for an overlay"),
    "a name that leaves the folder": ({"name": "30-../x"}, "is not a name for an overlay"),
    "a name that is taken": ({"name": "20-there"}, "is there already"),
    "a name before another": ({"name": "10-client"}, "20-there would be applied after it"),
    "an unknown change": ({"only": ["field-added/Nothing"]}, "is no change between the two"),
    "an unknown stream": ({"streams": ["x"]}, "is no stream of either side"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_writes_nothing(name: str, tmp_path: Path) -> None:
    arguments, message = REFUSED[name]
    spec, side = prepared(tmp_path, a_client(), a_document())
    there = "overlay: 1.0.0\nx-document: d\ninfo: {title: T, version: '1'}\nactions:\n"
    there += "- {target: $.components.schemas.Leaf, update: {minProperties: 1}}\n"
    (spec / "overlays" / "20-there.yaml").write_text(there)
    before = contents(spec)
    with pytest.raises(SpecError, match=message):
        adopt(spec, side, **{"name": "30-client", **arguments})
    assert contents(spec) == before


def test_what_no_overlay_can_say_is_refused_as_a_whole(tmp_path: Path) -> None:
    """The stream is one event, not a union: another event cannot be added. The property could have been."""
    document = a_document().replace("enum: [ev]", "enum: [old]")
    spec, side = prepared(tmp_path, a_client(), document)
    before = contents(spec)
    with pytest.raises(SpecError, match="no overlay was found that takes it over"):
        adopt(spec, side, "30-client")
    assert contents(spec) == before


def test_a_document_is_not_adopted_from(tmp_path: Path) -> None:
    spec, _ = prepared(tmp_path, SAME + ONE + TWO + THREE + UNION)
    with pytest.raises(SpecError, match="is not a client"):
        adopt(spec, read_side("spec", spec), "30-client")


@pytest.mark.parametrize(
    ("pointer", "path"),
    [
        ("#/components/schemas/A", "$.components.schemas.A"),
        ("#/components/schemas/A-2/anyOf/0", "$.components.schemas['A-2'].anyOf[0]"),
        ("#/components/schemas/A/properties/0", "$.components.schemas.A.properties['0']"),
        ("#/components/schemas/A/properties/a~1b", "$.components.schemas.A.properties['a/b']"),
        ("#/components/schemas/A/properties/it's", "$.components.schemas.A.properties['it\\'s']"),
    ],
)
def test_pointers_as_paths(pointer: str, path: str) -> None:
    assert json_path(pointer) == path
