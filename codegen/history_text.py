"""A history as Markdown.

Reads a `Walk`; returns Markdown with tables. Never holds the day on which it was written, and never lets a
name of a document become markup.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.history_steps import Life, Step, Walk
from codegen.kinds import LEVELS
from codegen.report.markdown import code, escaped
from codegen.report.rows import rows

_EVENTS = (
    "event-added",
    "event-removed",
    "event-renamed",
    "event-moved",
    "stream-added",
    "stream-removed",
)


def render(walk: Walk) -> str:
    """The page: the picture, events per stream and step, what happened at each step, the life of each event."""
    streams = sorted({name for step in walk.steps for name in step.counts})
    lines = [
        "# History of the event streams",
        "",
        "Written by `codegen history` from upstream documents and the official client; a snapshot of spec/ itself is no step.",
        "A stream that a step does not have is marked with a dot.",
        "",
        "![Events per stream over time](history.svg)",
        "",
        "## Events per stream",
        "",
        *_table(["step", *streams], (_counts(step, streams) for step in walk.steps)),
        "",
        "## What changed",
        "",
        *_table(["step", *LEVELS, "events"], (_levels(step) for step in walk.steps[1:])),
    ]
    for stream in streams:
        lives = sorted(
            (life for life in walk.lives if life.stream == stream), key=lambda life: life.tag
        )
        lines += ["", f"## {stream}", ""]
        lines += _table(["event", "came", "changed", "went"], map(_life, lives))
    if walk.unreadable:
        lines += ["", "## Left out, because it cannot be read", ""]
        lines += [f"- {escaped(label)}: {escaped(reason)}" for label, reason in walk.unreadable]
    return "\n".join(lines) + "\n"


def _table(heads: list[str], found: Iterator[list[str]] | map[list[str]]) -> list[str]:
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    return lines + ["| " + " | ".join(row) + " |" for row in found]


def _counts(step: Step, streams: list[str]) -> list[str]:
    return [escaped(step.label), *(str(step.counts.get(name, "·")) for name in streams)]


def _levels(step: Step) -> list[str]:
    levels = [change.level for change in step.changes]
    events = [change for change in step.changes if change.kind in _EVENTS]
    told = "; ".join(row.sentence for row in rows(events))
    return [escaped(step.label), *(str(levels.count(level)) for level in LEVELS), escaped(told)]


def _life(life: Life) -> list[str]:
    came = escaped(life.came) + (f", was {_code(life.before)}" if life.before else "")
    went = escaped(life.went) + (f", now {_code(life.after)}" if life.after else "")
    return [_code(life.tag), came, "; ".join(_changed(life)), went]


def _code(text: str) -> str:
    """A code span in a cell, which a bar would end even there (GitHub Flavored Markdown, section 4.10)."""
    return code(text).replace("|", "\\|")


def _changed(life: Life) -> Iterator[str]:
    """Each step at which the event changed, with the number of changes of each level."""
    for label, changes in life.changed.items():
        levels = [change.level for change in changes]
        counts = [f"{levels.count(level)} {level}" for level in LEVELS if level in levels]
        yield f"{escaped(label)} ({', '.join(counts)})"
