"""The command `history`.

Reads arguments, walks, writes the pages. Never passes over a step that could not be read.
"""

from __future__ import annotations

import argparse

from codegen import arguments, output
from codegen.arguments import Commands
from codegen.visible import visible

FINE = 0


def register(commands: Commands) -> None:
    """Add the command to the parser."""
    one = arguments.command(
        commands,
        "history",
        run,
        "tell when each event came, changed and went",
        "Walk snapshots, or the commits of a git repository that touch a document, and write "
        "reference/history.md and history.svg below the output folder.",
        ["codegen history", "codegen history git:../openai-openapi:openapi.yaml"],
        "0 written, 2 no step could be read.",
        json_keys="paths, unreadable (steps that are left out, each with label and reason).",
    )
    one.add_argument("walk", nargs="?", metavar="DIR|git:REPO:PATH", help="default: spec/snapshots")
    arguments.spec_to_read(one)
    arguments.out(one)
    arguments.format_(one)


def run(options: argparse.Namespace) -> int:
    """Write when events came, changed and went."""
    from codegen.history import walk, write_history

    found = walk(options.walk or str(options.spec / "snapshots"), options.spec)
    paths = write_history(found, options.out / "reference")
    if options.format == "json":
        unreadable = [{"label": label, "reason": reason} for label, reason in found.unreadable]
        output.print_json({"paths": paths, "unreadable": unreadable})
        return FINE
    output.say(options, "\n".join(paths))
    for label, reason in found.unreadable:
        print(visible(f"{label} is left out: {reason}"))
    return FINE
