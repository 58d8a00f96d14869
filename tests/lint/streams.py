"""Small streams that are right, one of each kind, and the ways in which tests spoil them.

Reads nothing; returns payloads as JSON values, and bytes. Never takes anything from the rules that are tested.
"""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from codegen.lint.captures import captures_in
from codegen.lint.detect import detect
from codegen.lint.linter import Linter
from codegen.lint.result import Result
from codegen.lint.package import Package

Event = dict[str, Any]
PACKAGE = Package(Path("generated"))

USAGE = {
    "input_tokens": 3,
    "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
    "output_tokens": 2,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 5,
}
TEXT = {"type": "output_text", "text": "Hello", "annotations": [], "logprobs": []}
MESSAGE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "status": "completed",
    "content": [TEXT],
}
CALL = {
    "id": "fc_1",
    "type": "function_call",
    "call_id": "call_1",
    "name": "look",
    "arguments": '{"a":1}',
    "status": "completed",
}
SEARCH = {
    "id": "ws_1",
    "type": "web_search_call",
    "status": "completed",
    "action": {"type": "search", "query": "x", "queries": ["x"]},
}


def response(status: str, output: list[Any], usage: Any = None) -> Event:
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": status,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "model": "gpt-4o",
        "output": output,
        "parallel_tool_calls": True,
        "temperature": 1,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1,
        "usage": usage,
    }


def lifecycle(name: str, output: list[Any] | None = None) -> Event:
    is_end = name not in ("created", "queued", "in_progress")
    status = name if name != "created" else "in_progress"
    whole = response(status, output or [], USAGE if is_end else None)
    return {"type": f"response.{name}", "response": whole}


def item(event: str, at: int, value: Event) -> Event:
    return {"type": f"response.output_item.{event}", "output_index": at, "item": value}


def inside(kind: str, item_id: str = "msg_1", at: int = 0, part: int = 0, **more: Any) -> Event:
    place = {"item_id": item_id, "output_index": at, "content_index": part}
    return {"type": f"response.{kind}", **place, **more}


def about(kind: str, item_id: str, at: int, **more: Any) -> Event:
    return {"type": f"response.{kind}", "item_id": item_id, "output_index": at, **more}


def delta(text: Any) -> Event:
    return inside("output_text.delta", delta=text, logprobs=[])


def numbered(events: list[Event]) -> list[Event]:
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


def responses() -> list[Event]:
    """A message, a function call and a web search; indexes 0 to 15 and 16 to 21, 22 to 26, 27."""
    begun = {**MESSAGE, "status": "in_progress", "content": []}
    events = [
        lifecycle("created"),
        lifecycle("in_progress"),
        item("added", 0, begun),
        inside("content_part.added", part=0) | {"part": {**TEXT, "text": ""}},
        delta("Hel"),
        delta("lo"),
        inside("output_text.done", text="Hello", logprobs=[]),
        inside("content_part.done") | {"part": TEXT},
        item("done", 0, MESSAGE),
        item("added", 1, {**CALL, "arguments": "", "status": "in_progress"}),
        about("function_call_arguments.delta", "fc_1", 1, delta='{"a":1}'),
        about("function_call_arguments.done", "fc_1", 1, name="look", arguments='{"a":1}'),
        item("done", 1, CALL),
        item("added", 2, {**SEARCH, "status": "in_progress"}),
        about("web_search_call.in_progress", "ws_1", 2),
        about("web_search_call.searching", "ws_1", 2),
        about("web_search_call.completed", "ws_1", 2),
        item("done", 2, SEARCH),
        lifecycle("completed", [MESSAGE, CALL, SEARCH]),
    ]
    return deepcopy(numbered(events))


def chunk(choices: list[Any], **more: Any) -> Event:
    begin = {"id": "c_1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-4o"}
    return {**begin, "choices": choices, **more}


def choice(delta: Event, finish: str | None = None, at: int = 0) -> Event:
    return {"index": at, "delta": delta, "finish_reason": finish}


def chat() -> list[Event]:
    usage = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
    call = {
        "index": 0,
        "id": "call_1",
        "type": "function",
        "function": {"name": "look", "arguments": "{}"},
    }
    return [
        chunk([choice({"role": "assistant", "content": ""})]),
        chunk([choice({"content": "Hel"})]),
        chunk([choice({"content": "lo"})]),
        chunk([choice({"tool_calls": [call]})]),
        chunk([choice({}, "tool_calls")]),
        chunk([], usage=usage),
    ]


def completions() -> list[Event]:
    begin = {"id": "c_1", "object": "text_completion", "created": 1, "model": "m"}
    one = {"index": 0, "logprobs": None}
    usage = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
    return [
        {**begin, "choices": [{**one, "text": "Hel", "finish_reason": None}]},
        {**begin, "choices": [{**one, "text": "lo", "finish_reason": "stop"}]},
        {**begin, "choices": [], "usage": usage},
    ]


def messages() -> list[Event]:
    begun: Event = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-4-6",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 3, "output_tokens": 1},
    }
    tool = {"type": "tool_use", "id": "t_1", "name": "look", "input": {}}
    return [
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "ping"},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": tool},
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": '{"a":1}'},
        },
        {"type": "content_block_stop", "index": 1},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 5},
        },
        {"type": "message_stop"},
    ]


def images(kind: str = "image_generation") -> list[Event]:
    usage = {
        "input_tokens": 3,
        "output_tokens": 2,
        "total_tokens": 5,
        "input_tokens_details": {"text_tokens": 3, "image_tokens": 0},
    }
    whole = {
        "b64_json": "QUFB",
        "created_at": 1,
        "size": "1024x1024",
        "quality": "high",
        "background": "opaque",
        "output_format": "png",
    }
    return [
        {"type": f"{kind}.partial_image", "partial_image_index": 0, **whole},
        {"type": f"{kind}.partial_image", "partial_image_index": 1, **whole},
        {"type": f"{kind}.completed", **whole, "usage": usage},
    ]


def socket() -> list[Event]:
    """Two responses in two lanes, one after the other."""
    first = [{**event, "stream_id": "a"} for event in responses()]
    second = [{**event, "stream_id": "b"} for event in responses()]
    return [event for pair in zip(first, second, strict=True) for event in pair]


def sse(events: list[Event], done: bool = False, named: bool = True) -> bytes:
    """The events as an event stream."""
    blocks = []
    for event in events:
        line = f"event: {event['type']}\n" if named and "type" in event else ""
        blocks.append(f"{line}data: {json.dumps(event)}\n\n")
    return ("".join(blocks) + ("data: [DONE]\n\n" if done else "")).encode("utf-8", "replace")


def jsonl(events: list[Event]) -> bytes:
    return "".join(json.dumps(event) + "\n" for event in events).encode()


def check(path: Path, stream: str = "", dialect: str | None = None) -> list[Result]:
    """The results of a file's captures."""
    found = []
    for capture in captures_in(str(path)):
        name = stream or detect(capture, PACKAGE.streams).name
        assert name, capture.name
        result = Result(capture, name, "test", dialect)
        found.append(Linter(PACKAGE.checked(name), result, None, lambda count: None).run())
    return found
