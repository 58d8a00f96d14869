"""Broken input of every kind: nothing is raised but `DecodeError` and `StreamError`, ever.

Reads recordings in ../shared and mangles them with a seeded generator (`tests.mangling`), so that every run reads the same.
Never judges what comes out: other tests do. What longer runs found is kept below by name.
"""

from __future__ import annotations

import json
import random
from types import ModuleType
from typing import Any

import pytest

from stream_events import chat, images, messages, responses
from tests import fuzzing, mangling

ROUNDS = 400
"""Inputs per kind; the suite gives them a few seconds together."""


def test_random_bytes() -> None:
    for seed in range(ROUNDS):
        chance = random.Random(seed)
        body = mangling.random_bytes(chance)
        fuzzing.stand(chance.choice(fuzzing.READERS), body, chance)


def test_recorded_streams_with_broken_bytes_and_events() -> None:
    for seed in range(ROUNDS):
        chance = random.Random(seed)
        api, body = chance.choice(mangling.recordings())
        fuzzing.stand(fuzzing.module_for(api, chance), mangling.mangled(body, chance), chance)


def test_payloads_of_the_wrong_shape() -> None:
    for seed in range(ROUNDS):
        chance = random.Random(seed)
        api, body = chance.choice(mangling.recordings())
        payloads = mangling.wrong_payloads(body, chance)
        fuzzing.stand_payloads(fuzzing.module_for(api, chance), payloads, chance)


def test_messages_of_a_websocket_of_the_wrong_shape() -> None:
    bodies = [body for api, body in mangling.recordings() if api == "responses"]
    for seed in range(ROUNDS):
        chance = random.Random(seed)
        payloads = mangling.wrong_payloads(chance.choice(bodies), chance)
        fuzzing.stand_lanes(chance.choice(list(fuzzing.WEBSOCKET.values())), payloads, chance)


@pytest.mark.parametrize("kind", ["list", "dict"])
@pytest.mark.parametrize("levels", [100, 300, 480, 900, 100_000])
def test_payloads_nested_deep(levels: int, kind: str) -> None:
    """Below and above what `json` and the stack take; past their limits it is a DecodeError, never a RecursionError."""
    begin, end = ("[", "]") if kind == "list" else ('{"content":', "}")
    deep = begin * levels + "1" + end * levels
    payloads = [
        '{"type":"response.created","sequence_number":0,"response":{"id":"r","output":[],"x":%s}}',
        '{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":%s}',
        '{"type":"response.output_item.done","sequence_number":2,"output_index":0,"item":{"type":"new","x":%s}}',
        '{"type":"error","sequence_number":3,"message":%s}',
    ]
    body = "".join(f"data: {payload % deep}\n\n" for payload in payloads).encode()
    fuzzing.stand(responses, body, random.Random(levels))
    fuzzing.stand_payloads(responses, [payload % deep for payload in payloads], random.Random(1))


FOUND: dict[str, tuple[ModuleType, Any]] = {
    "an error event whose data is no JSON": (responses, b"event: error\ndata: {cut\n\n"),
    "an image stream with unknown events alone": (images, b'data: {"type":"error"}\n\ndata: {}\n\n'),
    "a choice whose index is an object": (
        chat,
        [{"object": "chat.completion.chunk", "choices": [{"index": {"type": "x"}, "finish_reason": "stop"}]}],
    ),
    "a terminal response whose output is a number": (
        responses,
        [
            {"type": "response.output_item.added", "output_index": 0, "item": {"type": "message", "content": []}},
            {"type": "response.completed", "response": {"output": 1.5}},
        ],
    ),
    "payloads that are no objects": (messages, [3, None, True, [], [[]], [1, 2], "text", "3", b"\xff", 2.5]),
    "a choice without an index in a chunk whose type is an object": (
        chat,
        [{"object": "chat.completion.chunk", "type": {}, "choices": [{"delta": {"content": "x"}}]}],
    ),
    "a delta without an index whose type is an object": (
        responses,
        b'event: response.output_text.delta\ndata: {"type": {}, "delta": "x"}\n\n',
    ),
    "a block that stops at an index that is an object": (
        messages,
        [
            {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "input": {}}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{"}},
            {"type": "content_block_stop", "index": {}},
        ],
    ),
    "a terminal event without a response, and nothing before it": (
        responses,
        [{"type": "response.completed", "sequence_number": 0, "response": None}],
    ),
}  # fmt: skip
"""Name → the subpackage, and the body or the payloads. Each raised something else once."""


@pytest.mark.parametrize("name", FOUND)
def test_what_longer_runs_found(name: str) -> None:
    module, found = FOUND[name]
    body = found if isinstance(found, bytes) else b""
    if body:
        fuzzing.stand(module, body, random.Random(0))
        return
    fuzzing.stand_payloads(module, found, random.Random(0))
    texts = [json.dumps(payload) for payload in found if not isinstance(payload, bytes)]
    fuzzing.stand_payloads(module, texts, random.Random(0))
