"""The package on every interpreter that is installed: tests/pythons/use.py, run by each with nothing else than its standard library.

Looks for python3.10 to python3.14 by name on PATH and below ~/.pyenv; the one that runs the tests is always among them. Never installs
an interpreter.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.json_values import catalogue

ROOT = Path(__file__).resolve().parent.parent
GENERATED = ROOT / "generated"
MINORS = range(10, 15)
"""Of Python 3: the versions for which the package is made."""
STRICT = ["-I", "-X", "dev", "-W", "error"]


def places(minor: int) -> list[str]:
    """Where the interpreter of a version may be, the likeliest place first."""
    name = f"python3.{minor}"
    pyenv = sorted((Path.home() / ".pyenv/versions").glob(f"3.{minor}.*/bin/{name}"))
    own = [sys.executable] if minor == sys.version_info.minor else []
    return [*own, *filter(None, [shutil.which(name)]), *map(str, reversed(pyenv))]


def is_version(command: str, minor: int) -> bool:
    """Whether a command runs, and is of a version: a shim of pyenv is there for versions that are not chosen, too."""
    code = "import sys; print(*sys.version_info[:2])"
    try:
        done = subprocess.run([command, "-c", code], capture_output=True, text=True, timeout=60)
    except OSError:
        return False
    return done.stdout == f"3 {minor}\n"


@cache
def interpreters() -> dict[str, str]:
    """Version → command of each that is installed."""
    found = {}
    for minor in MINORS:
        command = next((each for each in places(minor) if is_version(each, minor)), None)
        if command is not None:
            found[f"3.{minor}"] = command
    return found


@pytest.mark.parametrize("version", interpreters())
def test_all_vectors_hold_on_every_interpreter(version: str, tmp_path: Path) -> None:
    script = ROOT / "tests/pythons/use.py"
    command = [interpreters()[version], *STRICT, str(script), str(GENERATED)]
    done = subprocess.run(
        [*command, str(GENERATED / "vectors")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stderr == ""
    counts = json.loads(done.stdout)
    cases = {operation: 0 for operation in ("event", "accumulate", "stream")}
    for path in (GENERATED / "vectors").rglob("*.json"):
        tests = json.loads(path.read_text("utf-8"))
        if tests.get("operation") in cases:
            cases[tests["operation"]] += len(tests["cases"])
    assert {name: counts[name] for name in cases} == cases and min(cases.values()) > 50
    assert counts["classes"] >= sum(len(package.models) for package in catalogue().packages)


def test_the_interpreter_of_these_tests_is_among_them() -> None:
    assert f"3.{sys.version_info.minor}" in interpreters()


def test_the_versions_are_those_that_are_promised() -> None:
    said = (ROOT / "templates/pyproject.jinja").read_text("utf-8")
    assert f'requires-python = ">=3.{MINORS[0]}"' in said
    workflow = (ROOT / ".github/workflows/check.yml").read_text("utf-8")
    package = workflow[workflow.index("  package:") :]
    assert re.findall(r'"(3\.\d+)"', package) == [f"3.{minor}" for minor in MINORS]


def test_what_the_package_is_tested_with_is_pinned() -> None:
    lines = (ROOT / "tests/pythons/requirements.txt").read_text("utf-8").splitlines()
    assert lines and all(
        re.fullmatch(r"[\w-]+==[\d.]+(; python_version < \"3.11\")?", each) for each in lines
    )
    assert "--requirement tests/pythons/requirements.txt" in (ROOT / "Makefile").read_text("utf-8")
