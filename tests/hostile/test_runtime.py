"""Any bytes into `SSEDecoder`, any JSON value into `decode`, any events into `Accumulator`: declared errors, in linear time and small memory."""

from __future__ import annotations

import json
import logging
import os
import threading
import tracemalloc
from typing import Any

import pytest

from stream_events import chat, messages, responses
from stream_events.sse import SSEDecoder
from tests import fuzzing

FULL = os.environ.get("HOSTILE_FULL") == "1"
"""Set by `make hostile`: sizes as large as a hostile server may choose."""
INDEXES: list[Any] = [
    10**9,
    2**63,
    -1,
    -(2**63),
    True,
    False,
    1.5,
    1.0,
    1e300,
    "0",
    "x",
    None,
    [],
    {},
    [0],
    {"a": 0},
]
NAMES = "__class__ __dict__ __init__ __slots__ __eq__ __getattr__ __reduce__ __wrapped__ self _wire cls tag data mro type().x".split()
LONG = "s3cr3t" * 50_000


def added(index: Any, number: Any = 0) -> dict[str, Any]:
    item = {
        "type": "function_call",
        "id": "i",
        "call_id": "c",
        "name": "f",
        "arguments": "",
        "status": "in_progress",
    }
    return {
        "type": "response.output_item.added",
        "sequence_number": number,
        "output_index": index,
        "item": item,
    }


@pytest.mark.parametrize("index", INDEXES, ids=repr)
def test_indexes(index: Any) -> None:
    delta = {
        "type": "response.output_text.delta",
        "sequence_number": 2,
        "item_id": "i",
        "output_index": index,
        "content_index": index,
        "delta": "x",
        "logprobs": [],
    }
    calls = {
        "type": "response.function_call_arguments.delta",
        "sequence_number": 3,
        "item_id": "i",
        "output_index": index,
        "delta": "{",
    }
    chunk = {
        "id": "a",
        "object": "chat.completion.chunk",
        "created": index,
        "model": "m",
        "choices": [
            {
                "index": index,
                "delta": {
                    "content": "x",
                    "tool_calls": [{"index": index, "function": {"arguments": "{"}}],
                },
            }
        ],
    }
    block = {
        "type": "content_block_start",
        "index": index,
        "content_block": {"type": "text", "text": ""},
    }
    more = {
        "type": "content_block_delta",
        "index": index,
        "delta": {"type": "text_delta", "text": "x"},
    }
    tracemalloc.start()
    for module, payloads in (
        (responses, [added(index), delta, calls]),
        (chat, [chunk, chunk]),
        (messages, [block, more]),
    ):
        accumulator = module.Accumulator()
        for payload in payloads:
            accumulator.add(module.decode(payload))
        accumulator.end()
        fuzzing.asked(accumulator)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000


@pytest.mark.parametrize(
    "number",
    [2**63, -(2**63), 10**400, True, 1.0, 1.5, "1", None, [], {}],
    ids=lambda each: repr(each)[:20],
)
def test_sequence_numbers(number: Any) -> None:
    accumulator = responses.Accumulator()
    for payload in (added(0, number), added(1, number), added(2, 5)):
        accumulator.add(responses.decode(payload))
    accumulator.resume(number if type(number) is int else None)
    accumulator.end()
    fuzzing.asked(accumulator)
    repr(accumulator.problems)


def test_many_tool_calls() -> None:
    count = 100_000 if FULL else 5_000
    accumulator = chat.Accumulator()
    for index in range(count):
        call = {
            "index": index,
            "id": f"c{index}",
            "type": "function",
            "function": {"name": "f", "arguments": "{}"},
        }
        choices = [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}]
        accumulator.add(
            chat.decode(
                {
                    "id": "a",
                    "object": "chat.completion.chunk",
                    "created": 1,
                    "model": "m",
                    "choices": choices,
                }
            )
        )
    completion = accumulator.completion
    assert completion is not None and len(completion.choices[0].message.tool_calls or ()) == count
    other = responses.Accumulator()
    for index in range(count):
        other.add(responses.decode(added(index, index)))
    fuzzing.asked(other)


def test_the_cost_of_tool_calls_is_linear() -> None:
    """Twice the events, twice the work: counted in calls, not in seconds."""
    counts = []
    for size in (400, 800):
        accumulator = responses.Accumulator()
        events = [responses.decode(added(index, index)) for index in range(size)]
        calls = [0]

        def count(*_: object) -> None:
            calls[0] += 1

        threading.setprofile(None)
        import sys

        sys.setprofile(count)
        try:
            for event in events:
                accumulator.add(event)
        finally:
            sys.setprofile(None)
        counts.append(calls[0])
    assert counts[1] < 2.3 * counts[0]


@pytest.mark.parametrize("name", NAMES)
def test_property_names_stay_data(name: str) -> None:
    value = {name: {"x": [name]}}
    for payload in (
        {
            "type": "response.created",
            "sequence_number": 0,
            "response": {"id": "r", "output": [], **value},
            **value,
        },
        {**added(0), "item": {"type": "function_call", "arguments": "", **value}},
        {**added(0), "item": {"type": "new", **value}},
        {"type": name, **value} if name != "type" else {"type": "x"},
    ):
        payload.setdefault("type", "response.created")
        event = responses.decode(json.dumps(payload))
        assert responses.encode(event) == payload
        assert type(event).__name__ in (
            "UnknownEvent",
            "ResponseCreatedEvent",
            "ResponseOutputItemAddedEvent",
        )
        accumulator = responses.Accumulator()
        accumulator.add(event)
        accumulator.end()
        fuzzing.questioned(responses, event)
        fuzzing.asked(accumulator)


@pytest.mark.parametrize(
    "text", ['{"type":"a","type":"b"}', '{"type":"x","a":1,"a":{"b":1,"b":2}}']
)
def test_the_last_of_duplicate_keys_wins(text: str) -> None:
    assert responses.encode(responses.decode(text)) == json.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "NaN",
        "Infinity",
        "-Infinity",
        "1e999",
        "-1e999",
        "1" * 5000,
        "0" * 3,
        "[" * 100_000,
        '{"a":' * 100_000,
        '"',
        "\0",
        "\ud800",
        "",
    ],
    ids=lambda each: ascii(each[:9]),
)
def test_what_is_no_json(text: str) -> None:
    with pytest.raises(responses.DecodeError) as caught:
        responses.decode('{"type":"x","a":' + text + "}")
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("depth", [50, 190, 400, 900, 5000, 100_000])
def test_deep_values(depth: int) -> None:
    value: Any = 1
    for _ in range(depth):
        value = {"content": [value]} if depth < 1000 else [value]
    for payload in (
        {"type": "response.created", "response": value},
        {"type": "new", "x": value},
        {**added(0), "item": value},
    ):
        try:
            event = responses.decode(payload)
        except responses.DecodeError:
            continue
        accumulator = responses.Accumulator()
        accumulator.add(event)
        accumulator.end()
        fuzzing.questioned(responses, event)
        fuzzing.asked(accumulator)


def test_lone_surrogates_in_deltas() -> None:
    accumulator = chat.Accumulator()
    for half in ('"\\ud83d"', '"\\ude00"'):
        text = '{"id":"a","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":%s}}]}'
        accumulator.add(chat.decode(text % half))
    assert accumulator.text() == "😀"  # halves that come one after the other are one character
    fuzzing.asked(accumulator)


def test_no_newline_ever() -> None:
    """Memory stays at the cap, however much comes: a gigabyte, or some of it in the suite."""
    piece = b"x" * 65_536
    decoder = SSEDecoder(max_event_bytes=1 << 20)
    tracemalloc.start()
    with pytest.raises(responses.StreamError, match="max_event_bytes"):
        for _ in range(16_384 if FULL else 64):
            decoder.feed(b"data: " + piece)
    with pytest.raises(responses.StreamError):
        decoder.feed(piece)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 << 20


@pytest.mark.parametrize(
    "line",
    [
        b"data: x\n",
        b": comment\n",
        b"\n",
        b"event: e\n",
        b"id: 1\n\n",
        b"retry: 9999999999999999999\n",
        b"\r",
        b"data\n\n",
        b"\xff\n",
        b"\0\n",
    ],
)
def test_many_lines(line: bytes) -> None:
    decoder = SSEDecoder(max_event_bytes=1 << 16)
    tracemalloc.start()
    try:
        for _ in range(2000 if FULL else 200):
            decoder.feed(line * 1000)
    except responses.StreamError:
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4 << 20


def test_events_without_a_terminal() -> None:
    """A million deltas and no end: memory grows with their text alone."""
    count = 1_000_000 if FULL else 20_000
    accumulator = responses.Accumulator()
    delta = {
        "type": "response.output_text.delta",
        "item_id": "i",
        "output_index": 0,
        "content_index": 0,
        "delta": "x",
        "logprobs": [],
    }
    tracemalloc.start()
    for number in range(count):
        accumulator.add(responses.decode({**delta, "sequence_number": number * 2}))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    accumulator.end()
    assert peak < 3_000_000 + 200 * count and len(accumulator.problems) < 3000
    assert len(accumulator.text()) in (0, count)


def payloads_with(text: str) -> list[dict[str, Any]]:
    return [
        {"type": "response.output_text.delta", "sequence_number": 1, "item_id": text, "output_index": 0, "content_index": 0, "delta": text, "logprobs": []},
        {"type": text, "x": text, text: text},
        {"type": "error", "message": text, "code": text, "param": text, "sequence_number": text},
        {"type": "response.created", "sequence_number": text, "response": {"id": text, "output": [{"type": "message", "content": [{"type": "output_text", "text": text}]}], "error": {"message": text, "code": text}, text: text}},
        {"type": "response.failed", "sequence_number": 1, "response": {"error": {"message": text, "code": text}}},
        {**added(text), "item": text},
        {**added({"a": text, text: 1})},
        {"type": "response.output_text.done", "sequence_number": 1, "item_id": "i", "output_index": 0, "content_index": 0, "text": text, "logprobs": text},
    ]  # fmt: skip


def test_repr_cuts_long_values() -> None:
    for payload in payloads_with(LONG):
        event = responses.decode(payload)
        assert len(repr(event)) < 5000, type(event).__name__
        for problem in responses.problems(event):
            assert len(repr(problem)) < 2000 and len(str(problem)) < 2000, problem.kind
        accumulator = responses.Accumulator()
        accumulator.add(event)
        accumulator.add(responses.decode(added(0, 7)))
        accumulator.end()
        for problem in accumulator.problems:
            assert len(repr(problem)) < 2000 and len(str(problem)) < 2000, problem.kind
        assert len(repr(accumulator.error)) < 2000
        assert len(repr(accumulator)) < 2000


BODIES = {
    "an event line": f'event: {LONG}\ndata: {{"type":"response.created"}}\n\n',
    "a tag": f'event: x\ndata: {{"type":"{LONG}"}}\n\n',
    "no JSON": f"event: {LONG}\ndata: {{{LONG}\n\n",
    "a number": f"data: {{\"type\":\"x\",\"a\":{'1' * 100_000}}}\n\n",
    "a large float": f"data: {{\"type\":\"x\",\"a\":{'1' * 100_000}.0}}\n\n",
    "a text": f'data: "{LONG}"\n\n',
    "an error body": json.dumps({"error": {"message": LONG, "code": LONG}}),
    "a body that is text": LONG,
    "an id": f"id: {LONG}\ndata: {{}}\n\n",
}


@pytest.mark.parametrize("name", BODIES)
def test_problems_of_a_reader_are_short(name: str) -> None:
    reader = responses.read([BODIES[name].encode()])
    for event in reader:
        assert len(repr(event)) < 5000
    for problem in reader.problems:
        assert len(repr(problem)) < 2000, problem.kind
    accumulator = responses.Accumulator()
    accumulator.add_all(responses.read([BODIES[name].encode()]))
    for problem in accumulator.problems:
        assert len(repr(problem)) < 2000, problem.kind
    assert len(repr(accumulator.error)) < 2000


def test_nothing_is_logged_or_printed(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in BODIES:
        list(responses.read([BODIES[name].encode()]))
    for payload in payloads_with("s3cr3t"):
        responses.problems(responses.decode(payload))
    assert caplog.records == [] and capfd.readouterr() == ("", "")


def test_threads_decode_without_a_lock() -> None:
    """Every thread meets sets of keys that no other has made a plan for yet."""
    keys = [f"k{number}" for number in range(12)]
    payloads = [
        {
            "type": tag,
            "sequence_number": 1,
            **dict.fromkeys(keys[: number % 12], 1),
            "output_index": number,
            "delta": "x",
        }
        for number, tag in enumerate(list(responses.EVENTS) * 4)
    ]
    wanted = [repr(responses.decode(payload)) for payload in payloads]
    found: list[list[Any]] = []
    gate = threading.Barrier(8)

    def work() -> None:
        gate.wait()
        found.append([responses.decode(json.dumps(payload)) for payload in payloads])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    for events in found:
        assert [repr(event) for event in events] == wanted
        assert [responses.encode(event) for event in events] == payloads


def test_an_accumulator_says_that_it_belongs_to_one_thread() -> None:
    for module in (responses, chat, messages):
        assert "thread" in (module.Accumulator.__doc__ or "")
