"""What bandit finds in codegen/ and templates/runtime/: nothing beyond the exceptions below, each with its reason."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

ANYWHERE = {
    "B101": "an assert tells the type checker what holds; nothing is checked by one that input could break"
}
EXCEPTIONS = {
    ("codegen/complete.py", "B604"): "`shell` names the one whose script is made; none is run",
    ("codegen/emit/render.py", "B701"): "the templates make Python, where HTML escapes would be wrong; every value is a literal of codegen/emit/literals.py",
    ("codegen/git.py", "B404"): "reads earlier states of spec/ from git",
    ("codegen/git.py", "B603"): "a list of arguments, no shell; revisions are checked and come after the options",
    ("codegen/git.py", "B607"): "git is wherever the person has it",
    ("codegen/lint/report_data.py", "B405"): "writes XML, never parses it",
    ("codegen/vectors/run_junit.py", "B405"): "writes XML, never parses it",
    ("codegen/sdk_install.py", "B404"): "asks pip for a client, when a person names its version",
    ("codegen/sdk_install.py", "B603"): "a list of arguments, no shell; the version is checked by a pattern",
    ("codegen/scenarios/workload.py", "B311"): "the same seed gives the same workload; nothing secret comes of it",
    ("codegen/vectors/run_cuts.py", "B311"): "the same seed gives the same cuts; nothing secret comes of it",
    ("codegen/vectors/harness_pipe.py", "B404"): "runs the implementation that a person names on the command line",
    ("codegen/vectors/harness_pipe.py", "B603"): "a list of arguments, no shell; it is the person's own command",
    ("templates/runtime/decoders.py", "B610"): "`extra` is a function of ours and no query of Django",
}  # fmt: skip


def test_bandit_is_clean() -> None:
    command = [
        sys.executable,
        "-m",
        "bandit",
        "--quiet",
        "--recursive",
        "codegen",
        "templates/runtime",
        "--format",
        "json",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    assert report["errors"] == [] and report["metrics"]["_totals"]["nosec"] == 0
    found = {(each["filename"], each["test_id"]): each["line_number"] for each in report["results"]}
    unknown = {
        key: line for key, line in found.items() if key not in EXCEPTIONS and key[1] not in ANYWHERE
    }
    assert unknown == {}
    assert EXCEPTIONS.keys() <= found.keys(), "an exception that nothing needs any more"
