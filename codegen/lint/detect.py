"""Which stream a capture is of.

Reads the path of the request and the first payloads; returns the name of a stream. Never guesses: where no payload is of a
stream that we know, there is none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from codegen.catalogue import Stream
from codegen.lint.blocks import payload_blocks, sse_blocks
from codegen.lint.captures import Capture

MAX_PAYLOADS = 30
PATHS = (
    ("/chat/completions", "chat"),
    ("/completions", "completions"),
    ("/responses", "responses"),
    ("/messages", "messages"),
    ("/images/generations", "images-generations"),
    ("/images/edits", "images-edits"),
)
"""End of a request's path → stream; the longer one first."""

SOCKETS = {"responses": "responses-websocket-server"}
"""Stream of a path → what a socket at that path carries."""
COMMON = ("error", "keep_alive")
"""Families of events that say little about the stream."""


@dataclass(frozen=True)
class Detected:
    """The stream and how it was told; an empty name and why not where it was not."""

    name: str
    how: str


def detect(capture: Capture, streams: list[Stream]) -> Detected:
    """The stream of a capture."""
    payloads = list(_payloads(capture))
    scores = {stream.name: _score(stream, payloads) for stream in streams}
    best = max(scores.values(), default=0)
    names = [name for name, score in scores.items() if score == best and best]
    by_path = _by_path(capture)
    if by_path and (by_path in names or not best):
        return Detected(by_path, f"path {capture.url}")
    if names:
        chosen = min(
            (stream for stream in streams if stream.name in names),
            key=lambda stream: _preference(stream, capture, payloads),
        )
        return Detected(chosen.name, "tags")
    if not payloads:
        status = capture.head.status if capture.head is not None else 200
        begin = f"the status is {status}, and " if status != 200 else ""
        return Detected("", f"{begin}no payload that is a JSON object was found")
    if all(set(payload) == {"error"} for payload in payloads):
        return Detected("", "it is an error, as several of them have it")
    tags = dict.fromkeys(str(p.get("type", p.get("object", "none"))) for p in payloads)
    return Detected("", f"no stream has the tags {', '.join(list(tags)[:5])}")


def _by_path(capture: Capture) -> str:
    path = capture.url.rstrip("/")
    name = next((name for end, name in PATHS if path.endswith(end)), "")
    return name if capture.format == "sse" else SOCKETS.get(name, name)


def _preference(
    stream: Stream, capture: Capture, payloads: list[dict[str, Any]]
) -> tuple[bool, bool, str]:
    """The better one first: of the transport that was recorded, and not a beta unless only that has the tags."""
    has_lanes = capture.format == "jsonl" and any("stream_id" in payload for payload in payloads)
    is_beta = bool(stream.events) and all(event.stability == "beta" for event in stream.events)
    return ((stream.transport == "websocket") != has_lanes, is_beta, stream.name)


def _score(stream: Stream, payloads: list[dict[str, Any]]) -> int:
    """How many payloads have a tag of the stream; one without a tag counts where it looks like a chunk of it."""
    tags = {event.tag: 2 if event.family in COMMON else 4 for event in stream.events}
    unlisted = {event.tag for event in stream.unlisted}
    score = 0
    for payload in payloads:
        tag = payload.get(stream.tag)
        if isinstance(tag, str) and tag:
            score += tags.get(tag, tag in unlisted)
            if stream.sequence and stream.sequence.field in payload:
                score += 1
        elif stream.untagged:
            score += 2 if _is_chunk(stream, payload) else 0
    return score


def _is_chunk(stream: Stream, payload: dict[str, Any]) -> bool:
    """Whether a payload has the lists that the stream's rules go through, with what they take from these."""
    rules = " ".join(rule for event in stream.events for rule in event.rules)
    for name, value in payload.items():
        if isinstance(value, list) and f"= {name}[]." in rules:
            inner = value[0] if value and isinstance(value[0], dict) else {}
            known = [key for key in inner if f"{name}[].{key}" in rules]
            return not value or {"delta", "text"}.intersection(known) != set()
    return False


def _body(data: str | bytes) -> dict[str, Any] | None:
    """The JSON object that a text is; None where it is none."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _payloads(capture: Capture) -> Iterator[dict[str, Any]]:
    """The first payloads that are JSON objects, with the `event:` line for a tag where they have none."""
    blocks = sse_blocks if capture.format == "sse" else payload_blocks
    found = 0
    if capture.peek.lstrip().startswith(b"{") and capture.format == "sse":
        body = _body(capture.peek)
        yield from [body] if body is not None else []
    for block in blocks([capture.peek], 1):
        data, line = [], ""
        for text in block.data.decode("utf-8", "replace").split("\n"):
            name, _, value = text.partition(":")
            if name == "data":
                data.append(value.removeprefix(" "))
            elif name == "event":
                line = value.strip()
        for payload in _objects(data):
            yield payload if not line or "type" in payload else {"type": line, **payload}
            found += 1
        if found >= MAX_PAYLOADS:
            return


def _objects(lines: list[str]) -> Iterator[dict[str, Any]]:
    """The object that data lines are together; where the blank lines between events are missing, those that they are alone."""
    whole = _body("\n".join(lines))
    if whole is not None or len(lines) < 2:
        yield from [whole] if whole is not None else []
        return
    for line in lines[:MAX_PAYLOADS]:
        one = _body(line)
        if one is not None:
            yield one
