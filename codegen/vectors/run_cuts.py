"""The ways to cut the bytes of a case into pieces.

Reads bytes; returns lists of pieces that join to them. Never depends on anything but the case: the random cuts are seeded
with its id.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

from codegen.vectors.run_cases import FRAMED, Case

MAX_SPLIT = 512
"""Bytes up to which every split in two is tried."""
MAX_SINGLE = 64 * 1024
"""Bytes up to which a body is given byte by byte: each byte is a string of its own in the question."""
RANDOM = 8
_MAX_PIECES = 12
WHOLE, GIVEN = "whole", "as given"
"""The names of the two cuts that a command of one shot gets, too."""


class Cut(NamedTuple):
    """One way to cut: what to call it, and the pieces."""

    name: str
    pieces: list[bytes]


def cuts(case: Case) -> list[Cut]:
    """Every cut of a framed case, the whole first; one with no pieces for other operations. None comes twice."""
    if case.operation not in FRAMED:
        return [Cut("", [])]
    seen: set[tuple[bytes, ...]] = set()
    found = []
    for cut in _all(case):
        if tuple(cut.pieces) not in seen:
            seen.add(tuple(cut.pieces))
            found.append(cut)
    return found


def one_shot_cuts(case: Case) -> list[Cut]:
    """The whole, and what the case asks for: for a command that is started anew for each cut."""
    return [cut for cut in cuts(case) if cut.name in (WHOLE, GIVEN) or not cut.pieces]


def _all(case: Case) -> Iterator[Cut]:
    body = case.body()
    size = len(body)
    yield Cut(WHOLE, [body])
    if case.lengths():
        ends = list(accumulate(case.lengths()))
        yield Cut(GIVEN, _at(body, [end for end in ends if end < size]))
    if size <= MAX_SPLIT:
        for end in range(1, size):
            yield Cut(f"split at byte {end}", _at(body, [end]))
    if size <= MAX_SINGLE:
        yield Cut("byte by byte", _at(body, list(range(1, size))))
    for number in range(RANDOM if size > 1 else 0):
        pick = random.Random(f"{case.id}/{number}")
        most = min(size - 1, _MAX_PIECES)
        count = pick.randint(min(2, most), most)
        yield Cut(f"random {number}", _at(body, sorted(pick.sample(range(1, size), count))))


def _at(body: bytes, ends: list[int]) -> list[bytes]:
    return [body[start:end] for start, end in pairwise([0, *ends, len(body)])]
