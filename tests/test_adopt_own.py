"""`codegen adopt` beside corrections of ours: they are not undone unless that is asked for.

Reads small specifications beside small clients. Expected is what `diff` says of the folder, which knows nothing of overlays.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main
from codegen.adopt import adopt
from codegen.overlay import read_overlay
from codegen.sides import Side
from codegen.snapshot import write_snapshot
from tests.small_client import client_side
from tests.test_adopt import DOCUMENT, ONE, SAME, THREE, TWO, UNION, contents, ids, prepared


def corrected(tmp_path: Path, *actions: dict[str, Any]) -> tuple[Path, Side]:
    """A folder `spec` whose document is the client's, with a correction of ours upon it."""
    spec, side = prepared(tmp_path, SAME + ONE + TWO + THREE + UNION)
    head = {"overlay": "1.0.0", "info": {"title": "Seen live", "version": "1"}, "x-document": "d"}
    (spec / "overlays" / "20-wire.yaml").write_text(json.dumps({**head, "actions": actions}))
    return spec, side


SCHEMAS = "$.components.schemas"
OURS: dict[str, dict[str, Any]] = {
    "field": {"target": f"{SCHEMAS}.Item.properties", "update": {"x": {"type": "string"}}},
    "optional": {"target": f"{SCHEMAS}.Item.required[?@ == 'id']", "remove": True},
    "null": {"target": f"{SCHEMAS}.Item.properties.id", "update": {"nullable": True}},
    "event": {
        "target": f"{SCHEMAS}.Ev.anyOf",
        "update": {"type": "object", "required": ["type"], "properties": {"type": {"const": "live"}}},
    },
}  # fmt: skip


@pytest.mark.parametrize("action", OURS.values(), ids=OURS)
def test_our_corrections_are_not_undone(
    action: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec, side = corrected(tmp_path, action)
    (only,) = ids(spec, side)
    before = contents(spec)
    done = adopt(spec, side, "30-client")
    assert (done.actions, [change.id for change in done.ours]) == (0, [only])
    assert contents(spec) == before
    assert adopt(spec, side, "30-client", only=[only]).actions > 0
    assert ids(spec, side) == []


def test_what_the_client_says_beside_a_correction_is_adopted(tmp_path: Path) -> None:
    spec, side = corrected(tmp_path, OURS["field"])
    more = SAME.replace("id: str", "id: str\n    more: int")
    side = client_side(tmp_path / "other", spec, more + ONE + TWO + THREE + UNION)
    done = adopt(spec, side, "30-client")
    assert [change.subject for change in done.adopted] == ["Item.more"]
    assert [change.subject for change in done.ours] == ["Item.x"]


def test_nothing_to_adopt_is_no_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec, side = corrected(tmp_path, OURS["field"])
    write_snapshot(side, spec / "snapshots", "client", "2026-01-01")
    arguments = ["adopt", "--from", "client", "--spec", str(spec), "--name", "30-client"]
    assert main(arguments) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{spec}: there is nothing to adopt",
        "1 change is left out, which would undo an overlay; codegen diff spec client lists it, --only ID takes one",
    ]


def test_a_value_of_an_open_list_is_one_small_edit(tmp_path: Path) -> None:
    """Nothing around the list is written anew."""
    word = "anyOf: [{type: string}, {type: string, enum: [a, b]}]"
    document = DOCUMENT.replace("id: {type: string}", f"id: {{{word}}}")
    client = SAME.replace("id: str", "id: Union[str, Literal['a', 'b', 'c']]")
    spec, side = prepared(tmp_path, client + ONE + TWO + THREE + UNION, document)
    done = adopt(spec, side, "30-client")
    assert [change.kind for change in done.adopted] == ["enum-value-listed"]
    overlay = read_overlay(done.path)
    assert [action.update for action in overlay.actions] == [{"enum": ["c"]}]
