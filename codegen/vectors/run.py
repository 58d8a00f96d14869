"""Running vectors against an implementation.

Reads cases and an implementation under test; returns one result per case. Never prints, and never lets a case that
crashed take others along.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from codegen.progress import doing
from codegen.vectors.harness import Crashed, TimedOut
from codegen.vectors.judge import Claims, judge
from codegen.vectors.run_cases import Case
from codegen.vectors.run_cuts import Cut, cuts

BAD = ("failed", "crashed", "unexpected")
"""Results that make a run end with 1."""
PATIENCE = 3
"""How many cases in a row may be too slow."""


class Implementation(Protocol):
    """What is under test: `harness.Runner` or `harness_oneshot.OneShot`."""

    def claims(self) -> Claims:
        """Start it; what it says about itself. Raises SpecError."""

    def ready(self) -> None:
        """Start it where it is gone; raises Crashed."""

    def ask(self, case: Case, pieces: list[bytes], deadline: float) -> dict[str, Any]:
        """Its answer; raises Crashed. deadline: of the case with all its cuts, by time.monotonic()."""

    def stop(self) -> None:
        """End it."""


@dataclass(frozen=True)
class Result:
    """What came of a case.

    result   passed, failed, crashed, skipped; by the list of known failures: known (failed or crashed as listed),
             unexpected (passed though listed)
    why      the first difference, how it crashed, or why it was skipped
    cut      the first way to cut the bytes that did not pass
    label    the alternative that fits, of an acceptable case
    seconds  for all cuts
    late     whether it crashed because it was too slow
    """

    case: Case
    result: str
    why: str = ""
    cut: str = ""
    label: str = ""
    seconds: float = 0.0
    late: bool = False


def run(
    cases: Sequence[Case],
    implementation: Implementation,
    claims: Claims,
    seconds: float,
    ways: Callable[[Case], list[Cut]] = cuts,
) -> Iterator[Result]:
    """One result per case, in order; `seconds` is the limit for a case with all its cuts.

    Cases after PATIENCE in a row that were too slow are not asked: they have crashed.
    """
    late = 0
    for number, case in enumerate(cases):
        doing(f"asking {claims.implementation}", number, len(cases))
        refusal = claims.refusal(case)
        if refusal:
            yield Result(case, "skipped", refusal)
            continue
        if late >= PATIENCE:
            yield Result(case, "crashed", "not asked: no answer in time three times in a row")
            continue
        start = time.monotonic()
        try:
            implementation.ready()
        except Crashed as error:
            yield Result(case, "crashed", str(error), seconds=time.monotonic() - start)
            continue
        start = time.monotonic()
        result = _run_case(case, implementation, claims, ways(case), start + seconds)
        late = late + 1 if result.late else 0
        yield replace(result, seconds=time.monotonic() - start)


def with_known(results: Iterable[Result], known: Mapping[str, str]) -> Iterator[Result]:
    """Results by a list of known failures: id → why it fails."""
    for result in results:
        if result.case.id in known and result.result in ("failed", "crashed"):
            yield replace(result, result="known")
        elif result.case.id in known and result.result == "passed":
            why = "passes, and is on the list of known failures; take it off"
            yield replace(result, result="unexpected", why=why)
        else:
            yield result


def _run_case(
    case: Case,
    implementation: Implementation,
    claims: Claims,
    ways: list[Cut],
    deadline: float,
) -> Result:
    """The alternative must be the same for every cut: what it gives may be chosen, but not by the network."""
    labels: set[str] = set(case.expect)
    for cut in ways:
        try:
            answer = implementation.ask(case, cut.pieces, deadline)
        except Crashed as error:
            late = isinstance(error, TimedOut)
            return Result(case, "crashed", str(error), cut.name, late=late)
        if answer["result"] == "skipped":
            return Result(case, "skipped", str(answer.get("reason", "")), cut.name)
        try:
            fitting, why = judge(case, answer, claims)
        except RecursionError:
            fitting, why = set(), "the answer is nested too deep to be compared"
        if not fitting:
            return Result(case, "failed", why, cut.name)
        if not labels & fitting:
            why = f"gives {sorted(fitting)[0]!r} here, and another alternative for other cuts"
            return Result(case, "failed", why, cut.name)
        labels &= fitting
    return Result(case, "passed", label=sorted(labels)[0] if len(labels) == 1 else "")
