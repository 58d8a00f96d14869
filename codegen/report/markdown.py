"""A comparison as Markdown, for a job summary or an issue.

Reads a `Comparison`; returns GitHub-flavoured Markdown. Never lets a name of a document become markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from codegen.changes import Comparison
from codegen.kinds import LEVELS
from codegen.report.rows import Row, rows, sentence
from codegen.report.text import HOW, summary
from codegen.visible import visible

_SIGNS = {"breaking": "🔴", "dangerous": "🟠", "additive": "🟢", "info": "🔵"}
LIMIT = 60_000
"""Characters; an issue of GitHub takes 65,536."""


def render(comparison: Comparison) -> str:
    """A heading, a summary, and a list per level."""
    lines = [f"## {code(comparison.old)} → {code(comparison.new)}", "", summary(comparison)]
    if comparison.notice:
        lines += ["", escaped(comparison.notice)]
    every = rows(comparison.changes)
    for level in LEVELS:
        found = [row for row in every if row.level == level]
        if found:
            lines += ["", f"### {_SIGNS[level]} {level} ({len(found)})", ""]
            lines += _items(found, "")
    if comparison.accepted:
        lines += ["", f"### accepted ({len(comparison.accepted)})", ""]
        for change, entry in comparison.accepted:
            until = f", until {entry.until}" if entry.until else ""
            reason = f"{entry.reason} (for {entry.who}{until})"
            lines.append(f"- {escaped(sentence(change))}: {escaped(reason)}")
    for entry in comparison.expired:
        lines += ["", f"Accepted until {entry.until}, no longer: {code(entry.id)}"]
    for entry in comparison.unmatched:
        lines += ["", f"Accepted, and matches no change: {code(entry.id)}"]
    if comparison.changes:
        lines += ["", HOW]
    return _cut("\n".join(lines) + "\n")


def escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    text = re.sub(r"[\\`*_\[\]<>|#~&!]", r"\\\g<0>", visible(text))
    text = re.sub(r":(?=//)|(?<=\bwww)\.", r"\\\g<0>", text)  # or it becomes a link
    text = re.sub(r"\\#(?=[0-9])", "\\#\u200b", text)  # or GitHub links the issue of that number,
    return text.replace("@", "@\u200b")  # and tells the person of that name


def _items(found: Iterable[Row], indent: str) -> list[str]:
    lines = []
    for row in found:
        where = f"; {escaped(row.reach)}" if not indent else ""
        lines.append(f"{indent}- {escaped(row.sentence)}{where}")
        lines += _items(row.beneath, indent + "  ")
    return lines


def code(text: str) -> str:
    """A code span with more backticks around it than any that it holds (CommonMark, section 6.1)."""
    text = visible(text)
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    space = " " if text[:1] in ("`", " ") or text[-1:] in ("`", " ") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _cut(text: str) -> str:
    if len(text) <= LIMIT:
        return text
    kept = text[:LIMIT].rpartition("\n")[0]
    return f"{kept}\n\nThe rest does not fit here: run `codegen diff`.\n"
