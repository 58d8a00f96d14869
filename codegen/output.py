"""Where a command writes: a file that a person names, and standard output.

Writes text as a shell's redirection would: through links and into pipes and devices, with the permissions that are there. Never puts
another file in the place of the one that was named, and never leaves a file of its own beside it.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path

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


def prepare() -> None:
    """Make standard output and standard error take every character; one that they cannot show is spelled by its number."""
    if sys.stdout is None:  # closed by who started the program
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def unwritable(error: OSError) -> Finding:
    """What to tell where the system refused something that no stage looked after."""
    where = str(error.filename or "standard output")
    return Finding(
        where, f"cannot be used ({error.strerror or error})", "Free it, or name another."
    )


def abandon() -> None:
    """Drop what standard output has not taken, or the interpreter would try it again when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError, ValueError):
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, sys.stdout.fileno())
            os.close(nothing)
