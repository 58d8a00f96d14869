"""The command `adopt`.

Reads arguments, calls `adopt`, prints what it returns. Never decides which difference is right: that is the reader's of the overlay.
"""

from __future__ import annotations

import argparse
import datetime
from typing import TYPE_CHECKING, Any

from codegen import arguments, complete, output
from codegen.arguments import Commands
from codegen.installed import require_here
from codegen.visible import visible

if TYPE_CHECKING:
    from codegen.adopt import Adopted

FINE = 0


def register(commands: Commands) -> None:
    """Add the command to the parser."""
    one = arguments.command(
        commands,
        "adopt",
        run,
        "turn differences from the official client into an overlay",
        "Write spec/overlays/NAME.yaml, which makes the specification say what the official client says. Read it, "
        "remove what is not right, and commit it.",
        [
            "codegen adopt --name 16-client-events --stream responses",
            "codegen adopt --name 17-client --from openai-client-3.57.0",
        ],
        "0 written, or there was nothing to adopt; 2 not written.",
        json_keys="path, actions (their number), adopted and along (ids of changes; those of along went with the others), left_out (ids of "
        "changes that would undo an overlay), accepted (number of changes), next (what is to be done, each with where, what, action).",
    )
    side = one.add_argument(
        "--from",
        dest="side",
        default="sdk",
        metavar="SIDE",
        help="sdk (installed), sdk:VERSION, sdk:newest or a snapshot of one; default: %(default)s",
    )
    complete.by(side, complete.sides)
    arguments.streams(one, "only what reaches this stream (repeatable)")
    one.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="ID",
        help="only the change with this id (repeatable), even if it undoes an overlay; codegen diff spec sdk --format json has them",
    )
    one.add_argument("--name", required=True, metavar="NN-why", help="name of the overlay")
    arguments.spec_to_read(one)
    arguments.format_(one)


def run(options: argparse.Namespace) -> int:
    """Write the overlay and tell what it takes over, and what not."""
    from codegen.adopt import adopt
    from codegen.load import read_fragments
    from codegen.sides import read_side

    require_here(options.spec, "adopt")
    read_fragments(
        options.spec / "fragments"
    )  # a wrong folder is told before a side is missed in it
    side = read_side(options.side, options.spec)
    today = datetime.date.today().isoformat()
    done = adopt(options.spec, side, options.name, options.stream, options.only, today)
    if options.format == "json":
        output.print_json(_value(done))
    else:
        _tell(options, done)
    return FINE


def _value(done: Adopted) -> dict[str, Any]:
    return {
        "path": str(done.path),
        "actions": done.actions,
        "adopted": [change.id for change in done.adopted],
        "along": [change.id for change in done.along],
        "left_out": [change.id for change in done.ours],
        "accepted": done.accepted,
        "next": [vars(finding) for finding in done.todo],
    }


def _tell(options: argparse.Namespace, done: Adopted) -> None:
    from codegen.documents import shown

    for change in done.adopted:
        output.say(options, visible(change.id))
    for change in done.along:
        output.say(options, visible(f"{change.id} (went with them)"))
    if done.actions:
        told = f"{shown(done.path)}: {done.actions} actions for {len(done.adopted)} changes"
    else:
        more = f", {done.accepted} changes are accepted" if done.accepted else ""
        told = f"{options.spec}: there is nothing to adopt{more}"
    output.say(options, told)
    if done.ours:
        number = len(done.ours)
        are, them = ("change is", "it") if number == 1 else ("changes are", "them")
        listed = f"codegen diff spec {options.side} lists {them}, --only ID takes one"
        print(f"{number} {are} left out, which would undo an overlay; {listed}")
    for finding in done.todo:
        print(f"next: {finding}")
