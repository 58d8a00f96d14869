"""`make bench`: measure everything, print tables, write the page.

Reads the command line; runs each part in turn. Never writes a file with --quick or with --only: the page is of whole runs.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.bench import commands, deltas, end_to_end, framing, growth, page, start
from tests.bench.clock import FULL, QUICK, Pace
from tests.bench.goals import Row
from tests.bench.workloads import ROOT, Workloads

MEASURED = Path(__file__).with_name("measured")
PAGE = ROOT / "generated" / "reference" / "performance.md"
PEERS = "openai anthropic httpx-sse pydantic msgspec cattrs mashumaro".split()

Part = Callable[[Workloads, Pace], Iterator[Row]]


def main() -> int:
    """Run the parts that were asked for."""
    options = _options()
    if options.render:
        return _render()
    size, many = (2_000, 10_000) if options.quick else (10_000, 100_000)
    pace = QUICK if options.quick else FULL
    workloads, rows = Workloads(), []
    load = _load()
    for name, part in _parts(size, many, options.quick).items():
        if not options.only or name in options.only:
            found = list(part(workloads, pace))
            print(page.terminal(found), flush=True)
            rows += found
    missed = [row for row in rows if row.verdict == "missed"]
    print(f"\n{sum(row.goal is not None for row in rows)} goals, {len(missed)} missed")
    if options.quick:
        print("The goals are of a whole run: in short streams the lifecycle events weigh more.")
    if not options.quick and not options.only:
        print(*(f"not measured: {table}: {what}" for table, what in page.absent(rows)), sep="\n")
        _write(rows, size, f"{load} before, {_load()} after")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small streams, few rounds, no generator; writes nothing")  # fmt: skip
    parser.add_argument("--only", action="append", choices=list(_parts(1, 1, False)), help="only this part; writes nothing")  # fmt: skip
    parser.add_argument("--render", action="store_true", help="write the page from what was kept, and measure nothing")  # fmt: skip
    return parser.parse_args()


def _parts(size: int, many: int, quick: bool) -> dict[str, Part]:
    return {
        "end": lambda workloads, pace: end_to_end.rows(workloads, pace, size),
        "deltas": deltas.rows,
        "sse": lambda workloads, pace: framing.rows(workloads, pace, size),
        "growth": lambda workloads, pace: growth.rows(workloads, pace, many),
        "import": start.rows,
        "commands": _quick_commands if quick else commands.rows,
    }


def _quick_commands(workloads: Workloads, pace: Pace) -> Iterator[Row]:
    return commands.quick_rows(workloads)


def _load() -> str:
    """How much else the machine did, as the system tells it."""
    average = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return f"{average} on {os.cpu_count()} cores"


def _write(rows: list[Row], size: int, load: str) -> None:
    about: dict[str, Any] = {
        "python": platform.python_version(),
        "deltas": size,
        "load": load,
        "peers": {name: version(name) for name in PEERS},
    }
    minor = "{}.{}".format(*sys.version_info)
    MEASURED.mkdir(exist_ok=True)
    (MEASURED / f"{minor}.json").write_text(page.kept(rows, about), encoding="utf-8")
    _render()


def _render() -> int:
    PAGE.write_text(page.page(MEASURED), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
