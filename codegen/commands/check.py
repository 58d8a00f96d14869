"""The command `check`.

Reads arguments, runs the stages, prints which files differ. Never writes.
"""

from __future__ import annotations

import argparse

from codegen import arguments, output
from codegen.arguments import Commands
from codegen.errors import Finding, SpecError
from codegen.pipeline import Clock, emitted, resolved

FINE, FOUND = 0, 1


def register(commands: Commands) -> None:
    """Add the command to the parser."""
    one = arguments.command(
        commands,
        "check",
        run,
        "tell whether generated/ is what spec/ gives",
        "Tell which files are not what the specification gives, and which tags have no rule. Writes nothing; for CI.",
        ["codegen check", "codegen check --quiet"],
        "0 all is as it should be, 1 a file differs or a tag has no rule, 2 the specification could not be used.",
        json_keys="differing (paths), unruled (tags without a rule, each with where, what, action).",
    )
    arguments.spec_to_read(one)
    arguments.out(one)
    arguments.format_(one)


def run(options: argparse.Namespace) -> int:
    """Tell which files of generated/ are not what spec/ gives."""
    from codegen.files import check
    from codegen.review import unruled

    if not options.out.exists():
        action = "Run: codegen generate, or name the right --out."
        raise SpecError([Finding(str(options.out), "the folder does not exist", action)])
    clock = Clock()
    specification, catalogue = resolved(options, clock)
    differing = check(emitted(catalogue, options, clock), options.out)
    notes = unruled(specification, catalogue)
    code = FOUND if differing or notes else FINE
    if options.format == "json":
        output.print_json({"differing": differing, "unruled": [vars(note) for note in notes]})
        return code
    for path in differing:
        where = options.out / path
        print(f"{where}: differs from what {options.spec} gives. Run: codegen generate")
    for note in notes:
        print(note)
    if code == FINE:
        output.say(options, f"{options.out} is what {options.spec} gives")
    return code
