"""A comparison as annotations of a GitHub workflow.

Reads a `Comparison`; returns workflow commands, one a line. Never lets a text of a document start a command of its own.
"""

from __future__ import annotations

from codegen.changes import Comparison
from codegen.report.rows import rows, sentence
from codegen.report.text import summary
from codegen.visible import visible

COMMANDS = {"breaking": "error", "dangerous": "warning", "additive": "notice", "info": "notice"}


def render(comparison: Comparison) -> str:
    """One annotation per row, one for each change that is accepted, and one for each entry that is done with; before them the notice."""
    lines = [
        f"::{COMMANDS[row.level]} title={_property(f'{row.level}: {row.changes[0].kind}')}::"
        + _message(f"{row.sentence}; {row.reach}")
        for row in rows(comparison.changes)
    ]
    if comparison.notice:
        lines.insert(0, f"::notice title=overlays::{_message(comparison.notice)}")
    for change, entry in comparison.accepted:
        told = f"{sentence(change)}: {entry.reason} (for {entry.who})"
        lines.append(f"::notice title=accepted::{_message(told)}")
    for entry in comparison.expired:
        lines.append(f"::warning title=accepted::{_message(f'no longer accepted: {entry.id}')}")
    for entry in comparison.unmatched:
        lines.append(f"::notice title=accepted::{_message(f'matches no change: {entry.id}')}")
    return "\n".join([*lines, _message(summary(comparison))]) + "\n"


def _message(text: str) -> str:
    """As the toolkit of GitHub's actions escapes a message (`command.ts`, escapeData); lines are spelled out already."""
    return visible(text).replace("%", "%25")


def _property(text: str) -> str:
    """As the toolkit escapes a property (escapeProperty)."""
    return _message(text).replace(":", "%3A").replace(",", "%2C")
