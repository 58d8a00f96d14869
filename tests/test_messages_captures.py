"""The accumulated messages of every recorded Messages stream against an independent fold of the same bytes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stream_events import messages
from tests.shared import shared

KEPT = {"messages-anthropic-compaction-response": "encrypted_content"}
"""Recording → property of a delta that the fold leaves out and that is kept here: the next request has to send it back."""


def recordings() -> list[dict[str, Any]]:
    """The entries of the manifest; none where the machine does not have them."""
    try:
        manifest = json.loads(shared("captures/manifest.json").read_text("utf-8"))
    except pytest.skip.Exception:
        return []
    return [entry for entry in manifest["entries"] if entry["api"] == "messages"]


def body(entry: dict[str, Any]) -> bytes:
    """The recorded bytes; payloads without framing get one."""
    data = shared(f"captures/{entry['file']}").read_bytes()
    if entry["format"] == "sse":
        return data
    return b"".join(b"data: " + line + b"\n\n" for line in data.splitlines() if line.strip())


def test_recordings_are_here() -> None:
    shared("captures/manifest.json")
    assert len(recordings()) == 12


@pytest.mark.parametrize("entry", recordings(), ids=lambda entry: entry["name"])
@pytest.mark.parametrize("size", [7, 1_000_000])
def test_messages_are_those_of_an_independent_fold(entry: dict[str, Any], size: int) -> None:
    data = body(entry)
    accumulator = messages.Accumulator()
    accumulator.add_all(messages.read(data[at : at + size] for at in range(0, len(data), size)))
    found = [*accumulator.predecessors, accumulator.final]
    expected = json.loads(shared(f"captures/{entry['expected']}").read_text("utf-8"))["finals"]
    encoded = [messages.encode(message) for message in found]
    if entry["name"] in KEPT:
        (block,) = [block for block in encoded[0]["content"] if block["type"] == "compaction"]
        assert block[KEPT[entry["name"]]].encode() in data
        block[KEPT[entry["name"]]] = None
    assert encoded == expected


@pytest.mark.parametrize(
    ("pieces", "value", "kinds"),
    [
        (['{"a"', ": 1}"], {"a": 1}, []),
        ([""], {}, []),
        (['{"text": "abc'], {}, ["not-json"]),
    ],
)
def test_tool_input_is_parsed_at_the_stop(pieces: list[str], value: Any, kinds: list[str]) -> None:
    block = {"type": "tool_use", "id": "t", "name": "f", "input": {}}
    message = {"id": "m", "type": "message", "role": "assistant", "content": None, "model": "x"}
    deltas = [
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": piece},
        }
        for piece in pieces
    ]
    accumulator = messages.Accumulator()
    for payload in [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        *deltas,
        {"type": "content_block_stop", "index": 0},
        {"type": "message_stop"},
    ]:
        accumulator.add(messages.decode(payload))
    assert messages.encode(accumulator.final)["content"][0]["input"] == value
    assert [problem.kind for problem in accumulator.problems] == kinds
