"""What real servers sent, decoded and encoded again: nothing may be lost.

Reads the recordings in ../shared/captures. Expected is what was recorded; the tags that no specification has are counted
in a table here, so that a new one shows.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

from stream_events import chat, completions, messages, responses
from stream_events.sse import SSEDecoder
from tests.json_values import same_text
from tests.shared import shared

MODULES = {"chat": chat, "messages": messages, "responses": responses}

UNKNOWN_TAGS = {
    ("openai", "response.apply_patch_call_operation_diff.delta"): 32,
    ("openai", "response.apply_patch_call_operation_diff.done"): 1,
    ("perplexity", "chat.completion.done"): 1,
    ("bedrock", "response.reasoning_part.added"): 1,
    ("bedrock", "response.reasoning_part.done"): 1,
}
"""Provider and tag: how many were recorded."""


class Payload(NamedTuple):
    """One payload of a recording: the subpackage for it, its text and its value."""

    recording: str
    provider: str
    module: ModuleType
    text: str
    value: dict[str, Any]


@cache
def payloads() -> list[Payload]:
    """Every recorded payload, in the order of the manifest."""
    manifest = json.loads(shared("captures/manifest.json").read_text("utf-8"))
    found = []
    for entry in manifest["entries"]:
        if entry["api"] not in MODULES:
            continue
        body = shared(f"captures/{entry['file']}").read_bytes()
        for text in _texts(entry["format"], body):
            payload = json.loads(text)
            module = MODULES[entry["api"]]
            if payload.get("object") == "text_completion":
                module = completions
            found.append(Payload(entry["name"], entry["provider"], module, text, payload))
    return found


def _texts(format_: str, body: bytes) -> list[str]:
    """The JSON texts of a recording: data of server-sent events, or lines."""
    if format_ == "jsonl":
        return [line for line in body.decode("utf-8").split("\n") if line]
    decoder = SSEDecoder(flush_incomplete=True)
    events = decoder.feed(body) + decoder.close()
    return [event.data for event in events if event.data != "[DONE]"]


def test_every_recorded_payload_comes_out_as_it_went_in() -> None:
    for payload in payloads():
        module, expected = payload.module, same_text(payload.value)
        event = module.decode(payload.text.encode())
        assert same_text(module.encode(event)) == expected, payload.recording
        again = module.decode(payload.value)  # the second of its kind takes another way
        assert again == event, payload.recording
        assert same_text(module.encode(again)) == expected, payload.recording
        assert same_text(payload.value) == expected, payload.recording


def test_only_tags_that_no_specification_has_are_unknown() -> None:
    seen: Counter[tuple[str, str | None]] = Counter()
    for payload in payloads():
        event = payload.module.decode(payload.value)
        if isinstance(event, payload.module.UnknownEvent):
            assert event.tag not in payload.module.EVENTS
            seen[payload.provider, event.tag] += 1
    assert seen == UNKNOWN_TAGS


def test_checking_changes_nothing_and_missing_names_only_what_is_absent() -> None:
    for payload in payloads():
        module = payload.module
        event = module.decode(payload.value)
        assert all(problem.message for problem in module.problems(event)), payload.recording
        assert set(module.missing(event)).isdisjoint(payload.value), payload.recording
        assert same_text(module.encode(event)) == same_text(payload.value), payload.recording
