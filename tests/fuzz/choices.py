"""Bytes of a fuzzer as choices: numbers, texts and JSON values.

Reads bytes from the front; returns values. Never fails: past the last byte every choice is the first.
"""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")

LEAVES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 10**9, 2**63, 0.5, 1e308, "", "text", "漢\ud83d", "\udc00", "\0", "__class__", "in_progress",
    "completed", [], {}, [[]],
)  # fmt: skip


class Choices:
    """What a fuzzer's bytes decide."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def __bool__(self) -> bool:
        return self._at < len(self._data)

    def number(self, below: int) -> int:
        """A number from 0; `below` is at most 65,536."""
        size = 1 if below <= 256 else 2
        taken = self._data[self._at : self._at + size]
        self._at += size
        return int.from_bytes(taken, "big") % below

    def of(self, choices: tuple[T, ...] | list[T]) -> T:
        """One of several."""
        return choices[self.number(len(choices))]

    def text(self) -> str:
        """A short text of any characters, halves of pairs among them."""
        taken = self._data[self._at : self._at + 1 + self.number(12)]
        self._at += len(taken)
        return taken.decode("utf-8", "surrogatepass" if taken.isascii() else "replace")

    def rest(self) -> bytes:
        """All that is left."""
        taken, self._at = self._data[self._at :], len(self._data)
        return taken

    def value(self, words: list[str], levels: int = 4) -> Any:
        """A JSON value whose keys and texts are often among `words`."""
        kind = self.number(8)
        if kind == 0 and levels:
            return [self.value(words, levels - 1) for _ in range(self.number(4))]
        if kind <= 2 and levels:
            return {self.word(words): self.value(words, levels - 1) for _ in range(self.number(5))}
        if kind <= 4:
            return self.of(LEAVES)
        return self.word(words) if kind <= 6 else self.number(65536) - 8

    def word(self, words: list[str]) -> str:
        """One of the words, or once in a while any text."""
        return self.text() if self.number(8) == 0 else self.of(words)
