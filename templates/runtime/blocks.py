"""Plain blocks: an `event:` line or none, one `data:` line with a JSON object, a blank line. They are nearly all there are.

Reads text of whole blocks; returns events. The payload is scanned in place, without a copy of its line, which saves half of
what reading costs. Never judges: at the first block that is not plain, or that a reader has to look at, it stops.
"""

from __future__ import annotations

from typing import Any

from .json_text import MAX_DEPTH, Loads, scan, too_deep
from .stream import Stream

_DATA = "data: {"
_SHORT = 2 * MAX_DEPTH
"""Characters below which no JSON text can be nested too deep: each level takes one to open and one to close."""


class Blocks:
    """The plain blocks of one stream.

    known    tags that may stand in an `event:` line
    watched  tags of events that a reader has to look at: ends and errors
    signs    properties that a reader has to look at
    loads    the parser that the caller prefers to the one that scans in place
    """

    def __init__(
        self,
        stream: Stream,
        known: frozenset[str],
        watched: frozenset[str],
        signs: frozenset[str],
        loads: Loads | None,
    ) -> None:
        self._name = stream.tag
        self._decoders = stream.decoders
        self._watched = watched
        self._signs = signs
        self._loads = loads
        self._tags = {f"event: {tag}": tag for tag in known - watched}

    def take(self, text: str, position: int, events: list[Any]) -> int:
        """Append the events of the plain blocks from a position on; where the first other block begins, or the text ends.

        The text ends with a blank line and has no CR. An event line is no fault where it is absent.
        """
        name, decoders, tags, watched, signs = (
            self._name,
            self._decoders,
            self._tags,
            self._watched,
            self._signs,
        )
        size, loads = len(text), self._loads
        while position < size:
            if text.startswith(_DATA, position):
                line, start = None, position + 6
            else:
                end = text.find("\n", position)
                line, start = tags.get(text[position:end]), end + 7
                if line not in decoders or not text.startswith(_DATA, end + 1):
                    break
            stop = text.find("\n", start)
            try:
                data, end = scan(text, start) if loads is None else (loads(text[start:stop]), stop)
            except Exception:  # a preferred parser may raise anything; the reader judges
                break
            # JSON may hold line ends between its tokens, which for an event stream end the data.
            if end != stop or not text.startswith("\n", stop + 1):
                break
            if end - start > _SHORT and _brackets(text, start, end) > MAX_DEPTH and too_deep(data):
                break
            tag = data.get(name) if type(data) is dict else None
            if type(tag) is not str or tag not in decoders or tag in watched:
                break
            if (line is not None and line != tag) or (signs and not signs.isdisjoint(data)):
                break
            try:
                event = decoders[tag](data)
            except RecursionError:
                break
            events.append(event)
            position = stop + 2
        return position


def _brackets(text: str, start: int, end: int) -> int:
    return text.count("[", start, end) + text.count("{", start, end)


def whole_blocks(chunk: bytes) -> tuple[str, bytes]:
    """The blocks that are whole in a chunk, as text, and the rest; no text where that is not plain UTF-8 with LF alone."""
    if b"\r" in chunk:
        return "", chunk
    try:
        if chunk.endswith(b"\n\n"):
            return chunk.decode("utf-8"), b""
        end = chunk.rfind(b"\n\n") + 2
        if end < 2:
            return "", chunk
        return chunk[:end].decode("utf-8"), chunk[end:]
    except UnicodeDecodeError:
        return "", chunk
