"""HTTP heads in front of a body, as `curl -i` writes them.

Reads bytes; returns the last head and what comes after it. Never looks into the body, which curl has decoded already: chunks
and compression are of the connection.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_HEAD = re.compile(rb"HTTP/[0-9.]+ +(\d{3})[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n")


@dataclass(frozen=True)
class Head:
    """The status of an answer and its headers, names in lower case."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def content_type(self) -> str:
        """The media type without parameters, in lower case; "" where none is given."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


def without_heads(data: bytes) -> tuple[Head | None, bytes, int]:
    """The last of several heads (100, a redirect, a proxy's), the bytes after it, and the lines before these."""
    head, at = None, 0
    while match := _HEAD.match(data, at):
        head, at = Head(int(match[1]), _headers(match[0])), match.end()
    return head, data[at:], data[:at].count(b"\n")


def _headers(text: bytes) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in text.decode("latin-1").splitlines()[1:]:
        name, colon, value = line.partition(":")
        if colon:
            found[name.strip().lower()] = value.strip()
    return found
