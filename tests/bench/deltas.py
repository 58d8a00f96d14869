"""Rows: a payload to an event and back, against the json module; and peers that structure the same dict.

Reads payloads of deltas; returns rows. Never counts the parsing of JSON on one side only, save where a line says so.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator
from typing import Any, Literal

import cattrs
import msgspec
import pydantic
from mashumaro import DataClassDictMixin
from openai.types.responses import ResponseTextDeltaEvent

from stream_events import chat, messages, responses
from tests.bench import hand_written
from tests.bench.clock import Pace, interleaved, ratios
from tests.bench.contestants import Run
from tests.bench.goals import DECODE, ENCODE, Row
from tests.bench.workloads import Workloads, as_sent

COUNT = 1000
LOADS, DUMPS = "json.loads", "json.dumps"


@dataclasses.dataclass
class Plain:
    """A text delta as a dataclass, for cattrs."""

    item_id: str
    output_index: int
    content_index: int
    delta: str
    logprobs: list[dict[str, Any]]
    sequence_number: int
    type: Literal["response.output_text.delta"]


@dataclasses.dataclass
class Mixed(Plain, DataClassDictMixin):
    """The same with mashumaro."""


class Model(pydantic.BaseModel):
    """The same with pydantic, which checks the types."""

    item_id: str
    output_index: int
    content_index: int
    delta: str
    logprobs: list[dict[str, Any]]
    sequence_number: int
    type: Literal["response.output_text.delta"]


def rows(workloads: Workloads, pace: Pace) -> Iterator[Row]:
    """Decoding and encoding."""
    text = _deltas(workloads, "text", "response.output_text.delta")
    yield from _ratios("text delta", DECODE, _decoders(text), LOADS, pace)
    yield from _ratios("text delta", ENCODE, _encoders(text), DUMPS, pace)
    sent = [as_sent(each) for each in text]
    others: dict[str, tuple[Any, list[dict[str, Any]]]] = {
        "text delta with padding": (responses, sent),
        "chat chunk": (chat, _deltas(workloads, "chat", "")),
        "messages delta": (messages, _deltas(workloads, "messages", "content_block_delta")),
    }
    for name, (api, payloads) in others.items():
        texts = [json.dumps(each) for each in payloads]
        events = [api.decode(each) for each in payloads]
        reading = {LOADS: _each(json.loads, texts), "stream_events": _each(api.decode, payloads)}
        writing = {DUMPS: _each(json.dumps, payloads), "stream_events": _each(api.encode, events)}
        yield from _ratios(name, DECODE, reading, LOADS, pace)
        yield from _ratios(name, ENCODE, writing, DUMPS, pace)


def _deltas(workloads: Workloads, kind: str, tag: str) -> list[dict[str, Any]]:
    payloads = workloads.made(kind, COUNT).payloads
    chosen = [each for each in payloads if each.get("type", "") == tag]
    return chosen[2:-2] if not tag else chosen  # without the first and last chunks


def _decoders(payloads: list[dict[str, Any]]) -> dict[str, Run]:
    texts = [json.dumps(each) for each in payloads]
    converter = cattrs.Converter()
    delta = hand_written.TextDelta
    decoder = msgspec.json.Decoder(delta)
    official = ResponseTextDeltaEvent.construct
    return {
        LOADS: _each(json.loads, texts),
        "stream_events": _each(responses.decode, payloads),
        "stream_events, from JSON text": _each(responses.decode, texts),
        "msgspec, convert": _each(lambda each: msgspec.convert(each, delta), payloads),
        "msgspec, from JSON text": _each(decoder.decode, texts),
        "mashumaro": _each(Mixed.from_dict, payloads),
        "cattrs": _each(lambda each: converter.structure(each, Plain), payloads),
        "pydantic": _each(Model.model_validate, payloads),
        "official client, construct": _each(lambda each: official(**each), payloads),
    }


def _encoders(payloads: list[dict[str, Any]]) -> dict[str, Run]:
    converter = cattrs.Converter()
    structs = [msgspec.convert(each, hand_written.TextDelta) for each in payloads]
    return {
        DUMPS: _each(json.dumps, payloads),
        "stream_events": _each(responses.encode, [responses.decode(each) for each in payloads]),
        "msgspec, to_builtins": _each(msgspec.to_builtins, structs),
        "mashumaro": _each(Mixed.to_dict, [Mixed.from_dict(each) for each in payloads]),
        "cattrs": _each(converter.unstructure, [Plain(**each) for each in payloads]),
        "pydantic": _each(Model.model_dump, [Model.model_validate(each) for each in payloads]),
    }


def _each(function: Callable[[Any], object], values: list[Any]) -> Run:
    def run() -> None:
        for value in values:
            function(value)

    return run


def _ratios(
    what: str, table: str, runs: dict[str, Run], reference: str, pace: Pace
) -> Iterator[Row]:
    found = ratios(interleaved(runs, pace), reference)
    del found[reference]
    for name, figure in found.items():
        yield Row(table, f"{what}: {name}", figure, f"× {reference}")
