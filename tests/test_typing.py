"""What type checkers say about the generated package and about code that uses it.

Reads tests/typing, tests/examples, generated/ and the catalogue; runs mypy --strict and pyright in strict mode, each in a
process of its own. Never imports what they check.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

from tests.json_values import catalogue

ROOT = Path(__file__).resolve().parent.parent
FILES = ROOT / "tests" / "typing"
EXAMPLES = ROOT / "tests" / "examples"
PACKAGE = ROOT / "generated" / "stream_events"


class Report(NamedTuple):
    """What a checker reports: where, and in its words."""

    file: Path
    line: int
    message: str


Checker: TypeAlias = Callable[[list[Path], Path], list[Report]]
"""From files, and a folder to write in, to what is reported for them and not for what they import."""


def mypy(files: list[Path], folder: Path) -> list[Report]:
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
    found = [Report(ROOT / file, int(line), message) for file, line, message in lines]
    return [each for each in found if each.file in files]


def pyright(files: list[Path], folder: Path, python: str = "3.11") -> list[Report]:
    """Of basedpyright, whose strict mode is pyright's, and which brings the interpreter that it needs."""
    config = {
        "include": [str(file) for file in files],
        "typeCheckingMode": "strict",
        "extraPaths": [str(ROOT / "generated")],
        "pythonVersion": python,
    }
    project = folder / "pyright.json"
    project.write_text(json.dumps(config), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "basedpyright", "--outputjson", "--project", str(project)]
        + ["--pythonpath", sys.executable],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    result = json.loads(done.stdout)
    assert result["summary"]["filesAnalyzed"] >= len(files)
    return [
        Report(Path(each["file"]), each["range"]["start"]["line"] + 1, each["message"])
        for each in result["generalDiagnostics"]
    ]


checkers = pytest.mark.parametrize("checker", [mypy, pyright], ids=["mypy", "pyright"])


@checkers
def test_what_people_write_is_accepted(checker: Checker, tmp_path: Path) -> None:
    files = sorted(FILES.glob("usage*.py"))
    examples = sorted(EXAMPLES.glob("*.py"))
    assert len(files) == 2 and len(examples) > 10
    assert checker([*files, *examples], tmp_path) == []


@checkers
def test_mistakes_are_refused_and_nothing_else(checker: Checker, tmp_path: Path) -> None:
    path = FILES / "wrong.py"
    lines = path.read_text("utf-8").splitlines()
    expected = [number for number, line in enumerate(lines, 1) if line.endswith("# error")]
    assert len(expected) > 25
    assert sorted({report.line for report in checker([path], tmp_path)}) == expected


def test_the_package_is_clean_in_the_strict_mode_of_pyright(tmp_path: Path) -> None:
    assert pyright([PACKAGE], tmp_path, "3.10") == []


def test_only_the_runtime_is_excused_from_rules() -> None:
    """Rules are switched off where values are JSON of any shape, and never where people look at types."""
    excused = [path for path in PACKAGE.rglob("*.py") if "# pyright:" in path.read_text("utf-8")]
    assert {path.parent.name for path in excused} == {"_runtime"}
    ignoring = [path for path in PACKAGE.rglob("*.py") if "type: ignore" in path.read_text("utf-8")]
    assert {path.parent.name for path in ignoring} <= {"_runtime"}


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


@checkers
def test_a_match_over_all_events_is_exhaustive_and_one_less_is_not(
    checker: Checker, tmp_path: Path
) -> None:
    whole: list[Path] = []
    lacking: list[Path] = []
    for stream in catalogue().streams:
        for forgotten, paths in (("", whole), (stream.events[-1].model, lacking)):
            path = tmp_path / f"{stream.name.replace('-', '_')}_{forgotten.lower() or 'whole'}.py"
            path.write_text(exhaustive(stream.name, forgotten), "utf-8")
            paths.append(path)
    found = checker([*whole, *lacking], tmp_path)
    assert {report.file for report in found} == set(lacking)
    assert all("assert_never" in report.message for report in found), found
