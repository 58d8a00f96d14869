"""The command `cut`.

Reads arguments, calls the cutting, prints what was written. Never decides what a cut keeps.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import redirect_stdout
from pathlib import Path

from codegen import arguments, output
from codegen.arguments import Commands

FINE = 0


def register(commands: Commands) -> None:
    """Add the command to the parser."""
    one = arguments.command(
        commands,
        "cut",
        run,
        "keep the facts of an upstream document",
        "Write the structural cut of an OpenAPI document, without its prose, and record in spec/sources.yaml where it came from. "
        "What is kept is what the roots that our fragments name are made of.",
        [
            "codegen cut openapi.yaml --name openai --date 2026-08-21",
            "curl -s https://example.org/openapi.yaml | codegen cut - --name openai",
        ],
        "0 written, 2 the document could not be used, and nothing was written.",
        json_keys="path, schemas (their number).",
    )
    one.add_argument("document", metavar="DOCUMENT", help="a path, a URL, or - for standard input")
    one.add_argument(
        "--name", required=True, help="name of the document; the fragments name its roots"
    )
    one.add_argument(
        "--into",
        type=Path,
        default=Path("spec/documents"),
        metavar="DIR",
        help="the folder that gets the cut, beside the fragments; default: %(default)s",
    )
    for option, metavar, what in (
        ("--url", "URL", "where the newest version lies"),
        ("--commit", "HASH", "commit of the upstream repository"),
        ("--date", "YYYY-MM-DD", "date of the document"),
    ):
        help_ = f"{what}, for spec/sources.yaml"
        one.add_argument(option, default="", metavar=metavar, help=help_)
    arguments.format_(one)


def run(options: argparse.Namespace) -> int:
    """Cut an upstream document and record where it came from."""
    from codegen.cut_command import cut_document

    done = cut_document(
        options.document,
        options.name,
        options.into,
        url=options.url,
        commit=options.commit,
        date=options.date,
    )
    if options.format == "json":
        output.print_json({"path": str(done.path), "schemas": done.schemas})
    else:
        output.say(options, f"{done.path}: {done.schemas} schemas")
    if done.unasked:
        with redirect_stdout(sys.stderr):
            output.say(options, done.unasked)
    return FINE
