"""The commands `vectors run`, `list`, `check` and `conformance`.

Reads arguments, calls what is in `codegen.vectors`, prints or writes what it returns. Never ends with 0 where no case was
judged.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from codegen.errors import Finding, SpecError

if TYPE_CHECKING:
    from codegen.vectors.judge import Claims
    from codegen.vectors.run import Implementation, Result
    from codegen.vectors.run_cases import Case

FINE, FOUND = 0, 1
TIME_LIMIT = 20.0
"""Seconds for a case with all its cuts (up to 522)."""


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the commands to the parser."""
    vectors = commands.add_parser(
        "vectors",
        help="run, list and check the test vectors",
        description="The test vectors of generated/vectors, which any language can run.",
        epilog="example: codegen vectors run -- node my_runner.mjs",
    )
    parts = vectors.add_subparsers(required=True, metavar="COMMAND")
    _register_run(parts)
    one = parts.add_parser("list", help="print the cases: id, operation, stream, verdict, flags")
    one.set_defaults(run=list_command)
    _choices(one)
    one = parts.add_parser(
        "check", help="tell whether the vectors are in their format and complete"
    )
    one.set_defaults(run=check_command)
    _folders(one)
    one = parts.add_parser(
        "conformance",
        help="run several implementations and write the table of their scores",
        description="Run every implementation of a list over all vectors and write generated/reference/conformance.md.",
        epilog="The list is JSON: [{name, command}]; {python} in a command is this interpreter, {here} the list's folder.",
    )
    one.set_defaults(run=conformance_command)
    _folders(one)
    _time_limit(one)
    one.add_argument("peers", type=Path, metavar="FILE", help="the list of implementations")


def _register_run(parts: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    one = parts.add_parser(
        "run",
        help="run the vectors against an implementation",
        description="Start COMMAND, ask it every vector by the runner protocol (generated/vectors/README.md), and judge.",
        epilog="example: codegen vectors run --operation sse -- node runner.mjs. Exit codes: 0 all that was judged passed, "
        "1 a case failed, crashed, or passed though listed as known failure, 2 nothing could be judged.",
    )
    one.set_defaults(run=run_command)
    _choices(one)
    one.add_argument(
        "--known",
        type=Path,
        metavar="FILE",
        help="known failures: lines `ID  # why`, each with its reason",
    )
    one.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML there")
    one.add_argument("--json", type=Path, metavar="FILE", help="write the results there")
    _time_limit(one)
    one.add_argument(
        "--one-shot",
        action="store_true",
        help="start COMMAND once per cut (whole, and as given) of a case: bytes on standard input, one JSON line per event on standard output",
    )
    one.add_argument("command", nargs="+", metavar="COMMAND", help="after --; how to start it")


def run_command(options: argparse.Namespace) -> int:
    """Run the chosen cases and tell what came of them."""
    from codegen.vectors import run_report
    from codegen.vectors.harness_signals import ending
    from codegen.vectors.run import BAD
    from codegen.vectors.run_known import read_known, unjudged

    cases = _chosen(options)
    known = read_known(options.known, _all(options)) if options.known else {}
    implementation = _implementation(options, cases)
    with ending():
        claims, results = _results(options, cases, implementation, known)
    _write(options, results, claims)
    sys.stdout.write(run_report.table(results, claims))
    sys.stderr.write(run_report.failures(results))
    sys.stderr.writelines(f"{sentence}\n" for sentence in unjudged(known, results))
    if all(result.result == "skipped" for result in results):
        what = f"was judged on none of {len(results)} cases"
        action = f"See why: --json FILE. The first: {results[0].why}."
        raise SpecError([Finding(claims.implementation, what, action)])
    return FOUND if any(result.result in BAD for result in results) else FINE


def list_command(options: argparse.Namespace) -> int:
    """Print the chosen cases, one a line."""
    for case in _chosen(options):
        flags = ",".join(case.flags) or "-"
        print("\t".join((case.id, case.operation, case.stream or "-", case.verdict, flags)))
    return FINE


def check_command(options: argparse.Namespace) -> int:
    """Tell what is wrong with the vectors as files."""
    from codegen.vectors.check import check

    findings = check(options.out / "vectors")
    for finding in findings:
        print(finding)
    if findings:
        return FOUND
    print(f"{options.out / 'vectors'}: {len(_all(options))} cases, nothing to remark")
    return FINE


def conformance_command(options: argparse.Namespace) -> int:
    """Run each implementation of the list over all cases and write the table."""
    from codegen.sources import replace_file
    from codegen.vectors.harness_protocol import read_protocol
    from codegen.vectors.harness_signals import ending
    from codegen.vectors.run_conformance import conformance, read_peers

    peers = read_peers(options.peers)
    protocol = read_protocol(options.out / "vectors")
    with ending():
        text = conformance(peers, _all(options), protocol, options.time_limit)
    path = options.out / "reference" / "conformance.md"
    replace_file(path, text.encode())
    print(path)
    return FINE


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


def _write(options: argparse.Namespace, results: list[Result], claims: Claims) -> None:
    from codegen.output import write_output
    from codegen.vectors.run_junit import to_junit
    from codegen.vectors.run_report import to_json

    for path, render in ((options.junit, to_junit), (options.json, to_json)):
        if path:
            write_output(path, render(results, claims))


def _all(options: argparse.Namespace) -> list[Case]:
    from codegen.vectors.run_cases import read_cases

    return read_cases(options.out / "vectors")


def _chosen(options: argparse.Namespace) -> list[Case]:
    from codegen.vectors.run_cases import chosen

    return chosen(_all(options), options.operation, options.stream, options.case)


def _choices(one: argparse.ArgumentParser) -> None:
    _folders(one)
    for name, metavar in (("operation", "NAME"), ("stream", "NAME"), ("case", "ID")):
        one.add_argument(
            f"--{name}",
            action="append",
            default=[],
            metavar=metavar,
            help=f"only this {name} (repeatable)",
        )


def _folders(one: argparse.ArgumentParser) -> None:
    one.add_argument(
        "--out", type=Path, default=Path("generated"), metavar="DIR", help="default: %(default)s"
    )


def _time_limit(one: argparse.ArgumentParser) -> None:
    one.add_argument(
        "--time-limit",
        type=_seconds,
        default=TIME_LIMIT,
        metavar="S",
        help="seconds until it has started, and for a case with all its cuts (with --one-shot: for each start); "
        "then it has crashed; default: %(default)s",
    )


def _seconds(text: str) -> float:
    seconds = float(text)
    if not (math.isfinite(seconds) and seconds > 0):
        raise argparse.ArgumentTypeError("a number of seconds above 0")
    return seconds
