"""Running vectors: limits of time, implementations that are started for each cut, and signals.

Reads the small cases of the other tests of the runner; runs real processes. Never waits for a time to pass, but where an
implementation hangs and the limit is what is tested.
"""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from codegen.__main__ import main
from codegen.vectors.harness import Runner
from codegen.vectors.harness_oneshot import OneShot
from codegen.vectors.run import run
from codegen.vectors.run_cases import read_cases
from codegen.vectors.run_cuts import one_shot_cuts
from tests.test_vectors_run import (
    CASES,
    EVENT,
    LIMIT,
    PROTOCOL,
    PYTHON,
    ROOT,
    case,
    run_command,
    standin,
    write,
)


@pytest.fixture(autouse=True)
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `tests.runners` can be found."""
    monkeypatch.chdir(ROOT)


def test_one_shot_starts_once_for_each_cut_that_the_case_asks_for(tmp_path: Path) -> None:
    given = {"text": "data: a\n\n", "chunks": [3]}
    cases = [CASES[0], case("cut", "", CASES[0]["expect"], given=given), CASES[2]]
    write(tmp_path, cases)
    starts = tmp_path / "starts"
    assert run_command(tmp_path, "--one-shot", way=("one-shot", str(starts))) == 0
    assert starts.read_text() == "sse\n" * 3


def test_the_limit_of_one_shot_is_for_each_start(tmp_path: Path) -> None:
    [one] = [each for each in read_cases(write(tmp_path) / "vectors") if each.id == "one"]
    runner = OneShot(standin("one-shot", str(tmp_path / "starts")), [], LIMIT)
    found = list(run([one], runner, runner.claims(), 1e-9, one_shot_cuts))
    assert [each.result for each in found] == ["passed"]
    runner = OneShot(standin("one-shot", str(tmp_path / "starts")), [], 1e-9)
    found = list(run([one], runner, runner.claims(), LIMIT, one_shot_cuts))
    assert [each.why for each in found] == ["no answer in time"]


def test_three_that_are_too_slow_in_a_row_end_the_run(tmp_path: Path) -> None:
    cases = [case(f"c{at}", "data: a\n\n", {"events": [EVENT]}) for at in range(5)]
    starts = tmp_path / "starts"
    write(tmp_path, [*cases[:2], CASES[2], *cases[2:]])
    runner = Runner(standin("always-hangs", str(starts)), PROTOCOL)
    chosen = [each for each in read_cases(tmp_path / "vectors") if each.operation == "sse"]
    try:
        found = list(run(chosen, runner, runner.claims(), 0.3))
    finally:
        runner.stop()
    slow, rest = "no answer in time", "not asked: no answer in time three times in a row"
    assert [each.result for each in found] == ["crashed"] * 2 + ["passed"] + ["crashed"] * 3
    assert [each.why for each in found if each.result == "crashed"][:4] == [slow] * 4
    more = list(run(chosen[3:] * 2, runner, runner.claims(), 0.3))
    runner.stop()
    assert [each.why for each in more] == [slow] * 3 + [rest] * 3


def test_the_limit_is_for_the_start_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["vectors", "run", "--out", str(write(tmp_path)), "--time-limit", "0.3", "--"]
    assert main([*options, *standin("never-starts")]) == 2
    assert "no answer in time" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("shot", [[], ["--one-shot"]])
def test_a_signal_ends_the_implementation_too(
    tmp_path: Path, number: signal.Signals, shot: list[str]
) -> None:
    """The implementation holds a pipe open while it lives; its end is the end of the pipe."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    way = "one-shot-holds" if shot else "holds"
    options = ["vectors", "run", "--out", str(write(tmp_path)), "--operation", "sse", *shot, "--"]
    command = [PYTHON, "-m", "codegen", *options, *standin(way, str(pipe))]
    with subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # also where nohup runs the tests
    ) as harness:
        with pipe.open("rb") as held:
            assert held.readline() == b"asked\n"
            harness.send_signal(number)
            assert harness.wait(60) == 128 + number
            assert held.read() == b""
        assert harness.stderr and harness.stderr.read() == b""
