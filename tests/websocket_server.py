"""A WebSocket server on this machine that answers client events, and payloads for it to send.

Reads what clients send through `decode_client`, and sends what `encode` gives. Never listens on anything but the loopback
address, and lives no longer than the `with` block that started it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from types import ModuleType
from typing import Any

from websockets.sync.client import connect
from websockets.sync.server import ServerConnection, serve

Value = dict[str, Any]
Answer = Callable[[Any], list[Value]]
"""From a decoded client event to the payloads that the server sends."""


@contextmanager
def server(module: ModuleType, answer: Answer) -> Iterator[str]:
    """The address of a server that decodes each message, and sends the events of the answer to it."""

    def handle(connection: ServerConnection) -> None:
        for message in connection:
            for payload in answer(module.decode_client(message)):
                connection.send(json.dumps(module.encode(module.decode(payload))))

    with serve(handle, "127.0.0.1", 0) as running:
        thread = Thread(target=running.serve_forever)
        thread.start()
        yield f"ws://127.0.0.1:{running.socket.getsockname()[1]}"
        running.shutdown()
        thread.join()


def conversation(
    module: ModuleType, answer: Answer, sent: list[Value], count: int
) -> tuple[Any, list[Any]]:
    """Send client events, take `count` messages: the lanes, and each message's lane and event."""
    lanes = module.Lanes()
    with server(module, answer) as address, connect(address, proxy=None) as socket:
        for payload in sent:
            socket.send(json.dumps(module.encode(module.decode_client(payload))))
        events = [lanes.add(socket.recv(timeout=10)) for _ in range(count)]
    lanes.close()
    return lanes, events


def response(
    identity: str, status: str = "in_progress", text: str | None = None, **more: Any
) -> Value:
    """A response, with one message where there is a text."""
    output = [] if text is None else [message(identity, text)]
    return {
        "id": identity, "object": "response", "created_at": 1, "model": "m", "status": status, "output": output,
        "error": None, "incomplete_details": None, "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
        "usage": None, **more,
    }  # fmt: skip


def message(identity: str, text: str) -> Value:
    """A finished message."""
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    return {
        "type": "message",
        "id": f"msg_{identity}",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }


def turn(identity: str, text: str, first: int = 0, end: Value | None = None) -> list[Value]:
    """The events of one response whose text comes a character at a time; `end` in place of its completed event."""
    place = {"output_index": 0, "content_index": 0, "item_id": f"msg_{identity}"}
    item = message(identity, "")
    part = item["content"].pop()
    events: list[Value] = [
        {"type": "response.created", "response": response(identity)},
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": {**item, "status": "in_progress"},
        },
        {"type": "response.content_part.added", **place, "part": part},
        *(
            {"type": "response.output_text.delta", **place, "delta": letter, "logprobs": []}
            for letter in text
        ),
        end or {"type": "response.completed", "response": response(identity, "completed", text)},
    ]
    return [{**event, "sequence_number": first + number} for number, event in enumerate(events)]


def in_lane(lane: str, events: list[Value]) -> list[Value]:
    """Events as the messages of one lane."""
    return [{**event, "stream_id": lane} for event in events]


def create(lane: str | None = None, **more: Any) -> Value:
    """What asks for a response."""
    return {
        "type": "response.create",
        "model": "m",
        **({"stream_id": lane} if lane else {}),
        **more,
    }
