"""The examples as processes of their own, as a reader would run them.

Reads `tests/examples`; returns what they print. Never imports one, and never outlives the time that a test may take.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "tests" / "examples"
SECONDS = 60
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(ROOT / "generated"),
    "PYTHONIOENCODING": "utf-8",
    "NO_PROXY": "*",
}


class Done(NamedTuple):
    """How a program ended: its exit code, and what it printed."""

    code: int
    out: str
    err: str


def run(example: str, *arguments: str, folder: Path = ROOT) -> Done:
    """An example, run to its end in a folder."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / example), *arguments],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        timeout=SECONDS,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


@contextmanager
def running(
    *command: str, folder: Path = ROOT, **variables: str
) -> Iterator[subprocess.Popen[bytes]]:
    """A program of this environment's Python while the block lasts, or until its time is over."""
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=folder,
        env={**ENVIRONMENT, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    guard = threading.Timer(SECONDS, process.kill)
    guard.start()
    try:
        yield process
    finally:
        guard.cancel()
        process.terminate()
        process.communicate(timeout=SECONDS)


class Proxy(NamedTuple):
    """The proxy: where it listens, and its log."""

    address: str
    log: IO[bytes]

    def line(self, pattern: str) -> str:
        """The next line of the log in which the pattern is found; AssertionError where the program ends before one."""
        for line in self.log:
            if re.search(pattern, line.decode()):
                return line.decode().strip()
        raise AssertionError(f"the log ended without {pattern!r}")


@contextmanager
def proxying(upstream: str) -> Iterator[Proxy]:
    """The proxy of the examples in front of a server."""
    command = ("-m", "uvicorn", "fastapi_proxy:app", "--port", "0")
    with running(*command, folder=EXAMPLES, UPSTREAM=upstream) as process:
        assert process.stderr is not None
        log = Proxy("", process.stderr).line("running on http")
        found = re.search(r"http://[\d.:]+", log)
        assert found is not None, log
        yield Proxy(found[0], process.stderr)
