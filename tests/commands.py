"""The commands as the parser has them, and their examples.

Reads the parser; returns commands by name. Never runs one.
"""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator

from codegen.commands import parser


def leaves(
    of: argparse.ArgumentParser | None = None,
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command that runs, with its words: `vectors run` too."""
    for name, one in _parts(of or parser()).items():
        inner = _parts(one)
        yield from ((f"{name} {part}", two) for part, two in inner.items())
        if not inner:
            yield name, one


def _parts(one: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in one._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def examples(one: argparse.ArgumentParser) -> list[str]:
    """The lines below "examples:" in the help."""
    epilog = one.epilog or ""
    block = re.search(r"examples:\n((?:  .+\n?)+)", epilog)
    return [line.strip() for line in block[1].splitlines()] if block else []


def arguments(line: str) -> list[str]:
    """What an example gives to codegen: without what comes before a | and after a >."""
    match = re.search(r"\bcodegen ([^|>]*)", line)
    assert match, line
    text = match[1]
    return shlex.split(text.removesuffix(')"') if line.startswith("eval") else text)
