"""What a run gave, for people and for programs.

Reads results; returns a table by operation and flag, a list of what failed, and JSON. Never runs anything.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from codegen.vectors.judge import Claims
from codegen.vectors.run import BAD, Result
from codegen.vectors.run_cases import OPERATIONS

RESULT_FORMAT = "stream-events-vectors-result/1"
RESULTS = ("passed", "failed", "crashed", "known", "unexpected", "skipped")
_SHOWN = 20

Counts = dict[str, Counter[str]]


def by_operation(results: Iterable[Result]) -> Counts:
    """Operation → result → how many cases; operations in their order."""
    counts = _counted(results, lambda result: (result.case.operation,))
    return {name: counts[name] for name in OPERATIONS if name in counts}


def by_flag(results: Iterable[Result]) -> Counts:
    """Flag → result → how many cases, by name; a case counts for each of its flags."""
    counts = _counted(results, lambda result: result.case.flags)
    return dict(sorted(counts.items()))


def table(results: Sequence[Result], claims: Claims) -> str:
    """The table: one row per operation, then one per flag."""
    shown = [name for name in RESULTS if any(result.result == name for result in results)]
    rows = [["operation", *shown]] + _rows(by_operation(results), shown)
    rows.append(["all", *_numbers(Counter(result.result for result in results), shown)])
    flags = _rows(by_flag(results), shown)
    if flags:
        rows += [[""] * (len(shown) + 1), ["flag", *shown], *flags]
    title = " ".join(filter(None, (claims.implementation, claims.version, claims.language)))
    return "\n".join([title, "", *_aligned(rows)]) + "\n"


def failures(results: Iterable[Result], most: int = _SHOWN) -> str:
    """What a person looks at next: each bad case with its first difference; at most so many."""
    bad = [result for result in results if result.result in BAD]
    lines = []
    for result in bad[:most]:
        cut = f" ({result.cut})" if result.cut else ""
        lines.append(f"{result.result} {result.case.id}{cut}: {result.why}")
    if len(bad) > most:
        lines.append(f"and {len(bad) - most} more; --format json has them all")
    return "".join(line + "\n" for line in lines)


def to_json(results: Sequence[Result], claims: Claims) -> str:
    """The whole run as JSON text."""
    about = {
        "name": claims.implementation,
        "version": claims.version,
        "language": claims.language,
        "asserts": sorted(claims.asserts),
        "blurs": sorted(claims.blurs),
    }
    value = {
        "format": RESULT_FORMAT,
        "implementation": about,
        "totals": dict(Counter(result.result for result in results)),
        "operations": by_operation(results),
        "flags": by_flag(results),
        "cases": [_case(result) for result in results],
    }
    return json.dumps(value, indent=1, ensure_ascii=True) + "\n"


def _case(result: Result) -> dict[str, Any]:
    case = result.case
    row: dict[str, Any] = {"id": case.id, "operation": case.operation}
    if case.stream:
        row["stream"] = case.stream
    row |= {"flags": list(case.flags), "result": result.result}
    row |= {
        name: text
        for name, text in (("why", result.why), ("cut", result.cut), ("label", result.label))
        if text
    }
    return row | {"seconds": round(result.seconds, 4)}


def _counted(results: Iterable[Result], keys: Callable[[Result], Iterable[str]]) -> Counts:
    counts: Counts = {}
    for result in results:
        for key in keys(result):
            counts.setdefault(key, Counter())[result.result] += 1
    return counts


def _rows(counts: Counts, shown: Sequence[str]) -> list[list[str]]:
    return [[name, *_numbers(count, shown)] for name, count in counts.items()]


def _numbers(count: Counter[str], shown: Sequence[str]) -> list[str]:
    return [str(count[name]) if count[name] else "·" for name in shown]


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        lines.append("  ".join(cells).rstrip())
    return lines
