"""The command `generate`.

Reads arguments, runs the stages, prints what changed. Never decides anything about a specification.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codegen import arguments, output
from codegen.arguments import Commands
from codegen.errors import Finding, SpecError
from codegen.pipeline import Clock, emitted, resolved

if TYPE_CHECKING:
    from codegen.catalogue import Catalogue

FINE = 0


def register(commands: Commands) -> None:
    """Add the command to the parser."""
    one = arguments.command(
        commands,
        "generate",
        run,
        "write the package, the catalogue and all else",
        "Write what the specification gives: the package, the catalogue, the vectors. Prints a table of the streams with what "
        "changed; a second run changes nothing and says so.",
        [
            "codegen generate",
            "codegen generate --stream chat --out /tmp/only-chat",
            "codegen generate --document openai=openapi.yaml --docs",
        ],
        json_keys="files (their number), changed (paths), streams (each with name, direction, events, models), "
        "warnings (each with where, what, action), notes (their number), seconds (by stage).",
    )
    arguments.spec_to_read(one)
    arguments.out(one)
    arguments.streams(one)
    one.add_argument(
        "--document",
        action="append",
        default=[],
        metavar="NAME=PATH",
        help="a whole document (path or URL) in place of the cut (repeatable)",
    )
    one.add_argument(
        "--docs",
        action="store_true",
        help="put the document's prose into docstrings (needs --document)",
    )
    one.add_argument("--timings", action="store_true", help="print the seconds of each stage")
    arguments.format_(one)


def run(options: argparse.Namespace) -> int:
    """Write generated/ and tell what changed."""
    from codegen.files import write
    from codegen.review import review, unruled

    clock = Clock()
    specification, catalogue = resolved(options, clock)
    files = emitted(catalogue, options, clock)
    if options.stream:
        _require_no_others(files, options.out)
    with clock.stage("write"):
        changed = write(files, options.out)
    notes = len(review(specification, catalogue))
    warnings = unruled(specification, catalogue)
    for warning in warnings:
        print(f"warning: {warning}", file=sys.stderr)
    if options.format == "json":
        output.print_json(_value(catalogue, len(files), changed, warnings, notes, clock))
        return FINE
    output.say(options, _told(catalogue, len(files), changed, notes))
    if options.timings:
        print(clock)
    return FINE


def _told(catalogue: Catalogue, files: int, changed: list[str], notes: int) -> str:
    from codegen import show

    what = f"{len(changed)} changed" if changed else "no file changed"
    lines = [show.streams(catalogue, changed), f"{files} files, {what}"]
    if notes:
        lines.append(f"{notes} notes on the specification: codegen show --notes")
    return "\n".join(lines)


def _value(
    catalogue: Catalogue,
    files: int,
    changed: list[str],
    warnings: list[Finding],
    notes: int,
    clock: Clock,
) -> dict[str, Any]:
    from codegen import show

    return {
        "files": files,
        "changed": changed,
        "streams": show.stream_values(catalogue),
        "warnings": [vars(warning) for warning in warnings],
        "notes": notes,
        "seconds": {name: round(seconds, 3) for name, seconds in clock.stages.items()},
    }


def _require_no_others(files: dict[str, str], out: Path) -> None:
    """Refuse to let some streams take the place of all."""
    from codegen.files import check

    lost = [path for path in check(files, out) if path not in files]
    if lost:
        what = f"holds {len(lost)} files of other streams, such as {lost[0]}, which --stream would remove"
        raise SpecError([Finding(str(out), what, "Name another --out.")])
