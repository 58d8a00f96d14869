"""Completion in a shell.

Reads the names of files in the folders that the half-written command names; returns words. Never reads a specification: whoever pressed
a key is waiting.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

from codegen.installed import here_or_own

SHELLS = ("bash", "zsh", "fish")
Words: TypeAlias = Callable[[argparse.Namespace], Iterable[str]]


def by(argument: argparse.Action, words: Words) -> None:
    """Let an argument be completed with the words that a function of the options so far gives."""

    def completer(parsed_args: argparse.Namespace, **_: Any) -> list[str]:
        return list(words(parsed_args))

    argument.completer = completer  # type: ignore[attr-defined]  # where argcomplete looks for it


def answer(parser: argparse.ArgumentParser) -> None:
    """Answer the shell and end the process, where it is the shell that asks (it sets _ARGCOMPLETE)."""
    import argcomplete

    argcomplete.autocomplete(parser, always_complete_options=False)


def script(shell: str) -> str:
    """What a shell has to run once for `codegen` to be completed."""
    from argcomplete.shell_integration import shellcode

    return str(shellcode(["codegen"], shell=shell)).strip() + "\n"


def streams(options: argparse.Namespace) -> list[str]:
    """The names of streams."""
    return _stems(_folder(options, "out", "generated") / "catalogue", "*.json")


def tags(options: argparse.Namespace) -> list[str]:
    """The tags of the stream that was named."""
    path = _folder(options, "out", "generated") / "catalogue" / f"{options.name}.json"
    try:
        return [event["tag"] for event in json.loads(path.read_bytes())["events"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def dialects(options: argparse.Namespace) -> list[str]:
    """The names of dialects."""
    return _stems(_folder(options, "spec", "spec") / "fragments" / "dialects", "*.yaml")


def sides(options: argparse.Namespace) -> list[str]:
    """What can be compared, files aside: catalogue snapshots, the working tree, the client."""
    snapshots = _stems(_folder(options, "spec", "spec") / "snapshots", "*.json")
    return [*snapshots, "spec", "sdk", "sdk:newest"]


def _folder(options: argparse.Namespace, option: str, name: str) -> Path:
    return getattr(options, option, None) or here_or_own(name)


def _stems(folder: Path, pattern: str) -> list[str]:
    return sorted(path.stem for path in folder.glob(pattern))
