"""A body that turns out to be no event stream: one JSON value, or something else.

Reads chunks until the first event; returns the JSON object, if the body is one. Never keeps more than a limit.
"""

from __future__ import annotations

from typing import Any

from .errors import DecodeError
from .json_text import loads
from .rules import short

MAX_BODY = 1024 * 1024
"""Bytes of a body without any event that are kept, to see whether it is one JSON object."""
_BEGIN = 64
_BLANK = b"\xef\xbb\xbf \t\r\n"


class Body:
    """The bytes before the first event.

    begin  the first bytes
    """

    def __init__(self) -> None:
        self.begin = b""
        self._kept: bytearray | None = bytearray()

    def feed(self, chunk: bytes | bytearray | memoryview) -> None:
        """Take a chunk. TypeError for what is no bytes."""
        if not isinstance(chunk, (bytes, bytearray, memoryview)):
            raise TypeError(f"chunks are bytes, got {type(chunk).__name__}")
        if len(self.begin) < _BEGIN:
            self.begin = (self.begin + bytes(chunk)).lstrip(_BLANK)[:_BEGIN]
        is_other = self.begin and self.begin[:1] not in b"[{"
        if self._kept is None or is_other or len(self._kept) + len(chunk) > MAX_BODY:
            self._kept = None
        else:
            self._kept += chunk

    @property
    def value(self) -> dict[str, Any] | None:
        """The object that the body is, or that is alone in a list; None for anything else."""
        try:
            data = loads(bytes(self._kept)) if self._kept else None
        except DecodeError:
            return None
        if isinstance(data, list) and len(data) == 1:
            data = data[0]
        return data if isinstance(data, dict) else None

    def __str__(self) -> str:
        text = self.begin.decode("utf-8", "replace")
        return f"the body begins with {short(text)}" if text else "the body is empty"
