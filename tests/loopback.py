"""A server on the loopback interface that answers as a test says.

Reads requests and remembers them; returns the replies that were set for a path, one after the other, the last one for
ever. Never listens on another interface, and never answers later than when the test ends.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """One answer. `status`: 0 for a body that is all that is sent, head included. `length`: the Content-Length to announce, None for none, -1 for that of the body.

    etag  sent along; a request that has it in If-None-Match gets 304 (RFC 9110, section 13.1.2)
    then  called after the body with what writes further bytes; it ends by returning
    """

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    etag: str = ""
    length: int | None = -1
    then: Callable[[Callable[[bytes], Any]], Any] | None = None


@dataclass
class Loopback:
    """A running server. `requests`: path and headers of what was asked; `ended`: set when the test is over."""

    address: str
    replies: dict[str, list[Reply]] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)

    def put(self, path: str, *replies: Reply) -> str:
        """Answer a path so from now on; its URL."""
        self.replies[path] = list(replies)
        return self.address + path

    def next(self, path: str) -> Reply:
        """The reply that is due."""
        waiting = self.replies.get(path, [Reply(status=404)])
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]

    def asked(self, path: str) -> int:
        """How often a path was asked for."""
        return sum(asked == path for asked, _ in self.requests)


@contextmanager
def serving() -> Iterator[Loopback]:
    """A server as long as the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        """Answers GET."""

        def do_GET(self) -> None:
            loopback.requests.append((self.path, dict(self.headers)))
            reply = loopback.next(self.path)
            same = reply.etag and reply.etag in self.headers.get("If-None-Match", "")
            try:
                self._answer(Reply(status=304, etag=reply.etag, length=None) if same else reply)
            except OSError:
                pass  # the reader has left, as it should where there is no end

        def _answer(self, reply: Reply) -> None:
            if reply.status:
                self._head(reply)
            self.wfile.write(reply.body)
            self.wfile.flush()
            if reply.then is not None:
                reply.then(self.wfile.write)

        def _head(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.etag:
                self.send_header("ETag", reply.etag)
            if reply.length is not None:
                length = len(reply.body) if reply.length == -1 else reply.length
                self.send_header("Content-Length", str(length))
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Stay silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    loopback = Loopback(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield loopback
    finally:
        loopback.ended.set()
        server.shutdown()
        thread.join()
        server.server_close()
