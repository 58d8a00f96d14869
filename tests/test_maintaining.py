"""What the next maintainer is given: targets of make with a line of help each, hooks that run what CI runs, a changelog in its form.

Reads the Makefile, the hooks and the changelog; runs the hooks that take files on some. Never installs a hook.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from codegen import VERSION
from codegen.documents import read_text

ROOT = Path(__file__).resolve().parent.parent
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
PYTHON = ".venv/bin/python"
DAILY = ("format", "lint", "type", "test", "golden", "bench", "generate", "help")


def hooks() -> list[dict[str, Any]]:
    (local,) = read_text(ROOT / ".pre-commit-config.yaml").tree["repos"]
    assert local["repo"] == "local"  # nothing is fetched
    return list(local["hooks"])


def recipe(target: str) -> str:
    """What make would run for a target, of what it does itself."""
    return re.split(rf"(?m)^{target}:.*\n", MAKEFILE, maxsplit=1)[1].split("\n\n", 1)[0]


@pytest.mark.parametrize("target", DAILY)
def test_a_target_is_there_and_can_be_planned(target: str) -> None:
    command = ["make", "--dry-run", "--silent", target]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_help_has_a_line_for_each_target_that_people_call() -> None:
    done = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True)
    told = set(re.findall(r"^make ([a-z-]+) +\S", done.stdout, re.MULTILINE))
    (phony,) = re.findall(r"^\.PHONY: ((?:.*\\\n)*.*)$", MAKEFILE, re.MULTILINE)
    assert told == set(phony.replace("\\", "").split()) - {"node"} and set(DAILY) <= told


def test_make_alone_generates() -> None:
    plans = [
        subprocess.run(
            ["make", "--dry-run", "--silent", *target], cwd=ROOT, capture_output=True, text=True
        ).stdout
        for target in ([], ["generate"])
    ]
    assert plans[0] == plans[1] != ""


def test_hooks_run_what_make_runs() -> None:
    made = MAKEFILE.replace("$(BIN)/python", PYTHON)
    for hook in hooks():
        assert hook["language"] == "system" and hook["entry"] in made
    assert {hook["id"] for hook in hooks()} == {"black", "ruff", "mypy", "check"}


def test_hooks_that_take_files_find_nothing_in_ours() -> None:
    files = ["codegen/review.py", "templates/runtime/sse.py", "tests/test_maintaining.py"]
    for hook in hooks():
        if hook.get("pass_filenames", True):
            words = shlex.split(hook["entry"].replace(PYTHON, shlex.quote(sys.executable)))
            check = ["--check"] if hook["id"] == "black" else []
            done = subprocess.run([*words, *check, *files], cwd=ROOT, capture_output=True)
            assert done.returncode == 0, done.stderr


def test_hooks_leave_out_what_nobody_formats() -> None:
    excluded = read_text(ROOT / ".pre-commit-config.yaml").tree["exclude"]
    for path in ("generated/stream_events/sse.py", "tests/cases/const/code.py"):
        assert (ROOT / path).is_file() and re.search(excluded, path)
    for hook in hooks():
        if "files" in hook:
            assert re.search(hook["files"], "codegen/review.py")


def test_golden_files_are_those_that_the_tests_read() -> None:
    named = re.findall(r"tests/[\w./]+\.py|tests\.\w+", recipe("golden"))
    assert named == ["tests/test_cases.py", "tests/test_diff.py", "tests.operation_counts"]
    for path in named[:2]:
        text = (ROOT / path).read_text("utf-8")
        assert "CODEGEN_UPDATE_CASES" in text and "def test_case(" in text


def test_the_changelog_keeps_its_form() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert text.startswith("# Changelog\n")
    versions = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert versions[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", each) for each in versions[1:])
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= kinds
    assert f"[{VERSION}]" in text or f"What {VERSION} is going to be" in text


def test_what_contributing_names_exists() -> None:
    text = (ROOT / ".github/CONTRIBUTING.md").read_text("utf-8")
    for span in re.findall(r"`make ([a-z ]+)[^`]*`", text):
        assert all(re.search(rf"^{name}:", MAKEFILE, re.MULTILINE) for name in span.split())
    tops = "codegen|spec|tests|generated|CHANGELOG|constraints|pyproject"
    named = set(re.findall(rf"`((?:{tops})[\w./*-]*)`", text))
    assert len(named) > 7 and [name for name in named if not (ROOT / name).exists()] == []
