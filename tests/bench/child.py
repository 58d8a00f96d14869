"""Programs that are measured from outside.

Reads command lines; returns CPU seconds with all that they started, seconds on the clock, output, and the most memory that
the program itself held. Never lets an environment variable keep compiled modules from being written.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

_MEMORY = """
import atexit, sys
def tell():
    try:
        lines = open("/proc/self/status").read().splitlines()
    except OSError:
        return
    print(next(line for line in lines if line.startswith("VmHWM")), file=sys.stderr)
atexit.register(tell)
"""
COMMAND = _MEMORY + "from codegen.__main__ import main; sys.exit(main())"


class Finished(NamedTuple):
    """How a program went; `memory` in bytes, 0 where the system does not tell."""

    cpu: float
    wall: float
    output: str
    memory: int


def python(code: str, *arguments: str, path: str | None = None, accepted: tuple[int, ...] = (0,)) -> Finished:  # fmt: skip
    """Run Python code in a new process; RuntimeError where it ends with another code than is accepted."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}  # fmt: skip
    if path is not None:
        environment["PYTHONPATH"] = path
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        start = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, "-c", code, *arguments], stdout=out, stderr=errors, env=environment
        )
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), errors.seek(0)
        output, told = out.read(), errors.read()
    if child.returncode not in accepted or "Traceback (most recent" in told:
        raise RuntimeError(f"{arguments or code} ended with {child.returncode}: {told[-2000:]}")
    return Finished(usage.ru_utime + usage.ru_stime, wall, output, _peak(told))


def _peak(told: str) -> int:
    lines = [line for line in told.splitlines() if line.startswith("VmHWM")]
    return int(lines[-1].split()[1]) * 1024 if lines else 0
