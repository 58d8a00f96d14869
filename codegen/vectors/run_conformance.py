"""Several implementations over the same vectors, as one page.

Reads a list of commands; returns Markdown with the score of each by operation and by flag. Never puts in a time or a path,
so that the page changes only where a score does.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from codegen.errors import Finding, SpecError
from codegen.vectors import run_report
from codegen.vectors.harness import Runner
from codegen.vectors.harness_protocol import Protocol
from codegen.vectors.judge import Claims
from codegen.vectors.run import Result, run
from codegen.vectors.run_cases import Case

_INTRODUCTION = """# Conformance

Each implementation below ran all test vectors through `codegen vectors run`. A cell is passed / judged: what an
implementation does not claim is not judged (·), and what it cannot tell apart by its nature (blurs) is not held against
it. A case passes when every way to cut its bytes gives the same right answer. The first one is this package, which made
many of the expectations, so its score shows that it agrees with itself; the others are judged by the same rules, without
being asked what they set out to do.
"""


@dataclass(frozen=True)
class Peer:
    """An implementation to run."""

    name: str
    command: tuple[str, ...]


@dataclass(frozen=True)
class Score:
    """What came of a peer."""

    peer: Peer
    claims: Claims
    results: tuple[Result, ...]


def read_peers(path: Path) -> list[Peer]:
    """The list of a JSON file: [{"name", "command": [...]}]. SpecError where it is none."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        fills = {"{python}": sys.executable, "{here}": str(path.resolve().parent)}
        return [
            Peer(row["name"], tuple(_filled(part, fills) for part in row["command"]))
            for row in rows
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"is no list of implementations ({error!r})"
        raise SpecError([Finding(str(path), what, "Write [{name, command}].")]) from error


def conformance(
    peers: Sequence[Peer], cases: Sequence[Case], protocol: Protocol, seconds: float
) -> str:
    """Run all peers; the page. SpecError where one cannot be started: a page without it would say too little."""
    return page([_score(peer, cases, protocol, seconds) for peer in peers])


def page(scores: Sequence[Score]) -> str:
    """The page."""
    parts = [_INTRODUCTION, _about(scores)]
    parts += ["## By operation\n", _table("operation", scores, run_report.by_operation)]
    parts += ["## By flag\n", _table("flag", scores, run_report.by_flag)]
    lonely = alone(scores)
    if lonely:
        parts.append(_alone(lonely))
    return "\n".join(parts)


def alone(scores: Sequence[Score]) -> list[Case]:
    """Cases that the first implementation passes and every other one that was judged fails, if at least two were."""
    first, *others = scores
    judged: dict[str, list[str]] = {}
    for score in others:
        for result in score.results:
            if result.result != "skipped":
                judged.setdefault(result.case.id, []).append(result.result)
    return [
        result.case
        for result in first.results
        if result.result == "passed"
        and len(judged.get(result.case.id, [])) > 1
        and "passed" not in judged[result.case.id]
    ]


def _score(peer: Peer, cases: Sequence[Case], protocol: Protocol, seconds: float) -> Score:
    runner = Runner(peer.command, protocol, seconds)
    try:
        claims = runner.claims()
        return Score(peer, claims, tuple(run(cases, runner, claims, seconds)))
    finally:
        runner.stop()


def _filled(text: str, fills: dict[str, str]) -> str:
    for mark, fill in fills.items():
        text = text.replace(mark, fill)
    return text


def _about(scores: Sequence[Score]) -> str:
    rows = [["implementation", "version", "language", "claims", "blurs"]]
    for score in scores:
        claims = score.claims
        names = [", ".join(sorted(some)) or "·" for some in (claims.asserts, claims.blurs)]
        rows.append([score.peer.name, claims.version, claims.language, *names])
    return _markdown(rows)


def _table(
    name: str,
    scores: Sequence[Score],
    counted: Callable[[Sequence[Result]], run_report.Counts],
) -> str:
    columns = [counted(score.results) for score in scores]
    keys = list(dict.fromkeys(key for column in columns for key in column))
    rows = [[name, *(score.peer.name for score in scores)]]
    for key in keys:
        rows.append([key, *(_cell(column.get(key, Counter())) for column in columns)])
    return _markdown(rows)


def _cell(count: Counter[str]) -> str:
    judged = sum(number for result, number in count.items() if result != "skipped")
    return f"{count['passed']} / {judged}" if judged else "·"


def _alone(cases: Sequence[Case]) -> str:
    lines = [
        "## Where the first stands alone\n",
        "Cases that it passes and every other one that was judged (at least two) fails, with their flags. The first difference of"
        " each: `codegen vectors run --case ID -- COMMAND`.\n",
    ]
    lines += [f"- `{case.id}` ({', '.join(case.flags)})" for case in cases]
    return "\n".join(lines) + "\n"


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    cells.insert(1, ["---", *["---"] * (len(rows[0]) - 1)])
    return "".join("| " + " | ".join(row) + " |\n" for row in cells)
