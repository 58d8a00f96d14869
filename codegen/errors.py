"""The one error of the generator.

Reads nothing; returns `SpecError`, which carries every finding of a stage; never prints and never exits
(the command line does).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from codegen.visible import visible


@dataclass(frozen=True, order=True)
class Finding:
    """One thing that is wrong with the input.

    where   file, with line where one is known, and the JSON pointer in parentheses
    what    the fault, one sentence without full stop
    action  what to do about it, one sentence
    """

    where: str
    what: str
    action: str

    def __str__(self) -> str:
        return visible(f"{self.where}: {self.what}. {self.action}")


class SpecError(Exception):
    """The input cannot be used. `findings` holds all that the stage found, in order of place."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(sorted(set(findings), key=_place))
        super().__init__("\n".join(str(finding) for finding in self.findings))


def _place(finding: Finding) -> tuple[list[int | str], Finding]:
    """Files by name, then places by line: 9 before 10. Split at numbers, every second part is one."""
    parts = re.split(r"(\d+)", finding.where)
    return [int(part) if at % 2 else part for at, part in enumerate(parts)], finding


def reason(error: Exception) -> str:
    """What an error says of an input, in words: where that is nested too deep, the interpreter would speak of itself."""
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    return (
        str(error)
        if isinstance(error, (ValueError, OSError))
        else f"{type(error).__name__} {error}"
    )
