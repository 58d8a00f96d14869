"""The command `lint`.

Reads arguments and captures; prints what the linter finds. Never ends with 0 where a capture could not be used.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from codegen.lint.kinds import LEVELS

FORMATS = ("text", "json", "github", "junit")


def register(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    one = commands.add_parser(
        "lint",
        help="tell what is wrong with recorded streams",
        description="Tell what is wrong with recorded streams: framing, payloads, order, sums. A capture is a file of raw "
        "server-sent events, of JSON lines (one payload each), a HAR file, the output of curl -i -N, a folder of these, or - "
        "for standard input.",
        epilog="example: curl -i -N … | codegen lint -. Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 a capture "
        "could not be read, was empty, or is of no stream that we know.",
    )
    one.set_defaults(run=lint)
    one.add_argument("captures", nargs="*", metavar="CAPTURE")
    one.add_argument(
        "--stream", metavar="NAME", help="the stream, where it should not be told from the capture"
    )
    one.add_argument(
        "--dialect",
        metavar="NAME",
        help="the server's dialect, whose departures are then at most info",
    )
    one.add_argument("--format", choices=FORMATS, default="text", help="default: %(default)s")
    one.add_argument(
        "--fail-on", choices=(*LEVELS, "none"), default="error", help="the level from which on the exit code is 1; default: %(default)s"
    )  # fmt: skip
    one.add_argument(
        "--timeline", choices=("short", "all", "none"), help="the events in text output; default: short, none for several captures"
    )  # fmt: skip
    one.add_argument(
        "--summary", action="store_true", help="print one row for each capture, and totals"
    )
    one.add_argument(
        "--final", action="store_true", help="print the accumulated final object as JSON, and everything else to standard error"
    )  # fmt: skip
    one.add_argument(
        "--list-rules", action="store_true", help="print all kinds of finding, and end"
    )
    one.add_argument("--out", type=Path, default=Path("generated"), metavar="DIR", help="the generated package; default: %(default)s")  # fmt: skip


def lint(options: argparse.Namespace) -> int:
    """Check captures and tell what was found."""
    from codegen.lint.command import lint as run

    return run(options)
