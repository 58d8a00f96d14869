"""The official Python client as an implementation, by one of the two calls that a user has.

    python -m tests.runners.openai_runner create     events as they come
    python -m tests.runners.openai_runner stream     events, the final object and its text

Reads the runner protocol; answers with what the call gives. Never opens a connection: a transport hands the pieces to the
client, whose own decoder cuts them into events.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import httpx2
import openai

from tests.runners.protocol import Json, Skip, pieces, serve

ABOUT: Json = {
    "implementation": "openai",
    "version": openai.__version__,
    "language": "Python",
    "dialects": [],
    "blurs": ["numbers", "nulls"],
}
Call = Callable[[openai.OpenAI], Json]
OWN = ("parsed", "parsed_arguments")
"""What the client adds to the objects of the API; to a finished tool call also the `index` that its pieces had."""
ONLY = {"chat": "chat.completion.chunk", "completions": "text_completion"}
"""Streams of one class of events, which the client takes for one whatever it says itself."""


class Pieces(httpx2.SyncByteStream):
    """A body that comes in these pieces."""

    def __init__(self, body: list[bytes]) -> None:
        self._body = body

    def __iter__(self) -> Iterator[bytes]:
        yield from self._body


def client(body: list[bytes]) -> openai.OpenAI:
    """A client whose every request is answered with this body."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        headers = {"content-type": "text/event-stream"}
        return httpx2.Response(200, headers=headers, stream=Pieces(body), request=request)

    http = httpx2.Client(transport=httpx2.MockTransport(answer))
    return openai.OpenAI(api_key="none", base_url="http://peer", max_retries=0, http_client=http)


def output(message: Json, calls: dict[str, Call]) -> Json:
    """The output of one case."""
    if any(message["options"].values()):
        raise Skip("has no options")
    if message["operation"] == "stream":
        body = pieces(message)
    elif set(message["given"]) == {"events"}:
        body = [_framed(event) for event in message["given"]["events"]]
    else:
        raise Skip("cannot be fed the rest of a stream")
    found = calls[message["stream"]](client(body))
    if message["operation"] == "accumulate":
        del found["tags"]
    return found


def _framed(event: Json) -> bytes:
    tag = event.get("type")
    line = f"event: {tag}\n" if isinstance(tag, str) else ""
    return f"{line}data: {json.dumps(event)}\n\n".encode()


def _created(stream: str, create: Callable[[openai.OpenAI], Iterable[Any]]) -> Call:
    name = "object" if stream in ONLY else "type"

    def call(api: openai.OpenAI) -> Json:
        tags: list[str | None] = []
        _events(stream, (getattr(event, name, None) for event in create(api)), tags)
        return {"tags": tags}

    return call


def _responses(api: openai.OpenAI) -> Json:
    tags: list[str | None] = []
    with api.responses.stream(model="m", input="x") as stream:
        _events("responses", (event.type for event in stream), tags)
        try:
            final = stream.get_final_response()
        except RuntimeError:  # there is none
            return {"tags": tags, "text": ""}
    return {"tags": tags, "final": _without_own(final.to_dict()), "text": final.output_text}


def _chat(api: openai.OpenAI) -> Json:
    tags: list[str | None] = []
    with api.chat.completions.stream(model="m", messages=[]) as stream:
        chunks = (event.chunk for event in stream if event.type == "chunk")
        raised = _events("chat", (chunk.object for chunk in chunks), tags)
        if len(tags) == raised:  # no chunk has come
            return {"tags": tags, "text": ""}
        found = stream.current_completion_snapshot if raised else stream.get_final_completion()
    text = (found.choices[0].message.content or "") if found.choices else ""
    final = {} if raised else {"final": _without_own(found.to_dict())}
    return {"tags": tags, **final, "text": text}


def _events(stream: str, found: Iterable[Any], tags: list[str | None]) -> int:
    """Collect the tags of the events. An error of the API that the client raises in place of an event is one, too, and the
    last; how many were (0 or 1)."""
    try:
        for tag in found:
            tags.append(tag if isinstance(tag, str) and tag else ONLY.get(stream))
    except openai.APIError:
        tags.append(ONLY.get(stream, "error"))
        return 1
    return 0


def _without_own(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_own(item) for item in value]
    if not isinstance(value, dict):
        return value
    own = {*OWN, "index"} if "function" in value or "custom" in value else OWN
    return {name: _without_own(item) for name, item in value.items() if name not in own}


CREATE: dict[str, Call] = {
    "responses": _created(
        "responses", lambda api: api.responses.create(model="m", input="x", stream=True)
    ),
    "beta-responses": _created(
        "beta-responses", lambda api: api.beta.responses.create(model="m", input="x", stream=True)
    ),
    "chat": _created(
        "chat", lambda api: api.chat.completions.create(model="m", messages=[], stream=True)
    ),
    "completions": _created(
        "completions", lambda api: api.completions.create(model="m", prompt="x", stream=True)
    ),
    "images-generations": _created(
        "images-generations", lambda api: api.images.generate(model="m", prompt="x", stream=True)
    ),
    "images-edits": _created(
        "images-edits", lambda api: api.images.edit(model="m", image=b"x", prompt="x", stream=True)
    ),
}
STREAM: dict[str, Call] = {"responses": _responses, "chat": _chat}


def main(call: str) -> None:
    """Answer every message, by one of the calls."""
    calls = {"create": CREATE, "stream": STREAM}[call]
    claims = {**ABOUT, "streams": list(calls), "operations": ["stream"], "asserts": ["tags"]}
    if calls is STREAM:
        claims |= {"operations": ["stream", "accumulate"], "asserts": ["tags", "final", "text"]}
    serve(claims, lambda message: output(message, calls))


if __name__ == "__main__":
    main(sys.argv[1])
