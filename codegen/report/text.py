"""A comparison for a terminal.

Reads a `Comparison`; returns text of at most WIDTH columns, coloured by the painter that the caller gives. Never decides
whether there is a terminal, and never lets a name of a document command it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator

from codegen.changes import Accepted, Change, Comparison
from codegen.kinds import LEVELS
from codegen.report.rows import Row, counts, rows, sentence
from codegen.visible import visible

WIDTH = 100
COLOURS = {"breaking": "31;1", "dangerous": "33;1", "additive": "32;1", "info": "36;1"}
Painter = Callable[[str, str], str]
More = Callable[[Change], str]
HOW = "To accept a change, put its entry into spec/accepted.yaml; --verbose prints them."


def plain(level: str, text: str) -> str:
    """The text as it is."""
    return text


def coloured(level: str, text: str) -> str:
    """The text in the colour of a level (ECMA-48, select graphic rendition)."""
    return f"\x1b[{COLOURS[level]}m{text}\x1b[0m"


def nothing(change: Change) -> str:
    """What is told of a change besides its sentence: nothing."""
    return ""


def render(comparison: Comparison, paint: Painter = plain, more: More = nothing) -> str:
    """The comparison, the worst level first; below each row what `more` says of its changes, not wrapped."""
    lines = [*_wrapped(comparison.notice, ""), ""] if comparison.notice else []
    lines += _wrapped(f"{comparison.old} → {comparison.new}", "")
    every = rows(comparison.changes)
    for level in LEVELS:
        found = [row for row in every if row.level == level]
        if found:
            lines += ["", paint(level, f"{level} ({len(found)})")]
            for row in found:
                lines += _row(row, "  ")
                lines += [
                    f"      {visible(line)}"
                    for change in row.changes
                    for line in more(change).splitlines()
                ]
    if comparison.accepted:
        lines += ["", f"accepted ({len(comparison.accepted)})"]
        for change, entry in comparison.accepted:
            until = f" until {entry.until}" if entry.until else ""
            text = f"{sentence(change)}: {entry.reason} (for {entry.who}{until})"
            lines += _wrapped(text, "  ")
    for entry in comparison.expired:
        lines += ["", *_wrapped(f"accepted until {entry.until}, no longer: {entry.id}", "")]
    for entry in comparison.unmatched:
        lines += ["", *_wrapped(_unmatched(entry), "")]
    if comparison.changes and more is nothing:
        lines += ["", *_wrapped(HOW, "")]
    lines += ["", *_wrapped(summary(comparison), "")]
    return "\n".join(lines) + "\n"


def summary(comparison: Comparison) -> str:
    """All in one sentence: how many changes of each level, as rows, and how many edits of spelling."""
    numbers = counts(comparison.changes)
    parts = [f"{number} {level}" for level, number in numbers.items() if number]
    total = sum(numbers.values())
    text = f"{total} change{'' if total == 1 else 's'}" + (f": {', '.join(parts)}" if parts else "")
    if comparison.accepted:
        text += f"; {len(comparison.accepted)} accepted"
    number = comparison.spelling
    schemas = "schema is" if number == 1 else "schemas are"
    return f"{text}; {number} {schemas} only spelled differently."


def _unmatched(entry: Accepted) -> str:
    what = f"spec/accepted.yaml: {entry.id} matches no change, or one that reaches further than its events."
    return f"{what} Remove it if it is done with."


def _row(row: Row, indent: str) -> Iterator[str]:
    yield from _wrapped(f"{row.sentence}; {row.reach}", indent)
    yield from _beneath(row, indent + "    ")


def _beneath(row: Row, indent: str) -> Iterator[str]:
    for inner in row.beneath:
        yield from _wrapped(f"{inner.level}: {inner.sentence}", indent)
        yield from _beneath(inner, indent + "    ")


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        visible(text),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "    ",
        break_on_hyphens=False,
    )
