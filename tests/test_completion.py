"""Completion, as bash really does it: in a process of its own that has run what `codegen completion bash` prints."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from codegen.__main__ import main

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = Path(sys.executable).with_name("codegen")
ASK = r"""
eval "$(codegen completion bash)"
COMP_LINE=$1 COMP_POINT=${#1} COMP_TYPE=9 COMP_KEY=9
read -ra COMP_WORDS <<< "$1"
case "$1" in *" ") COMP_WORDS+=("") ;; esac
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
function_of() { for word in $(complete -p codegen); do [ "$previous" = -F ] && echo "$word"; previous=$word; done; }
COMPREPLY=()
"$(function_of)" codegen "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
"""
bash = pytest.mark.skipif(
    not shutil.which("bash") or not PROGRAM.exists(), reason="there is no bash, or no codegen"
)


def completed(line: str, folder: Path = ROOT) -> set[str]:
    """The words that bash offers for a line with the cursor at its end."""
    environment = {**os.environ, "PATH": f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "--norc", "-c", ASK, "bash", line],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert not done.stderr
    return {word.strip() for word in done.stdout.splitlines()}


@bash
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("codegen sn", {"snapshot"}),
        ("codegen vectors ", {"run", "list", "check", "conformance"}),
        ("codegen diff --fo", {"--format"}),
        ("codegen lint --fail-on ", {"error", "warning", "info", "none"}),
        ("codegen vendor --into x --stream im", {"images-edits", "images-generations"}),
        ("codegen lint --dialect ga", {"gateway"}),
        ("codegen show mess", {"messages"}),
        ("codegen show messages message_", {"message_start", "message_delta", "message_stop"}),
        ("codegen diff openai-2026-08-1", {"openai-2026-08-14"}),
        ("codegen completion ", {"bash", "zsh", "fish"}),
    ],
)
def test_bash_completes(line: str, words: set[str]) -> None:
    assert completed(line) == words


@bash
def test_bash_completes_in_another_folder(tmp_path: Path) -> None:
    assert completed("codegen lint --stream comp", tmp_path) == {"completions"}


@pytest.mark.parametrize(
    ("shell", "begin"), [("zsh", "#compdef codegen\n"), ("fish", "function __fish_codegen")]
)
def test_there_is_a_script_for_other_shells(
    shell: str, begin: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    assert capsys.readouterr().out.startswith(begin)


@bash
def test_bash_takes_the_script(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    done = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
