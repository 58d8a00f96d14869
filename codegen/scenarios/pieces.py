"""Texts in pieces, and lists in one another.

Reads a text or lists; returns its pieces, which joined give the text again, or their elements in an order. Never random.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, zip_longest
from typing import TypeVar

from codegen.scenarios.scenario import Streaming

T = TypeVar("T")
_WORD = re.compile(r"\s*\S+|\s+\Z")
_NONE = object()


def cut(text: str, pieces: str | int) -> list[str]:
    """The pieces of a text: words with the space before them, or that many characters each; none of an empty text."""
    if isinstance(pieces, int):
        return [text[start : start + pieces] for start in range(0, len(text), pieces)]
    return _WORD.findall(text)


def ordered(parts: Sequence[Sequence[T]], streaming: Streaming) -> list[T]:
    """The elements of several lists, each list in its order: one list after the other, or one element of each in turn."""
    if streaming.order == "in turn":
        return list(chain.from_iterable(parts))
    rows = zip_longest(*parts, fillvalue=_NONE)
    return [each for row in rows for each in row if each is not _NONE]  # type: ignore[misc]
