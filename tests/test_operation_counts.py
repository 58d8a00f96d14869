"""That the hot paths of the package run no more bytecodes than they did, on any machine. Never reads a clock.

The counts stand in operation_counts.json, for each minor version of Python. Where a change is meant to cost more or less:
`PYTHONPATH=.:generated python3.N -m tests.operation_counts --write`, with each N that is at hand.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from stream_events.sse import SSEDecoder
from tests.operation_counts import VERSION, block, bytecodes, kept, per_event, text_deltas

ROOT = Path(__file__).resolve().parent.parent

MARGIN = 1.10
WRITE = f"python{VERSION} -m tests.operation_counts --write"


@pytest.fixture(scope="module")
def measured() -> dict[str, float]:
    """The counts of a process of their own, in which nothing was decoded before."""
    command = [sys.executable, "-m", "tests.operation_counts", "--json"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((".", "generated"))}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("path", kept())
def test_no_path_takes_more_bytecodes_than_is_kept(path: str, measured: dict[str, float]) -> None:
    now, before = measured[path], kept()[path]
    assert (
        now <= before * MARGIN
    ), f"{path} runs {now} bytecodes for each event, {before} before; {WRITE}"


@pytest.mark.parametrize("path", kept())
def test_the_counts_are_kept_up_to_date(path: str, measured: dict[str, float]) -> None:
    """A count far above what is needed would let a later slow-down pass."""
    now, before = measured[path], kept()[path]
    assert (
        now * MARGIN >= before
    ), f"{path} runs only {now} bytecodes, and {before} are kept; {WRITE}"


def test_every_path_is_kept(measured: dict[str, float]) -> None:
    assert measured.keys() == kept().keys()


def test_a_count_is_the_same_each_time(measured: dict[str, float]) -> None:
    blocks = [block(each) for each in text_deltas(250)]
    again = per_event(lambda: SSEDecoder().feed, blocks[:250], 200)
    assert again == measured["SSE decoder, one event a chunk"]


def test_what_a_function_does_counts() -> None:
    """Bytecodes of functions that are called count too; those of the caller's tracer come back."""

    def inner(value: int) -> int:
        return value + 1

    def once() -> int:
        return inner(1)

    def twice() -> int:
        return inner(inner(1))

    assert bytecodes(twice) - bytecodes(once) >= bytecodes(lambda: inner(1)) - bytecodes(lambda: 1)
