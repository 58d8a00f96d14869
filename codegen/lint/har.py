"""HTTP archives (HAR 1.2): the event streams that a browser or a proxy recorded.

Reads the JSON of an archive; returns its exchanges that are streams. Never trusts it to have what the format requires.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from codegen.errors import Finding, SpecError
from codegen.lint.heads import Head

PATHS = ("/responses", "/completions", "/messages", "/images/generations", "/images/edits")
"""Ends of request paths that answer with streams, whatever their content type says."""
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
        found = [one for at, each in enumerate(entries) if (one := _exchange(at, each)) is not None]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        what = f"is no HTTP archive: {type(error).__name__} {error}"
        raise SpecError([Finding(path, what[:200], _ACTION)]) from None
    if not found:
        what = f"none of the {len(entries)} exchanges is an event stream with its content"
        raise SpecError([Finding(path, what, _ACTION)])
    yield from found


def _exchange(at: int, entry: dict[str, Any]) -> Exchange | None:
    url = urlsplit(entry["request"]["url"]).path
    response = entry["response"]
    headers = {each["name"].lower(): each["value"] for each in response.get("headers", ())}
    content = response.get("content", {})
    headers.setdefault("content-type", content.get("mimeType", ""))
    head = Head(int(response.get("status", 0)), headers)
    messages = entry.get("_webSocketMessages")
    if messages:
        sent = [each["data"] for each in messages if each.get("type") == "receive"]
        lines = [" ".join(text.splitlines()) for text in sent if isinstance(text, str)]
        return Exchange(at, url, head, "\n".join(lines).encode("utf-8", "surrogatepass"), True)
    text = content.get("text")
    if not isinstance(text, str) or not text:
        return None
    if head.content_type != "text/event-stream" and not _is_stream(url, text):
        return None
    try:
        is_base64 = content.get("encoding") == "base64"
        body = base64.b64decode(text) if is_base64 else text.encode("utf-8", "surrogatepass")
    except binascii.Error as error:
        raise ValueError(f"the content of exchange {at} is not base64: {error}") from None
    return Exchange(at, url, head, body)


def _is_stream(url: str, text: str) -> bool:
    """Whether the answer to a request that is usually answered by a stream is one, or an error in its place."""
    return url.endswith(PATHS) and ("data:" in text[:4096] or '"error"' in text[:4096])
