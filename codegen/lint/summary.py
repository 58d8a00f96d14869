"""Many captures at a glance: one row each, and totals.

Reads results; writes a table, and on a terminal a progress bar while they are made. Never writes the bar where nobody sees
it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn
from rich.table import Table
from rich.text import Text

from codegen.lint.kinds import LEVELS
from codegen.lint.result import Result
from codegen.lint.shown import printable

WIDTH = 1000
"""Columns where the output is no terminal: enough that nothing is folded."""
WIDE = 140
"""Columns from which on there is room for the most frequent findings."""
STYLES = {"error": "bold red", "warning": "yellow", "info": "cyan"}


@contextmanager
def progress(total: int, file: TextIO) -> Iterator[Callable[[int], None]]:
    """Gives a function that takes how many bytes were read. `total` is 0 where it is not known."""
    console = Console(file=file)
    if not console.is_terminal:
        yield lambda count: None
        return
    columns = (TextColumn("checking"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("checking", total=total or None)
        yield lambda count: bar.advance(task, count)


def write(results: list[Result], file: TextIO) -> None:
    """The table and the totals."""
    console = Console(file=file)
    if not console.is_terminal:
        console = Console(file=file, width=WIDTH, color_system=None)
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
