"""Bytes to typed events to the final object, each in the way that its users write it.

Reads chunks of a body; returns functions without arguments, for the clock. Never goes over a network: the official clients
get their answers from a transport in the process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import httpx
import httpx2
import httpx_sse
import openai

from stream_events import chat, messages, responses

APIS: dict[str, Any] = {"responses": responses, "chat": chat, "messages": messages}
EVENT_STREAM = {"content-type": "text/event-stream"}
ASKED: dict[str, Any] = {
    "responses": {"model": "m", "input": "x"},
    "chat": {"model": "m", "messages": []},
    "messages": {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "x"}]},
}

Run = Callable[[], object]


class Body(httpx.SyncByteStream):
    def __init__(self, chunks: list[bytes]) -> None:
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._chunks)


class Body2(httpx2.SyncByteStream):
    def __init__(self, chunks: list[bytes]) -> None:
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._chunks)


def ours(stream: str, chunks: list[bytes], loads: Callable[[str], Any] | None = None) -> Run:
    """This package: read, accumulate, and ask for the final object; with a parser of JSON that is not the json module's."""
    api = APIS[stream]

    def run() -> object:
        accumulator = api.Accumulator()
        accumulator.add_all(api.read(chunks, loads=loads))
        return accumulator.final

    return run


def untyped(chunks: list[bytes]) -> Run:
    """httpx-sse and `json.loads`: neither typed nor accumulated."""

    def run() -> object:
        response = httpx.Response(200, headers=EVENT_STREAM, stream=Body(chunks))
        found = []
        for event in httpx_sse.EventSource(response).iter_sse():
            if event.data != "[DONE]":
                found.append(json.loads(event.data))
        return found

    return run


def create(stream: str, chunks: list[bytes]) -> Run:
    """The official client's plain call: typed events, nothing accumulated."""
    call = _resource(stream, chunks).create

    def run() -> object:
        for event in call(**ASKED[stream], stream=True):
            pass
        return event

    return run


def streamed(stream: str, chunks: list[bytes]) -> Run:
    """The official client's streaming helper: typed events, and the final object."""
    resource = _resource(stream, chunks)
    final = {
        "responses": "get_final_response",
        "chat": "get_final_completion",
        "messages": "get_final_message",
    }[stream]

    def run() -> object:
        with resource.stream(**ASKED[stream]) as events:
            return getattr(events, final)()

    return run


def _resource(stream: str, chunks: list[bytes]) -> Any:
    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, headers=EVENT_STREAM, stream=Body2(chunks))

    http = httpx2.Client(transport=httpx2.MockTransport(answer))
    if stream == "messages":
        return anthropic.Anthropic(api_key="k", base_url="http://peer", http_client=http).messages
    client = openai.OpenAI(api_key="k", base_url="http://peer/v1", http_client=http)
    return client.responses if stream == "responses" else client.chat.completions
