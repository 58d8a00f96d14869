"""Which vectors a command is about.

Reads the options and the files of the vectors; returns cases. Never takes a name that no case has for an empty choice.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from codegen import arguments, complete

from codegen.vectors.run_cases import OPERATIONS

if TYPE_CHECKING:
    from codegen.vectors.run_cases import Case


def add_choice(one: argparse.ArgumentParser) -> None:
    """The options that choose cases."""
    arguments.out_to_read(one)
    operation = one.add_argument(
        "--operation",
        action="append",
        default=[],
        metavar="NAME",
        help="only this operation (repeatable)",
    )
    complete.by(operation, lambda options: OPERATIONS)
    arguments.streams(one)
    one.add_argument(
        "--case", action="append", default=[], metavar="ID", help="only this case (repeatable)"
    )


def all_cases(options: argparse.Namespace) -> list[Case]:
    """All cases of the vectors below --out."""
    from codegen.vectors.run_cases import read_cases

    return read_cases(options.out / "vectors")


def chosen_cases(options: argparse.Namespace) -> list[Case]:
    """The cases that the options choose."""
    from codegen.vectors.run_cases import chosen

    return chosen(all_cases(options), options.operation, options.stream, options.case)
