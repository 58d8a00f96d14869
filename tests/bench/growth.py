"""Rows: what a delta costs late in a long stream, and what a kept event holds.

Reads workloads; returns rows. Never counts the lifecycle events in: they would make a short stream look dear.
"""

from __future__ import annotations

import gc
import json
import time
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import msgspec
from openai.types.responses import ResponseTextDeltaEvent

from stream_events import responses
from tests.bench import hand_written
from tests.bench.clock import Pace, Spread, spread
from tests.bench.goals import GROWTH, KEPT, Row
from tests.bench.workloads import Load, Workloads, as_sent

FEW = 1_000
TAG = "response.output_text.delta"


def rows(workloads: Workloads, pace: Pace, many: int) -> Iterator[Row]:
    """Growth, and retained bytes."""
    few, long = workloads.made("text", FEW), workloads.made("text", many)
    yield Row(
        GROWTH, f"cost of a delta among {many:,} against {FEW:,}", _growth(few, long, pace), "×"
    )
    sent = [as_sent(each) for each in few.payloads if each["type"] == TAG]
    texts = [json.dumps(each) for each in sent]
    makers: dict[str, Callable[[str], object]] = {
        "stream_events": responses.decode,
        "the parsed dict": json.loads,
        "msgspec": msgspec.json.Decoder(hand_written.TextDelta).decode,
        "official client": lambda text: ResponseTextDeltaEvent.construct(**json.loads(text)),
    }
    for name, make in makers.items():
        figure = retained(make, texts)
        what = f"retained by a kept text delta: {name}"
        yield Row(KEPT, what, Spread(figure, figure, figure), "bytes")


def retained(make: Callable[[str], object], texts: list[str]) -> float:
    """Bytes that each value keeps alive, all that it shares with nothing else included."""
    make(texts[0])
    kept: list[Any] = [None] * len(texts)
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for at, text in enumerate(texts):
            kept[at] = make(text)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return (after - before) / len(texts)


def _growth(few: Load, long: Load, pace: Pace) -> Spread:
    """Seconds of a delta in the long stream over those in the short one, which runs as often as makes up for its length."""
    short_deltas, long_deltas = _deltas(few), _deltas(long)
    times = long_deltas // short_deltas
    _seconds(few, short_deltas)
    figures = []
    for _ in range(pace.rounds):
        gc.collect()
        short = sum(_seconds(few, short_deltas) for _ in range(times)) / (times * short_deltas)
        gc.collect()
        figures.append(_seconds(long, long_deltas) / long_deltas / short)
    return spread(figures)


def _deltas(load: Load) -> int:
    return sum(each["type"] == TAG for each in load.payloads)


def _seconds(load: Load, deltas: int) -> float:
    """CPU seconds of the deltas alone: read, added; what stands before them is read before the clock starts."""
    accumulator = responses.Accumulator()
    reader = responses.read(load.each)
    events = iter(reader)
    for event in events:
        accumulator.add(event)
        if event.type == TAG:
            break
    start = time.process_time()
    for event in islice(events, deltas - 1):
        accumulator.add(event)
    return time.process_time() - start
