"""A comparison as Markdown, for a job summary or an issue.

Reads a `Comparison`; returns GitHub-flavoured Markdown. Never lets a name of a document become markup.
"""

from __future__ import annotations

from collections.abc import Iterable

from codegen.changes import Comparison
from codegen.kinds import LEVELS
from codegen.report.rows import Row, rows, sentence
from codegen.report.text import summary

_SIGNS = {"breaking": "🔴", "dangerous": "🟠", "additive": "🟢", "info": "🔵"}
LIMIT = 60_000
"""Characters; an issue of GitHub takes 65,536."""


def render(comparison: Comparison) -> str:
    """A heading, a summary, and a list per level."""
    lines = [f"## {_code(comparison.old)} → {_code(comparison.new)}", "", summary(comparison)]
    for level in LEVELS:
        found = [change for change in comparison.changes if change.level == level]
        if found:
            lines += ["", f"### {_SIGNS[level]} {level} ({len(found)})", ""]
            lines += _items(rows(found), "")
    if comparison.accepted:
        lines += ["", f"### accepted ({len(comparison.accepted)})", ""]
        for change, entry in comparison.accepted:
            until = f", until {entry.until}" if entry.until else ""
            reason = f"{entry.reason} (for {entry.who}{until})"
            lines.append(f"- {escaped(sentence(change))}: {escaped(reason)}")
    for entry in comparison.expired:
        lines += ["", f"Accepted until {entry.until}, no longer: {_code(entry.id)}"]
    for entry in comparison.unmatched:
        lines += ["", f"Accepted, and matches no change: {_code(entry.id)}"]
    return _cut("\n".join(lines) + "\n")


def escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    for sign in "\\`*_[]<>|#":
        text = text.replace(sign, "\\" + sign)
    return text.replace("@", "@\u200b")  # or GitHub tells the person of that name


def _items(found: Iterable[Row], indent: str) -> list[str]:
    lines = []
    for row in found:
        where = f"; {escaped(row.reach)}" if not indent else ""
        lines.append(f"{indent}- {escaped(row.sentence)}{where}")
        lines += _items(row.beneath, indent + "  ")
    return lines


def _code(text: str) -> str:
    return "`" + text.replace("`", "'") + "`"


def _cut(text: str) -> str:
    if len(text) <= LIMIT:
        return text
    kept = text[:LIMIT].rpartition("\n")[0]
    return f"{kept}\n\nThe rest does not fit here: run `codegen diff`.\n"
