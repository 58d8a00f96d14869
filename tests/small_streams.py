"""Small streams for tests of accumulators: their events, built by hand, and the reading of them.

Reads nothing; returns payloads as JSON values. Never makes a stream from the rules that are tested.
"""

from __future__ import annotations
from typing import Any
from stream_events import chat, completions, images, messages, responses
from tests.shared_cases import Run, body, read

Event = dict[str, Any]
MODULES: dict[str, Any] = {
    "chat": chat,
    "completions": completions,
    "messages": messages,
    "responses": responses,
    "images": images,
}
"""Modules whose streams are read from a body."""


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


CALL = {"type": "function_call", "id": "f", "call_id": "c", "name": "n", "arguments": ""}


ARGUMENTS = {"type": "response.function_call_arguments.delta", "item_id": "f", "output_index": 1}


STREAMED = [ADDED, PART_ADDED, delta("a"), item("added", 1, CALL), {**ARGUMENTS, "delta": "{}"}]


def message(text: str, kind: str = "output_text") -> Event:
    name = "refusal" if kind == "refusal" else "text"
    return {**MESSAGE, "content": [{"type": kind, name: text}]}


def chunk(given: Any, index: Any = 0, reason: Any = None, **more: Any) -> Event:
    choice = {"index": index, "delta": given, "finish_reason": reason}
    known = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**known, "choices": [choice], **more}


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
