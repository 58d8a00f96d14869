"""Blocks that are plainly events, many at once: nearly all there are.

Reads runs of blocks; returns events, and the blocks that a reader has to look at. Never takes a block that could change how
the reader goes on: one that ends the stream, says that it failed, or is no event of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from codegen.lint.blocks import Block, singly
from codegen.lint.package import Checked

MAX_RUN = 512 * 1024
"""Bytes of a run that is read as one text; what is longer holds long blocks, of which a copy would cost memory."""
NAMED, UNNAMED = 3, 2
"""Lines of a block with an `event:` line and of one without, the blank line counted."""


class Several(NamedTuple):
    """Events whose blocks follow one another: the line at which the first begins, and how many lines each has."""

    events: list[Any]
    line: int
    lines: int


class Plain:
    """The plain blocks of one stream. Feeding a reader block by block costs 2 µs an event more.

    needs_line  whether a block without an `event:` line is not plain
    """

    def __init__(self, checked: Checked, needs_line: bool) -> None:
        framing = checked.framing
        self._blocks = checked.runtime.reader.blocks_of(framing)
        self._unknown = checked.runtime.records.UnknownEvent
        self._needs_line = needs_line
        events = framing.stream.events
        self._terminal = frozenset(framing.terminal)
        self._ending = {events[tag] for tag in framing.terminal if tag in events}
        self._has_begun = self._is_over = False

    def note(self, event: Any) -> None:
        """Take note of an event that the reader gave: plain ones come from the first on, until one ends the stream."""
        kind = type(event)
        self._has_begun = True
        if kind in self._ending or (kind is self._unknown and event.tag in self._terminal):
            self.end()

    def end(self) -> None:
        """No block is plain from here on."""
        self._is_over = True

    def parts(self, run: Block) -> Iterator[Several | Block]:
        """A run as events, and blocks of which the reader has to make events."""
        text = "" if self._is_over else _text(run)
        if not text:
            yield from singly(run)
            return
        position, line, is_begin = 0, run.line, run.is_begin
        while position < len(text):
            if self._has_begun and is_begin and not self._is_over:
                start, events = position, list[Any]()
                position = self._blocks.take(text, start, events)
                count = text.count("\n", start, position)
                yield from self._taken(events, text[start:position], Block(b"", line), count)
                line += count
            if position < len(text):
                end = text.find("\n\n", position) + 2
                yield Block(text[position:end].encode(), line, is_begin)
                line += text.count("\n", position, end)
                position, is_begin = end, True

    def _taken(
        self, events: list[Any], text: str, at: Block, count: int
    ) -> Iterator[Several | Block]:
        """Events with their lines, where all blocks have as many; else their blocks."""
        if count == NAMED * len(events) or (
            count == UNNAMED * len(events) and not self._needs_line
        ):
            yield Several(events, at.line, count // max(len(events), 1))
        elif events:
            yield from singly(at._replace(data=text.encode()))


def _text(run: Block) -> str:
    """The text of a run of whole blocks; "" where it is not whole, not UTF-8 or long."""
    if len(run.data) > MAX_RUN or not run.data.endswith(b"\n\n"):
        return ""
    try:
        return run.data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
