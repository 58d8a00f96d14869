"""`drift --update`: the new cut and all that follows from it, or nothing.

Reads and writes small specifications that the tests write. Never touches spec/ of the repository.
"""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main
from codegen.drift_verdicts import FINE, FOUND, UNUSABLE
from codegen.sources import Entry, read_watched, record
from tests.drift_spec import (
    ADDED,
    DOCUMENT,
    ENTRY,
    MOVED,
    REMOVED,
    alone,
    judged,
    put_overlay,
    server_fixture,
    spec_fixture,
)
from tests.loopback import Loopback, Reply
from tests.small_spec import fragment

SNAPSHOT = {"snapshot": "Whole", "snapshot_name": "whole"}


def test_update_takes_over_what_moved(spec: Path, server: Loopback) -> None:
    text = MOVED.replace('version: "1"', 'version: "2"')
    server.put("/d.yaml", Reply(text.encode(), etag='"2"'))
    (old,) = read_watched(spec / "sources.yaml")
    record(spec / "sources.yaml", replace(old, expected_every="9d"))
    commented = "# A comment.\n" + (spec / "sources.yaml").read_text()
    (spec / "sources.yaml").write_text(commented, encoding="utf-8")
    out = spec.parent / "generated"
    assert main(["drift", "--update", "--fail-on", "none"]) == FINE
    (entry,) = read_watched(spec / "sources.yaml")
    assert isinstance(entry, Entry)
    assert (entry.version, entry.etag, entry.expected_every) == ("2", '"2"', "9d")
    assert entry.date == datetime.date.today().isoformat()
    assert entry.command == f"codegen cut {server.address}/d.yaml --name d"
    assert (spec / "sources.yaml").read_text().startswith("# A comment.\nsources:\n")
    assert "class Wait" in (out / "stream_events/s/events.py").read_text()
    found = judged(spec)
    assert (alone(found).state, found.code("any")) == ("not moved", FOUND)  # the tag has no rule


def test_the_line_that_drift_says_is_all_that_check_asks_for(
    spec: Path, server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = "    Whole: {type: object, properties: {text: {type: string}}}\n"
    path = spec / "fragments/0.yaml"
    path.write_text(fragment(events={"hello": ENTRY, "bye": ENTRY}, **SNAPSHOT), encoding="utf-8")
    server.put("/d.yaml", Reply((MOVED + whole).encode()))
    (todo,) = alone(judged(spec)).todo
    line = todo.action.removeprefix("Add under `events`: ")
    assert line.endswith("rule: [ignore]}")
    text = path.read_text("utf-8")
    path.write_text(text.replace('"events": {', f'"events": {{{line}, ', 1), encoding="utf-8")
    assert main(["drift", "--update", "--fail-on", "none"]) == FINE
    capsys.readouterr()
    assert main(["check"]) == FINE
    assert capsys.readouterr().err == ""


def test_update_that_cannot_generate_ends_with_2(
    spec: Path, server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    server.put("/d.yaml", Reply(DOCUMENT.replace("    Ev:", "    Other:").encode()))
    before = (spec / "documents" / "d.yaml").read_bytes()
    assert main(["drift", "--update", "--fail-on", "none"]) == UNUSABLE
    assert "the root schema Ev is not in components.schemas" in capsys.readouterr().err
    assert (spec / "documents" / "d.yaml").read_bytes() == before


def _texts(spec: Path) -> dict[Path, bytes]:
    """All files of spec/ and what was generated from it."""
    folders = (spec, spec.parent / "generated")
    return {
        path: path.read_bytes() for each in folders for path in each.rglob("*") if path.is_file()
    }


SPENT = {
    "removal": (REMOVED, ("[type, text]", "[type]")),
    "renamed target": (ADDED, ("Hello", "Hallo")),
}


@pytest.mark.parametrize("action, edit", SPENT.values(), ids=SPENT)
def test_an_overlay_that_does_not_fit_the_new_cut_stops_the_update(
    spec: Path,
    server: Loopback,
    action: dict[str, Any],
    edit: tuple[str, str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    put_overlay(spec, action)
    assert main(["generate"]) == FINE
    server.put("/d.yaml", Reply(DOCUMENT.replace(*edit).encode()))
    before = _texts(spec)
    for _ in range(2):
        assert main(["drift", "--update", "--fail-on", "none"]) == UNUSABLE
        said = capsys.readouterr().err
        assert "spec/overlays/0.yaml:1 (#/actions/0): target $.components.schemas.Hello" in said
        assert "spec: nothing is written: with the new cut of d, generate would end so." in said
        assert _texts(spec) == before
    (spec / "overlays" / "0.yaml").unlink()
    assert main(["drift", "--update", "--fail-on", "none"]) == FINE
    assert main(["check"]) == FINE
