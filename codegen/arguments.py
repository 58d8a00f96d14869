"""What the commands have in common on the command line: how one is declared and helps, and the options that several of them have.

Reads nothing but which folders are there; returns parsers and adds arguments to them. Never runs a command. An option that two commands
share is declared here, so that it has one name and one meaning.
"""

from __future__ import annotations

import argparse
import shutil
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from codegen import complete
from codegen.installed import here_or_own

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Run: TypeAlias = Callable[[argparse.Namespace], int]
WIDEST = 100
"""Columns of help on a wide terminal: longer lines are hard to read."""
REPORTS = ("text", "json", "markdown", "github", "html", "sarif")
"""How a comparison can be told."""


class Help(argparse.HelpFormatter):
    """Wraps paragraphs to the terminal; indented lines, such as examples, stay as they are."""

    def __init__(self, prog: str) -> None:
        columns = shutil.get_terminal_size().columns
        super().__init__(prog, max_help_position=26, width=min(max(columns - 2, 40), WIDEST))

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = []
        for line in text.splitlines():
            wrap = not line.startswith("  ")
            lines += textwrap.wrap(line, width, break_on_hyphens=False) if wrap and line else [line]
        return "\n".join(lines)


def command(
    commands: Commands,
    name: str,
    run: Run,
    summary: str,
    description: str,
    examples: Sequence[str],
    exits: str = "0 fine, 2 the input could not be used.",
    json_keys: str = "",
) -> argparse.ArgumentParser:
    """A command: its parser, to which the arguments are to be added.

    run          takes the options, prints, returns the exit code
    summary      some words for the list of commands; description: one paragraph
    examples     lines that work as they stand in a checkout
    exits        the exit codes; json_keys: what `--format json` prints
    """
    parts = ["examples:\n" + "\n".join(f"  {line}" for line in examples)]
    if json_keys:
        parts.append(f"As JSON: {json_keys}")
    parts.append(f"Exit codes: {exits}")
    one = commands.add_parser(
        name,
        help=summary,
        description=description,
        epilog="\n\n".join(parts),
        formatter_class=Help,
    )
    one.set_defaults(run=run, format="text")
    much = one.add_mutually_exclusive_group()
    much.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="print only findings, errors, and what was asked for",
    )
    much.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="tell more: each step, on standard error",
    )
    return one


def spec(one: argparse.ArgumentParser) -> None:
    """--spec of a command that writes into it, or that is about the one here."""
    _folder(one, "--spec", Path("spec"), "the specification")


def spec_to_read(one: argparse.ArgumentParser) -> None:
    """--spec of a command that reads it: the one here, otherwise the one that came with the program."""
    _folder(one, "--spec", here_or_own("spec"), "the specification")


def out(one: argparse.ArgumentParser) -> None:
    """--out of a command that writes what is generated, or checks it."""
    _folder(one, "--out", Path("generated"), "what is generated")


def out_to_read(one: argparse.ArgumentParser) -> None:
    """--out of a command that reads it: the one here, otherwise the one that came with the program."""
    _folder(one, "--out", here_or_own("generated"), "what is generated")


def _folder(one: argparse.ArgumentParser, option: str, default: Path, what: str) -> None:
    one.add_argument(
        option, type=Path, default=default, metavar="DIR", help=f"{what}; default: %(default)s"
    )


def streams(one: argparse.ArgumentParser, what: str = "only this stream (repeatable)") -> None:
    """--stream, any number of times."""
    added = one.add_argument("--stream", action="append", default=[], metavar="NAME", help=what)
    complete.by(added, complete.streams)


def format_(one: argparse.ArgumentParser, formats: Sequence[str] = ("text", "json")) -> None:
    """--format: what standard output, or the file of --output, gets."""
    one.add_argument("--format", choices=formats, default="text", help="default: %(default)s")


def output(one: argparse.ArgumentParser) -> None:
    """--output: where the report goes."""
    one.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="write the report there and print a summary; - is standard output",
    )


def fail_on(
    one: argparse.ArgumentParser, levels: Sequence[str], default: str, more: str = ""
) -> None:
    """--fail-on: the level from which on the exit code is 1."""
    one.add_argument(
        "--fail-on",
        choices=levels,
        default=default,
        help=f"the level from which on the exit code is 1{more}; default: %(default)s",
    )


def seconds(text: str) -> float:
    """The type of an option: from 0 to an hour."""
    number = float(text)
    if not 0 <= number <= 3600:
        raise argparse.ArgumentTypeError(f"{text} is not from 0 to 3600 seconds")
    return number
