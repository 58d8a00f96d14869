"""The body of a capture in blocks: what one blank line ends, or one line of payloads.

Reads chunks of bytes; returns blocks with the line at which each begins. Never changes what a reader of event streams would
make of the bytes: line ends are all the same to it (WHATWG HTML 9.2.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

_MARK = b"\xef\xbb\xbf"
_BLANK = b"\n\n"
MAX_HELD = 1024 * 1024
"""Bytes of one block that are held; what is longer is handed on in parts."""


class Block(NamedTuple):
    """Bytes that a reader may be fed at once, as an event stream.

    line      line of the capture at which they begin
    is_begin  whether a block begins with them, and not a further part of a long one
    """

    data: bytes
    line: int
    is_begin: bool = True


def sse_blocks(chunks: Iterable[bytes], line: int) -> Iterator[Block]:
    """Blocks of an event stream, one by one. The last one has no blank line where the stream has none there."""
    for run in sse_runs(chunks, line):
        yield from singly(run)


def sse_runs(chunks: Iterable[bytes], line: int) -> Iterator[Block]:
    """As `sse_blocks`, but all blocks that a chunk completes at once."""
    held: list[bytes] = []
    size, is_begin = 0, True
    for chunk in _with_lf(chunks):
        edge = held[-1][-1:] if held else b""  # may be the first half of a blank line
        end = _end_of_blocks(edge + chunk) - len(edge)
        if end > 0:
            run = b"".join((*held, chunk[:end]))
            yield Block(run, line, is_begin)
            line += run.count(b"\n")
            held, size, is_begin = [], 0, True
            chunk = chunk[end:]
        if chunk:
            held.append(chunk)
            size += len(chunk)
        if size > MAX_HELD:  # but for a last LF, which may be the first half of a blank line
            whole = b"".join(held)
            part, last = whole[:-1], whole[-1:]
            yield Block(part, line, is_begin)
            line += part.count(b"\n")
            held, size, is_begin = [last], 1, False
    if held:
        yield Block(b"".join(held), line, is_begin)


def _end_of_blocks(text: bytes) -> int:
    """Where the last blank line of a text ends; 0 where there is none. Of three LF the first two are one."""
    end = text.rfind(_BLANK) + len(_BLANK)
    if end < len(_BLANK):
        return 0
    return end - (end - len(text[:end].rstrip(b"\n"))) % 2


def singly(run: Block) -> Iterator[Block]:
    """The blocks of a run one by one."""
    line, is_begin = run.line, run.is_begin
    *whole, rest = run.data.split(_BLANK)
    for part in whole:
        yield Block(part + _BLANK, line, is_begin)
        line += part.count(b"\n") + 2
        is_begin = True
    if rest:
        yield Block(rest, line, is_begin)


def payload_blocks(chunks: Iterable[bytes], line: int) -> Iterator[Block]:
    """Blocks of payloads that stand one on a line, as events; blank lines are passed over."""
    held, begin = b"", b"data: "
    for chunk in _with_lf(_without_mark(chunks)):
        *whole, held = (held + chunk).split(b"\n")
        for each in whole:
            if not begin or (each and not each.isspace()):
                yield Block(begin + each + b"\n\n", line, bool(begin))
            begin = b"data: "
            line += 1
        if len(held) > MAX_HELD:
            yield Block(begin + held, line, bool(begin))
            held, begin = b"", b""
    if not begin or (held and not held.isspace()):
        yield Block(begin + held + b"\n\n", line, bool(begin))


def _without_mark(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The chunks without a byte order mark at the begin; a reader of event streams takes it off itself."""
    begin, rest = b"", iter(chunks)
    for chunk in rest:
        begin += chunk
        if len(begin) >= len(_MARK):
            break
    yield begin.removeprefix(_MARK)
    yield from rest


def _with_lf(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The chunks with every line end as LF; a CR at the end of one is looked at with the next."""
    held = b""
    for chunk in chunks:
        if not held and b"\r" not in chunk:
            yield chunk
            continue
        text = held + chunk
        held = b"\r" if text.endswith(b"\r") else b""
        text = text[: len(text) - len(held)]
        yield text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if held:
        yield b"\n"
