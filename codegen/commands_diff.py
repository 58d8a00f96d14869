"""The commands `diff`, `snapshot` and `history`.

Reads arguments, calls the stages, prints or writes what they return. Never ends with 0 where a side could not be read.
"""

from __future__ import annotations

import argparse
import datetime
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from codegen.errors import Finding, SpecError
from codegen.kinds import KINDS, LEVELS, at_or_above
from codegen.output import STANDARD, write_output
from codegen.visible import visible

if TYPE_CHECKING:
    from codegen.changes import Comparison

FINE, FOUND = 0, 1
FORMATS = ("text", "json", "markdown", "github", "html", "sarif")


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the commands to the parser."""
    _register_diff(commands)
    _register_snapshot(commands)
    _register_history(commands)


def _register_diff(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    one = commands.add_parser(
        "diff",
        help="tell what changed between two specifications",
        description="Tell what changed between two specifications, by root cause and level. A side is the name or path of a "
        "catalogue snapshot, an OpenAPI document (path, URL, - for standard input; NAME=… says which of ours it is), "
        "git:REV:PATH, sdk or sdk:VERSION (the official client's types), or spec, the working tree, "
        "which alone has our overlays.",
        epilog="example: codegen diff openai-2026-07-15 spec --fail-on dangerous. Exit codes: 0 nothing at or above "
        "--fail-on, 1 findings, 2 a side could not be read.",
    )
    one.set_defaults(run=diff)
    one.add_argument(
        "old",
        nargs="?",
        metavar="OLD",
        help="default: the newest snapshot of the working tree; without one, of a document",
    )
    one.add_argument("new", nargs="?", default="spec", metavar="NEW", help="default: %(default)s")
    one.add_argument(
        "--stream",
        action="append",
        default=[],
        metavar="NAME",
        help="only this stream (repeatable)",
    )
    one.add_argument("--format", choices=FORMATS, default="text", help="default: %(default)s")
    one.add_argument(
        "--fail-on",
        choices=(*LEVELS[:3], "any", "none"),
        default="breaking",
        help="default: %(default)s",
    )
    one.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="write there and print a summary; - is standard output",
    )
    one.add_argument(
        "--list-kinds",
        action="store_true",
        help="print the kinds of change with their levels, and stop",
    )
    one.add_argument(
        "--verbose",
        action="store_true",
        help="as text: below each change its entry for spec/accepted.yaml, where changes that were looked at are accepted",
    )
    _spec(one)


def _register_snapshot(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    one = commands.add_parser(
        "snapshot",
        help="keep a catalogue to compare with later",
        description="Write spec/snapshots/NAME.json: the facts of a catalogue, one a line.",
        epilog="example: codegen snapshot openai-2026-08-21 --of openai.yaml --date 2026-08-21",
    )
    one.set_defaults(run=snapshot)
    one.add_argument(
        "name", nargs="?", metavar="NAME", help="default: the name of the side, with its day"
    )
    one.add_argument(
        "--of", default="spec", metavar="SIDE", help="a side as for diff; default: %(default)s"
    )
    one.add_argument(
        "--date",
        default="",
        metavar="YYYY-MM-DD",
        help="day of the side; default: what its sources or its name say",
    )
    one.add_argument(
        "--force", action="store_true", help="write over a snapshot that has other facts"
    )
    _spec(one)


def _register_history(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    one = commands.add_parser(
        "history",
        help="tell when each event came, changed and went",
        description="Walk snapshots, or the commits of a git repository that touch a document, and write "
        "reference/history.md and history.svg below the output folder.",
        epilog="example: codegen history git:../openai-openapi:openapi.yaml",
    )
    one.set_defaults(run=history)
    one.add_argument("walk", nargs="?", metavar="DIR|git:REPO:PATH", help="default: spec/snapshots")
    one.add_argument(
        "--out", type=Path, default=Path("generated"), metavar="DIR", help="default: %(default)s"
    )
    _spec(one)


def _spec(one: argparse.ArgumentParser) -> None:
    one.add_argument(
        "--spec", type=Path, default=Path("spec"), metavar="DIR", help="default: %(default)s"
    )


def diff(options: argparse.Namespace) -> int:
    """Compare two sides and tell what changed."""
    from codegen.accepted import read_accepted
    from codegen.compare import compare
    from codegen.sides import read_side
    from codegen.snapshot_choice import newest_snapshot

    if options.list_kinds:
        print(kinds_table())
        return FINE
    if options.old == "-" == options.new:
        raise SpecError([Finding("-", "both sides are standard input", "Name another side.")])
    old = newest_snapshot(options.spec) if options.old is None else options.old
    comparison = compare(
        read_side(old, options.spec),
        read_side(options.new, options.spec),
        options.stream,
        read_accepted(options.spec / "accepted.yaml", "diff"),
        datetime.date.today().isoformat(),
    )
    _tell(options, comparison)
    failing = [
        change for change in comparison.changes if at_or_above(change.level, options.fail_on)
    ]
    return FOUND if failing else FINE


def _tell(options: argparse.Namespace, comparison: Comparison) -> None:
    from codegen.accepted import entry_text
    from codegen.report import FORMATS as RENDERERS
    from codegen.report import sarif, text

    is_file = options.output not in (None, STANDARD)
    render: Callable[[Comparison], str] = RENDERERS[options.format]
    if options.format == "text":
        paint = text.coloured if not is_file and is_coloured() else text.plain
        more = entry_text if options.verbose else text.nothing
        render = partial(text.render, paint=paint, more=more)
    elif options.format == "sarif":
        render = partial(sarif.render, spec=options.spec)
    if is_file:
        write_output(options.output, render(comparison))
        print(text.summary(comparison))
    else:
        sys.stdout.write(render(comparison))


def is_coloured() -> bool:
    """Whether standard output is a terminal whose owner wants colours (no-color.org)."""
    return (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )


def kinds_table() -> str:
    """The kinds of change, with their levels where a stream is received and where it is sent."""
    rows = [("kind", "received", "sent", "why")]
    rows += [(kind.id, kind.received, kind.sent, kind.reason) for kind in KINDS.values()]
    widths = [max(len(row[at]) for row in rows) for at in range(3)]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]])
        for row in rows
    )


def snapshot(options: argparse.Namespace) -> int:
    """Write a catalogue snapshot."""
    from codegen.sides import read_side
    from codegen.snapshot import overwrite_snapshot, write_snapshot
    from codegen.snapshot_text import OWN

    side = read_side(options.of, options.spec)
    folder = options.spec / "snapshots"
    of = OWN if options.of == "spec" else ""
    write = overwrite_snapshot if options.force else write_snapshot
    path, changed = write(side, folder, options.name, options.date, of)
    events = ", ".join(f"{len(each.events)} of {each.name}" for each in side.catalogue.streams)
    print(f"{path}: {'written' if changed else 'no change'}, events: {events or 'none'}")
    return FINE


def history(options: argparse.Namespace) -> int:
    """Write when events came, changed and went."""
    from codegen.history import walk, write_history

    found = walk(options.walk or str(options.spec / "snapshots"), options.spec)
    for path in write_history(found, options.out / "reference"):
        print(path)
    for label, reason in found.unreadable:
        print(visible(f"{label} is left out: {reason}"))
    return FINE
