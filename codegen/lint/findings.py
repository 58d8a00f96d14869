"""Findings of one capture, in order, and how many there were.

Reads findings as they are made; keeps the first of each sort and counts all. Never grows with the length of a stream.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from codegen.lint.kinds import KINDS, LEVELS, Level

MAX_SAME = 20
"""How many findings of one id, tag and path (indexes aside) are kept; the others are only counted."""
MAX_KEPT = 5000
"""How many findings of one capture are kept in all."""
MAX_MESSAGE = 240
"""Characters of a message; of a longer one the begin and the end are kept."""
MAX_PLACES = 6
"""Event numbers that a group of findings names after its first."""
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Finding:
    """One thing that a stream did that it should not have.

    event     number of the event, from 1; 0 for what is about the stream as a whole
    sequence  the event's sequence number, where it has one
    line      line of the capture at which the event begins, from 1; 0 where it is not known
    path      place in the payload or in the snapshot
    lane      lane of a WebSocket
    hint      what is right just there, as a sentence; "" where only the kind says it
    """

    id: str
    level: Level
    message: str
    event: int = 0
    sequence: int | None = None
    tag: str | None = None
    path: str = ""
    line: int = 0
    lane: str | None = None
    stream: str = ""
    hint: str = ""

    @property
    def source(self) -> str:
        """Where the rule stands."""
        return KINDS[self.id].source.replace("{stream}", self.stream)

    @property
    def right(self) -> str:
        """What a right stream has there."""
        return f"{KINDS[self.id].right} {self.hint}".rstrip()

    @property
    def sort(self) -> tuple[str, str]:
        """The id, and the path without indexes: what findings of one sort share."""
        return self.id, _NUMBER.sub("", self.path)[:200]

    @property
    def place(self) -> str:
        """Which event of the stream it is about, in words."""
        if not self.event:
            return "the stream"
        number = "" if self.sequence is None else f" (number {self.sequence})"
        return f"event {self.event}{number}"


class Findings:
    """The findings of one capture. `kept` holds the first ones, `counts` says how many there were of each id."""

    def __init__(self) -> None:
        self.kept: list[Finding] = []
        self.counts: Counter[str] = Counter()
        self.levels: Counter[Level] = Counter()
        self._same: Counter[tuple[str, str, str | None]] = Counter()

    def add(self, finding: Finding) -> bool:
        """Count a finding; whether it is kept too."""
        self.counts[finding.id] += 1
        self.levels[finding.level] += 1
        same = (*finding.sort, finding.tag)
        if len(self._same) < MAX_KEPT or same in self._same:
            self._same[same] += 1
        is_kept = 0 < self._same[same] <= MAX_SAME and len(self.kept) < MAX_KEPT
        if is_kept:
            self.kept.append(finding)
        return is_kept

    @property
    def further(self) -> int:
        """How many findings are only counted."""
        return self.counts.total() - len(self.kept)

    @property
    def worst(self) -> Level | None:
        """The worst level; None where there is no finding."""
        return next((level for level in LEVELS if self.levels[level]), None)


def shortened(message: str) -> str:
    """A message with its begin and its end, where it is too long."""
    if len(message) <= MAX_MESSAGE:
        return message
    half = MAX_MESSAGE // 2
    return f"{message[:half]} … {message[-half:]}"


def grouped(findings: list[Finding]) -> list[list[Finding]]:
    """Findings of one sort and level together, the worst first."""
    groups: dict[tuple[Level, tuple[str, str]], list[Finding]] = {}
    for level in LEVELS:
        for finding in findings:
            if finding.level == level:
                groups.setdefault((level, finding.sort), []).append(finding)
    return list(groups.values())


def further(group: list[Finding]) -> str:
    """Where the findings of a group are after the first one, in words; "" where there is one only."""
    if len(group) == 1:
        return ""
    places = ", ".join(str(each.event) for each in group[1 : MAX_PLACES + 1])
    dots = ", …" if len(group) > MAX_PLACES + 1 else ""
    return f"and {len(group) - 1} more, at events {places}{dots}"
