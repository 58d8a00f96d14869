"""The command `vectors run`.

Reads arguments, asks an implementation, prints or writes what came of it. Never ends with 0 where no case was judged.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from codegen import arguments, output
from codegen.arguments import Commands
from codegen.commands.vectors_choice import add_choice, all_cases, chosen_cases
from codegen.errors import Finding, SpecError

if TYPE_CHECKING:
    from codegen.vectors.judge import Claims
    from codegen.vectors.run import Implementation, Result
    from codegen.vectors.run_cases import Case

FINE, FOUND = 0, 1
TIME_LIMIT = 20.0
"""Seconds for a case with all its cuts (up to 522)."""


def register(parts: Commands) -> None:
    """Add the command to the parser of `vectors`."""
    one = arguments.command(
        parts,
        "run",
        run,
        "run the vectors against an implementation",
        "Start COMMAND, ask it every vector by the runner protocol (generated/vectors/README.md), and judge. The table goes to standard "
        "output, what failed to standard error.",
        [
            "codegen vectors run -- python -m codegen.vectors.ours",
            "codegen vectors run --operation sse -- node my_runner.mjs",
            "codegen vectors run --format junit --output junit.xml -- ./my_runner",
        ],
        "0 all that was judged passed, "
        "1 a case failed, crashed, or passed though listed as known failure, 2 nothing could be judged.",
        json_keys="format, implementation, totals, operations, flags, cases (each with id, operation, flags, result, why, seconds).",
    )
    add_choice(one)
    one.add_argument(
        "--known",
        type=Path,
        metavar="FILE",
        help="known failures: lines `ID  # why`, each with its reason",
    )
    arguments.format_(one, ("text", "json", "junit"))
    arguments.output(one)
    add_time_limit(one)
    one.add_argument(
        "--one-shot",
        action="store_true",
        help="start COMMAND once per cut (whole, and as given) of a case: bytes on standard input, one JSON line per event on standard output",
    )
    one.add_argument("command", nargs="+", metavar="COMMAND", help="after --; how to start it")


def add_time_limit(one: argparse.ArgumentParser) -> None:
    """--time-limit of what runs implementations."""
    one.add_argument(
        "--time-limit",
        type=_seconds,
        default=TIME_LIMIT,
        metavar="SECONDS",
        help="until it has started, and for a case with all its cuts (with --one-shot: for each start); "
        "then it has crashed; default: %(default)s",
    )


def _seconds(text: str) -> float:
    seconds = float(text)
    if not (math.isfinite(seconds) and seconds > 0):
        raise argparse.ArgumentTypeError("a number of seconds above 0")
    return seconds


def run(options: argparse.Namespace) -> int:
    """Run the chosen cases and tell what came of them."""
    from codegen.vectors.harness_signals import ending
    from codegen.vectors.run import BAD
    from codegen.vectors.run_known import read_known, unjudged

    cases = chosen_cases(options)
    known = read_known(options.known, all_cases(options)) if options.known else {}
    implementation = _implementation(options, cases)
    with ending():
        claims, results = _results(options, cases, implementation, known)
    _tell(options, results, claims)
    sys.stderr.writelines(f"{sentence}\n" for sentence in unjudged(known, results))
    if all(result.result == "skipped" for result in results):
        what = f"was judged on none of {len(results)} cases"
        action = f"See why: --format json. The first: {results[0].why}."
        raise SpecError([Finding(claims.implementation, what, action)])
    return FOUND if any(result.result in BAD for result in results) else FINE


def _results(
    options: argparse.Namespace,
    cases: list[Case],
    implementation: Implementation,
    known: dict[str, str],
) -> tuple[Claims, list[Result]]:
    """What the implementation claims and what came of the cases; it is gone then, however this ends."""
    from codegen.vectors.run import run, with_known
    from codegen.vectors.run_cuts import cuts, one_shot_cuts

    ways = one_shot_cuts if options.one_shot else cuts
    try:
        claims = implementation.claims()
        found = run(cases, implementation, claims, options.time_limit, ways)
        return claims, list(with_known(found, known))
    finally:
        implementation.stop()


def _implementation(options: argparse.Namespace, cases: list[Case]) -> Implementation:
    from codegen.vectors.harness import Runner
    from codegen.vectors.harness_oneshot import OneShot
    from codegen.vectors.harness_protocol import read_protocol

    if options.one_shot:
        streams = [case.stream for case in cases if case.stream]
        return OneShot(options.command, streams, options.time_limit)
    return Runner(options.command, read_protocol(options.out / "vectors"), options.time_limit)


def _tell(options: argparse.Namespace, results: list[Result], claims: Claims) -> None:
    from codegen.vectors import run_report
    from codegen.vectors.run_junit import to_junit

    render = {"text": run_report.table, "json": run_report.to_json, "junit": to_junit}
    is_file = options.output not in (None, output.STANDARD)
    if is_file:
        output.write_output(options.output, render[options.format](results, claims))
    if options.format != "text" and not is_file:
        sys.stdout.write(render[options.format](results, claims))
    else:
        output.say(options, run_report.table(results, claims).rstrip("\n"))
    sys.stderr.write(run_report.failures(results))
