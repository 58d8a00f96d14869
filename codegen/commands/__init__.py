"""The commands, one file each, and the parser of all.

Reads nothing; returns the parser. A new command is a module here with a function `register`, and a place in GROUPS. Never imports what
only the run of a command needs: every start of the program would wait for it.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from types import MappingProxyType, ModuleType

from codegen import VERSION
from codegen.arguments import Help
from codegen.commands import (
    adopt,
    check,
    completion,
    cut,
    diff,
    docs,
    drift,
    generate,
    history,
    lint,
    serve,
    show,
    snapshot,
    vectors,
    vendor,
)

GROUPS: Mapping[str, tuple[ModuleType, ...]] = MappingProxyType(
    {
        "to use the package in a client, proxy or agent": (vendor, show, docs, lint, serve),
        "to maintain the specification": (
            generate,
            check,
            cut,
            adopt,
            snapshot,
            history,
            vectors,
        ),
        "to watch for drift": (drift, diff),
        "for the shell": (completion,),
    }
)
"""What people come for, and the commands for it."""


def parser() -> argparse.ArgumentParser:
    """The parser of the program, with all commands."""
    whole = argparse.ArgumentParser(
        prog="codegen",
        usage="codegen [-h] [--version] [--limit NAME=NUMBER] COMMAND …",
        formatter_class=Help,
        epilog="Each command has --help with examples.\n\nexamples:\n  codegen show responses\n  codegen generate\n"
        "  codegen drift --fail-on any\n\nExit codes: 0 fine, 1 a finding, 2 the input could not be used, 130 interrupted.",
    )
    whole.add_argument("--version", action="version", version=f"codegen {VERSION}")
    whole.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="raise a limit that an error named (repeatable)",
    )
    commands = whole.add_subparsers(
        required=True, metavar="COMMAND", help=argparse.SUPPRESS, prog="codegen"
    )
    parts = ["Typed models for the event streams of LLM APIs, generated from the specification."]
    for title, modules in GROUPS.items():
        first = len(commands.choices)
        for module in modules:
            module.register(commands)
        listed = commands._get_subactions()[first:]
        parts.append("\n".join([f"{title}:", *(f"  {one.dest:<12}{one.help}" for one in listed)]))
    whole.description = "\n\n".join(parts)
    return whole
