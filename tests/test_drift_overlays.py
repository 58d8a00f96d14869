"""Overlays beside a document that moves: those that still fit, that upstream caught up with, that clash.

Reads small specifications that the tests write and a server on the loopback interface. Never asks another machine.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codegen.drift_verdicts import FINE, FOUND
from tests.drift_spec import (
    ADDED,
    DOCUMENT,
    MOVED,
    REMOVED,
    VALUE,
    alone,
    ids,
    judged,
    put_overlay,
    server_fixture,
    spec_fixture,
)
from tests.loopback import Loopback, Reply


def test_overlays_that_still_fit_say_nothing(spec: Path, server: Loopback) -> None:
    put_overlay(spec, ADDED, VALUE, REMOVED)
    server.put("/d.yaml", Reply(MOVED.encode()))
    assert ids(alone(judged(spec))) == ["event-added/wait"]
    assert [each.what for each in alone(judged(spec)).todo if "rule" not in each.what] == []


@pytest.mark.parametrize(
    "action, old, new, said",
    [
        (ADDED, "{type: string}\n    Bye", "{type: string}\n        n: {type: integer, minimum: 0}\n    Bye", "is now in the document"),
        (VALUE, "[end, error]", "[stop, end, error]",  "is now in the document"),
        (REMOVED, "[type, text]", "[type]", "matches nothing in document d"),
        (ADDED, "Hello", "Hallo", "matches nothing in document d"),
    ],
    ids=["field", "value", "removal", "renamed target"],
)  # fmt: skip
def test_an_overlay_that_upstream_caught_up_with(
    spec: Path, server: Loopback, action: dict[str, Any], old: str, new: str, said: str
) -> None:
    put_overlay(spec, action)
    server.put("/d.yaml", Reply(DOCUMENT.replace(old, new).encode()))
    found = judged(spec)
    (todo,) = alone(found).todo
    assert said in todo.what and "overlays/0.yaml:1 (#/actions/0)" in todo.where
    assert todo.action.startswith("Remove the action")
    assert found.code("breaking") == FOUND


def test_the_same_change_upstream_and_in_an_overlay_is_no_change(
    spec: Path, server: Loopback
) -> None:
    put_overlay(spec, VALUE)
    server.put("/d.yaml", Reply(DOCUMENT.replace("[end, error]", "[end, error, stop]").encode()))
    assert ids(alone(judged(spec))) == []


def test_an_overlay_that_clashes_is_told_and_the_rest_compared(
    spec: Path, server: Loopback
) -> None:
    other = {
        "Later": {"type": "object", "required": ["type"], "properties": {"type": {"const": "wait"}, "n": {"type": "integer"}}}
    }  # fmt: skip
    put_overlay(
        spec,
        {"target": "$.components.schemas", "update": other},
        {
            "target": "$.components.schemas.Ev",
            "update": {"anyOf": [{"$ref": "#/components/schemas/Later"}]},
        },
    )
    server.put("/d.yaml", Reply(MOVED.encode()))
    verdict = alone(judged(spec))
    assert (verdict.state, ids(verdict)) == ("moved", ["event-added/wait"])
    clash = [each.what for each in verdict.todo if each.what.startswith("with our overlays: ")]
    assert len(clash) == 1 and "have the tag 'wait'" in clash[0]


def test_an_overlay_that_does_not_fit_our_own_cut_is_told(spec: Path, server: Loopback) -> None:
    put_overlay(spec, {"target": "$.components.schemas.None", "remove": True}, ADDED)
    found = judged(spec)
    (todo,) = alone(found).todo
    assert todo.what == "target $.components.schemas.None matches nothing in document d"
    assert (alone(found).state, found.code("breaking"), found.code("none")) == (
        "not moved",
        FOUND,
        FINE,
    )
    server.put("/d.yaml", Reply(MOVED.encode()))
    assert ids(alone(judged(spec))) == ["event-added/wait"]
    assert todo in alone(judged(spec)).todo


BOTH = "$.components.schemas['Hello','Bye']"
TWICE = {"target": BOTH, "update": {"properties": {"n": {"type": "integer"}}}}
UNNEEDED = {"target": f"{BOTH}.required[?@ == 'text' || @ == 'reason']", "remove": True}
HALFWAY = {
    "added": (TWICE, ("{type: string}\n    Bye", "{type: string}\n        n: {type: integer}\n    Bye"), "in the document at #/components/schemas/Hello"),
    "removed": (UNNEEDED, ("[type, text]", "[type]"), "removes, text of #/components/schemas/Hello/required is gone"),
    "renamed": (UNNEEDED, ("Hello", "Hallo"), None),
}  # fmt: skip


@pytest.mark.parametrize("action, edit, said", HALFWAY.values(), ids=HALFWAY)
def test_an_overlay_that_upstream_caught_up_with_halfway(
    spec: Path,
    server: Loopback,
    action: dict[str, Any],
    edit: tuple[str, str],
    said: str | None,
) -> None:
    put_overlay(spec, action)
    server.put("/d.yaml", Reply(DOCUMENT.replace(*edit).encode()))
    todo = alone(judged(spec)).todo
    assert [each.what.endswith(said or "") for each in todo] == [True] * (said is not None)
    assert all(
        each.action == "Take it out of the target." or "that out" in each.action for each in todo
    )
