"""The list of known failures.

Reads a text file; returns the ids of cases that an implementation is known to fail, with the reason. Never lets a line stand
that names no case.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from codegen.errors import Finding, SpecError
from codegen.vectors.run import Result
from codegen.vectors.run_cases import Case


def read_known(path: Path, cases: Iterable[Case]) -> dict[str, str]:
    """Id → reason. A line is an id, and after `#` why; empty lines and lines of `#` alone are left out.

    Raises SpecError for a file that cannot be read, an id that is listed twice or without a
    reason, and one that no case has.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        finding = Finding(str(path), f"cannot be read ({error})", "Name a text file.")
        raise SpecError([finding]) from error
    ids = {case.id for case in cases}
    known: dict[str, str] = {}
    findings = []
    for number, line in enumerate(lines, 1):
        name, _, why = (part.strip() for part in line.partition("#"))
        if not name:
            continue
        where = f"{path}:{number}"
        if name in known:
            findings.append(Finding(where, f"{name} is listed twice", "Remove one of the two."))
        if name not in ids:
            findings.append(Finding(where, f"{name} is the id of no case", "Remove the line."))
        if not why:
            what = f"{name} has no reason"
            findings.append(Finding(where, what, "Write why it fails after a #."))
        known[name] = why
    if findings:
        raise SpecError(findings)
    return known


def unjudged(known: Mapping[str, str], results: Iterable[Result]) -> list[str]:
    """A sentence for each id of the list of which the run says nothing: it was not in it, or was skipped."""
    found = {result.case.id: result for result in results}
    sentences = []
    for name in known:
        told = f"{name} is on the list of known failures and was"
        if name not in found:
            sentences.append(f"{told} not in this run")
        elif found[name].result == "skipped":
            sentences.append(f"{told} skipped ({found[name].why})")
    return sentences
