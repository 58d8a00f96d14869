"""Recorded streams: from paths to captures, each with its bytes in chunks.

Reads files, folders and standard input; returns captures. Never holds a whole file, HAR files aside, and never says what is
wrong with a stream.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Literal

from codegen.errors import Finding, SpecError
from codegen.lint.har import exchanges, is_har
from codegen.lint.heads import Head, without_heads

CHUNK = 64 * 1024
PEEK = 256 * 1024
"""Bytes from which format and stream are told."""
MAX_ERROR = 16 * 1024
"""Bytes that the body of an error has at most."""
SUFFIXES = (".sse", ".jsonl", ".ndjson", ".har", ".http", ".curl")
"""Files of a folder that are read; others have to be named."""

_OTHER = (
    (b"\x1f\x8b", "the body is compressed (gzip)", "Unpack it, or record with curl --compressed."),
    (b"\x28\xb5\x2f\xfd", "the body is compressed (zstd)", "Unpack it, or record with curl --compressed."),
    (b"\xff\xfe", "the text is UTF-16", "Record the bytes as they come, which are UTF-8."),
    (b"\xfe\xff", "the text is UTF-16", "Record the bytes as they come, which are UTF-8."),
)  # fmt: skip
"""How bodies begin that are no text: their bytes, what they are, what to do."""

Format = Literal["sse", "jsonl"]


@dataclass
class Capture:
    """One recorded stream.

    name    what it is called in reports: the path, for one of several in a HAR file with its number
    format  sse: the body as it came; jsonl: one payload a line
    peek    the first bytes of the body
    chunks  the whole body, to be read once
    head    status and headers, where they were recorded
    url     path of the request, where it was recorded
    line    line of the file at which the body begins; 0 where lines say nothing
    size    bytes of the file; 0 where it is not known
    """

    name: str
    path: str
    format: Format
    peek: bytes
    chunks: Iterable[bytes]
    head: Head | None = None
    url: str = ""
    line: int = 1
    size: int = 0


def paths_of(names: list[str]) -> list[str]:
    """The files of names and folders, `-` for standard input. Raises SpecError for what does not exist."""
    found: list[str] = []
    missing: list[Finding] = []
    for name in names:
        path = Path(name)
        if name != "-" and _is_folder(path):
            inside = sorted(each for each in path.rglob("*") if each.suffix in SUFFIXES)
            inside = [each for each in inside if each.is_file() and not _is_hidden(each, path)]
            found += [str(each) for each in inside]
            if not inside:
                action = f"Name files, or a folder with files of {', '.join(SUFFIXES)}."
                missing.append(Finding(name, "the folder has no captures", action))
        elif name == "-" or _exists(path):
            found.append(name)
        else:
            missing.append(Finding(name, "does not exist", "Name a file, a folder or -."))
    if missing:
        raise SpecError(missing)
    return found


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name that is too long
        return False


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def captures_in(path: str) -> Iterator[Capture]:
    """The captures of one file: one, or those of a HAR file. Raises SpecError where it cannot be read."""
    try:
        if path == "-":
            yield from _captures(path, sys.stdin.buffer, 0)
        else:
            with open(path, "rb") as file:
                yield from _captures(path, file, Path(path).stat().st_size)
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise SpecError([Finding(path, what, "Name a file that can be read.")]) from None


def _captures(path: str, file: BinaryIO, size: int) -> Iterator[Capture]:
    peek = _read_peek(file)
    if not peek.strip():
        action = "Record a stream, with curl -N for example."
        raise SpecError([Finding(path, "the capture is empty", action)])
    if is_har(path, peek):
        for exchange in exchanges(path, peek + file.read()):
            name = f"{path}#{exchange.number}"
            body = exchange.body
            form: Format = "jsonl" if exchange.is_socket else "sse"
            yield Capture(name, path, form, body[:PEEK], [body], exchange.head, exchange.url, 0)
        return
    head, body, lines = without_heads(peek)
    _require_text(path, body)
    rest = iter(lambda: file.read(CHUNK), b"")
    form = "sse" if head is not None else _format(body)
    chunks = chain((body[at : at + CHUNK] for at in range(0, len(body), CHUNK)), rest)
    yield Capture(path, path, form, body, chunks, head, "", 1 + lines, size)


def _require_text(path: str, body: bytes) -> None:
    """Raises SpecError for bytes that no reader of event streams would take for text."""
    for begin, what, action in _OTHER:
        if body.startswith(begin):
            raise SpecError([Finding(path, what, action)])


def _read_peek(file: BinaryIO) -> bytes:
    """The first bytes, fewer where the file or the pipe ends before."""
    found = b""
    while len(found) < PEEK and (chunk := file.read(PEEK - len(found))):
        found += chunk
    return found


def _format(body: bytes) -> Format:
    """Whether payloads stand alone, one a line. A JSON object over several lines is what a server sent as the body."""
    text = body.removeprefix(b"\xef\xbb\xbf").strip()
    first = text.split(b"\n", 1)[0].strip()
    if text.startswith(b"{") and len(text) == len(first) < MAX_ERROR and _is_error(text):
        return "sse"
    is_payload = first.startswith(b"{") and (first.endswith(b"}") or len(first) > PEEK // 2)
    return "jsonl" if is_payload or first == b"[DONE]" else "sse"


def _is_error(text: bytes) -> bool:
    """Whether a JSON object is the body of an error: no payload, as these have a tag or belong to a chat."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and bool(value.get("error")) and set(value) <= {"error"}


def _is_hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)
