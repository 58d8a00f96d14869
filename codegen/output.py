"""Where a command writes: a file that a person names, and standard output.

Writes text as a shell's redirection would: through links and into pipes and devices, with the permissions that are there; decides whether
it is coloured and whether it is told at all. Never puts another file in the place of the one that was named, and never leaves a file of
its own beside it.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

from codegen.errors import Finding, SpecError

STANDARD = Path("-")
"""What stands for standard output."""


def write_output(path: Path, text: str) -> None:
    """Write a text to a path; SpecError where that fails."""
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "wb") as file:
            file.write(text.encode())
    except OSError as error:
        from codegen.documents import shown

        what = f"cannot be written ({error.strerror})"
        raise SpecError([Finding(shown(path), what, "Free the path, or name another.")]) from None


def say(options: argparse.Namespace, text: str) -> None:
    """Print what is neither a finding nor what was asked for: nothing with --quiet."""
    if not options.quiet:
        print(text)


def print_json(value: Mapping[str, Any]) -> None:
    """Print the result of a command for a program."""
    from codegen.visible import visible_json

    print(visible_json(json.dumps(value, indent=1, ensure_ascii=False)))


def is_coloured(stream: TextIO | None = None) -> bool:
    """Whether what goes to a stream (standard output) is coloured: NO_COLOR, then FORCE_COLOR, otherwise on a terminal that can.

    The variables are those of no-color.org and force-color.org, in the order in which Python itself takes them.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return (stream or sys.stdout).isatty() and os.environ.get("TERM") != "dumb"


def prepare() -> None:
    """Make standard output and standard error take every character; one that they cannot show is spelled by its number."""
    # Each may have been closed by who started the program; print() would take standard output for a missing standard error.
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def unwritable(error: OSError) -> Finding:
    """What to tell where the system refused something that no stage looked after."""
    where = str(error.filename or "standard output")
    return Finding(
        where, f"cannot be used ({error.strerror or error})", "Free it, or name another."
    )


def too_much(error: RecursionError | MemoryError) -> Finding:
    """What to tell where the process met its own end before a limit: one was raised, or the memory is small."""
    if isinstance(error, MemoryError):
        what = "the input needs more memory than this process may have"
        return Finding("codegen", what, "Give a smaller document, or more memory.")
    what = "the input lies deeper in itself than this process can follow (limits MAX_DEPTH and MAX_CHAIN)"
    return Finding("codegen", what, "Give a document that is less deep, or lower --limit.")


def abandon() -> None:
    """Drop what standard output has not taken, or the interpreter would try it again when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError, ValueError):
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, sys.stdout.fileno())
            os.close(nothing)
