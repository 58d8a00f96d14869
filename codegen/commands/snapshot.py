"""The command `snapshot`.

Reads arguments and a side; writes a catalogue snapshot. Never writes over one that has other facts unless told to.
"""

from __future__ import annotations

import argparse

from codegen import arguments, complete, output
from codegen.arguments import Commands

FINE = 0


def register(commands: Commands) -> None:
    """Add the command to the parser."""
    one = arguments.command(
        commands,
        "snapshot",
        run,
        "keep a catalogue to compare with later",
        "Write spec/snapshots/NAME.json: the facts of a catalogue, one a line.",
        [
            "codegen snapshot",
            "codegen snapshot openai-2026-08-21 --of openai.yaml --date 2026-08-21",
        ],
        "0 written, or it was there already; 2 not written.",
        json_keys="path, written (false where the file had these facts), events (their number, by stream).",
    )
    one.add_argument(
        "name", nargs="?", metavar="NAME", help="default: the name of the side, with its day"
    )
    side = one.add_argument(
        "--of", default="spec", metavar="SIDE", help="a side as for diff; default: %(default)s"
    )
    complete.by(side, complete.sides)
    one.add_argument(
        "--date",
        default="",
        metavar="YYYY-MM-DD",
        help="day of the side; default: what its sources or its name say",
    )
    one.add_argument(
        "--force", action="store_true", help="write over a snapshot that has other facts"
    )
    arguments.spec(one)
    arguments.format_(one)


def run(options: argparse.Namespace) -> int:
    """Write a catalogue snapshot."""
    from codegen.sides import read_side
    from codegen.snapshot import overwrite_snapshot, write_snapshot
    from codegen.snapshot_text import OWN

    side = read_side(options.of, options.spec)
    folder = options.spec / "snapshots"
    of = OWN if options.of == "spec" else ""
    write = overwrite_snapshot if options.force else write_snapshot
    path, changed = write(side, folder, options.name, options.date, of)
    numbers = {each.name: len(each.events) for each in side.catalogue.streams}
    if options.format == "json":
        output.print_json({"path": str(path), "written": changed, "events": numbers})
        return FINE
    events = ", ".join(f"{number} of {name}" for name, number in numbers.items())
    told = "written" if changed else "no change"
    output.say(options, f"{path}: {told}, events: {events or 'none'}")
    return FINE
