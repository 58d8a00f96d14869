"""The two exceptions of the package: one for what the wire did, one for what the caller asked for.

Reads nothing and returns nothing. Never raised for drift: an unknown tag, an unknown property or a
value of the wrong type is data, not an exception.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .records import ErrorInfo


class DecodeError(ValueError):
    """The sender is wrong: the payload is not a usable JSON object.

    Not JSON, NaN or Infinity, nested too deep, not an object, or an object without its tag.
    """


class StreamError(Exception):
    """The caller asked for something strict that the stream does not give.

    A final object before the stream's terminal event, an event larger than the caller's limit, or
    bytes for a decoder that has been closed.

    error  what the stream failed with, where it did
    """

    def __init__(self, message: str, error: ErrorInfo | None = None) -> None:
        super().__init__(message)
        self.error = error
