"""Every folder of tests/cases_diff: two documents that show one kind of change, and what must be told of them.

Reads old.yaml, new.yaml and, where a case has several streams, streams.yaml; compares with expected.json, whole: each change
with its level where the streams are received and where they are sent. Never writes into a case, unless it is asked to:

    CODEGEN_UPDATE_CASES=1 pytest tests/test_diff.py

writes what comes out as what is expected. Read it before keeping it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from codegen.changes import Change, Comparison
from codegen.compare import compare
from codegen.documents import parse, read_bytes
from codegen.kinds import KINDS
from codegen.sides import from_bytes
from tests.diff_cases import FOLDER, SERVER, compared
from tests.shared import shared
from tests.small_spec import write_spec

CASES = sorted(path for path in FOLDER.iterdir() if path.is_dir())
UPDATE = "CODEGEN_UPDATE_CASES" in os.environ
CLIENT: Mapping[str, Any] = {"direction": "client", "transport": "websocket"}


@pytest.mark.parametrize("case", CASES, ids=[path.name for path in CASES])
def test_case(case: Path, tmp_path: Path) -> None:
    received = compared(case, tmp_path / "received", SERVER)
    sent = compared(case, tmp_path / "sent", CLIENT)
    found = {
        "changes": [_shown(*both) for both in zip(_by_id(received), _by_id(sent), strict=True)],
        "spelling": received.spelling,
    }
    expected = case / "expected.json"
    if UPDATE:
        expected.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
    assert found == json.loads(expected.read_bytes())
    if case.name.startswith("spelling-"):
        assert not received.changes and received.spelling


def test_each_kind_has_a_case() -> None:
    assert {kind for kind in KINDS} <= {case.name for case in CASES}


@pytest.mark.parametrize("case", CASES, ids=[path.name for path in CASES])
def test_pointers_lead_to_schemas_in_both_documents(case: Path, tmp_path: Path) -> None:
    trees = [parse(read_bytes(case / name), name) for name in ("old.yaml", "new.yaml")]
    for change in compared(case, tmp_path, SERVER).changes:
        for place in change.places:
            assert _resolved(trees[0], place.old) is not None
            assert _resolved(trees[1], place.new) is not None


def _resolved(tree: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        tree = tree[int(step)] if isinstance(tree, list) else tree[step]
    return tree


def _by_id(comparison: Comparison) -> list[Change]:
    return sorted(comparison.changes, key=lambda change: change.id)


def _shown(received: Change, sent: Change) -> dict[str, Any]:
    assert received.id == sent.id
    return {
        "id": received.id,
        "received": received.level,
        "sent": sent.level,
        "events": [f"{event.stream} {event.tag}" for event in received.events],
        "places": [[place.old, place.new] for place in received.places],
        "beneath": [inner.id for inner in received.beneath],
    }


def _changed(kind: str, *names: str) -> Callable[[list[Change]], None]:
    def check(changes: list[Change]) -> None:
        assert {(change.kind, change.subject) for change in changes} == {
            (kind, name) for name in names
        }

    return check


def _shape(changes: list[Change]) -> None:
    gone = {change.subject for change in changes if change.kind == "field-removed"}
    came = {change.subject for change in changes if change.kind.endswith("field-added")}
    assert gone == {"X.code", "X.message"} and came == {"X.error", "X.status"}
    assert len(changes) == 4 and {event.tag for each in changes for event in each.events} == {
        "error"
    }


def _gone(changes: list[Change]) -> None:
    (change,) = changes
    assert change.kind == "stream-removed" and change.level == "breaking"
    assert [event.tag for event in change.events] == ["a", "b"]


def _renamed(changes: list[Change]) -> None:
    (change,) = changes
    assert (change.kind, change.old, change.new) == (
        "event-renamed",
        "response.code_interpreter_call.code.delta",
        "response.code_interpreter_call_code.delta",
    )


SHARED: Mapping[str, Callable[[list[Change]], None] | None] = {
    "drift-event-renamed": _renamed,
    "drift-field-became-nullable": _changed("made-nullable", "A.id"),
    "drift-change-under-additional-properties-missed": _changed("type-changed", "A.m.*"),
    "drift-event-shape-changed": _shape,
    "drift-union-disappears": _gone,
    "drift-provider-field-renamed": None,
    "drift-legacy-event-alias": None,
}
"""Case → what its changes must be; None for one that is about decoding a stream, which the package's tests have."""


@pytest.mark.parametrize("name", [name for name, check in SHARED.items() if check])
def test_shared_case(name: str, tmp_path: Path) -> None:
    cases = json.loads(shared("cases/cases.json").read_bytes())["cases"]
    case = next(case for case in cases if case["id"] == name)
    spec = write_spec(tmp_path, "")
    old, new = (
        from_bytes(json.dumps(case["input"][side]).encode(), side, spec, "d")
        for side in ("old", "new")
    )
    check = SHARED[name]
    assert check is not None
    check(list(compare(old, new).changes))


def test_every_shared_case_of_the_area_is_here() -> None:
    cases = json.loads(shared("cases/cases.json").read_bytes())["cases"]
    drift = {case["id"]: case for case in cases if case["area"] == "drift"}
    assert drift.keys() == SHARED.keys()
    for name, check in SHARED.items():
        assert (drift[name]["input_kind"] == "diff-pair") is (check is not None)
