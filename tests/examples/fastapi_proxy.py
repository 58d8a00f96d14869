"""A proxy that hands a stream through byte for byte and counts tokens and text on the side.

UPSTREAM=https://api.openai.com uvicorn fastapi_proxy:app --port 8000
UPSTREAM=http://127.0.0.1:8484 uvicorn fastapi_proxy:app --port 8000

Logs a line for each stream when it is over, also where the client left or the server broke off. Counting never changes what
goes through: events that nobody knows, comments and broken blocks come out as they came in.
"""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator

import httpx
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import StreamingResponse

from stream_events import responses

app = FastAPI()
client = httpx.AsyncClient(base_url=os.environ["UPSTREAM"], timeout=60)
log = logging.getLogger("uvicorn.error")
OURS = set(
    b"accept-encoding connection date host keep-alive server te trailer transfer-encoding".split()
)


class Meter:
    """What went by so far. It raises nothing, whatever the server sends."""

    def __init__(self) -> None:
        self.reader, self.accumulator = responses.reader(), responses.Accumulator()

    def feed(self, chunk: bytes) -> None:
        try:
            events = self.reader.feed(chunk)
        except (
            responses.StreamError
        ) as error:  # an event too large to hold: what follows still counts
            log.warning("%s", error)
            return
        for event in events:
            self.accumulator.add(event)

    def close(self) -> None:
        for event in self.reader.close():
            self.accumulator.add(event)
        self.accumulator.end(self.reader.outcome, self.reader.problems)

    def __str__(self) -> str:
        state, text = self.accumulator, self.accumulator.text()
        tokens = state.at("usage", "total_tokens")  # whatever it is: `usage` promises a type
        return f"{state.status}, {tokens} tokens, {len(text)} characters, {len(state.problems)} problems"


async def metered(answer: httpx.Response) -> AsyncIterator[bytes]:
    meter = Meter()
    try:
        async for chunk in answer.aiter_raw():
            meter.feed(chunk)
            yield chunk
    finally:
        await answer.aclose()
        meter.close()
        log.info("%s %s: %s", answer.request.url.path, answer.status_code, meter)


@app.post("/v1/responses")
async def relay(request: Request) -> StreamingResponse:
    sent = [(name, value) for name, value in request.headers.raw if name not in OURS]
    sent.append((b"accept-encoding", b"identity"))  # so that what is counted is what is sent
    asked = client.build_request(
        "POST", "/v1/responses", headers=sent, content=await request.body()
    )
    try:
        answer = await client.send(asked, stream=True)
    except httpx.TransportError as error:
        raise HTTPException(502, str(error)) from error
    reply = StreamingResponse(metered(answer), answer.status_code)
    reply.raw_headers = [pair for pair in answer.headers.raw if pair[0].lower() not in OURS]
    return reply
