"""The goals, and whether a figure meets its goal.

Reads figures by their keys; returns verdicts. Never measures, and never has a goal without saying in what it is counted.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.bench.clock import Spread


class Goal(NamedTuple):
    """At most (or at least) so much."""

    limit: float
    least: str = "at most"

    def is_met(self, figure: float) -> bool:
        """Whether a figure is within the goal."""
        return figure <= self.limit if self.least == "at most" else figure >= self.limit

    def __str__(self) -> str:
        return f"{'≤' if self.least == 'at most' else '≥'} {self.limit:g}"


class Row(NamedTuple):
    """One line of a table: the table it is in, what was measured (which is the key of its goal), the figure and its unit."""

    table: str
    what: str
    figure: Spread
    unit: str

    @property
    def goal(self) -> Goal | None:
        """The goal of the line; None where there is none."""
        return GOALS.get((self.table, self.what))

    @property
    def verdict(self) -> str:
        """met, missed, or nothing where there is no goal."""
        goal = self.goal
        if goal is None:
            return ""
        return "met" if goal.is_met(self.figure.median) else "missed"


E2E = "End to end: {}, {}"
EACH, WINDOWS = "one event a chunk", "16 KB chunks"
TEXT, CHAT, MIXED, SHORT, IMAGES = "text", "chat", "mixed", "short, 10 tools", "images, 1 MB"
MESSAGES = "messages"
OURS = "stream_events: read, accumulate, final"
CREATE, STREAMED = "official client, create(stream=True)", "official client, stream()"
FASTER = " (times slower than ours)"
DECODE, ENCODE = "Decoding one payload", "Encoding one event"
SSE, GROWTH, KEPT = "The SSE decoder alone", "Growth and memory", "Growth and memory"
START, COMMANDS = "Import", "The generator"


def end_to_end(load: str, chunking: str) -> str:
    """The name of an end-to-end table."""
    return E2E.format(load, chunking)


def _faster() -> dict[tuple[str, str], Goal]:
    """The official clients are so many times slower, on everything but images."""
    goals = {}
    for load in (TEXT, CHAT, MIXED, SHORT, MESSAGES):
        for chunking in (EACH, WINDOWS):
            goals[end_to_end(load, chunking), CREATE + FASTER] = Goal(20, "at least")
            goals[end_to_end(load, chunking), STREAMED + FASTER] = Goal(30, "at least")
    return goals


GOALS: dict[tuple[str, str], Goal] = {
    (end_to_end(TEXT, EACH), OURS): Goal(1.25),
    (end_to_end(TEXT, WINDOWS), OURS): Goal(0.95),
    (end_to_end(CHAT, EACH), OURS): Goal(1.5),
    (end_to_end(SHORT, EACH), OURS): Goal(1.5),
    (end_to_end(IMAGES, EACH), OURS): Goal(1.15),
    **_faster(),
    (DECODE, "text delta: stream_events"): Goal(0.30),
    (ENCODE, "text delta: stream_events"): Goal(0.30),
    (SSE, "text, one event a chunk: stream_events"): Goal(0.55),
    (SSE, "text, 16 KB chunks: stream_events"): Goal(0.30),
    (SSE, "1 MB lines in 1,400-byte chunks, with JSON: stream_events"): Goal(1.6),
    (GROWTH, "cost of a delta among 100,000 against 1,000"): Goal(1.1),
    (KEPT, "retained by a kept text delta: stream_events"): Goal(450),
    (START, "stream_events.responses"): Goal(60),
    (START, "openai, times stream_events.responses"): Goal(15, "at least"),
    (START, "the first lifecycle event after the import"): Goal(150),
    (COMMANDS, "generate, little changed"): Goal(10),
    (COMMANDS, "generate, cold"): Goal(20),
    (COMMANDS, "our own part of generate (without formatting and annotations)"): Goal(1.5),
    (COMMANDS, "text of stream_events without beta_responses"): Goal(10_000),
    (COMMANDS, "cut of the whole YAML document, against the C loader"): Goal(1.2),
    (COMMANDS, "lint of a capture of 100 MB"): Goal(20, "at least"),
    (COMMANDS, "memory of lint at 100 MB against 10 MB"): Goal(1.1),
}
"""(table, line) → goal."""
