"""How many bytecodes the hot paths of the package run, for each event.

Reads payloads that stand below; returns counts, which are the same on every machine with the same minor version of Python.
Never reads a clock. `python -m tests.operation_counts` prints the counts of this Python beside those that are kept, and with
--write keeps them, --json prints them alone; the standard library and the package are all it needs (PYTHONPATH=.:generated).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from stream_events import chat, messages, responses
from stream_events.sse import SSEDecoder

KEPT = Path(__file__).with_name("operation_counts.json")
VERSION = "{}.{}".format(*sys.version_info)
WARM, COUNTED = 50, 200

Payload = dict[str, Any]
ITEM: Payload = {"id": "msg_1", "type": "message", "role": "assistant", "status": "in_progress", "content": []}  # fmt: skip
RESPONSE: Payload = {"id": "resp_1", "object": "response", "status": "in_progress", "output": []}
PART: Payload = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
PLACE: Payload = {"item_id": "msg_1", "output_index": 0, "content_index": 0}


def text_deltas(count: int) -> list[Payload]:
    """The begin of a response and so many text deltas."""
    begin: list[Payload] = [
        {"type": "response.created", "response": RESPONSE},
        {"type": "response.output_item.added", "output_index": 0, "item": ITEM},
        {"type": "response.content_part.added", **PLACE, "part": PART},
    ]
    delta = {"type": "response.output_text.delta", **PLACE, "delta": " word", "logprobs": []}
    padded = {**delta, "obfuscation": "abcdefgh"}
    return [{**each, "sequence_number": at} for at, each in enumerate(begin + [padded] * count)]


def chunks(count: int) -> list[Payload]:
    """So many chunks of a chat completion, the first with the role."""
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "service_tier": "default", "system_fingerprint": "fp"}  # fmt: skip
    deltas = [{"role": "assistant", "content": ""}] + [{"content": " word"}] * (count - 1)
    choice = {"index": 0, "logprobs": None, "finish_reason": None}
    return [{**head, "choices": [{**choice, "delta": delta}]} for delta in deltas]


def message_deltas(count: int) -> list[Payload]:
    """The begin of a message and so many text deltas."""
    message: Payload = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}  # fmt: skip
    begin: list[Payload] = [
        {"type": "message_start", "message": message},
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "text", "text": ""},
        },
    ]
    delta = {"type": "text_delta", "text": " word"}
    return begin + [{"type": "content_block_delta", "index": 0, "delta": delta}] * count


def block(payload: Payload) -> bytes:
    """A payload as one block of an event stream, with an event line where it has a type."""
    line = f"event: {payload['type']}\n" if "type" in payload else ""
    return f"{line}data: {json.dumps(payload)}\n\n".encode()


def bytecodes(run: Callable[[], object]) -> int:
    """How many bytecodes run in all Python functions that `run` calls, its own included."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


def per_event(make: Callable[[], Callable[[Any], object]], values: list[Any], events: int) -> float:
    """Bytecodes for each event of what is fed value by value to a function; the first WARM values are not counted."""
    function = make()
    for value in values[:WARM]:
        function(value)
    counted = values[WARM:]

    def total(function: Callable[[Any], object]) -> int:
        def run() -> None:
            for value in counted:
                function(value)

        return bytecodes(run)

    return round((total(function) - total(id)) / events, 1)  # id runs no bytecode: the loop alone


def counts() -> dict[str, float]:
    """Path → bytecodes for each event."""
    total = WARM + COUNTED
    text, chat_chunks, message = text_deltas(total), chunks(total), message_deltas(total)
    blocks = [block(each) for each in text]
    joined = [b"".join(blocks[at : at + 50]) for at in range(0, 250, 50)]
    per_event(lambda: SSEDecoder().feed, blocks, 1)  # Python 3.12 counts wrongly the first time
    return {
        "SSE decoder, one event a chunk": per_event(lambda: SSEDecoder().feed, blocks[:total], COUNTED),
        "SSE decoder, 50 events a chunk": per_event(lambda: SSEDecoder().feed, [b""] * (WARM - 1) + joined, 200),
        "decode a text delta": per_event(lambda: responses.decode, text[3:], COUNTED),
        "decode a chat chunk": per_event(lambda: chat.decode, chat_chunks, COUNTED),
        "decode a messages delta": per_event(lambda: messages.decode, message[2:], COUNTED),
        "encode a text delta": _encoding(responses, text[3:]),
        "add a text delta": _adding(responses, text[:total]),
        "add a chat chunk": _adding(chat, chat_chunks),
        "add a messages delta": _adding(messages, message[:total]),
        "read a text delta, one event a chunk": _reading(responses, blocks[:total]),
        "read a chat chunk, one event a chunk": _reading(chat, [block(each) for each in chat_chunks]),
    }  # fmt: skip


def _adding(api: Any, payloads: list[Payload]) -> float:
    events = [api.decode(each) for each in payloads]
    return per_event(lambda: api.Accumulator().add, events, COUNTED)


def _encoding(api: Any, payloads: list[Payload]) -> float:
    return per_event(lambda: api.encode, [api.decode(each) for each in payloads], COUNTED)


def _reading(api: Any, blocks: list[bytes]) -> float:
    """All that an event costs between its bytes and the loop of the user."""
    reader = iter(api.read(blocks))
    return per_event(lambda: lambda _: next(reader), blocks, COUNTED)


def kept() -> dict[str, float]:
    """The counts that are kept for this Python, or for the newest that has some."""
    found: dict[str, dict[str, float]] = json.loads(KEPT.read_text(encoding="utf-8"))
    newest = max(found, key=_order)
    return found.get(VERSION, found[newest])


def _order(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def main() -> int:
    """Print the counts, and keep them where that is asked for."""
    now = counts()
    if sys.argv[1:] == ["--json"]:
        print(json.dumps(now))
        return 0
    old = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    for path, count in now.items():
        print(f"{path:<40}{count:10.1f}{old.get(VERSION, {}).get(path, 0):10.1f}")
    if sys.argv[1:] == ["--write"]:
        merged = dict(sorted({**old, VERSION: now}.items(), key=lambda each: _order(each[0])))
        KEPT.write_text(json.dumps(merged, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
