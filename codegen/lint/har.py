"""HTTP archives (HAR 1.2): the event streams that a browser or a proxy recorded.

Reads the JSON of an archive; returns its exchanges that are streams. Never trusts it to have what the format requires.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from codegen.errors import Finding, SpecError, reason
from codegen.lint.heads import Head

PATHS = ("/responses", "/completions", "/messages", "/images/generations", "/images/edits")
"""Ends of request paths that answer with streams, whatever their content type says."""
MAX_UNPACKED = 256 * 1024 * 1024
"""Bytes that compressed content may have when it is unpacked."""
_ACTION = "Export it anew, with content."


@dataclass(frozen=True)
class Exchange:
    """A request and what came back. `body` of a socket has one message a line."""

    number: int
    url: str
    head: Head
    body: bytes
    is_socket: bool = False


def is_har(path: str, begin: bytes) -> bool:
    """Whether a file is an archive, by its name or by how it begins."""
    text = begin.removeprefix(b"\xef\xbb\xbf").lstrip()[:200]
    return path.endswith(".har") or "".join(text.decode("latin-1").split()).startswith('{"log":{')


def exchanges(path: str, data: bytes) -> Iterator[Exchange]:
    """The exchanges of an archive that are streams. Raises SpecError where it is no archive or has none."""
    try:
        entries = json.loads(data.decode("utf-8-sig"))["log"]["entries"]
        spoilt: list[Finding] = []
        found = list(_found(path, entries, spoilt))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        what = f"is no HTTP archive: {reason(error)}"
        raise SpecError([Finding(path, what[:200], _ACTION)]) from None
    if not found and not spoilt:
        what = f"none of the {len(entries)} exchanges is an event stream with its content"
        raise SpecError([Finding(path, what, _ACTION)])
    yield from found
    if spoilt:
        raise SpecError(spoilt)


def _found(path: str, entries: list[Any], spoilt: list[Finding]) -> Iterator[Exchange]:
    """The exchanges that are streams; those whose content cannot be had go to `spoilt`."""
    for at, entry in enumerate(entries):
        try:
            found = _exchange(at, entry)
        except ValueError as error:
            spoilt.append(Finding(f"{path}#{at}", str(error), _ACTION))
            continue
        if found is not None:
            yield found


def _exchange(at: int, entry: Any) -> Exchange | None:
    response = _under(entry, "response")
    url = urlsplit(_text(_under(entry, "request").get("url"))).path
    content = _under(response, "content")
    head = Head(_status(response), _headers(response, content))
    messages = entry.get("_webSocketMessages") if isinstance(entry, dict) else None
    if isinstance(messages, list) and messages:
        received = [
            each for each in messages if isinstance(each, dict) and each.get("type") == "receive"
        ]
        lines = [" ".join(_text(each.get("data")).splitlines()) for each in received]
        return Exchange(at, url, head, "\n".join(lines).encode("utf-8", "surrogatepass"), True)
    text = _text(content.get("text"))
    is_base64 = content.get("encoding") == "base64"
    if not text or (head.content_type != "text/event-stream" and not _is_stream(url, text)):
        return None
    return Exchange(
        at, url, head, _decoded(text) if is_base64 else text.encode("utf-8", "surrogatepass")
    )


def _under(value: Any, name: str) -> dict[str, Any]:
    """The object that a property of an object is; an empty one where it is none."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _status(response: dict[str, Any]) -> int:
    status = response.get("status")
    return status if type(status) is int else 0


def _headers(response: dict[str, Any], content: dict[str, Any]) -> dict[str, str]:
    given = response.get("headers")
    found: dict[str, str] = {}
    for each in given if isinstance(given, list) else ():
        if isinstance(each, dict) and _text(each.get("name")):
            found[each["name"].lower()] = _text(each.get("value"))
    found.setdefault("content-type", _text(content.get("mimeType")))
    return found


def _decoded(text: str) -> bytes:
    """Content in base64, unpacked where the recorder kept it as it came. Raises ValueError where it is neither."""
    try:
        body = base64.b64decode("".join(text.split()), validate=True)
        if not body.startswith(b"\x1f\x8b"):
            return body
        unpacking = zlib.decompressobj(wbits=31)
        unpacked = unpacking.decompress(body, MAX_UNPACKED)
    except (binascii.Error, zlib.error) as error:
        raise ValueError(f"its content is spoilt: {error}") from None
    if unpacking.unconsumed_tail:
        raise ValueError(f"its content is larger than {MAX_UNPACKED:,} bytes")
    if not unpacking.eof:
        raise ValueError("its content is spoilt: its compressed bytes are cut")
    return unpacked


def _is_stream(url: str, text: str) -> bool:
    """Whether the answer to a request that is usually answered by a stream is one, or an error in its place."""
    return url.rstrip("/").endswith(PATHS) and ("data:" in text[:4096] or '"error"' in text[:4096])
