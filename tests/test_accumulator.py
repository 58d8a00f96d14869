"""Accumulators, kind by kind: what streams do wrong, in every family of events, and what stays of it.

Reads small streams written here; expected is what the fragments' rules say, and that nothing is lost or guessed without a
problem. Never looks at recordings.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from stream_events import beta_responses, chat, completions, images, responses
from stream_events.beta_responses import websocket as beta_websocket
from stream_events.responses import websocket
from tests.shared_cases import Run, body, read

Event = dict[str, Any]


def response(status: str, output: Any = None, **more: Any) -> Event:
    return {"id": "r", "object": "response", "status": status, "output": output, **more}


CREATED = {"type": "response.created", "response": response("in_progress", [])}
END = {"type": "response.completed", "response": response("completed")}
ERROR = {"type": "error", "message": "bad", "code": "c", "param": None}
MESSAGE = {
    "type": "message",
    "id": "m",
    "role": "assistant",
    "status": "in_progress",
    "content": [],
}
PART = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}


def item(event: str, at: int, value: Any) -> Event:
    return {"type": f"response.output_item.{event}", "output_index": at, "item": value}


def inside(kind: str, **more: Any) -> Event:
    place = {"item_id": "m", "output_index": 0, "content_index": 0}
    return {"type": f"response.{kind}", **place, **more}


ADDED = item("added", 0, MESSAGE)
PART_ADDED = inside("content_part.added", part=PART)


def delta(text: Any, **more: Any) -> Event:
    return inside("output_text.delta", delta=text, logprobs=[], **more)


def without(event: Event, *names: str) -> Event:
    return {name: value for name, value in event.items() if name not in names}


def numbered(*events: Event) -> list[Event]:
    return [{"sequence_number": number, **event} for number, event in enumerate(events)]


def run(*events: Event) -> Run:
    """The events, numbered, between response.created and response.completed without output."""
    return read(responses, [body(numbered(CREATED, *events, END))])


def kinds(found: Run) -> list[str]:
    """Kinds of problems above level info."""
    return [each.kind for each in found.problems if each.level != "info"]


def output(found: Run) -> Any:
    return responses.encode(found.accumulator.final)["output"]


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
    Fault("created twice", [ADDED, PART_ADDED, delta("a"), CREATED, delta("b")], "ab", []),
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


# --- the terminal response --------------------------------------------------------------------------------------------

CALL = {"type": "function_call", "id": "f", "call_id": "c", "name": "n", "arguments": ""}
ARGUMENTS = {"type": "response.function_call_arguments.delta", "item_id": "f", "output_index": 1}
STREAMED = [ADDED, PART_ADDED, delta("a"), item("added", 1, CALL), {**ARGUMENTS, "delta": "{}"}]
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


# --- structured output ------------------------------------------------------------------------------------------------


def finished(*items: Event, status: str = "completed") -> Any:
    end = {"type": f"response.{status}", "response": response(status, list(items))}
    accumulator = responses.Accumulator()
    accumulator.add_all(responses.read([body(numbered(CREATED, end))]))
    return accumulator


def message(text: str, kind: str = "output_text") -> Event:
    name = "refusal" if kind == "refusal" else "text"
    return {**MESSAGE, "content": [{"type": kind, name: text}]}


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


# --- numbers ----------------------------------------------------------------------------------------------------------


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


# --- WebSocket --------------------------------------------------------------------------------------------------------


def lane(event: Event, name: Any) -> Event:
    return {**event, "stream_id": name}


def test_lanes_do_not_mix() -> None:
    lanes = websocket.Lanes()
    for event in (CREATED, ADDED, PART_ADDED):
        for name in ("a", "b"):
            lanes.add(json.dumps(lane(event, name)))
    lanes.add(lane(delta("x"), "a"))
    lanes.add(lane(delta("y"), "b"))
    lanes.add(lane(END, "a"))
    assert (lanes["a"].text(), lanes["b"].text()) == ("x", "y")
    assert lanes["a"].final.status == "completed"
    lanes.close()
    with pytest.raises(websocket.StreamError, match="before its terminal event"):
        _ = lanes["b"].final


def test_lanes_of_any_json_value() -> None:
    lanes = websocket.Lanes()
    values: list[Any] = [None, 7, "7a", True, ["x"], {}]
    assert [lanes.add(lane(CREATED, value))[0] for value in values] == [
        *(None, "7", "7a", "true"),
        *(None, None),
    ]


def test_steering() -> None:
    steered = response("incomplete", [], incomplete_details={"reason": "steered"})
    successor = {**CREATED, "response": {**response("in_progress", []), "id": "r2"}}
    pending = {"type": "response.steer.pending", "steer_id": "s", "required_input": []}
    lanes = websocket.Lanes()
    for event in (
        CREATED,
        {"type": "response.steer.accepted", "steer_id": "s"},
        {"type": "response.incomplete", "response": steered},
        pending,
        successor,
        {"type": "response.steer.failed", "steer_id": "s", "error": {"code": "late"}},
        {**END, "response": {**response("completed", []), "id": "r2"}},
    ):
        lanes.add(event)
    accumulator = lanes[None]
    assert [each.id for each in accumulator.predecessors] == ["r"]
    reason = accumulator.predecessors[0].incomplete_details
    assert reason is not None and reason.reason == "steered"
    assert accumulator.final.id == "r2"
    told = [each["type"].split(".")[-1] for each in accumulator.beside("steering")]
    assert told == ["accepted", "pending", "failed"]
    assert [each.kind for each in accumulator.problems if each.level != "info"] == []


def test_injections() -> None:
    lanes = beta_websocket.Lanes()
    lanes.add({"type": "response.inject.created", "response_id": "r"})
    assert lanes[None].beside("injections") == [
        {"type": "response.inject.created", "response_id": "r"}
    ]
    assert lanes[None].response is None


@pytest.mark.parametrize(
    "error", [ERROR, {"type": "error", "error": {"code": "c", "message": "bad"}}]
)
@pytest.mark.parametrize("status", [None, 400])
def test_errors_of_a_connection(error: Event, status: int | None) -> None:
    lanes = websocket.Lanes()
    lanes.add({**error, "status": status} if status else error)
    found = lanes[None].error
    assert found is not None and (found.code, found.message, found.status) == ("c", "bad", status)
    lanes.add(CREATED)  # the next request may well be answered
    lanes.add(END)
    lanes.add(ERROR)
    assert lanes[None].final.status == "completed"
    assert [each.kind for each in lanes[None].problems if each.level != "info"] == []


def test_another_response_before_the_end_of_the_first() -> None:
    other = {
        **CREATED,
        "sequence_number": 0,
        "response": {**response("in_progress", []), "id": "r2"},
    }
    accumulator = responses.Accumulator()
    for event in (*numbered(CREATED, ADDED, PART_ADDED, delta("a")), other):
        accumulator.add(responses.decode(event))
    assert [each.id for each in accumulator.predecessors] == ["r"] and accumulator.text() == ""
    assert "unfinished" in [each.kind for each in accumulator.problems]
    assert accumulator.last_sequence_number == 0


# --- chat -------------------------------------------------------------------------------------------------------------


def chunk(given: Any, index: Any = 0, reason: Any = None, **more: Any) -> Event:
    choice = {"index": index, "delta": given, "finish_reason": reason}
    known = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**known, "choices": [choice], **more}


def talk(*chunks: Event) -> Run:
    return read(chat, [body([*chunks]) + b"data: [DONE]\n\n"])


def choices(found: Run) -> list[Any]:
    return [
        (each["index"], each["message"])
        for each in chat.encode(found.accumulator.completion)["choices"]
    ]


STOP = chunk({}, reason="stop")
CHAT: list[tuple[str, list[Event], str, list[str]]] = [
    ("no choices", [without(STOP, "choices"), chunk({"content": "a"}), STOP], "a", []),
    ("null choices", [{**STOP, "choices": None}, chunk({"content": "a"}), STOP], "a", []),
    (
        "choices that are an object",
        [{**STOP, "choices": chunk({"content": "a"})["choices"][0]}, STOP],
        "a",
        ["wrong-type"],
    ),
    (
        "choices that are text",
        [{**STOP, "choices": "x"}, chunk({"content": "a"}), STOP],
        "a",
        ["wrong-type"],
    ),
    (
        "a choice that is null",
        [{**STOP, "choices": [None]}, chunk({"content": "a"}), STOP],
        "a",
        ["wrong-type"],
    ),
    ("a null delta", [chunk(None), chunk({"content": "a"}), STOP], "a", []),
    ("a delta that is text", [chunk("x"), chunk({"content": "a"}), STOP], "a", ["wrong-type"]),
    ("a delta that is a list", [chunk(["x"]), chunk({"content": "a"}), STOP], "a", ["wrong-type"]),
    (
        "content that is a number",
        [chunk({"content": 7}), chunk({"content": "a"}), STOP],
        "a",
        ["wrong-type"],
    ),
    (
        "no index",
        [chunk({"content": "a"}, None), chunk({"content": "b"}), STOP],
        "ab",
        ["index-filled"],
    ),
    ("an index that is a boolean", [chunk({"content": "a"}, False), STOP], "a", ["wrong-index"]),
    ("an index that is 0.0", [chunk({"content": "a"}, 0.0), STOP], "a", []),
    (
        "a null error",
        [chunk({"content": "a"}, error=None), chunk({}, reason="stop", error={})],
        "a",
        [],
    ),
    ("tool calls that are null", [chunk({"content": "a", "tool_calls": None}), STOP], "a", []),
    (
        "tool calls that are text",
        [chunk({"content": "a", "tool_calls": "x"}), STOP],
        "a",
        ["wrong-type"],
    ),
    ("usage that is text", [chunk({"content": "a"}, usage="x"), STOP], "a", ["wrong-type"]),
    (
        "logprobs that are text",
        [
            {
                **STOP,
                "choices": [
                    {
                        "index": 0,
                        "delta": {"content": "a"},
                        "logprobs": "x",
                        "finish_reason": "stop",
                    }
                ],
            }
        ],
        "a",
        ["wrong-type"],
    ),
    (
        "only a message",
        [{**STOP, "choices": [{"index": 0, "message": {"content": "a"}, "finish_reason": "stop"}]}],
        "a",
        [],
    ),
    (
        "a message beside the delta",
        [
            {
                **STOP,
                "choices": [
                    {
                        "index": 0,
                        "delta": {"content": "a"},
                        "message": {"content": "b"},
                        "finish_reason": "stop",
                    }
                ],
            }
        ],
        "a",
        [],
    ),
    (
        "a piece of content in a list",
        [chunk({"content": [{"type": "text", "text": "a"}]}), chunk({"content": "b"}), STOP],
        "ab",
        [],
    ),
    ("no finish reason", [chunk({"content": "a"})], "a", ["not-finished"]),
]


@pytest.mark.parametrize(("name", "chunks", "text", "problems"), CHAT, ids=[row[0] for row in CHAT])
def test_chat(name: str, chunks: list[Event], text: str, problems: list[str]) -> None:
    found = talk(*chunks)
    assert found.accumulator.final is not None
    assert found.accumulator.text() == text
    assert kinds(found) == problems


def test_choices_by_index() -> None:
    found = talk(
        *(chunk({"content": text}, at, "stop") for at, text in ((7, "b"), (-1, "z"), (0, "a")))
    )
    assert choices(found) == [(-1, {"content": "z"}), (0, {"content": "a"}), (7, {"content": "b"})]
    assert found.accumulator.text(7) == "b" and kinds(found) == ["wrong-index"]


@pytest.mark.parametrize("error", [{"message": "bad", "code": 1}, "bad"])
def test_an_error_beside_choices_fails_the_stream(error: Any) -> None:
    found = talk(chunk({"content": "a"}, error=error))
    assert found.reader.outcome == "error" and found.accumulator.status == "failed"
    with pytest.raises(chat.StreamError, match="the stream failed: bad"):
        _ = found.accumulator.final
    assert found.accumulator.text() == "a"


def call(
    index: Any = ..., id: Any = ..., name: Any = ..., arguments: Any = ..., **more: Any
) -> Event:
    function = {"name": name, "arguments": arguments}
    piece = {
        "index": index,
        "id": id,
        "function": {k: v for k, v in function.items() if v is not ...},
    }
    return {**{key: value for key, value in piece.items() if value is not ...}, **more}


CALLS: list[tuple[str, list[Event], list[tuple[Any, Any, Any]]]] = [
    ("one", [call(0, "a", "f", ""), call(0, arguments="{}")], [("a", "f", "{}")]),
    (
        "a repeated id and name",
        [call(0, "a", "f", "{"), call(0, "a", "f", "}")],
        [("a", "f", "{}")],
    ),
    ("an empty id and name", [call(0, "a", "f", "{"), call(0, "", "", "}")], [("a", "f", "{}")]),
    ("another id alone", [call(0, "a", "f", "{"), call(0, "b", arguments="}")], [("a", "f", "{}")]),
    (
        "another name alone",
        [call(0, "a", "f", "{"), call(0, name="g", arguments="}")],
        [("a", "f", "{}")],
    ),
    (
        "another id and name",
        [call(0, "a", "f", "1"), call(0, "b", "g", "2")],
        [("a", "f", "1"), ("b", "g", "2")],
    ),
    (
        "two calls of one index, by turns",
        [
            call(0, "a", "f"),
            call(0, "b", "g"),
            call(0, "a", arguments="1"),
            call(0, "b", arguments="2"),
        ],
        [("a", "f", "1"), ("b", "g", "2")],
    ),
    (
        "no index",
        [
            call(id="a", name="f", arguments="1"),
            call(arguments="2"),
            call(id="b", name="g", arguments="3"),
        ],
        [("a", "f", "12"), ("b", "g", "3")],
    ),
    (
        "no index, by id",
        [call(id="a", name="f"), call(id="b", name="g"), call(id="a", arguments="1")],
        [("a", "f", "1"), ("b", "g", None)],
    ),
    (
        "any order",
        [call(1, "b", "g", "2"), call(0, "a", "f", "1")],
        [("a", "f", "1"), ("b", "g", "2")],
    ),
    ("gaps", [call(9, "b", "g", "2"), call(4, "a", "f", "1")], [("a", "f", "1"), ("b", "g", "2")]),
    (
        "an index that is a boolean",
        [call(0, "a", "f", "1"), call(True, arguments="2")],
        [("a", "f", "12")],
    ),
    (
        "an id that came later",
        [call(0, name="f", arguments="1"), call(0, "a", arguments="2")],
        [("a", "f", "12")],
    ),
    (
        "an id that is a list",
        [call(0, ["a"], "f", "1"), call(0, arguments="2")],
        [(["a"], "f", "12")],
    ),
    ("null arguments", [call(0, "a", "f", None), call(0, arguments="1")], [("a", "f", "1")]),
    (
        "a null function",
        [call(0, "a", "f", "1"), {"index": 0, "function": None}],
        [("a", "f", "1")],
    ),
    (
        "a function that is text",
        [call(0, "a", "f", "1"), {"index": 0, "function": "x"}],
        [("a", "f", "1")],
    ),
]


@pytest.mark.parametrize(("name", "pieces", "expected"), CALLS, ids=[row[0] for row in CALLS])
@pytest.mark.parametrize("together", [False, True])
def test_tool_calls(name: str, pieces: list[Event], expected: list[Any], together: bool) -> None:
    deltas = [pieces] if together else [[piece] for piece in pieces]
    found = talk(*(chunk({"tool_calls": each}) for each in deltas), chunk({}, reason="tool_calls"))
    made = choices(found)[0][1]["tool_calls"]
    assert [
        (each.get("id"), each["function"].get("name"), each["function"].get("arguments"))
        for each in made
    ] == expected


def test_a_lone_tool_call_is_no_list() -> None:
    found = talk(chunk({"tool_calls": call(0, "a", "f", "{}")}, reason="tool_calls"))
    assert found.accumulator.arguments(0) == found.accumulator.arguments(0, 0) == "{}"
    assert kinds(found) == ["wrong-type"]


def test_unknown_properties() -> None:
    found = talk(
        chunk({"reasoning_content": "a", "my_text": "x", "label": "l"}, x_one={"n": 1}),
        chunk(
            {"reasoning_content": "b", "my_text": "y", "label": "l"}, reason="stop", x_one={"n": 2}
        ),
    )
    assert choices(found)[0][1] == {"reasoning_content": "ab", "my_text": "xy", "label": "l"}
    assert chat.encode(found.accumulator.final)["x_one"] == {"n": 2}


def test_usage_is_taken_property_by_property() -> None:
    first = {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4}
    found = talk(
        chunk({"content": "a"}, usage=first), chunk({}, reason="stop", usage={"total_tokens": 5})
    )
    found_empty = talk(
        chunk({}, usage=first),
        chunk({}, reason="stop", usage={}),
        {**STOP, "choices": [], "usage": None},
    )
    assert found.accumulator.usage_json == {**first, "total_tokens": 5}
    assert found_empty.accumulator.usage_json == first


def test_first_chunk_of_azure_and_moderation() -> None:
    filtered = {
        "id": "",
        "object": "",
        "created": 0,
        "model": "",
        "choices": [],
        "prompt_filter_results": [1],
    }
    found = talk(
        filtered,
        chunk({"content": "a"}, reason="stop"),
        {**STOP, "choices": [], "moderation": {"x": 1}},
    )
    final = chat.encode(found.accumulator.final)
    assert (final["id"], final["created"], final["prompt_filter_results"]) == ("c", 1, [1])
    assert final["moderation"] == {"x": 1} and kinds(found) == []


def test_a_completion_that_was_not_streamed() -> None:
    whole = {
        "id": "i",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"content": "a"}, "finish_reason": "stop"}],
    }
    for chunks in ([body([whole])], [json.dumps(whole).encode()]):
        assert read(chat, chunks).accumulator.final.choices[0].message.content == "a"


def test_text_completions() -> None:
    def piece(text: str, reason: Any = None) -> Event:
        logprobs = {
            "tokens": [text],
            "token_logprobs": [0],
            "top_logprobs": [{}],
            "text_offset": [0],
        }
        return {
            "id": "c",
            "object": "text_completion",
            "choices": [{"index": 0, "text": text, "logprobs": logprobs, "finish_reason": reason}],
        }

    found = read(completions, [body([piece("a"), piece("b", "stop"), chunk({"content": "c"})])])
    assert found.accumulator.text() == "abc"  # the last is a chunk of the other API
    assert found.accumulator.at("choices", 0, "logprobs", "tokens") == ["a", "b"]


def test_images() -> None:
    partial = {"type": "image_generation.partial_image", "partial_image_index": 1, "b64_json": "p"}
    done = {"type": "image_generation.completed", "b64_json": "whole", "usage": {"total_tokens": 3}}
    found = read(images, [body([partial, done])])
    assert found.accumulator.final.b64_json == "whole"
    assert found.accumulator.beside("partial_images", 1) == "p"
    assert found.accumulator.usage.total_tokens == 3


def test_beta_responses_have_the_same_rules() -> None:
    """Dialects add rules of their own, behind those of the stream."""
    ours, theirs = responses.accumulator.RULES, beta_responses.accumulator.RULES
    assert theirs.keys() <= ours.keys()
    assert [tag for tag in theirs if ours[tag][: len(theirs[tag])] != theirs[tag]] == []


# --- cost -------------------------------------------------------------------------------------------------------------


def calls_for(api: Any, events: list[Any]) -> list[int]:
    """How many functions run for each event."""
    count = 0

    def profile(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    accumulator, counts = api.Accumulator(), []
    for event in events:
        count = 0
        sys.setprofile(profile)
        try:
            accumulator.add(event)
        finally:
            sys.setprofile(None)
        counts.append(count)
    return counts


@pytest.mark.parametrize(
    ("api", "begin", "piece"),
    [
        (responses, [CREATED, ADDED, PART_ADDED], delta("x")),
        (responses, [CREATED, item("added", 1, CALL)], {**ARGUMENTS, "delta": "x"}),
        (responses, [CREATED], delta("x")),
        (responses, [CREATED, ADDED, PART_ADDED], without(delta("x"), "output_index")),
        (chat, [], chunk({"content": "x"})),
        (
            chat,
            [chunk({"tool_calls": [call(0, "a", "f")]})],
            chunk({"tool_calls": [call(0, arguments="x")]}),
        ),
        (chat, [], chunk({"my_text": "x", "label": "l"})),
    ],
)
def test_a_delta_costs_the_same_at_any_time(api: Any, begin: list[Event], piece: Event) -> None:
    events = [api.decode(event) for event in numbered(*begin, *[piece] * 3000)]
    counts = calls_for(api, events)
    assert counts[len(begin) + 10] == counts[1500] == counts[-1]


def test_many_tool_calls_cost_the_same_each() -> None:
    deltas = [chunk({"tool_calls": [call(at, f"id{at}", "f", "{}")]}) for at in range(3000)]
    counts = calls_for(chat, [chat.decode(each) for each in deltas])
    assert counts[10] == counts[-1]
