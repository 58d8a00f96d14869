"""A comparison for a terminal.

Reads a `Comparison`; returns text of at most WIDTH columns, coloured by the painter that the caller gives. Never decides
whether there is a terminal.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator

from codegen.changes import Accepted, Comparison
from codegen.kinds import LEVELS
from codegen.report.rows import Row, rows, sentence

WIDTH = 100
COLOURS = {"breaking": "31;1", "dangerous": "33;1", "additive": "32;1", "info": "36;1"}
Painter = Callable[[str, str], str]


def plain(level: str, text: str) -> str:
    """The text as it is."""
    return text


def coloured(level: str, text: str) -> str:
    """The text in the colour of a level (ECMA-48, select graphic rendition)."""
    return f"\x1b[{COLOURS[level]}m{text}\x1b[0m"


def render(comparison: Comparison, paint: Painter = plain) -> str:
    """The comparison, the worst level first."""
    lines = _wrapped(f"{comparison.old} → {comparison.new}", "")
    for level in LEVELS:
        found = [change for change in comparison.changes if change.level == level]
        if found:
            lines += ["", paint(level, f"{level} ({len(found)})")]
            for row in rows(found):
                lines += _row(row, "  ")
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
    return "\n".join([*lines, "", *_wrapped(summary(comparison), "")]) + "\n"


def summary(comparison: Comparison) -> str:
    """All in one sentence: how many changes of each level, and how many edits of spelling."""
    counts = [
        f"{number} {level}"
        for level in LEVELS
        if (number := sum(change.level == level for change in comparison.changes))
    ]
    total = len(comparison.changes)
    text = f"{total} change{'' if total == 1 else 's'}" + (
        f": {', '.join(counts)}" if counts else ""
    )
    if comparison.accepted:
        text += f"; {len(comparison.accepted)} accepted"
    number = comparison.spelling
    schemas = "schema is" if number == 1 else "schemas are"
    return f"{text}; {number} {schemas} only spelled differently."


def _unmatched(entry: Accepted) -> str:
    return f"spec/accepted.yaml: {entry.id} matches no change. Remove it if it is done with."


def _row(row: Row, indent: str) -> Iterator[str]:
    yield from _wrapped(f"{row.sentence}; {row.reach}", indent)
    for inner in row.beneath:
        yield from _wrapped(inner.sentence, indent + "    ")


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + "    ",
        break_on_hyphens=False,
    )
