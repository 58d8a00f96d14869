"""Each kind of finding on a stream of its own, and streams with several.

Reads small streams that are spoilt in one way; checks which findings they have, and at which event. Never asks for a
message by heart.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from codegen.lint.findings import MAX_MESSAGE, MAX_SAME
from codegen.lint.kinds import KINDS, LEVELS, RENAMED
from codegen.lint.linter import _sinks
from tests.lint import streams
from tests.lint.spoiled import SPOILED, WITH_UNKNOWN
from tests.lint.streams import about, check, chunk, choice, delta, inside, jsonl, numbered, sse

NAMED = {
    "empty": "chat",
    "error-body": "responses",
    "json-body": "responses",
    "wrong-stream": "chat",
}
"""Captures that do not say which stream they are of."""
ELSEWHERE = {
    "repaired": "test_a_dialect_makes_what_its_server_always_does_worth_knowing_only",
    "more-problems": "test_a_dialect_has_no_more_repairs_than_the_reader_keeps",
    "no-data-field": "test_what_stands_in_place_of_a_stream",
    "too-large": "test_an_event_may_be_too_large",
    "not-decodable": "the reader refuses such payloads as not-json before they are decoded",
    "other-problem": "test_every_problem_of_the_package_has_a_kind",
    "too-deep": "the reader refuses payloads that are nested so deep as not-json",
}
"""Kinds that no small stream has."""


def test_every_kind_is_tested() -> None:
    assert {*SPOILED, *WITH_UNKNOWN, *ELSEWHERE} == set(KINDS)


def test_every_problem_of_the_package_has_a_kind() -> None:
    """Kinds of problems stand as literals in the calls that report them."""
    found: set[str] = set()
    for path in Path("generated/stream_events/_runtime").glob("*.py"):
        calls = re.findall(r'(?:report|Problem)\(\s*"([a-z-]+)"', path.read_text())
        found.update(calls)
    assert len(found) > 25
    assert {RENAMED.get(kind, kind) for kind in found} - set(KINDS) == {"truncated"}


def test_what_comes_again_is_found_again(tmp_path: Path) -> None:
    """Where an event has a problem, the accumulator takes the next one like it by the rules too."""
    unplaced = {
        "type": "content_block_delta",
        "index": 9,
        "delta": {"type": None, "partial_json": "{"},
    }
    path = tmp_path / "capture"
    path.write_bytes(sse([*streams.messages()[:-2], *[unplaced] * 4, *streams.messages()[-2:]]))
    (result,) = check(path)
    assert result.findings.counts["unknown-member"] == 4


def test_the_accumulator_of_a_lane_sees_its_problems() -> None:
    """It counts them, and goes the quick way only where an event had none; here all are kept, however many."""
    runtime = streams.PACKAGE.checked("chat").runtime
    problems = _sinks(runtime.problems.Problems)()
    for number in range(2000):
        assert problems.seen == len(problems) == number
        problems.keep(runtime.records.Problem("unannounced", "warning", ""))


@pytest.mark.parametrize("id", [*SPOILED, *WITH_UNKNOWN])
def test_a_spoilt_stream_has_that_finding_and_no_other(id: str, tmp_path: Path) -> None:
    data, event = {**SPOILED, **WITH_UNKNOWN}[id]
    path = tmp_path / "capture"
    path.write_bytes(data)
    (result,) = check(path, NAMED.get(id, ""))
    expected = {id} | ({"unknown-event"} if id in WITH_UNKNOWN else set())
    assert set(result.findings.counts) == expected
    first = next(each for each in result.findings.kept if each.id == id)
    assert (first.event, first.level) == (event, KINDS[id].level)
    assert first.message and first.right.endswith(".") and "{" not in first.source
    if event:
        assert data.splitlines()[first.line - 1].startswith((b"event:", b"data:", b"{"))


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.id)
def test_every_kind_says_what_is_right(kind: object) -> None:
    assert getattr(kind, "level") in LEVELS
    assert getattr(kind, "right")[0].isupper() and getattr(kind, "right").endswith(".")


def test_a_stream_may_have_several(tmp_path: Path) -> None:
    events = streams.responses()
    del events[0]  # not-first
    events[3]["new"] = 1  # unknown-property
    events[5]["text"] = "Hallo"  # disagreement
    del events[-1]  # no-terminal
    path = tmp_path / "capture.sse"
    path.write_bytes(sse(numbered(events))[:-1])  # incomplete-event
    (result,) = check(path)
    counts = dict(result.findings.counts)
    assert counts.pop("disagreement") == 2  # the text, and the part that has it otherwise again
    assert counts == dict.fromkeys(
        ["not-first", "unknown-property", "no-terminal", "incomplete-event"], 1
    )
    assert result.findings.worst == "error"
    assert result.outcome == "truncated"


def test_a_stream_that_goes_on_after_a_break_lacks_only_its_begin(tmp_path: Path) -> None:
    path = tmp_path / "capture.sse"
    path.write_bytes(sse(streams.responses()[13:]))
    (result,) = check(path)
    assert "not-first" not in result.findings.counts
    assert result.findings.kept[0].id == "sequence-gap"


def test_findings_of_one_sort_are_counted_and_not_all_kept(tmp_path: Path) -> None:
    events = streams.responses()
    events[5:5] = [{**delta(""), "new": 1} for _ in range(1000)]
    path = tmp_path / "capture.sse"
    path.write_bytes(sse(numbered(events)))
    (result,) = check(path)
    assert result.findings.counts == {"unknown-property": 1000}
    assert len(result.findings.kept) == MAX_SAME
    assert result.findings.further == 1000 - MAX_SAME


def test_a_message_is_short(tmp_path: Path) -> None:
    events = streams.responses()
    events[0]["response"]["model"] = "m" * 5000
    path = tmp_path / "capture.sse"
    path.write_bytes(sse(events))
    (result,) = check(path)
    assert [len(each.message) <= MAX_MESSAGE + 3 for each in result.findings.kept] == [True]


def test_lanes_are_kept_apart(tmp_path: Path) -> None:
    events = streams.socket()
    events[9]["delta"] = "x"  # of lane b
    path = tmp_path / "capture.jsonl"
    path.write_bytes(jsonl(events))
    (result,) = check(path)
    assert result.lanes == ["a", "b"]
    assert set(result.findings.counts) == {"disagreement"}
    assert {each.lane for each in result.findings.kept} == {"b"}


def test_what_a_client_sends_is_checked_too(tmp_path: Path) -> None:
    path = tmp_path / "capture.jsonl"
    path.write_bytes(jsonl([{"type": "response.create", "model": "gpt-4o", "input": 7}]))
    (result,) = check(path)
    assert result.stream == "responses-websocket-client"
    assert dict(result.findings.counts) == {"wrong-type": 1}


def test_a_dialect_makes_what_its_server_always_does_worth_knowing_only(tmp_path: Path) -> None:
    events = numbered(streams.responses())
    for event in events:
        if event["type"] == "response.output_text.delta":
            del event["output_index"]
    path = tmp_path / "capture.sse"
    path.write_bytes(sse(events, done=True))
    (plain,) = check(path, "responses")
    assert plain.findings.worst == "error"
    (result,) = check(path, "responses", "elixir-server")
    assert dict(result.findings.counts) == {"repaired": 2}
    assert result.findings.worst == "info"


def test_a_dialect_has_no_more_repairs_than_the_reader_keeps(tmp_path: Path) -> None:
    events = streams.responses()
    events[5:5] = [delta("") for _ in range(1100)]
    for event in events:
        if event["type"] == "response.output_text.delta":
            del event["output_index"]
    path = tmp_path / "capture.sse"
    path.write_bytes(sse(numbered(events), done=True))
    (result,) = check(path, "responses", "elixir-server")
    assert dict(result.findings.counts) == {"repaired": 1000, "more-problems": 1}


def test_an_event_may_be_too_large(tmp_path: Path) -> None:
    path = tmp_path / "capture.sse"
    with path.open("wb") as file:
        file.write(sse(streams.messages()[:1]) + b"data: ")
        for _ in range(65):
            file.write(b"x" * 1024 * 1024)
    (result,) = check(path)
    assert "too-large" in result.findings.counts


def test_a_choice_that_goes_on_is_told_once(tmp_path: Path) -> None:
    events = streams.chat()
    events[5:5] = [
        chunk([choice({"content": ""})]),
        *(chunk([choice({"content": "x"})]) for _ in range(9)),
    ]
    path = tmp_path / "capture.sse"
    path.write_bytes(sse(events, done=True))
    (result,) = check(path)
    assert dict(result.findings.counts) == {"after-finish": 1}


def test_a_part_does_not_begin_in_an_item_that_is_finished(tmp_path: Path) -> None:
    events = streams.responses()
    late = about("reasoning_summary_part.added", "msg_1", 0, summary_index=0)
    events.insert(9, {**late, "part": {"type": "summary_text", "text": ""}})
    path = tmp_path / "capture.sse"
    path.write_bytes(sse(numbered(events)))
    (result,) = check(path)
    assert {"after-done", "wrong-kind"} & set(result.findings.counts)


def test_indexes_of_partial_images_have_no_gap(tmp_path: Path) -> None:
    events = streams.images()
    events[1]["partial_image_index"] = 2
    path = tmp_path / "capture.sse"
    path.write_bytes(sse(events))
    (result,) = check(path)
    assert dict(result.findings.counts) == {"index-gap": 1}


def test_indexes_of_annotations_have_no_gap(tmp_path: Path) -> None:
    note = {"type": "file_path", "file_id": "f", "index": 0}
    events = streams.responses()
    for index in (2, 0):
        event = inside("output_text.annotation.added", annotation_index=index, annotation=note)
        events.insert(6, event)
    path = tmp_path / "capture.sse"
    path.write_bytes(sse(numbered(events)))
    (result,) = check(path)
    gaps = [each for each in result.findings.kept if each.id == "index-gap"]
    assert [each.path for each in gaps] == ["output[0].content[0].annotations[2]"]


def test_a_part_begins_in_an_item(tmp_path: Path) -> None:
    events = streams.responses()
    del events[2]
    path = tmp_path / "capture.sse"
    path.write_bytes(sse(numbered(events)))
    (result,) = check(path)
    first = result.findings.kept[0]
    assert (first.id, first.tag) == ("unannounced", "response.content_part.added")
