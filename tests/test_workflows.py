"""The workflows: that they can be read, and that what they call exists.

Reads .github/workflows/ and the Makefile; asks the command line's parser and a shell's. Never runs a step.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main
from codegen.documents import read_text
from codegen.drift_verdicts import Drift, Verdict
from codegen.sources import Client

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".github" / "workflows"
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def workflow(name: str) -> dict[str, Any]:
    return read_text(FOLDER / f"{name}.yml").tree


def steps(name: str) -> list[dict[str, Any]]:
    return [step for job in workflow(name)["jobs"].values() for step in job["steps"]]


def scripts(name: str) -> list[str]:
    return [step["run"] for step in steps(name) if "run" in step]


def calls(name: str, pattern: str) -> list[str]:
    """What follows a pattern in the lines of all scripts, to the end of the command."""
    found = [re.findall(rf"{pattern}([^|;&\n]*)", script) for script in scripts(name)]
    return [call for each in found for call in each]


NAMES = ("check", "drift")


def test_these_are_all() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == [f"{name}.yml" for name in NAMES]


@pytest.mark.parametrize("name", NAMES)
def test_actions_are_pinned_by_a_version(name: str) -> None:
    used = [step["uses"] for step in steps(name) if "uses" in step]
    assert used and all(re.fullmatch(r"actions/[a-z-]+@v\d+\.\d+\.\d+", each) for each in used)


@pytest.mark.parametrize("name", NAMES)
def test_make_has_what_is_called(name: str) -> None:
    called = [shlex.split(call)[0] for call in calls(name, r"(?m)^\s*make ")]
    assert called
    for target in called:
        known = re.search(rf"^{re.escape(target)}:", MAKEFILE, re.MULTILINE)
        assert known or target == ".venv/.ready"  # READY, by which the Makefile spells it


@pytest.mark.parametrize("name", NAMES)
def test_make_can_plan_what_is_called(name: str) -> None:
    for call in calls(name, r"(?m)^\s*make "):
        command = ["make", "--dry-run", "--silent", *shlex.split(call)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_scripts_are_shell(name: str) -> None:
    for script in scripts(name):
        plain = re.sub(r"\$\{\{.*?\}\}", "x", script)
        done = subprocess.run(
            ["bash", "-n"], input=plain, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


def test_drift_is_called_with_options_that_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (call,) = calls("drift", r"-m codegen ")
    arguments = shlex.split(call.split("2>")[0])
    monkeypatch.chdir(tmp_path)  # where there is no spec/, so that nothing is asked of the network
    assert arguments[0] == "drift"
    assert main(arguments) == 2


def test_a_source_that_does_not_move_keeps_no_issue_open() -> None:
    (call,) = calls("drift", r"-m codegen ")
    arguments = shlex.split(call.split("2>")[0])
    level = arguments[arguments.index("--fail-on") + 1]
    still = Verdict(Client("c", "openai", "1.0"), "not moved", quiet="has not moved for 100 days")
    assert Drift((still,)).code(level) == 0


def test_drift_runs_daily_and_by_hand_and_gates_nothing() -> None:
    tree = workflow("drift")
    assert tree["on"].keys() == {"schedule", "workflow_dispatch"}
    assert re.fullmatch(r"\d+ \d+ \* \* \*", tree["on"]["schedule"][0]["cron"])
    assert tree["permissions"] == {"contents": "read", "issues": "write"}


def test_check_runs_on_push_and_pull_request_on_every_python() -> None:
    tree = workflow("check")
    assert tree["on"].keys() == {"push", "pull_request"}
    for job, first in (("generator", 11), ("package", 10)):
        found = tree["jobs"][job]["strategy"]["matrix"]["python"]
        assert found == [f"3.{minor}" for minor in range(first, 15)]
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert wanted == ">=3.11"


def test_a_step_before_make_sets_up_what_it_calls() -> None:
    for name in NAMES:
        for job in workflow(name)["jobs"].values():
            run = [step.get("uses", step.get("run", "")) for step in job["steps"]]
            made = next(at for at, each in enumerate(run) if each.startswith("make "))
            before = {each.split("@")[0] for each in run[:made]}
            assert {"actions/checkout", "actions/setup-python"} <= before
            if run[made].startswith("make test"):
                assert "actions/setup-node" in before


def test_the_node_that_is_set_up_is_one_that_the_peers_ask_for() -> None:
    (step,) = [step for step in steps("check") if "setup-node" in step.get("uses", "")]
    lock = json.loads((ROOT / "tests/node/package-lock.json").read_text("utf-8"))
    asked = [each["engines"]["node"] for each in lock["packages"].values() if "engines" in each]
    assert asked and all(re.match(r">=\d+", each) for each in asked)
    assert int(step["with"]["node-version"]) >= max(int(each[2:].split(".")[0]) for each in asked)


def test_the_issue_is_opened_refreshed_and_closed() -> None:
    (script,) = [script for script in scripts("drift") if "gh issue" in script]
    for part in ("gh issue create", "gh issue edit", "gh issue close"):
        assert script.count(part) == 1
