"""Random streams that do nothing wrong, and what they have to add up to.

Reads a seeded generator; returns payloads of events beside the response that they stand for. Every object is made whole
first and then cut into events: nothing here accumulates, and nothing looks at the package.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tests.consistent_items import KINDS, Item, Value, maybe


@dataclass(frozen=True)
class ResponseStream:
    """A stream of one response. `items`: in their final order; `texts`: place → all text of a message's part."""

    events: list[Value]
    items: list[Item]
    final: Value
    texts: dict[tuple[int, int], str]


def _as_begun(item: Item) -> Value:
    """The item as its added event has it: what is streamed is not there yet."""
    begun = dict(item.streamed)
    for field in ("arguments", "input", "code"):
        if field in begun:
            begun[field] = ""
    begun.update({field: [] for field in ("content", "summary") if field in begun})
    if "action" in begun and "commands" in begun["action"]:
        begun["action"] = {**begun["action"], "commands": []}
    return {**begun, "status": "in_progress"} if "status" in begun else begun


def interleaved(parts: list[list[Any]], chance: random.Random) -> Iterator[Any]:
    """The elements of several lists, each list in its order."""
    waiting = [list(part) for part in parts if part]
    while waiting:
        part = chance.choice(waiting)
        yield part.pop(0)
        waiting = [each for each in waiting if each]


def response(
    identity: str, status: str, output: list[Value] | None, usage: Value | None = None
) -> Value:
    """A response object."""
    return {
        "id": identity, "object": "response", "created_at": 1.5, "model": "m", "status": status, "output": output,
        "error": None, "incomplete_details": None, "instructions": None, "metadata": {"k": "v"}, "usage": usage,
        "parallel_tool_calls": True, "temperature": 1, "tool_choice": "auto", "tools": [], "top_p": 1.0,
    }  # fmt: skip


def response_stream(chance: random.Random) -> ResponseStream:
    """A response of any items, whose events come interleaved and numbered from 0."""
    items = [chance.choice(KINDS)(f"id_{n}", chance) for n in range(chance.randrange(5))]
    parts = []
    for index, item in enumerate(items):
        added = {"type": "response.output_item.added", "item": _as_begun(item)}
        done = {"type": "response.output_item.done", "item": item.final}
        parts.append([{**event, "output_index": index} for event in (added, *item.events, done)])
    usage = {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}
    status = chance.choice(("completed", "completed", "incomplete", "failed"))
    final = response("resp_1", status, [item.final for item in items], usage)
    begun = response("resp_1", "in_progress", [])
    events = [
        *maybe({"type": "response.queued", "response": {**begun, "status": "queued"}}, chance)[
            chance.randrange(2) :
        ],
        {"type": "response.created", "response": begun},
        *maybe({"type": "response.in_progress", "response": begun}, chance),
        *interleaved(parts, chance),
        {"type": f"response.{status}", "response": final},
    ]
    texts = {
        (index, place): part["text"]
        for index, item in enumerate(items)
        if item.final["type"] == "message"
        for place, part in enumerate(item.final["content"])
        if part["type"] == "output_text"
    }
    return ResponseStream(numbered(events), items, final, texts)


def numbered(events: list[Value]) -> list[Value]:
    """Events with sequence numbers from 0."""
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


def without_items(stream: ResponseStream, output: list[Value] | None) -> ResponseStream:
    """The same stream, with another output in its terminal event: the items' own events have to stand in for it."""
    last = stream.events[-1]
    return replace(
        stream,
        events=[*stream.events[:-1], {**last, "response": {**last["response"], "output": output}}],
    )


def without_done(stream: ResponseStream) -> ResponseStream:
    """The same stream without a done event of an item, and nothing in the terminal output."""
    kept = [
        event
        for event in without_items(stream, []).events
        if event["type"] != "response.output_item.done"
    ]
    final = {**stream.final, "output": [item.streamed for item in stream.items]}
    return replace(stream, events=numbered(kept), final=final)
