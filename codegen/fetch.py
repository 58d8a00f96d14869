"""A document from a URL.

Reads one http or https address; returns the bytes of the answer; never follows a redirect to another scheme and
never reads more than MAX_BYTES or longer than FETCH_SECONDS.
"""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from typing import IO

from codegen.errors import Finding, SpecError
from codegen.limits import FETCH_SECONDS, MAX_BYTES

_CHUNK = 64 * 1024
_ACTION = "Check the address and the network, or download the document and give its path."


def fetch(url: str) -> bytes:
    """The body of a successful answer; SpecError where there is none, naming what happened."""
    request = urllib.request.Request(url, headers={"User-Agent": "stream-events-codegen"})
    deadline = time.monotonic() + FETCH_SECONDS
    try:
        with _opener().open(request, timeout=FETCH_SECONDS) as answer:
            return _read(answer, url, deadline)
    except urllib.error.HTTPError as error:
        raise _error(url, f"the server answers {error.code} {error.reason}") from None
    except urllib.error.URLError as error:
        raise _error(url, f"the URL does not answer ({error.reason})") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = str(error) or type(error).__name__
        raise _error(url, f"the URL does not answer ({reason})") from None


def _opener() -> urllib.request.OpenerDirector:
    # Built by hand: build_opener() would add handlers for file:, ftp: and data:, which a redirect could reach.
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.UnknownHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPRedirectHandler(),
        urllib.request.HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener


def _read(answer: IO[bytes], url: str, deadline: float) -> bytes:
    # The socket's timeout bounds one read; a server that sends a byte now and then needs the deadline.
    parts: list[bytes] = []
    size = 0
    while chunk := answer.read(_CHUNK):
        parts.append(chunk)
        size += len(chunk)
        if size > MAX_BYTES:
            what = f"the answer has more than {MAX_BYTES:,} bytes (limit MAX_BYTES)"
            raise SpecError([Finding(url, what, "Give a smaller document.")])
        if time.monotonic() > deadline:
            raise _error(url, f"the answer took longer than {FETCH_SECONDS} seconds")
    return b"".join(parts)


def _error(url: str, what: str) -> SpecError:
    return SpecError([Finding(url, what, _ACTION)])
