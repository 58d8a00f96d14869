"""The command `diff`.

Reads arguments, calls the stages, prints or writes what they return. Never ends with 0 where a side could not be read.
"""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from codegen import arguments, complete, output
from codegen.arguments import Commands
from codegen.errors import Finding, SpecError
from codegen.kinds import FAIL_ON, KINDS, at_or_above

if TYPE_CHECKING:
    from codegen.changes import Comparison

FINE, FOUND = 0, 1


def register(commands: Commands) -> None:
    """Add the command to the parser."""
    one = arguments.command(
        commands,
        "diff",
        run,
        "tell what changed between two specifications",
        "Tell what changed between two specifications, by root cause and level. A side is the name or path of a "
        "catalogue snapshot, an OpenAPI document (path, URL, - for standard input; NAME=… says which of ours it is), "
        "git:REV:PATH, sdk or sdk:VERSION (the official client's types), or spec, the working tree, "
        "which alone has our overlays. --verbose adds to each change its entry for spec/accepted.yaml, where changes that were looked "
        "at are accepted.",
        [
            "codegen diff",
            "codegen diff openai-2026-07-15 spec --fail-on dangerous",
            "codegen diff openai-2026-07-15 openai-2026-08-21 --format markdown --output changes.md",
            "codegen diff --list-kinds",
        ],
        "0 nothing at or above --fail-on, 1 findings, 2 a side could not be read.",
        json_keys="by codegen/changes.schema.json: format, old, new, notice, summary, rows, spelling, changes, accepted, unmatched, "
        "expired.",
    )
    old = one.add_argument(
        "old",
        nargs="?",
        metavar="OLD",
        help="default: the newest snapshot of the working tree; without one, of a document",
    )
    new = one.add_argument(
        "new", nargs="?", default="spec", metavar="NEW", help="default: %(default)s"
    )
    for side in (old, new):
        complete.by(side, complete.sides)
    arguments.streams(one)
    arguments.format_(one, arguments.REPORTS)
    arguments.fail_on(one, FAIL_ON, "breaking")
    arguments.output(one)
    one.add_argument(
        "--list-kinds",
        action="store_true",
        help="print the kinds of change with their levels, and stop",
    )
    arguments.spec_to_read(one)


def run(options: argparse.Namespace) -> int:
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

    is_file = options.output not in (None, output.STANDARD)
    render: Callable[[Comparison], str] = RENDERERS[options.format]
    if options.format == "text":
        paint = text.coloured if not is_file and output.is_coloured() else text.plain
        more = entry_text if options.verbose else text.nothing
        render = partial(text.render, paint=paint, more=more)
    elif options.format == "sarif":
        render = partial(sarif.render, spec=options.spec)
    if is_file:
        output.write_output(options.output, render(comparison))
        output.say(options, text.summary(comparison))
    elif options.format != "text" or comparison.asks or not options.quiet:
        sys.stdout.write(render(comparison))


def kinds_table() -> str:
    """The kinds of change, with their levels where a stream is received and where it is sent."""
    rows = [("kind", "received", "sent", "why")]
    rows += [(kind.id, kind.received, kind.sent, kind.reason) for kind in KINDS.values()]
    widths = [max(len(row[at]) for row in rows) for at in range(3)]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]])
        for row in rows
    )
