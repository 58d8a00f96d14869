"""Many captures at a glance: one row each, and totals.

Reads results; writes a table. Never colours it where nobody wants that.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Literal, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from codegen.lint.kinds import LEVELS
from codegen.lint.result import Result
from codegen.lint.shown import printable
from codegen.output import is_coloured

WIDTH = 1000
"""Columns where the output is no terminal: enough that nothing is folded."""
WIDE = 140
"""Columns from which on there is room for the most frequent findings."""
STYLES = {"error": "bold red", "warning": "yellow", "info": "cyan"}


def write(results: list[Result], file: TextIO) -> None:
    """The table and the totals."""
    width = None if file.isatty() else WIDTH
    system: Literal["standard"] | None = "standard" if is_coloured(file) else None
    console = Console(
        file=file, width=width, color_system=system, force_terminal=system is not None
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("capture", overflow="fold")
    table.add_column("stream")
    is_wide = console.width >= WIDE
    for name in ("events", "bytes", *LEVELS):
        table.add_column(name, justify="right")
    table.add_column("outcome")
    if is_wide:
        table.add_column("most frequent", overflow="fold")
    folder = _folder(results)
    rows = [*(_row(result, folder) for result in results), _totals(results)]
    for row in rows:
        table.add_row(*(row if is_wide else row[:-1]))
    console.print(table)


def _folder(results: list[Result]) -> str:
    """The folder that all captures are in, with a slash at its end; "" for one capture, or for none in common."""
    paths = [result.capture.path for result in results]
    if len(set(paths)) < 2 or len({os.path.isabs(path) for path in paths}) > 1:
        return ""
    common = os.path.commonpath([os.path.dirname(path) for path in paths])
    return f"{common}/" if common.strip("/") else ""


def _row(result: Result, folder: str) -> list[Text | str]:
    findings = result.findings
    often = ", ".join(f"{id} {count}" for id, count in findings.counts.most_common(3))
    levels = [_number(findings.levels[level], level) for level in LEVELS]
    size = [f"{result.events:,}", f"{result.bytes:,}"]
    name = Text(printable(result.capture.name.removeprefix(folder)))
    return [name, result.stream, *size, *levels, result.outcome, often]


def _totals(results: list[Result]) -> list[Text | str]:
    counts: Counter[str] = Counter()
    for result in results:
        counts.update(result.findings.counts)
    levels = [
        _number(sum(result.findings.levels[level] for result in results), level) for level in LEVELS
    ]
    size = [f"{sum(result.events for result in results):,}", f"{sum(r.bytes for r in results):,}"]
    often = ", ".join(f"{id} {count}" for id, count in counts.most_common(6))
    clean = sum(not result.findings.counts for result in results)
    name = f"{len(results)} captures, {clean} without findings"
    return [name, "", *size, *levels, "", often]


def _number(count: int, level: str) -> Text:
    return Text(f"{count:,}" if count else "", style=STYLES[level])
