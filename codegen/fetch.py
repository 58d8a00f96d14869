"""A document from a URL.

Reads one http or https address; returns the bytes of the answer, or that they still are those of a known ETag; never
returns a part of a document, and never reads more, or for longer, than its limits say.
"""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from codegen.errors import Finding, SpecError
from codegen.http_line import Failure, Limits, Line
from codegen.limits import FETCH_SECONDS
from codegen.progress import doing

_CHUNK = 64 * 1024
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Status codes after which the same request may succeed (RFC 9110, section 15; RFC 6585; RFC 8470)."""
_GZIP = 16 + zlib.MAX_WBITS

PATIENT = Limits(seconds=3 * FETCH_SECONDS, pauses=(1.0, 4.0, 10.0))
"""For a run that nobody watches; a person would rather see the error and try again."""


@dataclass(frozen=True)
class Answer:
    """What a URL gave: `data` is None where it is still that of the ETag asked about (RFC 9110, section 15.4.5)."""

    data: bytes | None
    etag: str = ""


def fetch(url: str, limits: Limits | None = None) -> bytes:
    """The body of a successful answer; SpecError where there is none, naming what happened."""
    data = fetch_if_changed(url, "", limits or Limits()).data
    assert data is not None  # a 304 that nothing was asked for is an error
    return data


def fetch_if_changed(
    url: str,
    etag: str,
    limits: Limits = Limits(),
    wait: Callable[[float], None] = time.sleep,
) -> Answer:
    """The body behind a URL, unless it still has the ETag given ("" for none).

    wait  lets the seconds of a pause pass
    Raises SpecError where the last attempt gave no whole body within the limits; an attempt is repeated only where
    another one may fare better.
    """
    deadline = time.monotonic() + limits.seconds
    for pause in (*limits.pauses, None):
        doing(f"asking {url}")
        try:
            return _attempt(url, etag, limits, deadline)
        except Failure as failure:
            late = time.monotonic() + (pause or 0.0) >= deadline
            if pause is None or late or not failure.passing:
                raise SpecError([Finding(url, str(failure), failure.action)]) from None
            doing(f"{url}: {failure}; asking again in {pause:g} s")
            wait(pause)
    raise AssertionError("the last attempt returns or raises")


def _attempt(url: str, etag: str, limits: Limits, deadline: float) -> Answer:
    """One request with its redirects."""
    headers = {"User-Agent": "stream-events-codegen", "Accept-Encoding": "gzip"}
    if etag:
        headers["If-None-Match"] = etag
    line = Line(deadline, limits)
    try:
        with line, line.open(urllib.request.Request(url, headers=headers)) as answer:
            if answer.status != 200:
                what = f"the server answers {answer.status} {answer.reason} and not the document"
                raise Failure(what, passing=False)
            return Answer(_body(answer, line), answer.headers.get("ETag", ""))
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 304 and etag:
            return Answer(None, error.headers.get("ETag", etag))
        what = f"the server answers {error.code} {error.reason}"
        raise Failure(what, passing=error.code in _PASSING) from None
    except urllib.error.URLError as error:
        line.require_time()
        raise Failure(f"the URL does not answer ({error.reason})", passing=True) from None
    except http.client.IncompleteRead:
        line.require_time()
        raise Failure("the answer ends before its last chunk", passing=True) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        line.require_time()
        what = f"the URL does not answer ({str(error) or type(error).__name__})"
        raise Failure(what, passing=not isinstance(error, ValueError)) from None


def _body(answer: http.client.HTTPResponse, line: Line) -> bytes:
    """All bytes of the document; what is cut short or too long is an error, and not a shorter document."""
    encoding = answer.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in ("identity", "gzip", "x-gzip"):
        what = f"the answer has the Content-Encoding {encoding}, which was not asked for"
        raise Failure(what, passing=False)
    raw = _received(answer, line)
    return b"".join(raw if encoding == "identity" else _unzipped(raw, line.limits))


def _received(answer: http.client.HTTPResponse, line: Line) -> Iterator[bytes]:
    """The bytes as they come, to the length that was announced."""
    header = None if answer.chunked else answer.headers.get("Content-Length")
    announced = None if header is None else int(header)
    _require_size(announced or 0, line.limits)
    received = 0
    while announced is None or received < announced:
        # read1: at most one read of the socket, so that a body that comes byte by byte meets the deadline.
        part = answer.read1(_CHUNK if announced is None else min(_CHUNK, announced - received))
        line.require_time()
        if not part:
            break
        received += len(part)
        _require_size(received, line.limits)
        yield part
    if announced is not None and received < announced:
        what = f"the answer ends after {received:,} of {announced:,} bytes"
        raise Failure(what, passing=True)


def _unzipped(raw: Iterator[bytes], limits: Limits) -> Iterator[bytes]:
    """The text of one gzip member (RFC 1952), in pieces of at most _CHUNK, however far it would expand."""
    inflate = zlib.decompressobj(_GZIP)
    size = 0
    try:
        for part in raw:
            while part and not inflate.eof:
                piece = inflate.decompress(part, _CHUNK)
                size += len(piece)
                _require_size(size, limits)
                yield piece
                part = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
            if part:
                raise Failure("bytes follow the end of the gzip data", passing=False)
        yield inflate.flush()
    except zlib.error as error:
        raise Failure(f"the answer is not gzip data ({error})", passing=False) from None
    if not inflate.eof:
        raise Failure("the answer ends in the middle of its gzip data", passing=True)


def _require_size(size: int, limits: Limits) -> None:
    if size > limits.size:
        what = f"the answer has more than {limits.size:,} bytes (limit MAX_BYTES)"
        raise Failure(what, passing=False, action="Give a smaller document.")
