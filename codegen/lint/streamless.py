"""What can be said of a body in which no stream is recognisable: a status, an error or an object in its place, lost `data:`.

Reads a capture's head and first bytes; returns a result with findings, or none. Never guesses the stream.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from codegen.lint.captures import Capture
from codegen.lint.findings import Finding
from codegen.lint.kinds import KINDS
from codegen.lint.result import Result

UNKNOWN = "unknown"
"""What stands for the stream's name."""
_FIELDS = re.compile(rb"^(event|data|id|retry):", re.MULTILINE)
_BARE = re.compile(rb"^[ \t]*[{\"]", re.MULTILINE)


def without_stream(capture: Capture, how: str) -> Result | None:
    """The findings of a capture of no stream that we know; None where there are none."""
    found = list(_found(capture))
    if not found:
        return None
    result = Result(capture, UNKNOWN, how, bytes=len(capture.peek), outcome="error")
    for id, what in found:
        result.findings.add(Finding(id, KINDS[id].level, what, line=capture.line))
    return result


def _found(capture: Capture) -> Iterator[tuple[str, str]]:
    if capture.format != "sse":
        return
    is_refused = capture.head is not None and capture.head.status != 200
    if capture.head is not None and is_refused:
        yield "http-status", f"the status is {capture.head.status}"
    body = _object(capture.peek) if capture.head is not None else None
    if body is not None and body.get("error"):
        if not is_refused:  # then a body with an error is what it should be
            yield "error-body", "the body is an error"
    elif body is not None and not is_refused:
        yield "json-body", "the body is one JSON object"
    elif _FIELDS.search(capture.peek) and _BARE.search(capture.peek):
        yield "no-data-field", "there are lines of JSON that do not begin with data:"


def _object(data: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
