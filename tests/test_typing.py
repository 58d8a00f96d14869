"""What a type checker says about code that uses the generated package.

Reads tests/typing and the catalogue; runs mypy --strict in a process of its own. Never imports what it checks.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.json_values import catalogue

ROOT = Path(__file__).resolve().parent.parent
FILES = ROOT / "tests" / "typing"


def reported(*files: Path) -> list[tuple[Path, int, str]]:
    """What mypy --strict reports for files that import the generated package: file, line, message. What it reports for the
    package itself is for another run."""
    flags = ["--strict", "--config-file=", "--no-error-summary", f"--cache-dir={os.devnull}"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *flags, *map(str, files)],
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": str(ROOT / "generated")},
        capture_output=True,
        text=True,
        timeout=300,
    )
    lines = re.findall(r"^(.+?):(\d+): error: (.*)$", done.stdout, re.MULTILINE)
    assert done.returncode == bool(lines), done.stdout + done.stderr
    found = [(ROOT / file, int(line), message) for file, line, message in lines]
    return [each for each in found if each[0] in files]


def test_what_people_write_is_accepted() -> None:
    assert reported(FILES / "usage.py") == []


def test_mistakes_are_refused_and_nothing_else() -> None:
    path = FILES / "wrong.py"
    lines = path.read_text("utf-8").splitlines()
    expected = [number for number, line in enumerate(lines, 1) if line.endswith("# error")]
    assert len(expected) > 15
    assert sorted({line for _, line, _ in reported(path)}) == expected


def exhaustive(stream_name: str, forgotten: str) -> str:
    """A match over all events of a stream but one."""
    stream = {stream.name: stream for stream in catalogue().streams}[stream_name]
    names = [event.model for event in stream.events] + ["UnknownEvent"]
    cases = [f"        case module.{name}(): return {name!r}" for name in dict.fromkeys(names)]
    alias = stream.table.removesuffix("S").title().replace("_", "")
    return "\n".join(
        [
            "from typing import assert_never",
            f"import stream_events.{stream.module} as module",
            f"def name_of(event: module.{alias}) -> str:",
            "    match event:",
            *(case for case in cases if f"module.{forgotten}()" not in case),
            "        case _: assert_never(event)",
        ]
    )


def test_a_match_over_all_events_is_exhaustive_and_one_less_is_not(tmp_path: Path) -> None:
    whole: list[Path] = []
    lacking: list[Path] = []
    for stream in catalogue().streams:
        for forgotten, paths in (("", whole), (stream.events[-1].model, lacking)):
            path = tmp_path / f"{stream.name.replace('-', '_')}_{forgotten.lower() or 'whole'}.py"
            path.write_text(exhaustive(stream.name, forgotten), "utf-8")
            paths.append(path)
    found = reported(*whole, *lacking)
    assert {file for file, _, _ in found} == set(lacking)
    assert all("assert_never" in message for _, _, message in found), found
