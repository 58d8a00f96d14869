"""One stream for each kind of finding, which has that finding and no other.

Reads nothing; gives a table: id of the finding → bytes of a capture, and the number of the event (0 for the stream as a whole).
Never spoils more than what the finding is about.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.lint import streams
from tests.lint.streams import (
    Event,
    about,
    chunk,
    choice,
    delta,
    inside,
    item,
    jsonl,
    numbered,
    sse,
)

Spoil = Callable[[list[Event]], Any]
CREATED, ITEM, PART, DELTA, SECOND, TEXT_DONE, PART_DONE, ITEM_DONE = 0, 2, 3, 4, 5, 6, 7, 8
CALL, CALL_DELTA, CALL_DONE, CALL_ITEM, SEARCH, SEARCHING, SEARCHED, END = (
    9,
    10,
    11,
    12,
    13,
    15,
    16,
    18,
)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"


def responses(spoil: Spoil) -> bytes:
    """A right Responses stream, spoilt before the events are numbered."""
    events = streams.responses()
    spoil(events)
    return sse(numbered(events))


def counted(spoil: Spoil) -> bytes:
    """A right Responses stream, spoilt after the events are numbered."""
    events = streams.responses()
    spoil(events)
    return sse(events)


def chat(spoil: Spoil) -> bytes:
    events = streams.chat()
    spoil(events)
    return sse(events, done=True)


def messages(spoil: Spoil) -> bytes:
    events = streams.messages()
    spoil(events)
    return sse(events)


def put(at: int, *path: Any, value: Any) -> Spoil:
    """Set a value in an event."""

    def spoil(events: list[Event]) -> None:
        node: Any = events[at]
        for step in path[:-1]:
            node = node[step]
        node[path[-1]] = value

    return spoil


def drop(at: int, *path: Any) -> Spoil:
    """Remove a property of an event."""

    def spoil(events: list[Event]) -> None:
        node: Any = events[at]
        for step in path[:-1]:
            node = node[step]
        del node[path[-1]]

    return spoil


def without(*numbers: int) -> Spoil:
    def spoil(events: list[Event]) -> None:
        for number in sorted(numbers, reverse=True):
            del events[number]

    return spoil


def insert(at: int, *new: Event) -> Spoil:
    def spoil(events: list[Event]) -> None:
        events[at:at] = list(new)

    return spoil


def move(at: int, to: int) -> Spoil:
    def spoil(events: list[Event]) -> None:
        events.insert(to, events.pop(at))

    return spoil


def each(*spoils: Spoil) -> Spoil:
    def spoil(events: list[Event]) -> None:
        for one in spoils:
            one(events)

    return spoil


def whole(at: int, value: Event) -> Spoil:
    def spoil(events: list[Event]) -> None:
        events[at] = value

    return spoil


def renumber(first: int, by: int) -> Spoil:
    """Add to the numbers from an event on."""

    def spoil(events: list[Event]) -> None:
        for event in events[first:]:
            event["sequence_number"] += by

    return spoil


RESPONSES, CHAT, MESSAGES = (
    sse(streams.responses()),
    sse(streams.chat(), done=True),
    sse(streams.messages()),
)
DEEP: Any = "x"
for _ in range(250):
    DEEP = [DEEP]
CUT = streams.chat()
CUT[4]["choices"][0]["finish_reason"] = None
OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
SECOND_SEARCH = {**streams.SEARCH, "id": "ws_2"}
OTHER = [
    {**event, "response": {**event["response"], "id": "resp_2"}} if "response" in event else event
    for event in streams.responses()
]
TWO_ANNOUNCED = [
    item("added", 3, {**SECOND_SEARCH, "status": "in_progress"}),
    item("added", 3, {**SECOND_SEARCH, "status": "in_progress"}),
    item("done", 3, SECOND_SEARCH),
]
FOUR_ITEMS = put(
    END, "response", "output", value=[streams.MESSAGE, streams.CALL, streams.SEARCH, SECOND_SEARCH]
)
BEGUN = {**streams.MESSAGE, "status": "in_progress", "content": []}
NEW_ITEM = {"type": "new_thing", "id": "n_1"}
NEW = [item("added", 3, NEW_ITEM), item("done", 3, NEW_ITEM)]
AGAIN = [
    item("added", 2, {**SECOND_SEARCH, "status": "in_progress"}),
    item("done", 2, SECOND_SEARCH),
]
DIFF = "response.apply_patch_call_operation_diff.delta"
OPERATION = {"type": "update_file", "path": "p", "diff": "d"}
PATCH = {
    "type": "apply_patch_call",
    "id": "ap_1",
    "call_id": "c",
    "status": "completed",
    "operation": OPERATION,
}
PATCHING = [
    item("added", 3, {**PATCH, "status": "in_progress", "operation": {**OPERATION, "diff": ""}}),
    {"type": DIFF, "item_id": "ap_1", "delta": "d"},
    {
        "type": "response.apply_patch_call_operation_diff.done",
        "item_id": "ap_1",
        "output_index": 3,
        "diff": "d",
    },
    item("done", 3, PATCH),
]
FIVE_ITEMS = put(
    END, "response", "output", value=[streams.MESSAGE, streams.CALL, streams.SEARCH, NEW_ITEM]
)
SECOND_CALL = {
    "index": 1,
    "id": "call_1",
    "type": "function",
    "function": {"name": "look", "arguments": "{}"},
}
UNSIGNED: list[Event] = [
    {
        "type": "content_block_start",
        "index": 2,
        "content_block": {"type": "thinking", "thinking": "", "signature": ""},
    },
    {
        "type": "content_block_delta",
        "index": 2,
        "delta": {"type": "thinking_delta", "thinking": "Hm"},
    },
    {"type": "content_block_stop", "index": 2},
]

SPOILED: dict[str, tuple[bytes, int]] = {
    "http-status": (HEAD.replace(b"200 OK", b"500 Oops") + RESPONSES, 0),
    "content-type": (HEAD.replace(b"text/event-stream", b"text/plain") + RESPONSES, 0),
    "not-utf-8": (
        RESPONSES.replace(b'"model": "gpt-4o"', b'"model": "gpt-4o", "user": "\xe9"', 1),
        1,
    ),
    "event-line": (RESPONSES.replace(b"event: response.created", b"event: response.queued", 1), 1),
    "no-event-line": (sse(streams.responses(), named=False), 1),
    "event-line-lost": (MESSAGES.replace(b"event: ping\n", b""), 3),
    "incomplete-event": (RESPONSES[:-1], END + 1),
    "json-body": (HEAD + b'{"type": "response.completed"}', 0),
    "unexpected-done": (sse(streams.responses(), done=True), 0),
    "no-done": (sse(streams.chat()), 0),
    "after-done-marker": (CHAT + b"data: {}\n\n", 0),
    "empty": (HEAD + b": nothing\n\n", 0),
    "error-body": (HEAD + b'{"error": {"message": "no"}}', 0),
    "not-json": (MESSAGES.replace(b'{"type": "ping"}', b"{"), 3),
    "not-an-object": (MESSAGES.replace(b'{"type": "ping"}', b"7"), 3),
    "no-tag": (MESSAGES.replace(b'event: ping\ndata: {"type": "ping"}', b"data: {}"), 3),
    "unknown-event": (responses(insert(2, {"type": "response.new"})), 3),
    "unknown-property": (responses(put(DELTA, "new", value=1)), DELTA + 1),
    "unknown-value": (responses(put(CREATED, "response", "truncation", value="much")), 1),
    "new-value": (responses(put(CREATED, "response", "model", value="my-model")), 1),
    "missing-property": (responses(drop(DELTA, "logprobs")), DELTA + 1),
    "wrong-type": (responses(put(CREATED, "response", "created_at", value="now")), 1),
    "null-value": (responses(put(DELTA, "logprobs", value=None)), DELTA + 1),
    "input-not-json": (messages(put(6, "delta", "partial_json", value="{")), 8),
    "sequence-gap": (counted(renumber(5, 2)), 6),
    "sequence-back": (counted(each(put(5, "sequence_number", value=2), renumber(6, -1))), 6),
    "sequence-repeat": (counted(each(renumber(5, -1))), 6),
    "wrong-index": (
        chat(
            insert(
                4,
                chunk(
                    [
                        choice(
                            {
                                "tool_calls": [
                                    {
                                        "index": 0,
                                        "id": "other",
                                        "type": "function",
                                        "function": {"name": "b", "arguments": ""},
                                    }
                                ]
                            }
                        )
                    ]
                ),
            )
        ),
        5,
    ),
    "index-gap": (
        chat(insert(3, chunk([choice({"content": "x"}, at=2)]), chunk([choice({}, "stop", at=2)]))),
        4,
    ),
    "not-first": (responses(without(0)), 1),
    "stage-order": (responses(each(move(1, 2), put(2, "response", "output", value=[BEGUN]))), 3),
    "repeated": (responses(insert(1, streams.lifecycle("created"))), 2),
    "unannounced": (responses(without(PART)), PART + 1),
    "announced-twice": (responses(each(FOUR_ITEMS, insert(END, *TWO_ANNOUNCED))), END + 2),
    "after-done": (responses(insert(PART_DONE, delta("x"))), PART_DONE + 1),
    "done-twice": (
        responses(
            insert(
                CALL_ITEM,
                about("function_call_arguments.done", "fc_1", 1, name="look", arguments='{"a":1}'),
            )
        ),
        CALL_ITEM + 1,
    ),
    "done-unannounced": (responses(without(SEARCH, SEARCH + 1, SEARCHING, SEARCHED)), SEARCH + 1),
    "open-at-done": (responses(without(PART_DONE)), ITEM_DONE),
    "never-done": (responses(without(SEARCHED + 1)), END),
    "replaced": (
        responses(
            each(
                put(
                    SEARCHED + 1, "item", value={**streams.CALL, "id": "ws_1", "call_id": "call_2"}
                ),
                put(
                    END,
                    "response",
                    "output",
                    2,
                    value={**streams.CALL, "id": "ws_1", "call_id": "call_2"},
                ),
            )
        ),
        SEARCHED + 2,
    ),
    "id-differs": (responses(put(DELTA, "item_id", value="msg_2")), DELTA + 1),
    "status-back": (
        responses(insert(SEARCHED, about("web_search_call.in_progress", "ws_1", 2))),
        SEARCHED + 1,
    ),
    "status-open": (
        responses(put(ITEM_DONE, "item", "status", value="in_progress")),
        ITEM_DONE + 1,
    ),
    "status-misfit": (responses(put(END, "response", "status", value="in_progress")), END + 1),
    "identity-differs": (responses(put(CALL_ITEM, "item", "call_id", value="x")), CALL_ITEM + 1),
    "id-reused": (chat(insert(4, chunk([choice({"tool_calls": [SECOND_CALL]})]))), 5),
    "output-order": (
        responses(
            put(END, "response", "output", value=[streams.CALL, streams.MESSAGE, streams.SEARCH])
        ),
        END + 1,
    ),
    "never-streamed": (responses(without(*range(ITEM, END))), 3),
    "no-finish": (messages(without(8)), 9),
    "not-given": (messages(put(8, "delta", "stop_reason", value=None)), 10),
    "unsigned": (messages(insert(8, *UNSIGNED)), 0),
    "changed": (
        chat(put(1, "id", value="c_2")).replace(b'"c_1"', b'"c_2"').replace(b'"c_2"', b'"c_1"', 1),
        2,
    ),
    "after-finish": (
        chat(insert(5, chunk([choice({"content": ""}), choice({"content": ""})]))).replace(
            b'"content": ""}, "finish_reason": null}, {"index": 0, "delta": {"content": ""}',
            b'"content": ""}, "finish_reason": null}, {"index": 0, "delta": {"content": "x"}',
        ),
        6,
    ),
    "cut-short": (jsonl(CUT), 0),
    "error-event": (sse([*streams.messages()[:5], OVERLOADED]), 6),
    "not-finished": (chat(put(4, "choices", 0, "finish_reason", value=None)), 0),
    "no-terminal": (responses(without(END)), 0),
    "terminal-twice": (
        responses(
            insert(
                END, streams.lifecycle("completed", [streams.MESSAGE, streams.CALL, streams.SEARCH])
            )
        ),
        END + 2,
    ),
    "after-terminal": (responses(insert(END + 1, {**delta("x")})), END + 2),
    "unfinished": (jsonl(numbered(streams.responses()[:END] + OTHER)), END + 1),
    "disagreement": (responses(put(TEXT_DONE, "text", value="Hallo")), TEXT_DONE + 1),
    "filled": (responses(put(END, "response", "output", value=[])), END + 1),
    "no-usage": (responses(put(END, "response", "usage", value=None)), END + 1),
    "usage-unsent": (chat(without(5)), 0),
    "usage-sum": (chat(put(5, "usage", "total_tokens", value=7)), 6),
    "id-changed": (
        chat(
            insert(
                4,
                chunk(
                    [
                        choice(
                            {
                                "tool_calls": [
                                    {"index": 0, "id": "call_2", "function": {"arguments": ""}}
                                ]
                            }
                        )
                    ]
                ),
            )
        ),
        5,
    ),
    "index-reused": (responses(each(FOUR_ITEMS, insert(END, *AGAIN))), END + 1),
    "unknown-member": (responses(each(FIVE_ITEMS, insert(END, *NEW))), END + 1),
    "wrong-kind": (
        responses(insert(CALL + 1, inside("output_text.delta", "fc_1", 1, delta="x", logprobs=[]))),
        CALL + 2,
    ),
}
WITH_UNKNOWN: dict[str, tuple[bytes, int]] = {
    "wrong-stream": (sse([{"object": "other", "id": "x"}], done=True), 0),
    "missing-source": (
        responses(insert(CALL, {"type": DIFF, "output_index": 0, "item_id": "msg_1"})),
        CALL + 1,
    ),
    "missing-index": (
        responses(
            each(
                put(
                    END,
                    "response",
                    "output",
                    value=[streams.MESSAGE, streams.CALL, streams.SEARCH, PATCH],
                ),
                insert(END, *PATCHING),
            )
        ),
        END + 2,
    ),
    "missing-snapshot": (responses(whole(END, {"type": "response.done"})), END + 1),
}
"""Findings about events that are in no schema, which comes with them as `unknown-event`."""
