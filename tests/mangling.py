"""Broken streams: random bytes, and recorded streams with something wrong in them.

Reads recordings in ../shared and a seeded generator; returns bodies and payloads. Never decides by the clock: the same seed
gives the same inputs.
"""

from __future__ import annotations

import copy
import json
import random
from functools import cache
from typing import Any

from tests.shared import shared

APIS = ("responses", "chat", "messages")

LIMIT = 12_000
"""Bytes of a recording that are kept, so that one attempt costs milliseconds."""

DEEP = (20, 60, 90)
"""Levels of nesting that a payload may have."""

LEAVES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 7, 2**70, 0.0, 1.5, 1e308, "", "text", "漢\ud83d", "\udc00", "response.completed",
    [], {}, [[]], [None], [1, "a"], {"type": 3}, {"type": "message"}, {"type": "function_call", "arguments": 1},
    {"content": {"a": 1}}, {"output": "x"}, {"index": 0}, {"index": "0"}, {"index": -3}, {"id": ["x"]}, {"": None},
)  # fmt: skip
"""What stands where something else should."""


@cache
def recordings() -> list[tuple[str, bytes]]:
    """The subpackage and the body of every recording in ../shared, cut to LIMIT bytes; lines get their `data:`."""
    found = []
    for entry in json.loads(shared("captures/manifest.json").read_text("utf-8"))["entries"]:
        if entry["api"] not in APIS:
            continue
        body = shared(f"captures/{entry['file']}").read_bytes()
        if entry["format"] == "jsonl":
            body = b"".join(b"data: " + line + b"\n\n" for line in body.split(b"\n") if line)
        found.append((entry["api"], body if len(body) <= LIMIT else _shortened(body)))
    return found


def _shortened(body: bytes) -> bytes:
    """The first and the last events of a body; an event that alone is too long is left out."""
    blocks = [block for block in body.split(b"\n\n") if len(block) < LIMIT // 4]
    kept, size = [], 0
    for block in [*blocks[:20], *blocks[-6:]]:
        if size + len(block) <= LIMIT:
            kept.append(block)
            size += len(block)
    return b"\n\n".join(kept) + b"\n\n"


def random_bytes(chance: random.Random) -> bytes:
    """Bytes, mostly of the alphabet of event streams."""
    alphabet = b'\r\n\n: dataevenidretry{}[]"\\,0123456789\xef\xbb\xbf\xf0\x9f\0'
    words = (
        b"data: ",
        b"event: error\n",
        b"data: [DONE]\n\n",
        b'data: {"type":"error"}\n\n',
        b"\n\n",
        b"data: {}\n\n",
    )
    parts = []
    for _ in range(chance.randrange(1, 40)):
        kind = chance.randrange(3)
        if kind == 0:
            parts.append(chance.randbytes(chance.randrange(8)))
        else:
            parts.append(
                chance.choice(words) if kind == 1 else bytes(chance.choices(alphabet, k=5))
            )
    return b"".join(parts)


def mangled(body: bytes, chance: random.Random) -> bytes:
    """A body with bytes flipped, dropped and repeated, and events dropped, repeated, swapped and broken inside."""
    blocks = body.split(b"\n\n")
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(blocks))
        kind = chance.randrange(5)
        if kind == 0 and len(blocks) > 1:
            del blocks[at]
        elif kind == 1:
            blocks.insert(chance.randrange(len(blocks) + 1), blocks[at])
        elif kind == 2:
            other = chance.randrange(len(blocks))
            blocks[at], blocks[other] = blocks[other], blocks[at]
        else:
            blocks[at] = _broken_block(blocks[at], chance)
    if chance.randrange(12) == 0:
        chance.shuffle(blocks)
    data = bytearray(b"\n\n".join(blocks))
    for _ in range(chance.choice((0, 0, 1, 3, 30))):
        _bytes_mangled(data, chance)
    return bytes(data)


def _bytes_mangled(data: bytearray, chance: random.Random) -> None:
    if not data:
        return
    at, kind = chance.randrange(len(data)), chance.randrange(4)
    length = chance.choice((1, 1, 2, 5, 60))
    if kind == 0:
        data[at] ^= 1 << chance.randrange(8)
    elif kind == 1:
        del data[at : at + length]
    elif kind == 2:
        data[at:at] = data[at : at + length]
    else:
        data[at] = chance.choice(b'{}[]",:0\n\r\\ ')


def _broken_block(block: bytes, chance: random.Random) -> bytes:
    """A block whose JSON has something else at one or more places."""
    head, found, text = block.partition(b"data: ")
    try:
        value = json.loads(text)
    except ValueError:
        return block
    broken = wrong(value, chance)
    return head + found + json.dumps(broken).encode("ascii", "backslashreplace")


def wrong(value: Any, chance: random.Random) -> Any:
    """A copy of a JSON value where values were replaced, removed, moved or nested deep."""
    changed = json.loads(json.dumps(value))
    for _ in range(chance.choice((1, 1, 2, 4))):
        places = _places(changed)
        if not places:
            return leaf(chance)
        part, key = chance.choice(places)
        kind = chance.randrange(8)
        if kind == 0:
            del part[key]
        elif kind == 1:
            other, there = chance.choice(places)
            try:
                part[key] = json.loads(json.dumps(other[there]))
            except (KeyError, IndexError):
                pass
        elif kind == 2 and isinstance(part, dict):
            part[chance.choice(("output", "content", "text", "type", "index", "x", "delta"))] = (
                leaf(chance)
            )
        else:
            part[key] = leaf(chance)
    return changed


def leaf(chance: random.Random) -> Any:
    """A value that stands where something else should; once in a while one that is nested deep."""
    if chance.randrange(60):
        return copy.deepcopy(chance.choice(LEAVES))
    return nested(chance.choice(DEEP), chance.choice(("list", "dict")))


def nested(levels: int, kind: str) -> Any:
    """Lists in lists or objects in objects."""
    value: Any = {"type": "message"}
    for _ in range(levels):
        value = [value] if kind == "list" else {"content": value}
    return value


def _places(value: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        part = waiting.pop()
        keys = (
            list(part)
            if isinstance(part, dict)
            else range(len(part) if isinstance(part, list) else 0)
        )
        found += [(part, key) for key in keys]
        waiting += [part[key] for key in keys]
    return found


def payloads_of(body: bytes) -> list[dict[str, Any]]:
    """The JSON objects of a body whose events are one line of data each."""
    found = []
    for line in body.split(b"\n"):
        if line.startswith(b"data: {"):
            found.append(json.loads(line[6:]))
    return found


def wrong_payloads(body: bytes, chance: random.Random) -> list[Any]:
    """Some payloads of a body, a third of them with something wrong in them, sometimes in another order."""
    payloads: list[Any] = payloads_of(body)
    if chance.randrange(3) == 0:
        chance.shuffle(payloads)
    chosen = payloads[: chance.randrange(5, 80)]
    return [wrong(payload, chance) if chance.randrange(3) == 0 else payload for payload in chosen]
