"""Rows: bytes to typed events to the final object, against RAW.

Reads workloads and a pace; returns rows. Never compares runs that did not see the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import orjson

from tests.bench import goals
from tests.bench.clock import Pace, Spread, interleaved, ratios, spread
from tests.bench.contestants import Run, create, ours, streamed, untyped
from tests.bench.goals import CREATE, EACH, FASTER, OURS, STREAMED, WINDOWS, Row
from tests.bench.hand_written import limit
from tests.bench.raw import raw
from tests.bench.workloads import Load, Workloads

LIMIT = "msgspec, structs by hand: the limit in C"
RAW = "RAW"
SLOW = frozenset({CREATE, STREAMED})


def rows(workloads: Workloads, pace: Pace, size: int) -> Iterator[Row]:
    """All loads, the made ones in both chunkings."""
    names = {
        "text": goals.TEXT,
        "mixed": goals.MIXED,
        "chat": goals.CHAT,
        "messages": goals.MESSAGES,
    }
    made = [workloads.made(kind, size)._replace(name=name) for kind, name in names.items()]
    for load in [*made, workloads.short(), workloads.images()]:
        for chunking, chunks in ((EACH, load.each), (WINDOWS, load.windows)):
            runs = _runs(load, chunks) | {LIMIT: limit(load.stream, chunks)}
            yield from _measured(goals.end_to_end(load.name, chunking), runs, pace)
    for load in workloads.recordings():
        table = goals.end_to_end(load.name, WINDOWS)
        yield from _measured(table, _runs(load, load.windows), pace)


def _runs(load: Load, chunks: list[bytes]) -> dict[str, Run]:
    body = load.body
    return {
        RAW: lambda: raw(body),
        OURS: ours(load.stream, chunks),
        f"{OURS}; loads=orjson.loads": ours(load.stream, chunks, orjson.loads),
        f"{OURS}; loads=msgspec.json.decode": ours(load.stream, chunks, msgspec.json.decode),
        "httpx-sse and json, untyped": untyped(chunks),
        CREATE: create(load.stream, chunks),
        STREAMED: streamed(load.stream, chunks),
    }


def _measured(table: str, runs: dict[str, Run], pace: Pace) -> Iterator[Row]:
    times = interleaved(runs, pace, SLOW)
    found = ratios(times, RAW)
    del found[RAW]
    for name, figure in found.items():
        yield Row(table, name, figure, "× RAW")
    for name in sorted(SLOW):
        yield Row(table, name + FASTER, _against_ours(times[name], times[OURS]), "× ours")


def _against_ours(theirs: dict[int, float], own: dict[int, float]) -> Spread:
    return spread([seconds / own[turn] for turn, seconds in theirs.items()])
