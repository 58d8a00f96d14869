"""The committed catalogue snapshots say what was counted independently, and are what the documents give.

Reads spec/snapshots/ and, where they are at hand, the documents that they were made of. Never writes into spec/.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
from pathlib import Path

import pytest

from codegen import snapshot_text
from codegen.__main__ import main
from codegen.catalogue import Catalogue
from codegen.changes import Change
from codegen.diff import diff
from codegen.documents import parse, read_bytes
from codegen.errors import SpecError
from codegen.sides import Side, read_side
from codegen.snapshot_choice import newest_snapshot
from codegen.snapshot import write_snapshot
from tests.shared import shared

SPEC = Path(__file__).resolve().parent.parent / "spec"
DAYS = (
    "2023-06-16",
    "2024-03-27",
    "2024-10-03",
    "2025-03-11",
    "2025-04-29",
    "2026-05-13",
    "2026-07-15",
    "2026-08-14",
    "2026-08-21",
)
PAIRS = list(itertools.pairwise(DAYS))
EVENTS = {
    ("responses", "2025-03-11"): 32,
    ("responses", "2025-04-29"): 36,
    ("responses", "2026-05-13"): 53,
    ("responses", "2026-07-15"): 53,
    ("responses", "2026-08-14"): 53,
    ("responses", "2026-08-21"): 58,
    ("responses-websocket-server", "2026-05-13"): 53,
    ("responses-websocket-server", "2026-07-15"): 53,
    ("responses-websocket-server", "2026-08-21"): 58,
    ("beta-responses-websocket-server", "2026-07-15"): 55,
    ("beta-responses-websocket-server", "2026-08-21"): 60,
}
"""Counted by hand in the documents: the members of each stream's union."""
KIB = 1024


def _side(day: str) -> Side:
    return read_side(f"openai-{day}", SPEC)


def _changes(old: str, new: str) -> list[Change]:
    return diff(_side(old).catalogue, _side(new).catalogue)


def _fields(catalogue: Catalogue, stream: str, tag: str) -> set[str]:
    for package in catalogue.packages:
        for each in package.streams:
            for event in each.events:
                if (each.name, event.tag) == (stream, tag):
                    return {field.name for field in package.model(event.model).fields}
    return set()


def test_numbers_of_events() -> None:
    sides = {day: _side(day) for day in DAYS}
    for (stream, day), number in EVENTS.items():
        counts = {each.name: len(each.events) for each in sides[day].catalogue.streams}
        assert counts[stream] == number, (stream, day)


def test_streams_that_are_not_there_yet_are_absent() -> None:
    early = [{stream.name for stream in _side(day).catalogue.streams} for day in DAYS[:4]]
    assert early == [{"chat", "completions"}] * 3 + [{"chat", "completions", "responses"}]


def test_shell_events_came_last() -> None:
    changes = _changes("2026-08-14", "2026-08-21")
    added = {change.subject for change in changes if change.kind == "event-added"}
    assert added == {
        "response.shell_call_command.added",
        "response.shell_call_command.delta",
        "response.shell_call_command.done",
        "response.shell_call_output_content.delta",
        "response.shell_call_output_content.done",
    }
    assert not [change for change in changes if change.kind == "event-removed"]


@pytest.mark.parametrize(
    "field, day, before",
    [("moderation", "2026-07-15", "2026-05-13"), ("obfuscation", "2026-08-21", "2026-07-15")],
)
def test_the_chat_chunk_gained(field: str, day: str, before: str) -> None:
    fields = [
        _fields(_side(each).catalogue, "chat", "chat.completion.chunk") for each in (before, day)
    ]
    assert field not in fields[0] and field in fields[1]
    (change,) = [
        each
        for each in _changes(before, day)
        if each.subject == f"CreateChatCompletionStreamResponse.{field}"
    ]
    assert change.kind == "field-added" and change.level == "additive"


def test_code_interpreter_events_were_renamed() -> None:
    changes = _changes("2025-04-29", "2026-05-13")
    renamed = {(change.old, change.new) for change in changes if change.kind == "event-renamed"}
    assert renamed == {
        (f"response.code_interpreter_call.code.{end}", f"response.code_interpreter_call_code.{end}")
        for end in ("delta", "done")
    }
    assert not [change for change in changes if change.kind == "event-removed"]


def test_what_partial_image_and_annotation_gained() -> None:
    changes = _changes("2026-07-15", "2026-08-21")
    for prefix in ("", "Beta"):
        gained = {
            change.subject.rpartition(".")[2]
            for change in changes
            if change.subject.startswith(f"{prefix}ResponseImageGenCallPartialImageEvent.")
        }
        assert gained == {"background", "output_format", "quality", "size"}
        name = f"{prefix}ResponseOutputTextAnnotationAddedEvent.annotation"
        assert "made-nullable" in {each.kind for each in changes if each.subject == name}


def test_stream_id_appeared_on_websocket_events_only() -> None:
    changes = [
        inner
        for change in _changes("2026-07-15", "2026-08-21")
        for inner in (change, *change.beneath)
        if inner.subject.endswith(".stream_id")
    ]
    assert {change.kind for change in changes} == {"field-added"}
    reached = {event for change in changes for event in change.events}
    assert all("websocket" in event.stream for event in reached)
    assert sum(event.stream == "responses-websocket-server" for event in reached) == 53
    by_subject = {change.subject: change for change in changes}
    assert len(by_subject["ResponsesServerEvent.stream_id"].events) == 52  # one cause, not 52


@pytest.mark.parametrize("pair", PAIRS, ids=[new for _, new in PAIRS])
def test_pointers_lead_to_schemas_of_both_documents(pair: tuple[str, str]) -> None:
    """Every pair of documents that follow each other: events are right, and each change has its places."""
    trees = [
        parse(read_bytes(shared(f"upstream/openai-{day}.yaml")), day)["components"]["schemas"]
        for day in pair
    ]
    for change in _changes(*pair):
        for each in (change, *change.beneath):
            for place in each.places:
                for tree, pointer in zip(trees, (place.old, place.new)):
                    if not (each.kind == "stream-added" and tree is trees[0]):
                        _require(tree, pointer)


def _require(schemas: object, pointer: str) -> None:
    value: object = {"#": {"components": {"schemas": schemas}}}
    for step in pointer.split("/"):
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            value = value[int(step)]
        else:
            assert isinstance(value, dict) and step in value, pointer
            value = value[step]


@pytest.mark.parametrize("day", DAYS)
def test_the_committed_snapshot_is_what_its_document_gives(day: str, tmp_path: Path) -> None:
    side = read_side(str(shared(f"upstream/openai-{day}.yaml")), SPEC)
    write_snapshot(side, tmp_path, None, "")
    name = f"openai-{day}.json"
    assert (tmp_path / name).read_bytes() == (SPEC / "snapshots" / name).read_bytes()
    assert diff(side.catalogue, _side(day).catalogue) == []
    assert diff(_side(day).catalogue, side.catalogue) == []


def test_json_and_yaml_of_one_document_are_equal() -> None:
    other = read_side(str(shared("upstream/openai-2026-08-21.json")), SPEC)
    assert diff(other.catalogue, _side("2026-08-21").catalogue) == []


@pytest.mark.parametrize(
    "path", sorted((SPEC / "snapshots").glob("*.json")), ids=lambda path: path.stem
)
def test_snapshots_are_small_and_hold_facts_only(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text) < 1024 * KIB
    assert max(map(len, text.splitlines())) < 800
    words = {key for _, key in _keys(json.loads(text))}
    assert not words & {"description", "sentence", "docs", "title", "example"} - _names(path)


def _keys(value: object, place: str = "") -> list[tuple[str, str]]:
    if isinstance(value, list):
        return [found for each in value for found in _keys(each, place)]
    if not isinstance(value, dict):
        return []
    return [found for key, each in value.items() for found in ((place, key), *_keys(each, key))]


def _names(path: Path) -> set[str]:
    """Names of properties, which may be any word."""
    side = read_side(str(path), SPEC)
    return {
        field.name
        for package in side.catalogue.packages
        for model in package.models
        for field in model.fields
    }


def test_writing_again_changes_nothing(tmp_path: Path) -> None:
    side = _side("2025-03-11")
    assert write_snapshot(side, tmp_path, None, "")[1]
    assert not write_snapshot(side, tmp_path, None, "")[1]
    again = read_side(str(tmp_path / "openai-2025-03-11.json"), SPEC)
    assert dataclasses.replace(again, label="") == dataclasses.replace(side, label="")


def test_the_working_tree_becomes_a_snapshot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    side = read_side("spec", SPEC)
    path, changed = write_snapshot(side, tmp_path, None, "")
    assert changed and Path(path).name == f"spec-{side.date}.json"
    assert diff(read_side(path, SPEC).catalogue, side.catalogue) == []
    assert diff(side.catalogue, read_side(path, SPEC).catalogue) == []
    capsys.readouterr()


@pytest.mark.parametrize(
    "name, date", [("../escape", ""), ("a b", ""), ("fine", "soon"), ("fine", "2026-13-01")]
)
def test_names_and_days_are_checked(name: str, date: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError):
        write_snapshot(_side("2023-06-16"), tmp_path, name, date)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("damage", ["snapshot", "packages", "sources", "date"])
def test_a_damaged_snapshot_is_an_error(damage: str) -> None:
    tree = json.loads((SPEC / "snapshots" / "openai-2023-06-16.json").read_bytes())
    for value in (None, 7):
        with pytest.raises(SpecError):
            if damage == "date":
                snapshot_text.read({key: each for key, each in tree.items() if key != damage}, "x")
            snapshot_text.read({**tree, damage: value}, "x")


def test_the_newest_snapshot_is_that_of_the_latest_day(tmp_path: Path) -> None:
    (tmp_path / "snapshots").mkdir()
    for name, day in (("z", "2024-01-01"), ("a", "2025-01-01")):
        write_snapshot(_side("2023-06-16"), tmp_path / "snapshots", name, day)
    assert Path(newest_snapshot(tmp_path)).name == "a.json"


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["snapshot", "kept", "--of", str(SPEC / "snapshots" / "openai-2025-03-11.json")]
    assert main([*arguments, "--spec", str(tmp_path)]) == 0
    assert "32 of responses" in capsys.readouterr().out
    assert main([*arguments, "--spec", str(tmp_path)]) == 0
    assert "no change" in capsys.readouterr().out
