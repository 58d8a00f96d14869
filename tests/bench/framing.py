"""Rows: server-sent events alone, against RAW.

Reads workloads; returns rows. Never gives RAW less to do than the whole body in one piece.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import httpx_sse

from stream_events.sse import SSEDecoder
from tests.bench.clock import Pace, interleaved, ratios
from tests.bench.contestants import EVENT_STREAM, Body, Run, untyped
from tests.bench.goals import EACH, SSE, WINDOWS, Row
from tests.bench.raw import raw
from tests.bench.workloads import Workloads, pieces

PACKET = 1400


def rows(workloads: Workloads, pace: Pace, size: int) -> Iterator[Row]:
    """Short events in both chunkings, long lines in packets."""
    text, images = workloads.made("text", size), workloads.images().body
    for chunking, chunks in ((EACH, text.each), (WINDOWS, text.windows)):
        runs = {"stream_events": _decoder(chunks), "httpx-sse": _peer(chunks)}
        yield from _ratios(f"text, {chunking}", text.body, runs, pace)
    packets = pieces(images, PACKET)
    long = {"stream_events": _decoder_with_json(packets), "httpx-sse": untyped(packets)}
    yield from _ratios("1 MB lines in 1,400-byte chunks, with JSON", images, long, pace)


def _ratios(what: str, body: bytes, runs: dict[str, Run], pace: Pace) -> Iterator[Row]:
    found = ratios(interleaved({"RAW": lambda: raw(body), **runs}, pace), "RAW")
    for name in runs:
        yield Row(SSE, f"{what}: {name}", found[name], "× RAW")


def _decoder(chunks: list[bytes]) -> Run:
    def run() -> None:
        decoder = SSEDecoder()
        for chunk in chunks:
            for _ in decoder.feed(chunk):
                pass
        decoder.close()

    return run


def _decoder_with_json(chunks: list[bytes]) -> Run:
    def run() -> None:
        decoder = SSEDecoder()
        for chunk in chunks:
            for event in decoder.feed(chunk):
                json.loads(event.data)
        decoder.close()

    return run


def _peer(chunks: list[bytes]) -> Run:
    def run() -> None:
        response = httpx.Response(200, headers=EVENT_STREAM, stream=Body(chunks))
        for _ in httpx_sse.EventSource(response).iter_sse():
            pass

    return run
