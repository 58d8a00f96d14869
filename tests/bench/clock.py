"""CPU time of several ways to do the same, taken in turn.

Reads functions; returns how long each took in each round, and ratios between two of the same round. Never compares times of
different rounds: what slows the machine down for a while slows both sides of a ratio.
"""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

Times = dict[str, dict[int, float]]
"""Name → round → seconds of CPU time of one run."""


class Spread(NamedTuple):
    """The median of some figures, and between what the middle half of them lies."""

    median: float
    low: float
    high: float


class Pace(NamedTuple):
    """How long to measure: rounds, rounds for what is slow, and the CPU seconds that one measurement lasts at least."""

    rounds: int
    slow_rounds: int
    least: float


QUICK = Pace(3, 1, 0.004)
FULL = Pace(7, 2, 0.03)


def interleaved(
    runs: Mapping[str, Callable[[], object]], pace: Pace, slow: frozenset[str] = frozenset()
) -> Times:
    """The seconds of each run in each round; the first of a round is another one each time.

    Everything runs once before it is measured, save what is slow. Short runs are repeated. Collections of garbage count, as
    they do for a user, but not the walk through what this program holds.
    """
    _set_aside()
    repeats = {name: 1 if name in slow else _repeats(run, pace.least) for name, run in runs.items()}
    _set_aside()
    names = list(runs)
    times: Times = {name: {} for name in names}
    for turn in range(pace.rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            if name not in slow or turn < pace.slow_rounds:
                times[name][turn] = _seconds(runs[name], repeats[name])
    return times


def _set_aside() -> None:
    """Keep collections from walking through what is there already."""
    gc.collect()
    gc.freeze()


def ratios(times: Times, reference: str) -> dict[str, Spread]:
    """Each against the reference, round by round."""
    base = times[reference]
    return {
        name: spread([seconds / base[turn] for turn, seconds in rounds.items()])
        for name, rounds in times.items()
    }


def spread(figures: list[float]) -> Spread:
    """Median and middle half; of less than four figures the smallest and the largest."""
    middle = statistics.median(figures)
    if len(figures) < 4:
        return Spread(middle, min(figures), max(figures))
    low, _, high = statistics.quantiles(figures, n=4, method="inclusive")
    return Spread(middle, low, high)


def _repeats(run: Callable[[], object], least: float) -> int:
    run()
    return max(1, math.ceil(least / max(_seconds(run, 1), 1e-6)))


def _seconds(run: Callable[[], object], repeats: int) -> float:
    gc.collect()
    start = time.process_time()
    for _ in range(repeats):
        run()
    return (time.process_time() - start) / repeats
