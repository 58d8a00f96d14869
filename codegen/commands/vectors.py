"""The commands `vectors run`, `list`, `check` and `conformance`.

Reads arguments, calls what is in `codegen.vectors`, prints or writes what it returns. Never changes a vector.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from codegen import arguments, output
from codegen.arguments import Commands, Help
from codegen.commands import vectors_run
from codegen.commands.vectors_choice import add_choice, all_cases, chosen_cases

FINE, FOUND = 0, 1


def register(commands: Commands) -> None:
    """Add the commands to the parser."""
    vectors = commands.add_parser(
        "vectors",
        help="run, list and check the test vectors",
        description="The test vectors of generated/vectors, which any language can run. Each command has its own --help.",
        epilog="examples:\n  codegen vectors list --stream chat\n  codegen vectors run -- python -m codegen.vectors.ours",
        formatter_class=Help,
    )
    parts = vectors.add_subparsers(required=True, metavar="COMMAND", title="commands")
    vectors_run.register(parts)
    _register_list(parts)
    _register_check(parts)
    _register_conformance(parts)


def _register_list(parts: Commands) -> None:
    one = arguments.command(
        parts,
        "list",
        list_,
        "print the cases: id, operation, stream, verdict, flags",
        "Print the chosen cases, one a line: id, operation, stream, verdict and flags, with tabs between them.",
        ["codegen vectors list", "codegen vectors list --operation accumulate --stream responses"],
        json_keys="cases (each with id, operation, stream, verdict, flags).",
    )
    add_choice(one)
    arguments.format_(one)


def _register_check(parts: Commands) -> None:
    one = arguments.command(
        parts,
        "check",
        check,
        "tell whether the vectors are in their format and complete",
        "Tell what is wrong with the vectors as files: form, schema, ids, flags, index, coverage.",
        ["codegen vectors check"],
        "0 nothing is wrong, 1 findings, 2 there are no vectors.",
        json_keys="cases (their number), findings (each with where, what, action).",
    )
    arguments.out_to_read(one)
    arguments.format_(one)


def _register_conformance(parts: Commands) -> None:
    one = arguments.command(
        parts,
        "conformance",
        conformance,
        "run several implementations and write the table of their scores",
        "Run every implementation of a list over all vectors and write generated/reference/conformance.md. The list is JSON: "
        "[{name, command}]; {python} in a command is this interpreter, {here} the list's folder.",
        ["codegen vectors conformance tests/runners/peers.json"],
        "0 written, 2 an implementation could not be started.",
        json_keys="path.",
    )
    arguments.out(one)
    arguments.format_(one)
    vectors_run.add_time_limit(one)
    one.add_argument("peers", type=Path, metavar="FILE", help="the list of implementations")


def list_(options: argparse.Namespace) -> int:
    """Print the chosen cases, one a line."""
    cases = chosen_cases(options)
    if options.format == "json":
        names = ("id", "operation", "stream", "verdict", "flags")
        rows = [{name: getattr(case, name) for name in names} for case in cases]
        output.print_json({"cases": rows})
        return FINE
    for case in cases:
        flags = ",".join(case.flags) or "-"
        print("\t".join((case.id, case.operation, case.stream or "-", case.verdict, flags)))
    return FINE


def check(options: argparse.Namespace) -> int:
    """Tell what is wrong with the vectors as files."""
    from codegen.vectors.check import check as findings_of

    folder = options.out / "vectors"
    findings = findings_of(folder)
    number = 0 if findings else len(all_cases(options))
    if options.format == "json":
        output.print_json({"cases": number, "findings": [vars(finding) for finding in findings]})
        return FOUND if findings else FINE
    for finding in findings:
        print(finding)
    if findings:
        return FOUND
    output.say(options, f"{folder}: {number} cases, nothing to remark")
    return FINE


def conformance(options: argparse.Namespace) -> int:
    """Run each implementation of the list over all cases and write the table."""
    from codegen.sources import replace_file
    from codegen.vectors import run_conformance
    from codegen.vectors.harness_protocol import read_protocol
    from codegen.vectors.harness_signals import ending

    peers = run_conformance.read_peers(options.peers)
    protocol = read_protocol(options.out / "vectors")
    with ending():
        text = run_conformance.conformance(peers, all_cases(options), protocol, options.time_limit)
    path = options.out / "reference" / "conformance.md"
    replace_file(path, text.encode())
    if options.format == "json":
        output.print_json({"path": str(path)})
    else:
        output.say(options, str(path))
    return FINE
