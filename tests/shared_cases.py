"""From a publicly reported fault to calls of the generated package: the one adapter that its tests share.

Reads the input of a case; returns what the package made of it, as events, an accumulator and states after each event. Never
judges: what should have come out is the test's affair.
"""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field
from typing import Any

from stream_events import chat, responses
from stream_events.responses import websocket
from stream_events.sse import ServerSentEvent, SSEDecoder, encode

TERMINAL = {"response.completed", "response.incomplete", "response.failed", "response.done"}


@dataclass
class Run:
    """What came of one input.

    events    as they were delivered
    states    all text of the answer and the status after each event
    copies    the events' JSON before and after they were accumulated
    failures  messages of a WebSocket that were no events
    """

    api: Any
    accumulator: Any
    reader: Any = None
    sse: list[ServerSentEvent] = field(default_factory=list)
    decoder: Any = None
    events: list[Any] = field(default_factory=list)
    states: list[tuple[str, Any]] = field(default_factory=list)
    copies: list[tuple[Any, Any]] = field(default_factory=list)
    failures: list[Any] = field(default_factory=list)
    lanes: Any = None
    lanes_of: list[Any] = field(default_factory=list)

    @property
    def problems(self) -> list[Any]:
        """What the reader and the accumulator reported."""
        found = list(self.accumulator.problems)
        return found + [each for each in getattr(self.reader, "problems", ()) if each not in found]

    @property
    def final(self) -> dict[str, Any]:
        """The JSON of the finished object; of the snapshot so far where the input has no terminal event."""
        if self.api is chat or not TERMINAL.isdisjoint(self.tags()):
            return dict(self.api.encode(self.accumulator.final))
        return dict(self.api.encode(self.accumulator.response))

    def tags(self) -> list[str]:
        """The events' tags on the wire."""
        return [getattr(event, "tag", None) or event.type for event in self.events]


def run_case(case: dict[str, Any], chunk_size: int = 0) -> Run:
    """Feed a case's input to the package, cut into chunks of a size where one is given."""
    given = case["input"]
    if case["input_kind"] == "websocket":
        return _websocket(given)
    chunks = _chunks(given) if isinstance(given, dict) else _body(given, case["input_kind"])
    api = _api(b"".join(chunks), case["input_kind"])
    if chunk_size:
        body = b"".join(chunks)
        chunks = [body[at : at + chunk_size] for at in range(0, len(body), chunk_size)]
    return read(api, chunks, ends=not isinstance(given, dict) or given.get("eof", True))


def read(api: Any, chunks: list[bytes], ends: bool = True) -> Run:
    """Read chunks of a body and accumulate its events; without an end the connection stays open."""
    decoder = SSEDecoder()
    sse = [event for chunk in chunks for event in decoder.feed(chunk)]
    reader = api.read(chunks)
    run = Run(api, api.Accumulator(), reader, sse, decoder)
    for event in reader:
        add(run, event)
    if ends:
        run.accumulator.end()
    return run


def add(run: Run, event: Any) -> None:
    """Hand an event to the accumulator, noting how it stands then and that the event stays as it is."""
    before = copy.deepcopy(_json(run, event))
    run.accumulator.add(event)
    run.events.append(event)
    run.states.append((run.accumulator.text(), run.accumulator.status))
    run.copies.append((before, _json(run, event)))


def body(events: list[Any]) -> bytes:
    """Payloads as server-sent events without names."""
    return b"".join(encode(ServerSentEvent("message", json.dumps(each), "")) for each in events)


def _json(run: Run, event: Any) -> Any:
    return event.data if hasattr(event, "data") else run.api.encode(event)


def _chunks(given: dict[str, Any]) -> list[bytes]:
    if "hex" in given:
        return [bytes.fromhex(chunk) for chunk in given["hex"]]
    if "recipe" in given:
        return [body(recipe(given["recipe"]))]
    if "first_part" in given:
        return [body(given["first_part"])]
    return [chunk.encode("utf-8") for chunk in given["chunks"]]


def _body(given: list[Any], kind: str) -> list[bytes]:
    return [body(given) + (b"data: [DONE]\n\n" if kind == "chat-chunk" else b"")]


def _api(body: bytes, kind: str) -> Any:
    named = b"chat.completion" in body and b'"response.' not in body
    return chat if kind == "chat-chunk" or named else responses


def recipe(given: dict[str, Any]) -> list[Any]:
    """A long stream from its description: one message, or one function call."""
    item: dict[str, Any]
    if given.get("function_call"):
        item = {"type": "function_call", "id": "fc", "call_id": "c", "name": "f", "arguments": ""}
        tag = "response.function_call_arguments.delta"
        first, last = given["wrap"]
        pieces = [first, *[given["delta"]] * given["count"], last]
    else:
        part = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
        item = {"type": "message", "id": "m", "role": "assistant", "content": [part]}
        tag = "response.output_text.delta"
        pieces = [given["delta"]] * given["count"]
    response = {"id": "r", "object": "response", "status": "in_progress", "output": []}
    events: list[Any] = [{"type": "response.created", "response": response}]
    events.append({"type": "response.output_item.added", "output_index": 0, "item": item})
    place = {"item_id": item["id"], "output_index": 0, "content_index": 0, "logprobs": []}
    events += [{"type": tag, **place, "delta": piece} for piece in pieces]
    last_response = {**response, "status": "completed", "output": None}
    events.append({"type": "response.completed", "response": last_response})
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


def _websocket(given: list[dict[str, Any]]) -> Run:
    """Messages from the server; what the client sent is not for the package, and a close ends all lanes."""
    lanes = websocket.Lanes()
    run = Run(websocket, lanes[None], lanes=lanes)
    for message in given:
        if message["dir"] == "close":
            lanes.close()
        if message["dir"] != "in":
            continue
        text = message["text"] if "text" in message else json.dumps(message["json"])
        try:
            lane, event = lanes.add(text)
        except websocket.DecodeError as error:
            run.failures.append(error)
            continue
        run.events.append(event)
        run.lanes_of.append((lane, lanes[lane].error))
    return run
