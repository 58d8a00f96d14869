"""The accumulator of Responses, kind by kind: what streams do wrong, in every family of events, and what stays of it.

Reads small streams written here; expected is what the fragments' rules say, and that nothing is lost or guessed without a
problem. Never looks at recordings.
"""

from __future__ import annotations
import json
from collections.abc import Callable
from typing import Any, NamedTuple
import pytest
from stream_events import responses
from tests.shared_cases import Run, body, read
from tests.small_streams import (
    ADDED,
    CALL,
    CREATED,
    END,
    ERROR,
    Event,
    MESSAGE,
    PART,
    PART_ADDED,
    STREAMED,
    call,
    delta,
    inside,
    item,
    kinds,
    message,
    numbered,
    output,
    response,
    run,
    without,
)


class Fault(NamedTuple):
    """Events of a message, the text that comes of them, and the problems above level info."""

    name: str
    events: list[Event]
    text: str
    problems: list[str]


TEXTS = [
    Fault("nothing wrong", [ADDED, PART_ADDED, delta("a"), delta("b")], "ab", []),
    Fault("no item", [delta("a"), delta("b")], "ab", ["unannounced"] * 2),
    Fault("no part", [ADDED, delta("a"), delta("b")], "ab", ["unannounced"]),
    Fault("item after the deltas", [delta("a"), ADDED, delta("b")], "ab", ["unannounced"] * 2),
    Fault(
        "part after the deltas", [ADDED, delta("a"), PART_ADDED, delta("b")], "ab", ["unannounced"]
    ),
    Fault(
        "no indexes",
        [ADDED, PART_ADDED, without(delta("a"), "output_index", "content_index")] * 1
        + [without(delta("b"), "output_index", "content_index")],
        "ab",
        ["index-filled"] * 2,
    ),
    Fault(
        "an index that is no number",
        [ADDED, PART_ADDED, delta("a", output_index="0"), delta("b", output_index="zero")],
        "ab",
        ["wrong-index"],
    ),
    Fault(
        "an index that is a boolean",
        [ADDED, PART_ADDED, delta("a", output_index=False)],
        "a",
        ["wrong-index"],
    ),
    Fault("an index that is 0.0", [ADDED, PART_ADDED, delta("a", output_index=0.0)], "a", []),
    Fault(
        "a negative index",
        [ADDED, PART_ADDED, delta("b"), delta("a", output_index=-1)],
        "ab",
        ["wrong-index", "unannounced", "unannounced"],
    ),
    Fault(
        "a huge index",
        [ADDED, PART_ADDED, delta("b", output_index=10**30), delta("a")],
        "ab",
        ["unannounced"] * 2,
    ),
    Fault("a null delta", [ADDED, PART_ADDED, delta(None), delta("a")], "a", ["missing-source"]),
    Fault("no delta", [ADDED, PART_ADDED, without(delta(""), "delta")], "", ["missing-source"]),
    Fault(
        "a delta that is an object", [ADDED, PART_ADDED, delta({"text": "x"})], "", ["wrong-type"]
    ),
    Fault(
        "an item that is text",
        [item("added", 0, "x"), delta("a")],
        "a",
        ["wrong-type"] + ["unannounced"] * 2,
    ),
    Fault(
        "a null part",
        [ADDED, inside("content_part.added", part=None), delta("a")],
        "a",
        ["missing-source", "unannounced"],
    ),
    Fault(
        "a delta after the text was done",
        [ADDED, PART_ADDED, delta("ab"), inside("output_text.done", text="ab"), delta("b")],
        "ab",
        ["after-done"],
    ),
    Fault(
        "a delta after the item was done",
        [
            ADDED,
            PART_ADDED,
            delta("ab"),
            item("done", 0, {**MESSAGE, "content": [{**PART, "text": "ab"}]}),
            delta("b"),
        ],
        "ab",
        ["after-done"],
    ),
    Fault(
        "done says otherwise",
        [ADDED, PART_ADDED, delta("ab"), inside("output_text.done", text="abc")],
        "abc",
        ["disagreement"],
    ),
    Fault(
        "a finished part says otherwise than its text",
        [
            *(ADDED, PART_ADDED, inside("output_text.done", text="abc")),
            inside("content_part.done", part={**PART, "text": "abd"}),
        ],
        "abd",
        ["disagreement"],
    ),
    Fault(
        "a finished item without its content",
        [ADDED, PART_ADDED, delta("ab"), item("done", 0, without(MESSAGE, "content"))],
        "ab",
        [],
    ),
    Fault(
        "done events without what they announce",
        [ADDED, PART_ADDED, delta("ab"), inside("output_text.done"), inside("content_part.done")],
        "ab",
        ["missing-source"] * 2,
    ),
    Fault(
        "another item at the same index",
        [
            *(ADDED, PART_ADDED, delta("a"), item("added", 0, {**MESSAGE, "id": "n"})),
            *(PART_ADDED, delta("b")),
        ],
        "ab",
        ["index-reused"],
    ),
    Fault(
        "the same item twice, as in a stream that begins anew",
        [ADDED, PART_ADDED, delta("a"), ADDED, PART_ADDED, delta("a"), delta("b")],
        "ab",
        ["announced-twice", "disagreement"],
    ),
    Fault(
        "created twice",
        [ADDED, PART_ADDED, delta("a"), CREATED, delta("b")],
        "ab",
        ["announced-twice"],
    ),
    Fault(
        "surrogates in two pieces", [ADDED, PART_ADDED, delta("\ud83d"), delta("\ude00")], "😀", []
    ),
]


@pytest.mark.parametrize("fault", TEXTS, ids=[fault.name for fault in TEXTS])
def test_text(fault: Fault) -> None:
    found = run(*fault.events)
    assert found.accumulator.text() == fault.text
    assert kinds(found) == fault.problems


FAMILIES: list[tuple[str, Event, str, dict[str, Any]]] = [
    (
        "refusal.delta",
        {"content_index": 0},
        "message",
        {"content": [{"type": "refusal", "refusal": "xy"}]},
    ),
    (
        "reasoning_text.delta",
        {"content_index": 0},
        "reasoning",
        {"content": [{"type": "reasoning_text", "text": "xy"}]},
    ),
    (
        "reasoning_summary_text.delta",
        {"summary_index": 0},
        "reasoning",
        {"summary": [{"type": "summary_text", "text": "xy"}]},
    ),
    ("function_call_arguments.delta", {}, "function_call", {"arguments": "xy"}),
    ("custom_tool_call_input.delta", {}, "custom_tool_call", {"input": "xy"}),
    ("mcp_call_arguments.delta", {}, "mcp_call", {"arguments": "xy"}),
    ("code_interpreter_call_code.delta", {}, "code_interpreter_call", {"code": "xy"}),
    (
        "apply_patch_call_operation_diff.delta",
        {},
        "apply_patch_call",
        {"operation": {"diff": "xy"}},
    ),
    (
        "shell_call_command.delta",
        {"command_index": 0},
        "shell_call",
        {"action": {"commands": ["xy"]}},
    ),
]


@pytest.mark.parametrize(
    ("kind", "place", "of", "expected"), FAMILIES, ids=[row[0] for row in FAMILIES]
)
def test_every_family_keeps_what_was_never_announced(
    kind: str, place: Event, of: str, expected: dict[str, Any]
) -> None:
    event = {"type": f"response.{kind}", "item_id": "i", "output_index": 3, **place}
    found = run({**event, "delta": "x"}, {**event, "delta": "y"})
    (made,) = output(found)
    assert {"type": of, **expected}.items() <= made.items()
    assert set(kinds(found)) == {"unannounced"}


@pytest.mark.parametrize(
    ("kind", "place", "of", "expected"), FAMILIES, ids=[row[0] for row in FAMILIES]
)
def test_no_family_writes_into_an_item_of_another(
    kind: str, place: Event, of: str, expected: dict[str, Any]
) -> None:
    other = {"type": "web_search_call", "id": "w", "status": "in_progress"}
    event = {"type": f"response.{kind}", "item_id": "i", "output_index": 0, **place}
    found = run(item("added", 0, other), {**event, "delta": "x"})
    assert output(found) == [other]
    assert kinds(found) == ["wrong-kind"]


STATUSES = {
    "mcp_call": ["in_progress", "completed", "failed"],
    "web_search_call": ["in_progress", "searching", "completed"],
    "file_search_call": ["in_progress", "searching", "completed"],
    "code_interpreter_call": ["in_progress", "interpreting", "completed"],
    "image_generation_call": ["in_progress", "generating", "completed"],
}


@pytest.mark.parametrize("kind", STATUSES)
def test_status(kind: str) -> None:
    call = {"type": kind, "id": "w", "status": "new"}
    events = [{"type": f"response.{kind}.{status}", "item_id": "w"} for status in STATUSES[kind]]
    accumulator = responses.Accumulator()
    accumulator.add(responses.decode(numbered(item("added", 0, call))[0]))
    seen = []
    for event in events:
        accumulator.add(responses.decode({**event, "output_index": 0}))
        seen.append(accumulator.at("output", 0, "status"))
    assert seen == STATUSES[kind]
    message = run(ADDED, *({**event, "output_index": 0} for event in events))
    assert output(message) == [MESSAGE] and set(kinds(message)) == {"wrong-kind"}


def test_a_status_after_the_item_is_done_changes_nothing() -> None:
    call = {"type": "web_search_call", "id": "w", "status": "completed"}
    event = {"type": "response.web_search_call.searching", "item_id": "w", "output_index": 0}
    found = run(item("done", 0, call), event)
    assert output(found) == [call] and kinds(found) == ["after-done"]


def test_shell() -> None:
    call = {"type": "shell_call", "id": "s", "action": {"commands": []}, "status": "in_progress"}

    def command(kind: str, **more: Any) -> Event:
        return {
            "type": f"response.shell_call_command.{kind}",
            "output_index": 0,
            "command_index": 0,
            **more,
        }

    written = {
        "type": "response.shell_call_output_content.delta",
        "item_id": "o",
        "output_index": 1,
    }
    found = run(
        item("added", 0, call),
        command("added", command=""),
        command("delta", delta="ls"),
        command("delta", delta=" -l"),
        command("done", command="ls -l"),
        item("added", 1, {"type": "shell_call_output", "id": "o", "output": []}),
        {**written, "command_index": 0, "delta": {"stdout": "x"}},
        {**written, "command_index": 0, "delta": {"stdout": "y", "stderr": "z"}},
    )
    assert output(found)[0]["action"] == {"commands": ["ls -l"]}
    assert output(found)[1]["output"] == [{"stdout": "xy", "stderr": "z"}]
    assert kinds(found) == []


def test_what_the_response_has_no_place_for() -> None:
    audio = [{"type": "response.audio.delta", "delta": piece} for piece in ("QQ==", "Qg==")]
    words = [{"type": "response.audio.transcript.delta", "delta": piece} for piece in ("he", "y")]
    image = {
        "type": "response.image_generation_call.partial_image",
        "item_id": "i",
        "output_index": 2,
    }
    images_ = [{**image, "partial_image_index": at, "partial_image_b64": f"p{at}"} for at in (0, 2)]
    found = run(*audio, *words, *images_)
    accumulator = found.accumulator
    assert accumulator.beside("audio") == "QUI="  # two pieces, each padded by itself
    assert accumulator.beside("transcript") == "hey"
    assert accumulator.beside("partial_images") == [["p0", "p2"]]
    assert accumulator.beside("partial_images", 2, 2) == "p2"
    assert accumulator.beside("nothing") is None


def test_annotations_of_one_index_are_all_kept() -> None:
    mark = {"type": "url_citation", "url": "u", "title": "t", "start_index": 0, "end_index": 1}
    added = inside("output_text.annotation.added", annotation_index=0, annotation=mark)
    other = {**added, "annotation": {**mark, "url": "v"}}
    found = run(ADDED, PART_ADDED, added, other)
    assert [each["url"] for each in output(found)[0]["content"][0]["annotations"]] == ["u", "v"]
    assert kinds(found) == ["index-reused"]


FINAL_MESSAGE = {**MESSAGE, "status": "completed", "content": [{**PART, "text": "a"}]}


FINAL_CALL = {**CALL, "arguments": "{}"}


def ended(final: Any) -> Run:
    """The streamed items with a terminal response of this output."""
    end = {"type": "response.completed", "response": response("completed", final)}
    return read(responses, [body(numbered(CREATED, *STREAMED, end))])


@pytest.mark.parametrize("final", [None, [], "text", 7, {}])
def test_items_stand_in_for_an_output_that_is_none(final: Any) -> None:
    found = ended(final)
    assert [each["type"] for each in output(found)] == ["message", "function_call"]
    assert found.accumulator.text() == "a" and found.accumulator.arguments(1) == "{}"


def test_the_order_of_the_terminal_response_is_no_disagreement() -> None:
    found = ended([FINAL_CALL, FINAL_MESSAGE])
    assert output(found) == [FINAL_CALL, FINAL_MESSAGE]
    assert kinds(found) == []


def test_a_terminal_response_with_less_wins_and_is_reported() -> None:
    found = ended([FINAL_CALL])
    assert output(found) == [FINAL_CALL]
    assert kinds(found) == ["disagreement"]


@pytest.mark.parametrize("source", ["delta", "text", "item"])
def test_a_terminal_response_that_says_otherwise_wins_with_both_values_reported(
    source: str,
) -> None:
    events = {
        "delta": [ADDED, PART_ADDED, delta("streamed")],
        "text": [ADDED, PART_ADDED, inside("output_text.done", text="streamed")],
        "item": [item("done", 0, {**MESSAGE, "content": [{**PART, "text": "streamed"}]})],
    }[source]
    last = {**MESSAGE, "content": [{**PART, "text": "final"}]}
    end = {"type": "response.completed", "response": response("completed", [last])}
    found = read(responses, [body(numbered(CREATED, *events, end))])
    assert found.accumulator.text() == "final"
    (problem,) = [each for each in found.problems if each.kind == "disagreement"]
    assert "streamed" in problem.message and "final" in problem.message
    assert problem.path == ".output[0].content[0].text"


def test_an_event_after_the_terminal_one_is_reported_and_changes_nothing() -> None:
    found = read(responses, [body(numbered(CREATED, *STREAMED, END, delta("late")))])
    assert found.accumulator.text() == "a" and "after-terminal" in kinds(found)


def test_a_second_terminal_event_is_reported_and_wins() -> None:
    failed = {"type": "response.failed", "response": response("failed", error={"code": "x"})}
    found = read(responses, [body(numbered(CREATED, *STREAMED, END, failed))])
    assert found.accumulator.status == "failed" and "after-terminal" in kinds(found)


def test_an_error_after_the_terminal_response_leaves_it() -> None:
    found = read(responses, [body(numbered(CREATED, *STREAMED, END, ERROR))])
    assert found.accumulator.final.status == "completed"
    assert found.accumulator.error is not None and found.accumulator.error.message == "bad"


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ([], "the stream was empty"),
        ([CREATED], "ended before its terminal event"),
        ([CREATED, ERROR], "the stream failed: bad"),
        ([CREATED, without(END, "response")], "the terminal event holds no snapshot"),
        ([CREATED, {**END, "response": "x"}], "the terminal event holds no snapshot"),
        ([CREATED, {"type": "error", "error": "bare"}], "the stream failed: bare"),
    ],
)
def test_no_final(events: list[Event], message: str) -> None:
    found = read(responses, [body(numbered(*events))])
    with pytest.raises(responses.StreamError, match=message):
        _ = found.accumulator.final
    with pytest.raises(responses.StreamError, match=message):
        responses.final([body(numbered(*events))])


def test_final_before_the_end() -> None:
    accumulator = responses.Accumulator()
    accumulator.add(responses.decode(CREATED))
    with pytest.raises(responses.StreamError, match="has not ended yet"):
        _ = accumulator.final
    assert accumulator.status == "in_progress"


def finished(*items: Event, status: str = "completed") -> Any:
    end = {"type": f"response.{status}", "response": response(status, list(items))}
    accumulator = responses.Accumulator()
    accumulator.add_all(responses.read([body(numbered(CREATED, end))]))
    return accumulator


def test_parsed() -> None:
    accumulator = finished(message("{}"), message('{"a": 1}'), {**CALL, "arguments": "[2]"})
    assert accumulator.parsed(with_=json.loads) == {"a": 1}
    assert accumulator.parsed_arguments(2, with_=json.loads) == [2]
    assert accumulator.parsed_arguments(with_=json.loads) == [2]
    assert accumulator.arguments(2) == "[2]"


@pytest.mark.parametrize(
    ("parse", "reason"),
    [
        (lambda: finished(message("no", "refusal")).parsed(with_=json.loads), "refused: no"),
        (
            lambda: finished(message("{"), status="incomplete").parsed(with_=json.loads),
            "'incomplete'",
        ),
        (lambda: finished(CALL, status="incomplete").parsed_arguments(with_=str), "'incomplete'"),
        (lambda: finished(CALL, CALL).parsed_arguments(with_=str), "several tool calls"),
        (lambda: finished(CALL).parsed_arguments(4, with_=str), "no tool call at 4"),
        (lambda: responses.Accumulator().parsed(with_=str), "the stream was empty"),
    ],
)
def test_parsed_raises(parse: Callable[[], Any], reason: str) -> None:
    with pytest.raises(responses.StreamError, match=reason):
        parse()


@pytest.mark.parametrize("at", range(len(STREAMED) + 1))
@pytest.mark.parametrize("overlap", [0, 1, 99])
def test_resuming_gives_the_same_response(at: int, overlap: int) -> None:
    events = numbered(CREATED, *STREAMED, END)
    whole = read(responses, [body(events)])
    first = read(responses, [body(events[: at + 1])])
    first.accumulator.resume()
    for event in responses.read([body(events[max(0, at + 1 - overlap) :])]):
        first.accumulator.add(event)
    assert responses.encode(first.accumulator.final) == responses.encode(whole.accumulator.final)
    assert [each.kind for each in first.accumulator.problems if each.level != "info"] == []


@pytest.mark.parametrize(
    ("numbers", "expected", "last"),
    [
        ([0, 1, 2], [], 2),
        ([3, 4, 5], ["sequence-gap"], 5),
        ([0, 0, 0], ["sequence-repeat"] * 2, 0),
        ([0, 5, 4], ["sequence-gap", "sequence-back"], 5),
        ([0, 5, 4, 6, 9], ["sequence-gap", "sequence-back", "sequence-gap"], 9),
        ([0, 1.0, 2], [], 2),
        ([0, True, 1], ["wrong-type"], 1),
        ([0, "1", 1], ["wrong-type"], 1),
        ([None, None, 0], [], 0),
        ([None, None, None], [], None),
    ],
)
def test_numbers(numbers: list[Any], expected: list[str], last: int | None) -> None:
    accumulator = responses.Accumulator()
    for number in numbers:
        event = {**CREATED, "sequence_number": number} if number is not None else CREATED
        accumulator.add(responses.decode(event))
    found = [each.kind for each in accumulator.problems if each.level != "info"]
    assert (found, accumulator.last_sequence_number) == (expected, last)
