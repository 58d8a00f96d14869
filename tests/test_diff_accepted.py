"""Changes that were looked at: which entry holds for which change, and who tells of one that holds for none.

Reads small documents and entries written here. Never reads the committed spec/accepted.yaml as expected.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from codegen.accepted import entry_text, read_accepted, sorted_out
from codegen.changes import Comparison
from codegen.compare import compare
from codegen.errors import SpecError
from codegen.sides import Side, from_bytes
from tests.diff_cases import ENTRY, FOLDER, SERVER, compared, sides_of, spec_of, written_entries


def test_accepted_changes_are_told_and_do_not_count(tmp_path: Path) -> None:
    comparison = compared(FOLDER / "event-renamed", tmp_path, SERVER)
    (change,) = comparison.changes
    entry = {"id": change.id, "reason": "known", "who": "the tests", "events": {"s": "all"}}
    other = {**entry, "id": "event-added/nothing"}
    entries = read_accepted(written_entries(tmp_path, {**entry, "until": "2026-12-31"}, other))
    for today, counts in (("2026-12-31", False), ("2027-01-01", True)):
        left, known, unmatched, expired = sorted_out([change], entries, today)
        assert (left == [change]) is counts and bool(known) is not counts
        assert [each.id for each in unmatched] == ["event-added/nothing"]
        assert bool(expired) is counts


@pytest.mark.parametrize(
    "entry",
    [
        {"id": ""},
        {"reason": ""},
        {"who": None},
        {"until": "soon"},
        {"until": "2026-02-30"},
        {"whom": "z"},
        {"events": None},
        {"events": {}},
        {"events": {"s": []}},
        {"events": {"s": [1]}},
        {"events": {"s": "a"}},
        {"comparison": "other"},
    ],
)
def test_an_entry_that_is_not_whole_is_an_error(tmp_path: Path, entry: Mapping[str, Any]) -> None:
    assert read_accepted(written_entries(tmp_path, ENTRY))
    with pytest.raises(SpecError):
        read_accepted(written_entries(tmp_path, {**ENTRY, **entry}))


def test_two_entries_for_one_change_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(SpecError):
        read_accepted(written_entries(tmp_path, ENTRY, ENTRY))
    assert (
        len(read_accepted(written_entries(tmp_path, ENTRY, {**ENTRY, "comparison": "drift"}))) == 2
    )


def test_a_file_of_accepted_changes_without_any(tmp_path: Path) -> None:
    path = tmp_path / "accepted.yaml"
    assert read_accepted(path) == ()
    for text in ("", "# Nothing yet.\n", "accepted:\n", "accepted: []\n"):
        path.write_text(text, "utf-8")
        assert read_accepted(path) == ()
    for text in ("other: []\n", "accepted: {}\n", "accepted: all\n"):
        path.write_text(text, "utf-8")
        with pytest.raises(SpecError):
            read_accepted(path)


def _both_streams(tmp_path: Path, case: str) -> Comparison:
    """The case with its streams, s and t, without entries."""
    return compared(FOLDER / case, tmp_path, SERVER)


def test_an_entry_holds_for_the_events_that_it_was_written_for(tmp_path: Path) -> None:
    comparison = _both_streams(tmp_path, "shared-schema")
    (change,) = comparison.changes
    assert {f"{each.stream} {each.tag}" for each in change.events} == {"s a", "s b", "t a"}
    for events, holds in (
        ({"s": "all", "t": "all"}, True),
        ({"s": ["a", "b"], "t": ["a"]}, True),
        ({"s": ["a"], "t": ["a"]}, False),
        ({"s": "all"}, False),
        ({"t": "all", "other": "all"}, False),
    ):
        entries = read_accepted(
            written_entries(tmp_path, {**ENTRY, "id": change.id, "events": events})
        )
        left, known, unmatched, _ = sorted_out([change], entries, "2026-01-01")
        assert (bool(known), bool(left)) == (holds, not holds)
        assert unmatched == (
            [] if holds else [*entries]
        )  # an entry that reaches too little is told


def test_what_stands_beneath_an_accepted_change_counts(tmp_path: Path) -> None:
    (change,) = compared(FOLDER / "schema-replaced", tmp_path, SERVER).changes
    entry = {**ENTRY, "id": change.id}
    left, known, unmatched, _ = sorted_out(
        [change], read_accepted(written_entries(tmp_path, entry)), "2026-01-01"
    )
    assert [each.id for each in left] == [each.id for each in change.beneath]
    assert known[0][0].id == change.id and not known[0][0].beneath
    every = [entry, *({**ENTRY, "id": each.id} for each in change.beneath)]
    left, known, unmatched, _ = sorted_out(
        [change], read_accepted(written_entries(tmp_path, *every)), "2026-01-01"
    )
    assert not left and len(known) == 4 and not unmatched


def test_the_text_of_an_entry_is_one(tmp_path: Path) -> None:
    (change,) = _both_streams(tmp_path, "shared-schema").changes
    path = tmp_path / "accepted.yaml"
    text = entry_text(change).replace(': ""', ": x")
    path.write_text(f"accepted:\n{text}", "utf-8")
    (entry,) = read_accepted(path)
    assert entry.covers(change)


def test_only_a_comparison_that_covers_an_entry_says_that_it_is_done_with(tmp_path: Path) -> None:
    case = FOLDER / "shared-schema"
    spec = spec_of(tmp_path, [{"stream": "s", "union": "Ev"}, {"stream": "t", "union": "Et"}], {})
    old, new = sides_of(case, spec)
    ours = dataclasses.replace(new, label="spec")

    def unmatched(new: Side, streams: tuple[str, ...] = (), **more: Any) -> int:
        entries = read_accepted(written_entries(tmp_path, {**ENTRY, "id": "gone", **more}))
        return len(compare(old, new, streams, entries, "2026-01-01").unmatched)

    assert unmatched(ours) == 1
    assert unmatched(new) == 0  # two sides that are not ours
    assert unmatched(ours, ("t",)) == 0
    assert unmatched(ours, ("s",)) == 1
    assert unmatched(ours, events={"s": ["a"], "t": "all"}) == 1
    assert unmatched(ours, events={"other": "all"}) == 0
    assert unmatched(ours, comparison="sdk") == 0


def test_commands_read_the_entries_for_them(tmp_path: Path) -> None:
    entries = [{**ENTRY, "id": name, "comparison": name} for name in ("diff", "drift", "sdk")]
    path = written_entries(tmp_path, ENTRY, *entries)
    ids = {
        command: [entry.id for entry in read_accepted(path, command)]
        for command in ("", "diff", "drift")
    }
    assert ids == {
        "": ["x", "diff", "drift", "sdk"],
        "diff": ["x", "diff", "sdk"],
        "drift": ["x", "drift", "sdk"],
    }


def test_spelling_is_counted_for_the_streams_that_are_asked_for(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, [{"stream": "s", "union": "Ev"}, {"stream": "t", "union": "Et"}], {})
    texts = [(FOLDER / "shared-schema" / name).read_text("utf-8") for name in ("old.yaml",) * 2]
    texts[1] = texts[1].replace("[slow, normal]", "[slow, normal, fast]")
    texts[1] = texts[1].replace("B:\n      type: object", "B:\n      required: []")
    old, new = (from_bytes(text.encode(), "x", spec, "d") for text in texts)
    for streams, spelling, reached in (((), 1, 3), (("s",), 1, 2), (("t",), 0, 1)):
        comparison = compare(old, new, streams)
        assert [change.kind for change in comparison.changes] == ["enum-value-added"]
        assert comparison.spelling == spelling
        assert len(comparison.changes[0].events) == reached
