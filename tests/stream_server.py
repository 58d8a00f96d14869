"""A web server on this machine that serves recorded streams, and reading them over HTTP.

Reads recordings in ../shared; serves each under a path of its own, so that a client's base URL chooses one. Never listens
on anything but the loopback address, and lives no longer than the `with` block that started it.
"""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.shared import shared

CHUNK = 1000
"""Bytes that `chunks` reads at a time."""


@cache
def entries(api: str) -> dict[str, dict[str, Any]]:
    """The recordings of an API by name, as the manifest has them."""
    manifest = json.loads(shared("captures/manifest.json").read_text("utf-8"))
    return {entry["name"]: entry for entry in manifest["entries"] if entry["api"] == api}


def body_of(api: str, name: str) -> bytes:
    """A recording as a server sends it: lines get their framing, and chat its [DONE]."""
    entry = entries(api)[name]
    body: bytes = shared(f"captures/{entry['file']}").read_bytes()
    if entry["format"] == "sse":
        return body
    blocks = [_block(api, line) for line in body.split(b"\n") if line.strip()]
    if api == "chat":
        blocks.append(b"data: [DONE]\n\n")
    return b"".join(blocks)


def _block(api: str, line: bytes) -> bytes:
    """One event; streams that name their events get the line that says so."""
    if api == "chat":
        return b"data: " + line + b"\n\n"
    tag: str = json.loads(line)["type"]
    return b"event: " + tag.encode() + b"\ndata: " + line + b"\n\n"


@contextmanager
def serving(find: Callable[[str], bytes]) -> Iterator[str]:
    """The address of a server that answers /NAME/… with the event stream `find(NAME)`."""

    class Handler(BaseHTTPRequestHandler):
        """Answers every GET and POST."""

        def do_GET(self) -> None:
            body = find(self.path.split("/")[1])
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream; charset=utf-8")
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.do_GET()

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def chunks(url: str) -> Iterator[bytes]:
    """The body at a URL, in pieces as they come; no proxy stands between."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(url) as answer:
        while chunk := answer.read(CHUNK):
            yield chunk
