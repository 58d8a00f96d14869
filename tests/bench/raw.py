"""What everything is measured against: RAW, the least that any reader of a stream does.

Reads the body of an answer; returns the payloads as dicts. Never looks at chunks, event lines or tags.
"""

from __future__ import annotations

import json
from typing import Any

DATA = b"data: "


def raw(body: bytes) -> list[Any]:
    """The body split at blank lines, and `json.loads` of what follows `data: ` in each block."""
    found = []
    for block in body.split(b"\n\n"):
        at = block.find(DATA)
        if at >= 0 and not block.endswith(b"[DONE]"):
            found.append(json.loads(block[at + 6 :]))
    return found
