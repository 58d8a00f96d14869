"""Run one target for some seconds: python -m tests.fuzz TARGET SECONDS [FOLDER].

Reads what was kept in tests/fuzz/kept/TARGET as a start; prints how many inputs were tried. What fails is written to FOLDER
(build/fuzz by default) and ends the run with exit code 1. Guided by coverage where `atheris` is installed, a plain random
loop over the same function elsewhere. Never judges by the clock, save to stop.
"""

from __future__ import annotations

import hashlib
import random
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

KEPT = Path(__file__).with_name("kept")
LONGEST = 4096
"""Bytes of one input."""


def main(arguments: list[str]) -> int:
    """The exit code: 1 where an input failed."""
    name, seconds = arguments[0], float(arguments[1])
    folder = Path(arguments[2] if len(arguments) > 2 else "build/fuzz") / name
    folder.mkdir(parents=True, exist_ok=True)
    try:
        import atheris
    except ImportError:
        from tests.fuzz.targets import TARGETS

        return _random(name, TARGETS[name], seconds, folder)
    with atheris.instrument_imports(include=["codegen", "stream_events"]):
        from tests.fuzz.targets import TARGETS
    options = [f"-max_total_time={seconds:.0f}", f"-max_len={LONGEST}", "-timeout=30", "-rss_limit_mb=3072",
               "-print_final_stats=1", f"-artifact_prefix={folder}/", str(folder / "corpus")]  # fmt: skip
    (folder / "corpus").mkdir(exist_ok=True)
    kept = [str(KEPT / name)] if (KEPT / name).is_dir() else []
    atheris.Setup([sys.argv[0], *options, *kept], TARGETS[name])
    atheris.Fuzz()
    return 0


def _random(name: str, target: Callable[[bytes], None], seconds: float, folder: Path) -> int:
    chance = random.Random(time.time_ns())
    end = time.monotonic() + seconds
    tried = 0
    while time.monotonic() < end:
        data = chance.randbytes(chance.choice((8, 64, 512, LONGEST)))
        tried += 1
        try:
            target(data)
        except Exception:
            traceback.print_exc()
            (folder / f"crash-{hashlib.sha1(data).hexdigest()}").write_bytes(data)
            return 1
    print(f"{name}: {tried} inputs at random, none failed (atheris is not installed)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
