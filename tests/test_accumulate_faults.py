"""What goes wrong in real life and must neither pass in silence nor lose anything: one test for each kind.

Reads small streams written here; expected is what the protocols say, and that nothing is lost or guessed without a problem.
"""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from stream_events import beta_responses, chat, completions, images, messages, responses
from stream_events.responses import websocket
from tests.shared_cases import body, read
from tests.small_streams import (
    ADDED,
    CREATED,
    END,
    MODULES,
    PART_ADDED,
    Event,
    call,
    chunk,
    delta,
    kinds,
    numbered,
    output,
    response,
    run,
    without,
)

ERRORS = [
    b'event: error\ndata: {"error":{"message":"boom"}}\n\n',
    b'event: error\ndata: {"message":"boom"}\n\n',
    b"event: error\ndata: boom\n\n",
    b'{"error":{"message":"boom"}}',
    b'{"errors":[{"message":"boom"}]}',
    b'{"message":"boom"}',
    b'{"detail":"boom"}',
    b'{"object":"error","message":"boom","code":500}',
    b'{"type":"invalid_request_error","message":"boom"}',
]

COMPLETION = {"id": "c", "object": "text_completion", "created": 1, "model": "m"}


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("text", ERRORS)
def test_an_error_in_any_form_fails_the_stream(name: str, text: bytes) -> None:
    """As an event of its own, or as the whole body."""
    module = MODULES[name]
    found = read(module, [text])
    assert found.reader.outcome == "error"
    assert found.accumulator.error.message == "boom"
    with pytest.raises(module.StreamError, match="boom"):
        module.final([text])


@pytest.mark.parametrize("name", ["chat", "completions"])
@pytest.mark.parametrize(
    "error",
    [
        b'data: {"error":{"message":"boom"}}\n\n',
        b'data: {"object":"error","message":"boom","code":500}\n\n',
        b'data: {"message":"boom","code":500}\n\n',
    ],
)
def test_an_error_among_chunks_fails_the_stream(name: str, error: bytes) -> None:
    kind = {"chat": "chat.completion.chunk", "completions": "text_completion"}[name]
    first = body([{**chunk({"content": "part"}), "object": kind}])
    found = read(MODULES[name], [first + error])
    assert (found.reader.outcome, found.accumulator.error.message) == ("error", "boom")


def test_a_message_beside_choices_is_no_error() -> None:
    found = read(chat, [body([chunk({"content": "a"}, reason="stop", message="hello")])])
    assert found.accumulator.error is None


def test_a_response_in_place_of_a_stream_is_no_error() -> None:
    whole = response("completed", [], error=None)
    found = read(responses, [json.dumps(whole).encode()])
    assert found.reader.outcome == "truncated"
    assert found.accumulator.error is None
    assert kinds(found) == ["json-body", "truncated"]


# --- the ends of responses --------------------------------------------------------------------------------------------


def test_a_response_that_begins_again_leaves_the_finished_one_readable() -> None:
    accumulator = responses.Accumulator()
    for event in (CREATED, ADDED, PART_ADDED, delta("hi"), END, CREATED):
        accumulator.add(responses.decode(event))
    (before,) = accumulator.predecessors
    assert before.output[0].content[0].text == "hi"
    assert "announced-twice" in [each.kind for each in accumulator.problems]


def test_an_error_before_a_response_is_not_that_of_the_response() -> None:
    lanes = websocket.Lanes()
    lanes.add({"type": "error", "status": 400, "error": {"message": "bad"}})
    assert lanes[None].error.message == "bad"
    for event in numbered(CREATED, ADDED, PART_ADDED, delta("hi"), END):
        lanes.add(event)
    assert (lanes[None].error, lanes[None].status, lanes[None].text()) == (None, "completed", "hi")


def test_an_error_on_a_lane_about_another_request_loses_nothing() -> None:
    lanes = websocket.Lanes()
    error = {"type": "error", "status": 400, "error": {"message": "bad"}}
    for event in (*numbered(CREATED, ADDED, PART_ADDED, delta("he")), error):
        lanes.add(event)
    for event in numbered(CREATED, ADDED, PART_ADDED, delta("he"), delta("llo"), END)[4:]:
        lanes.add(event)
    assert (lanes[None].text(), lanes[None].status) == ("hello", "completed")
    assert [each.kind for each in lanes[None].problems if each.level != "info"] == []


def test_resuming_after_an_error() -> None:
    events = numbered(CREATED, ADDED, PART_ADDED, delta("he"), delta("llo"), END)
    accumulator = responses.Accumulator()
    accumulator.add_all(responses.read([body(events[:4])]))
    accumulator.add_all(responses.read([b'{"error":{"message":"overloaded"}}']))
    assert accumulator.status == "failed"
    accumulator.resume()
    accumulator.add_all(responses.read([body(events[4:])]))
    assert (accumulator.text(), accumulator.status, accumulator.error) == (
        "hello",
        "completed",
        None,
    )


def test_events_after_an_error_count_and_are_reported() -> None:
    error = {"type": "error", "message": "bad", "code": None, "param": None}
    found = read(responses, [body(numbered(CREATED, ADDED, PART_ADDED, error, delta("hi")))])
    assert found.accumulator.text() == "hi"
    assert set(kinds(found)) == {"after-terminal"}


def test_quick_ways_do_not_hide_what_comes_late() -> None:
    error = {"type": "error", "message": "bad", "code": None, "param": None}
    accumulator = responses.Accumulator()
    for event in numbered(CREATED, ADDED, PART_ADDED, *[delta("a")] * 3, error, *[delta("b")] * 3):
        accumulator.add(responses.decode(event))
    assert [each.kind for each in accumulator.problems] == ["after-terminal"] * 3
    assert accumulator.text() == "aaabbb"


@pytest.mark.parametrize("values", [(1, 1.0), (1.0, True), (0, False), (True, 1)])
def test_numbers_of_another_type_take_the_place_of_equal_ones(values: tuple[Any, Any]) -> None:
    """1, 1.0 and true are equal in Python and differ in JSON."""
    accumulator = completions.Accumulator()
    for value in (values[0], values[0], values[1]):
        choice = {"index": 0, "text": "a", "finish_reason": None, "logprobs": None, "new": value}
        accumulator.add(completions.decode({**COMPLETION, "choices": [choice], "note": value}))
    accumulator.end()
    found = completions.encode(accumulator.completion)
    assert (repr(found["note"]), repr(found["choices"][0]["new"])) == (repr(values[1]),) * 2
    assert accumulator.text() == "aaa"


def test_equal_numbers_of_two_choices_undo_one_another() -> None:
    accumulator = completions.Accumulator()
    for index, value in ((0, 1), (1, 1.0), (0, 1)):
        choice = {"index": index, "text": "a", "finish_reason": None, "logprobs": None}
        accumulator.add(completions.decode({**COMPLETION, "choices": [choice], "note": value}))
    accumulator.end()
    assert repr(completions.encode(accumulator.completion)["note"]) == "1"


def test_quick_ways_do_not_add_to_what_another_entry_displaced() -> None:
    """Where two kinds of pieces name one index and nothing was announced, the place is that of the last one."""
    arguments = {
        "type": "response.function_call_arguments.delta", "item_id": "f", "output_index": 0,
        "delta": "{}",
    }  # fmt: skip
    accumulator, by_rules = responses.Accumulator(), responses.Accumulator()
    for event in map(
        responses.decode, numbered(CREATED, delta("a"), delta("b"), arguments, delta("c"))
    ):
        accumulator.add(event)
        by_rules._add(event)
    assert accumulator.problems == by_rules.problems
    assert [accumulator.text(), accumulator.text(0, 0)] == [by_rules.text(), by_rules.text(0, 0)]


def test_what_is_no_event_of_the_stream_leaves_no_trace() -> None:
    accumulator = responses.Accumulator()
    number = {**delta("a"), "sequence_number": 0}
    with pytest.raises(TypeError, match="not an event of responses"):
        accumulator.add(beta_responses.decode(number))  # type: ignore[arg-type]
    with pytest.raises(responses.StreamError, match="the stream was empty"):
        accumulator.end()
        _ = accumulator.final
    assert (accumulator.last_sequence_number, accumulator.problems) == (None, [])


def test_an_end_is_told_once() -> None:
    accumulator = chat.Accumulator()
    accumulator.add_all(chat.read([body([chunk({"content": "par"})])]))
    told = list(accumulator.problems)
    accumulator.end("truncated")
    accumulator.end(None, accumulator.problems)
    assert accumulator.problems == told
    accumulator.resume()
    accumulator.end("truncated")
    assert [each.kind for each in accumulator.problems] == [
        *(each.kind for each in told),
        "not-finished",
    ]


def test_a_failure_is_the_last_event_that_says_so() -> None:
    accumulator = completions.Accumulator()
    for text in "ab":
        choice = {"index": 0, "text": text, "finish_reason": None, "logprobs": None}
        accumulator.add(completions.decode({**COMPLETION, "choices": [choice], "error": True}))
    assert accumulator.error is not None and accumulator.error.data["choices"][0]["text"] == "b"


def test_a_response_of_another_id_is_reported() -> None:
    other = {**END, "response": {**END["response"], "id": "other"}}
    found = read(responses, [body(numbered(CREATED, other))])
    assert kinds(found) == ["id-changed"]


@pytest.mark.parametrize("name", ["chat", "completions"])
def test_a_cut_answer_is_not_final(name: str) -> None:
    kind = {"chat": "chat.completion.chunk", "completions": "text_completion"}[name]
    first = {**chunk({"content": "par"}), "object": kind}
    azure = {**first, "choices": []}
    for events in ([first], [azure]):
        with pytest.raises(MODULES[name].StreamError, match="before its answer was finished"):
            MODULES[name].final([body(events)])
        assert MODULES[name].final([body(events) + b"data: [DONE]\n\n"]).id == "c"


def test_places_stay_the_same_after_the_terminal_event() -> None:
    items = [
        {"type": "message", "id": name, "role": "assistant", "status": "completed", "content": [
            {"type": "output_text", "text": name, "annotations": [], "logprobs": []}]}
        for name in "ab"
    ]  # fmt: skip
    added = [
        {"type": "response.output_item.done", "output_index": at, "item": each}
        for at, each in zip((0, 2), items, strict=True)
    ]
    end = {"type": "response.completed", "response": response("completed", items)}
    found = read(responses, [body(numbered(CREATED, *added, end))])
    assert (found.accumulator.text(2, 0), found.accumulator.text(1, 0)) == ("b", "")


# --- what has no place of its own -------------------------------------------------------------------------------------


def test_custom_tool_calls_of_chat() -> None:
    first = {"index": 0, "id": "t", "type": "custom", "custom": {"name": "f", "input": "ab"}}
    pieces = [
        chunk({"tool_calls": [each]}) for each in (first, {"index": 0, "custom": {"input": "cd"}})
    ]
    found = read(chat, [body([*pieces, chunk({}, reason="tool_calls")])])
    (made,) = chat.encode(found.accumulator.final)["choices"][0]["message"]["tool_calls"]
    assert made["custom"] == {"name": "f", "input": "abcd"}


def test_unknown_properties_of_parts_are_kept() -> None:
    tool = call(0, "t", "f", "{}")
    tool["function"]["signature"] = "S"
    given = {
        "tool_calls": [tool],
        "audio": {"id": "a", "data": "", "format": "wav"},
        "function_call": {"x": 1},
    }
    events = chunk(given, reason="stop")
    events["choices"][0]["logprobs"] = {"tokens": ["a"]}
    choice = chat.encode(read(chat, [body([events])]).accumulator.final)["choices"][0]
    assert choice["message"]["tool_calls"][0]["function"]["signature"] == "S"
    assert choice["message"]["audio"]["format"] == "wav"
    assert choice["message"]["function_call"]["x"] == 1
    assert choice["logprobs"]["tokens"] == ["a"]


def test_what_stands_where_a_list_should_is_reported_and_kept() -> None:
    found = read(
        chat, [body([chunk({"reasoning_details": {"a": 1}, "images": "u"}, reason="stop")])]
    )
    message = chat.encode(found.accumulator.final)["choices"][0]["message"]
    assert (message["reasoning_details"], message["images"]) == ([{"a": 1}], ["u"])
    assert kinds(found)[:2] == ["wrong-type", "wrong-type"]


@pytest.mark.parametrize("given", [{"delta": {}}, {"delta": None}, {}])
def test_a_message_in_place_of_a_delta(given: Event) -> None:
    event = chunk({}, reason="stop")
    event["choices"] = [{"index": 0, "finish_reason": "stop", "message": {"content": "a"}, **given}]
    assert read(chat, [body([event])]).accumulator.text() == "a"


def test_labels_are_set_and_texts_joined() -> None:
    labels = {"content_type": "text/plain", "context_id": "k", "reasoning_signature": "S"}
    texts = {"my_text": "ab", "reasoningContent": "ab", "thought": "ab"}
    found = read(chat, [body([chunk({**labels, **texts})] * 2)])
    message = chat.encode(found.accumulator.completion)["choices"][0]["message"]
    assert message == {**labels, **{name: text * 2 for name, text in texts.items()}}


def test_a_text_that_nobody_knows_to_be_one_is_reported() -> None:
    found = read(chat, [body([chunk({"analysis": "ab"}), chunk({"analysis": "cd"})])])
    assert [each.path for each in found.problems if each.kind == "replaced"] == [".analysis"]


# --- entries that were never announced --------------------------------------------------------------------------------


def test_another_kind_at_the_place_of_an_entry_that_was_never_announced() -> None:
    arguments = {
        "type": "response.function_call_arguments.delta",
        "item_id": "f",
        "output_index": 0,
        "delta": "{}",
    }
    found = run(delta("hi"), arguments)
    assert [(each["type"], each.get("arguments")) for each in output(found)] == [
        ("message", None),
        ("function_call", "{}"),
    ]
    refusal = {**without(delta("NO"), "logprobs"), "type": "response.refusal.delta"}
    found = run(delta("hi"), refusal)
    assert found.accumulator.refusal() == "NO"
    with pytest.raises(responses.StreamError, match="refused"):
        found.accumulator.parsed(with_=str)


def test_what_is_dropped_stands_in_the_problem() -> None:
    done = [
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_stop", "index": 0},
    ]
    late = {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": "LOST"},
    }
    found = read(messages, [body([*done, late])])
    assert ["LOST" in each.message for each in found.problems if each.kind == "after-done"] == [
        True
    ]
    reasoning = {
        "type": "response.reasoning_text.delta",
        "item_id": "m",
        "output_index": 0,
        "content_index": 0,
        "delta": "LOST",
    }
    found = run(ADDED, reasoning)
    assert ["LOST" in each.message for each in found.problems if each.kind == "wrong-kind"] == [
        True
    ]


# --- cost -------------------------------------------------------------------------------------------------------------


def test_padded_pieces_of_base64_are_joined_as_one() -> None:
    piece = base64.b64encode(b"xy").decode()
    audio = [{"type": "response.audio.delta", "delta": piece}] * 50
    found = read(responses, [body(numbered(CREATED, *audio))])
    assert base64.b64decode(found.accumulator.beside("audio")) == b"xy" * 50


def test_nothing_of_an_error_is_handed_out_to_change() -> None:
    accumulator = responses.Accumulator()
    accumulator.add(
        responses.decode({"type": "error", "message": "boom", "code": "c", "param": None})
    )
    accumulator.error.data["message"] = "changed"
    assert accumulator.error.message == "boom"


def test_what_is_too_deep_for_the_stack_is_a_stream_error() -> None:
    deep: Any = 1
    for _ in range(300):
        deep = {"a": deep}
    accumulator = responses.Accumulator()
    begin = {**CREATED, "response": response("in_progress", [], usage=deep, error=deep)}
    accumulator.add(responses.decode(begin))

    def below(depth: int, read: Any) -> Any:
        return read() if depth == 0 else below(depth - 1, read)

    for reading in (
        lambda: accumulator.usage_json,
        lambda: accumulator.error,
        lambda: accumulator.at("usage"),
        lambda: accumulator.usage,
        lambda: accumulator.response,
    ):
        with pytest.raises(responses.StreamError, match="too deep"):
            below(600, reading)
