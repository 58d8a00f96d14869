"""Every folder of tests/cases_diff: two documents that show one kind of change, and what must be told of them.

Reads old.yaml, new.yaml and, where a case has several streams, streams.yaml; compares with expected.json, whole: each change
with its level where the streams are received and where they are sent. Never writes into a case, unless it is asked to:

    CODEGEN_UPDATE_CASES=1 pytest tests/test_diff.py

writes what comes out as what is expected. Read it before keeping it.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic_sarif.model import (  # type: ignore[import-untyped]
    StaticAnalysisResultsFormatSarifVersion210JsonSchema as Sarif,
)

from codegen.__main__ import main
from codegen.accepted import entry_text, read_accepted, sorted_out
from codegen.changes import Change, Comparison
from codegen.commands_diff import kinds_table
from codegen.compare import compare
from codegen.diff_names import parted, schema_part, subject
from codegen.documents import parse, read_bytes
from codegen.errors import SpecError
from codegen.kinds import KINDS, LEVELS, at_or_above
from codegen.report import FORMATS
from codegen.report.rows import rows
from codegen.report.text import COLOURS, WIDTH, coloured
from codegen.report.text import render as text_report
from codegen.sides import Side, from_bytes, read_side
from tests.shared import shared
from tests.small_spec import fragment, write_spec

FOLDER = Path(__file__).parent / "cases_diff"
CASES = sorted(path for path in FOLDER.iterdir() if path.is_dir())
UPDATE = "CODEGEN_UPDATE_CASES" in os.environ
SERVER: Mapping[str, Any] = {}
CLIENT: Mapping[str, Any] = {"direction": "client", "transport": "websocket"}
ROOT = Path(__file__).resolve().parent.parent
SNAPSHOTS = ("openai-2026-07-15", "openai-2026-08-21")


@pytest.mark.parametrize("case", CASES, ids=[path.name for path in CASES])
def test_case(case: Path, tmp_path: Path) -> None:
    received = _compared(case, tmp_path / "received", SERVER)
    sent = _compared(case, tmp_path / "sent", CLIENT)
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
    for change in _compared(case, tmp_path, SERVER).changes:
        for place in change.places:
            assert _resolved(trees[0], place.old) is not None
            assert _resolved(trees[1], place.new) is not None


def _resolved(tree: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        tree = tree[int(step)] if isinstance(tree, list) else tree[step]
    return tree


def _compared(case: Path, folder: Path, changes: Mapping[str, Any]) -> Comparison:
    streams: Any = [{"stream": "s", "union": "Ev"}]
    if (case / "streams.yaml").exists():
        text = b"streams:\n" + (case / "streams.yaml").read_bytes()
        streams = parse(text, "streams.yaml")["streams"]
    return compare(*_sides(case, _spec(folder, streams, changes)))


def _spec(folder: Path, streams: Any, changes: Mapping[str, Any]) -> Path:
    texts = []
    for each in streams:
        value = json.loads(fragment(**{"module": each["stream"], **each, **changes}))
        if value["transport"] == "websocket":
            del value["framing"]
        texts.append(json.dumps(value))
    return write_spec(folder, "", texts)


def _sides(case: Path, spec: Path) -> tuple[Side, Side]:
    old, new = (
        from_bytes(read_bytes(case / name), name, spec, "d") for name in ("old.yaml", "new.yaml")
    )
    return old, new


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


# the shared cases


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


# kinds


def test_kinds_have_known_levels_and_a_sentence() -> None:
    for kind in KINDS.values():
        assert kind.received in LEVELS and kind.sent in LEVELS
        assert kind.reason.endswith(".") and kind.id in kinds_table()


def test_what_fails_a_run() -> None:
    failing = {
        threshold: [level for level in LEVELS if at_or_above(level, threshold)]
        for threshold in ("breaking", "dangerous", "additive", "any", "none")
    }
    assert failing == {
        "breaking": ["breaking"],
        "dangerous": ["breaking", "dangerous"],
        "additive": ["breaking", "dangerous", "additive"],
        "any": list(LEVELS),
        "none": [],
    }


# reports


def _committed() -> Comparison:
    old, new = (read_side(name, ROOT / "spec") for name in SNAPSHOTS)
    return compare(old, new)


def test_text_fits_its_columns() -> None:
    lines = text_report(_committed()).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert lines[0] == " → ".join(SNAPSHOTS)


def test_colours_change_nothing_but_colours() -> None:
    comparison = _committed()
    text = text_report(comparison, coloured)
    for code in COLOURS.values():
        assert f"\x1b[{code}m" in text
        text = text.replace(f"\x1b[{code}m", "")
    assert text.replace("\x1b[0m", "") == text_report(comparison)


def test_json_is_as_its_schema_says() -> None:
    schema = json.loads((ROOT / "codegen" / "changes.schema.json").read_bytes())
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$defs"]["kind"]["enum"] == list(KINDS)
    value = json.loads(FORMATS["json"](_committed()))
    jsonschema.Draft202012Validator(schema).validate(value)
    ids = [change["id"] for change in value["changes"]]
    assert len({(change["document"], change["id"]) for change in value["changes"]}) == len(ids)


def test_sarif_is_valid() -> None:
    """The judge is a model that was made from the schema of OASIS and forbids what is not in it."""
    run = Sarif.model_validate_json(FORMATS["sarif"](_committed())).runs[0]
    assert run.results is not None and run.tool.driver.rules is not None
    rules = [rule.id for rule in run.tool.driver.rules]
    assert all(rules[result.ruleIndex] == result.ruleId for result in run.results)


def test_html_loads_nothing() -> None:
    page = FORMATS["html"](_committed())
    assert "http://" not in page and "https://" not in page and " src=" not in page
    assert "<link" not in page and "@import" not in page


def test_names_of_a_document_are_no_markup(tmp_path: Path) -> None:
    case = FOLDER / "field-added"
    spec = write_spec(tmp_path, "")
    evil = "<img src=x onerror=alert(1)>%0A::error::@somebody"
    old = from_bytes((case / "old.yaml").read_bytes(), "old", spec, "d")
    new = (case / "new.yaml").read_text("utf-8").replace("extra:", f'"{evil}\\n::error::x":')
    comparison = compare(old, from_bytes(new.encode(), "new", spec, "d"))
    assert "<img" not in FORMATS["html"](comparison)
    assert "<img" not in FORMATS["markdown"](comparison).replace("\\<", "")
    assert "@somebody" not in FORMATS["markdown"](comparison)
    lines = FORMATS["github"](comparison).splitlines()
    assert sum(line.startswith("::error") for line in lines) == 0
    assert len(lines) == len(comparison.changes) + 1


def test_every_format_gives_the_same_numbers() -> None:
    """Headings, summaries and lines count the same thing: what people read as one change."""
    comparison = _committed()
    said = json.loads(FORMATS["json"](comparison))["rows"]
    found = rows(comparison.changes)
    assert said == {level: sum(row.level == level for row in found) for level in LEVELS}
    assert sum(len(row.changes) for row in found) == len(comparison.changes)
    text, markdown = (FORMATS[name](comparison) for name in ("text", "markdown"))
    for level in LEVELS:
        assert f"{level} ({said[level]})" in text and f"{level} ({said[level]})" in markdown
    numbers = ", ".join(f"{number} {level}" for level, number in said.items())
    assert f"\n{sum(said.values())} changes: {numbers};" in text
    lines = FORMATS["github"](comparison).splitlines()
    assert len(lines) == sum(said.values()) + 1
    part = markdown.partition("### ")[2].partition("\n### ")[0]
    assert sum(line.startswith("- ") for line in part.splitlines()) == said["breaking"]


def test_twins_make_one_row() -> None:
    """Every schema of the beta streams is the twin of another one; both were edited alike on this step."""
    texts = [row.sentence for row in rows(_committed().changes)]
    for text in texts:
        names = re.findall(r"\b(?:Beta)?(?:MCPToolCall|Response\w*Error\w*)\b", text)
        twins = {name.removeprefix("Beta") for name in names if name.startswith("Beta")}
        assert {name for name in names if not name.startswith("Beta")} == twins
    assert sum("MCPToolCall.error" in text for text in texts) == 1


# words


@pytest.mark.parametrize(
    "pointer, expected, owner, name, schema",
    [
        ("A/properties/b", "A.b", "A", "b", "A"),
        ("A/properties/b/items/properties/c", "A.b[].c", "A.b[]", "c", "A"),
        ("A/properties/b~1c", "A.b/c", "A", "b/c", "A"),
        ("A/properties/b.c", 'A."b.c"', "A", '"b.c"', "A"),
        ("A/properties/b/properties/c", "A.b.c", "A.b", "c", "A"),
        ("A/properties/b/additionalProperties", "A.b.*", "A", "b.*", "A"),
        ("A/properties/*", 'A."*"', "A", '"*"', "A"),
        ("A/properties/[]", 'A."[]"', "A", '"[]"', "A"),
        ("A/properties/", 'A.""', "A", '""', "A"),
        ('A/properties/x".y', 'A."x\\".y"', "A", '"x\\".y"', "A"),
        ("A.b/properties/c", '"A.b".c', '"A.b"', "c", '"A.b"'),
        ("A-2/items", "A-2[]", "A-2[]", "", "A-2"),
    ],
)
def test_subjects(pointer: str, expected: str, owner: str, name: str, schema: str) -> None:
    text = subject(f"#/components/schemas/{pointer}")
    assert text == expected
    assert parted(text) == (owner, name)
    assert schema_part(text)[0] == schema


def test_no_two_pointers_have_one_subject() -> None:
    names = ["b", "c", "b.c", "*", "[]", "", '"', "b[]", "b.*", 'b"', "\\"]
    pointers = [f"A/properties/{one}" for one in names]
    pointers += [f"A/properties/{one}/properties/{two}" for one in names for two in names]
    pointers += [f"A/properties/{one}/items" for one in names]
    pointers += [f"A/properties/{one}/additionalProperties" for one in names]
    assert len({subject(f"#/components/schemas/{each}") for each in pointers}) == len(pointers)


# accepted changes

ENTRY: Mapping[str, Any] = {"id": "x", "reason": "y", "who": "z", "events": {"s": "all"}}


def _entries(folder: Path, *entries: Mapping[str, Any]) -> Path:
    path = folder / "accepted.yaml"
    path.write_text(json.dumps({"accepted": entries}), "utf-8")
    return path


def test_accepted_changes_are_told_and_do_not_count(tmp_path: Path) -> None:
    comparison = _compared(FOLDER / "event-renamed", tmp_path, SERVER)
    (change,) = comparison.changes
    entry = {"id": change.id, "reason": "known", "who": "the tests", "events": {"s": "all"}}
    other = {**entry, "id": "event-added/nothing"}
    entries = read_accepted(_entries(tmp_path, {**entry, "until": "2026-12-31"}, other))
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
    assert read_accepted(_entries(tmp_path, ENTRY))
    with pytest.raises(SpecError):
        read_accepted(_entries(tmp_path, {**ENTRY, **entry}))


def test_two_entries_for_one_change_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(SpecError):
        read_accepted(_entries(tmp_path, ENTRY, ENTRY))
    assert len(read_accepted(_entries(tmp_path, ENTRY, {**ENTRY, "comparison": "drift"}))) == 2


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
    return _compared(FOLDER / case, tmp_path, SERVER)


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
        entries = read_accepted(_entries(tmp_path, {**ENTRY, "id": change.id, "events": events}))
        left, known, unmatched, _ = sorted_out([change], entries, "2026-01-01")
        assert (bool(known), bool(left)) == (holds, not holds)
        assert unmatched == ([] if holds else [*entries])  # an entry that reaches too little is told


def test_what_stands_beneath_an_accepted_change_counts(tmp_path: Path) -> None:
    (change,) = _compared(FOLDER / "schema-replaced", tmp_path, SERVER).changes
    entry = {**ENTRY, "id": change.id}
    left, known, unmatched, _ = sorted_out(
        [change], read_accepted(_entries(tmp_path, entry)), "2026-01-01"
    )
    assert [each.id for each in left] == [each.id for each in change.beneath]
    assert known[0][0].id == change.id and not known[0][0].beneath
    every = [entry, *({**ENTRY, "id": each.id} for each in change.beneath)]
    left, known, unmatched, _ = sorted_out(
        [change], read_accepted(_entries(tmp_path, *every)), "2026-01-01"
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
    spec = _spec(tmp_path, [{"stream": "s", "union": "Ev"}, {"stream": "t", "union": "Et"}], {})
    old, new = _sides(case, spec)
    ours = dataclasses.replace(new, label="spec")

    def unmatched(new: Side, streams: tuple[str, ...] = (), **more: Any) -> int:
        entries = read_accepted(_entries(tmp_path, {**ENTRY, "id": "gone", **more}))
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
    path = _entries(tmp_path, ENTRY, *entries)
    ids = {
        command: [entry.id for entry in read_accepted(path, command)]
        for command in ("", "diff", "drift")
    }
    assert ids == {
        "": ["x", "diff", "drift", "sdk"],
        "diff": ["x", "diff", "sdk"],
        "drift": ["x", "drift", "sdk"],
    }


# streams asked for


def test_spelling_is_counted_for_the_streams_that_are_asked_for(tmp_path: Path) -> None:
    spec = _spec(tmp_path, [{"stream": "s", "union": "Ev"}, {"stream": "t", "union": "Et"}], {})
    texts = [(FOLDER / "shared-schema" / name).read_text("utf-8") for name in ("old.yaml",) * 2]
    texts[1] = texts[1].replace("[slow, normal]", "[slow, normal, fast]")
    texts[1] = texts[1].replace("B:\n      type: object", "B:\n      required: []")
    old, new = (from_bytes(text.encode(), "x", spec, "d") for text in texts)
    for streams, spelling, reached in (((), 1, 3), (("s",), 1, 2), (("t",), 0, 1)):
        comparison = compare(old, new, streams)
        assert [change.kind for change in comparison.changes] == ["enum-value-added"]
        assert comparison.spelling == spelling
        assert len(comparison.changes[0].events) == reached


# the command


def _run(folder: Path, *arguments: str) -> int:
    return main(["diff", *arguments, "--spec", str(folder)])


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = write_spec(tmp_path, "")
    old, new = (f"d={FOLDER / 'event-added' / name}" for name in ("old.yaml", "new.yaml"))
    assert _run(spec, old, new) == 0
    assert _run(spec, old, new, "--fail-on", "dangerous") == 1
    assert _run(spec, old, new, "--fail-on", "none") == 0
    assert _run(spec, old, old, "--fail-on", "any") == 0
    assert _run(spec, new, old) == 1
    assert _run(spec, new, old, "--stream", "s") == 1
    capsys.readouterr()


@pytest.mark.parametrize(
    "sides",
    [
        ("nowhere.yaml", "nowhere.yaml"),
        ("git:HEAD", "spec"),
        ("git:no-such-revision:pyproject.toml", "spec"),
        ("git:--upload-pack=x:pyproject.toml", "spec"),
        ("file:///etc/passwd", "spec"),
        ("-", "-"),
    ],
)
def test_a_side_that_cannot_be_read_is_never_no_change(
    sides: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = write_spec(tmp_path, (FOLDER / "event-added" / "old.yaml").read_text("utf-8"))
    assert _run(spec, *sides, "--fail-on", "none") == 2
    assert capsys.readouterr().err


def test_a_document_without_our_streams_is_no_side(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = write_spec(tmp_path, "")
    path = tmp_path / "other.yaml"
    path.write_text("openapi: 3.1.0\ncomponents: {schemas: {X: {type: string}}}\n", "utf-8")
    old = f"d={FOLDER / 'event-added' / 'old.yaml'}"
    assert _run(spec, old, str(path)) == 2
    assert _run(spec, old, f"d={path}") == 1  # named, it is the document with its streams gone
    assert "stream s removed" in capsys.readouterr().out


def test_accepted_through_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = write_spec(tmp_path, "")
    old, new = (f"d={FOLDER / 'event-removed' / name}" for name in ("old.yaml", "new.yaml"))
    assert _run(spec, old, new) == 1
    entry = {**ENTRY, "id": "event-removed/b", "reason": "nobody used it"}
    _entries(spec, entry, {**entry, "id": "event-removed/c"})
    capsys.readouterr()
    assert _run(spec, old, new, "--fail-on", "any") == 0
    assert "matches no change" not in capsys.readouterr().out
    ours = spec / "documents" / "d.yaml"
    ours.write_bytes((FOLDER / "event-removed" / "new.yaml").read_bytes())
    assert _run(spec, old, "spec", "--fail-on", "any") == 0
    said = capsys.readouterr().out
    assert "nobody used it" in said and "event-removed/c matches no change" in said


def test_output_goes_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = write_spec(tmp_path, "")
    old, new = (f"d={FOLDER / 'event-added' / name}" for name in ("old.yaml", "new.yaml"))
    path = tmp_path / "out" / "changes.json"
    _run(spec, old, new, "--format", "json", "--output", str(path))
    assert json.loads(path.read_bytes())["summary"]["dangerous"] == 1
    assert capsys.readouterr().out.startswith("1 change: 1 dangerous")


def test_a_change_keeps_its_id_when_all_else_is_equal() -> None:
    change = _committed().changes[0]
    assert dataclasses.replace(change, events=(), places=()).id == change.id
