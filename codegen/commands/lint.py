"""The command `lint`.

Reads arguments and captures; prints what the linter finds. Never ends with 0 where a capture could not be used.
"""

from __future__ import annotations

import argparse

from codegen import arguments, complete
from codegen.arguments import Commands
from codegen.lint.kinds import LEVELS

FORMATS = ("text", "json", "github", "junit")


def register(commands: Commands) -> None:
    """Add the command to the parser."""
    one = arguments.command(
        commands,
        "lint",
        run,
        "tell what is wrong with recorded streams",
        "Tell what is wrong with recorded streams: framing, payloads, order, sums. A capture is a file of raw "
        "server-sent events, of JSON lines (one payload each), a HAR file, the output of curl -i -N, a folder of these, or - "
        "for standard input. --quiet prints only captures with findings, and no events.",
        [
            "codegen lint stream.sse",
            "codegen lint recordings/ --summary --fail-on warning",
            "curl -siN http://127.0.0.1:8484/v1/responses -d '{\"stream\":true}' | codegen lint -",
            "codegen lint --list-rules",
        ],
        "0 nothing at or above --fail-on, 1 findings, 2 a capture "
        "could not be read, was empty, or is of no stream that we know.",
        json_keys="by codegen/lint/report.schema.json: version, captures, unusable, totals.",
    )
    one.add_argument("captures", nargs="*", metavar="CAPTURE", help="files, folders, or -")
    stream = one.add_argument(
        "--stream", metavar="NAME", help="the stream, where it should not be told from the capture"
    )
    complete.by(stream, complete.streams)
    dialect = one.add_argument(
        "--dialect",
        metavar="NAME",
        help="the server's dialect, whose departures are then at most info",
    )
    complete.by(dialect, complete.dialects)
    arguments.format_(one, FORMATS)
    arguments.fail_on(one, (*LEVELS, "none"), "error")
    one.add_argument(
        "--timeline",
        choices=("short", "all", "none"),
        help="the events in text output; default: short, none for several captures",
    )
    one.add_argument(
        "--summary", action="store_true", help="print one row for each capture, and totals"
    )
    one.add_argument(
        "--final",
        action="store_true",
        help="print the accumulated final object as JSON, and everything else to standard error",
    )
    one.add_argument(
        "--list-rules", action="store_true", help="print all kinds of finding, and end"
    )
    arguments.out_to_read(one)


def run(options: argparse.Namespace) -> int:
    """Check captures and tell what was found."""
    from codegen.lint.command import lint

    return lint(options)
