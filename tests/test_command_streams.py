"""Who waits and who reads: progress, colours, an interrupt, standard streams that are closed.

Runs the program on small specifications, with a server that takes a connection and never answers. Never waits for a time: each test
waits for what the program says.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from codegen.output import is_coloured
from tests.command_line import ROOT, Run, here_fixture, interruptible, made_fixture, run_fixture

SHOW = ("show", "s")
ENVIRONMENT = {
    **{key: text for key, text in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")},
    "PYTHONPATH": str(ROOT),
}
needs_terminal = pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no terminals")


def command(*arguments: str) -> list[str]:
    """The program, as a person runs it."""
    return [sys.executable, "-m", "codegen", *arguments]


@pytest.fixture(name="silent")
def _silent() -> Iterator[str]:
    """The address of a server that lets clients wait."""
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        made.listen()
        yield f"http://127.0.0.1:{made.getsockname()[1]}/d.yaml"


def test_an_interrupt_ends_with_130_and_no_traceback(here: Path, silent: str) -> None:
    with subprocess.Popen(
        command("cut", silent, "--name", "d", "--verbose"),
        env=ENVIRONMENT,
        preexec_fn=interruptible,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stderr.readline() == f"… reading {silent}\n"
        assert process.stderr.readline() == f"… asking {silent}\n"
        process.send_signal(signal.SIGINT)
        assert (process.stdout.read(), process.stderr.read()) == ("", "")
    assert process.returncode == 130


def test_an_interrupt_waits_for_no_worker(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with subprocess.Popen(
        command("generate", "--out", str(out), "--verbose"),
        cwd=ROOT,
        preexec_fn=interruptible,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # a terminal sends it to the whole group
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        while process.stderr.readline() != "… formatting\n":
            assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)
        assert (process.stdout.read(), process.stderr.read()) == ("", "")
    assert process.returncode == 130
    assert not (out / "stream_events").exists()


@needs_terminal
def test_who_waits_at_a_terminal_is_told_why(here: Path, silent: str) -> None:
    ours, theirs = os.openpty()
    with subprocess.Popen(
        command("cut", silent, "--name", "d"),
        env=ENVIRONMENT,
        preexec_fn=interruptible,
        stdout=subprocess.PIPE,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        with open(ours, "rb", closefd=True) as terminal:
            line = terminal.readline().decode()
            process.send_signal(signal.SIGINT)
            assert process.stdout is not None and process.stdout.read() == b""
    assert line.startswith(f"… asking {silent} (") and line.endswith(" s)\r\n")
    assert process.returncode == 130


@needs_terminal
@pytest.mark.parametrize(
    ("variables", "coloured"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "dumb"}, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        ({"TERM": "xterm", "FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colours_at_a_terminal(
    variables: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, text in variables.items():
        monkeypatch.setenv(name, text)
    ours, theirs = os.openpty()
    with open(theirs, "w", encoding="utf-8") as terminal:
        assert is_coloured(terminal) == coloured
    os.close(ours)


def test_no_colours_without_a_terminal_unless_forced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with open(tmp_path / "file", "w", encoding="utf-8") as file:
        assert not is_coloured(file)
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert is_coloured(file)


@pytest.mark.parametrize(
    ("redirection", "code", "out", "err"),
    [
        (">&-", 0, "", ""),
        ("2>&-", 2, "", ""),  # an error is not told among the results
        ("| true", 0, "", ""),
    ],
)
def test_closed_streams(here: Path, redirection: str, code: int, out: str, err: str) -> None:
    arguments = ["show", "gone"] if code else ["show", "--format", "json"]
    line = f'"$@" {redirection}'
    shell = ["bash", "-o", "pipefail", "-c", line, "bash", *command(*arguments)]
    done = subprocess.run(shell, env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (code, out, err)


def test_quiet_leaves_only_findings(here: Path, run: Run) -> None:
    assert run("generate", "--quiet") == run("check", "-q")
    assert run("check", "-q").out == ""
    (here / "generated/stream_events/s/events.py").write_text("# by hand\n")
    ran = run("check", "-q")
    assert ran.code == 1 and ran.out.startswith("generated/stream_events/s/events.py: differs")
    assert run("diff", "spec", "spec", "--quiet").out == ""
    assert run("snapshot", "--quiet", "x", "--date", "2026-01-01").out == ""
    assert run("vendor", "--into", "other", "-q").out == ""
    assert run("vendor", "--into", "other", "--check", "-q").out == ""
    assert run("show", "-q").out  # was asked for


def test_verbose_tells_each_step_on_standard_error(here: Path, run: Run) -> None:
    quiet, told = run("generate"), run("generate", "--verbose")
    assert told.out == quiet.out
    assert told.err.splitlines() == [
        "… reading the specification",
        "… resolving names and types",
        "… making the files",
        "… formatting",
        "… writing",
    ]


def test_outside_of_a_checkout_what_came_with_the_program_is_read_and_never_written(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "spec/models").mkdir(parents=True)  # another project has a folder spec too
    monkeypatch.chdir(tmp_path)
    assert "responses" in run("show").out
    assert run("vendor", "--into", "here", "--stream", "chat", "-q").code == 0
    refused = run("drift", "--update", "--offline", "--cache", "none")
    assert refused.code == 2 and "came with the program" in refused.err
    adopting = ("adopt", "--name", "99-x", "--from", "openai-client-3.57.0")
    assert run(*adopting).err == refused.err.replace("--update", "adopt")
    assert run(*adopting, "--spec", "none").err == (
        "none/fragments: the folder does not exist. Name the right --spec.\n"
    )
    assert run("snapshot").code == 2
    said = run("cut", str(ROOT / "spec/documents/openai.yaml"), "--name", "openai")
    assert said.code == 2 and said.err.endswith(
        "Name the folder documents of a specification: --into.\n"
    )
    assert run("check").err == (
        "generated: the folder does not exist. Run: codegen generate, or name the right --out.\n"
    )
    assert {path.name for path in tmp_path.iterdir()} == {"spec", "here"}
