"""Small payloads of the Responses stream, and the events they are.

Reads nothing but the generated package; returns payloads and events. Never shares a payload that a test may change: what is
here is only read.
"""

from __future__ import annotations

from typing import Any

from stream_events import responses

DELTA: dict[str, Any] = {
    "type": "response.output_text.delta",
    "item_id": "msg_1",
    "output_index": 0,
    "content_index": 0,
    "delta": "Hello",
    "sequence_number": 4,
    "logprobs": [],
    "obfuscation": "abc",
}
MESSAGE: dict[str, Any] = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "in_progress",
    "content": [],
}


def completed(**properties: Any) -> dict[str, Any]:
    """A payload whose response has these properties and nothing else."""
    return {"type": "response.completed", "sequence_number": 9, "response": properties}


def delta(**changes: Any) -> responses.ResponseTextDeltaEvent:
    """The event of DELTA, changed."""
    event = responses.decode({**DELTA, **changes})
    assert isinstance(event, responses.ResponseTextDeltaEvent)
    return event


def response(**properties: Any) -> responses.Response:
    """The response of `completed`."""
    event = responses.decode(completed(**properties))
    assert isinstance(event, responses.ResponseCompletedEvent)
    return event.response
