"""The command `adopt`.

Reads arguments, calls `adopt`, prints what it returns. Never decides which difference is right: that is the reader's of the overlay.
"""

from __future__ import annotations

import argparse
import datetime
from pathlib import Path

from codegen.visible import visible

FINE = 0


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    one = commands.add_parser(
        "adopt",
        help="turn differences from the official client into an overlay",
        description="Write spec/overlays/NAME.yaml, which makes the specification say what the official client says. Read it, "
        "remove what is not right, and commit it.",
        epilog="example: codegen adopt --stream responses --name 16-client-events. Exit codes: 0 written, or there was nothing to adopt; 2 not written.",
    )
    one.set_defaults(run=adopt_command)
    one.add_argument(
        "--from",
        dest="side",
        default="sdk",
        metavar="SIDE",
        help="sdk (installed), sdk:VERSION, sdk:newest or a snapshot of one; default: %(default)s",
    )
    one.add_argument(
        "--stream",
        action="append",
        default=[],
        metavar="NAME",
        help="only what reaches this stream (repeatable)",
    )
    one.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="ID",
        help="only the change with this id (repeatable), even if it undoes an overlay; codegen diff spec sdk --format json has them",
    )
    one.add_argument("--name", required=True, metavar="NN-why", help="name of the overlay")
    one.add_argument(
        "--spec", type=Path, default=Path("spec"), metavar="DIR", help="default: %(default)s"
    )


def adopt_command(options: argparse.Namespace) -> int:
    """Write the overlay and tell what it takes over, and what not."""
    from codegen.adopt import adopt
    from codegen.documents import shown
    from codegen.sides import read_side

    side = read_side(options.side, options.spec)
    today = datetime.date.today().isoformat()
    done = adopt(options.spec, side, options.name, options.stream, options.only, today)
    for change in done.adopted:
        print(visible(change.id))
    for change in done.along:
        print(visible(f"{change.id} (went with them)"))
    if done.actions:
        print(f"{shown(done.path)}: {done.actions} actions for {len(done.adopted)} changes")
    else:
        more = f", {done.accepted} changes are accepted" if done.accepted else ""
        print(f"{options.spec}: there is nothing to adopt{more}")
    if done.ours:
        number = len(done.ours)
        are, them = ("change is", "it") if number == 1 else ("changes are", "them")
        listed = f"codegen diff spec {options.side} lists {them}, --only ID takes one"
        print(f"{number} {are} left out, which would undo an overlay; {listed}")
    for finding in done.todo:
        print(f"next: {finding}")
    return FINE
