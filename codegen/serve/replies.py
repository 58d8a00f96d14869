"""Bodies that stream as the faults say, and errors as each API words them.

Reads a delivery; sends it over ASGI. Never sleeps in a stall: it ends when the client leaves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from codegen.serve.faults import Delivery

EVENT_STREAM = "text/event-stream; charset=utf-8"


class Streamed(Response):
    """An event stream in the given chunks. `pace`: seconds before each chunk."""

    def __init__(self, delivery: Delivery, headers: dict[str, str], pace: float = 0.0) -> None:
        super().__init__(headers={"Cache-Control": "no-store", **headers})
        del self.headers["content-length"]
        self.headers["Content-Type"] = EVENT_STREAM
        self._delivery = delivery
        self._pace = pace

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send all chunks; a client that left ends it, and so does the end that the delivery says."""
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        playing = asyncio.ensure_future(self._send(send))
        leaving = asyncio.ensure_future(_left(receive))
        await asyncio.wait((playing, leaving), return_when=asyncio.FIRST_COMPLETED)
        if playing.done() and not leaving.done() and self._delivery.end == "stalled":
            await leaving
        for task in (playing, leaving):
            task.cancel()
        await asyncio.gather(playing, leaving, return_exceptions=True)

    async def _send(self, send: Send) -> None:
        for chunk in self._delivery.chunks:
            # Also without a pace the others have their turn, and it is seen here that a client has left: sending does neither.
            await asyncio.sleep(self._pace)
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        if self._delivery.end == "whole":
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _left(receive: Receive) -> None:
    """Return when the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


def played_name(headers: Mapping[str, str]) -> str:
    """The play that the header X-Play names; "" for none. Clients send its letters as UTF-8, and HTTP reads bytes."""
    name = headers.get("X-Play", "")
    try:
        return name.encode("latin-1").decode()
    except ValueError:
        return name


def error_reply(
    stream: str,
    status: int,
    message: str,
    code: str | None = None,
    headers: dict[str, str] | None = None,
) -> JSONResponse:
    """An error in the words of the stream's API."""
    sayable = message.encode("utf-8", "replace").decode()  # a request may name half a character
    return JSONResponse(error_body(stream, status, sayable, code), status, headers)


def error_body(stream: str, status: int, message: str, code: str | None = None) -> dict[str, Any]:
    """The JSON object of an error."""
    kind = {429: "rate_limit_error", 404: "not_found_error"}.get(status, "invalid_request_error")
    if stream == "messages":
        return {"type": "error", "error": {"type": kind, "message": message}}
    kind = kind if status == 429 else "invalid_request_error"
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}
