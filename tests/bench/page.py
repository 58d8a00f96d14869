"""The tables, for a terminal and for generated/reference/performance.md.

Reads rows, and what earlier runs kept of theirs; returns text. Never promises a time: what is not a ratio is said to be of
the machine that measured it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.bench.clock import Spread
from tests.bench.goals import EACH, GOALS, WINDOWS, Row

ENDS = "End to end: "
HEAD = """# How fast it is

Written by `make bench`: the package, its peers and the generator, measured side by side in one run, taken in turn, as CPU
time. A figure is the median of the rounds, with the middle half of them in brackets. Ratios carry over to other machines,
more or less; seconds, milliseconds and MB/s are those of the machine that measured, and no promise.

RAW is the least that a reader of a stream does: the whole body split at blank lines, and `json.loads` of each payload. It
looks at no chunks, no event lines, no tags, and makes no types.

The streams are made by `codegen/scenarios/workload.py` from a fixed seed: text (with ten function tools in the lifecycle
events), mixed (reasoning, parallel calls, an MCP call, a web search, text), chat and messages of {size:,} deltas each, a short
answer of 30, and an image with previews of 1 MB. Recorded streams are measured where they lie beside the checkout.

"One event a chunk" has each event arrive alone; the official clients get the same chunks from a transport in their own
process. Peers that are typed by hand or untyped do less than this package: they keep no unknown properties, check nothing,
and some accumulate nothing.
"""


def kept(rows: Iterable[Row], about: dict[str, Any]) -> str:
    """What a run leaves for the page, as JSON."""
    lines = [
        [row.table, row.what, *(round(each, 4) for each in row.figure), row.unit] for row in rows
    ]
    text = ",\n    ".join(json.dumps(line, ensure_ascii=False) for line in lines)
    head = ",\n  ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in about.items())
    return f'{{\n  {head},\n  "rows": [\n    {text}\n  ]\n}}\n'


def page(folder: Path) -> str:
    """The page of all runs that were kept, one for each version of Python."""
    runs = [json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.json")]
    runs.sort(key=lambda run: [int(part) for part in run["python"].split(".")])
    size = max((run["deltas"] for run in runs), default=0)
    return "\n".join([HEAD.format(size=size), *(_run(run) for run in runs)])


def _run(run: dict[str, Any]) -> str:
    rows = rows_of(run)
    peers = ", ".join(f"{name} {version}" for name, version in run["peers"].items())
    parts = [
        f"## Python {run['python']}\n",
        f"Peers: {peers}.",
        f"Load: {run['load']}.\n",
        "### Goals\n",
        *_goals(rows),
    ]
    for chunking in (EACH, WINDOWS):
        parts += [f"\n### End to end, {chunking}, against RAW\n", *_matrix(rows, chunking)]
    for table in dict.fromkeys(row.table for row in rows if not row.table.startswith(ENDS)):
        parts += [f"\n### {table}\n", "| what | measured | |", "|---|---|---|"]
        parts += [
            f"| {row.what} | {shown(row.figure)} | {row.unit} |"
            for row in rows
            if row.table == table
        ]
    return "\n".join(parts) + "\n"


def _matrix(rows: list[Row], chunking: str) -> list[str]:
    """One line for each contestant, one column for each load."""
    cells = {
        (row.what, row.table.removeprefix(ENDS).removesuffix(f", {chunking}")): shown(row.figure)
        for row in rows
        if row.table.startswith(ENDS) and row.table.endswith(f", {chunking}")
    }
    loads = list(dict.fromkeys(load for _, load in cells))
    lines = [f"| | {' | '.join(loads)} |", "|---" * (len(loads) + 1) + "|"]
    for what in dict.fromkeys(what for what, _ in cells):
        lines.append(f"| {what} | {' | '.join(cells.get((what, load), '') for load in loads)} |")
    return lines


def rows_of(run: dict[str, Any]) -> list[Row]:
    """The rows of a run that was kept."""
    return [Row(table, what, Spread(*figures), unit) for table, what, *figures, unit in run["rows"]]


def _goals(rows: list[Row]) -> list[str]:
    lines = [
        f"| {row.table}: {row.what} | {row.goal} | {shown(row.figure)} {row.unit} | {_strong(row.verdict)} |"
        for row in rows
        if row.goal is not None
    ]
    lines += [
        f"| {table}: {what} | {GOALS[table, what]} | | not measured |"
        for table, what in absent(rows)
    ]
    return ["| what | goal | measured | |", "|---|---|---|---|", *lines]


def absent(rows: list[Row]) -> list[tuple[str, str]]:
    """The goals that no row answers."""
    measured = {(row.table, row.what) for row in rows}
    return [key for key in GOALS if key not in measured]


def _strong(verdict: str) -> str:
    return f"**{verdict}**" if verdict == "missed" else verdict


def shown(figure: Spread) -> str:
    """A median, and the middle half where there was more than one figure: `0.36 (0.35 … 0.38)`."""
    if figure.low == figure.high:
        return number(figure.median)
    return f"{number(figure.median)} ({number(figure.low)} … {number(figure.high)})"


def number(value: float) -> str:
    """Three digits that matter."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def terminal(rows: list[Row]) -> str:
    """All tables as plain text, the lines with goals marked."""
    lines = []
    for table in dict.fromkeys(row.table for row in rows):
        lines.append(f"\n{table}")
        for row in (each for each in rows if each.table == table):
            goal = f"goal {row.goal}: {row.verdict}" if row.goal is not None else ""
            lines.append(f"  {row.what:<72}{shown(row.figure):>24} {row.unit:<24}{goal}".rstrip())
    return "\n".join(lines)
