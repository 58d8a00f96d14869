"""Rows: what an import costs, in processes of their own.

Reads the generated package, copied so that its compiled modules are fresh; returns rows. Never measures a first import, which
compiles.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.child import python
from tests.bench.clock import Pace, spread
from tests.bench.goals import START, Row
from tests.bench.workloads import ROOT, Workloads

OWN = "stream_events.responses"
PEERS = ("openai", "anthropic", "pydantic", "msgspec")
_IMPORT = "import sys, time; s = time.process_time(); import {}; print(time.process_time() - s)"
_FIRST = """
import sys, time
from stream_events import responses
text = open(sys.argv[1]).read()
s = time.process_time()
responses.decode(text)
print(time.process_time() - s)
"""


def rows(workloads: Workloads, pace: Pace) -> Iterator[Row]:
    """Imports, and the first lifecycle event after ours."""
    with tempfile.TemporaryDirectory() as folder:
        ignored = shutil.ignore_patterns("__pycache__", ".cache")
        shutil.copytree(ROOT / "generated" / "stream_events", Path(folder) / "stream_events", ignore=ignored)  # fmt: skip
        event = Path(folder) / "event.json"
        event.write_text(json.dumps(workloads.short().payloads[0]))
        yield from _rows(folder, str(event), pace)


def _rows(folder: str, event: str, pace: Pace) -> Iterator[Row]:
    names = (OWN, *PEERS)
    seconds: dict[str, list[float]] = {name: [] for name in (*names, "first")}
    for turn in range(pace.rounds + 1):
        for name in names:
            taken = float(python(_IMPORT.format(name), path=folder).output)
            seconds[name] += [taken] if turn else []
        taken = float(python(_FIRST, event, path=folder).output)
        seconds["first"] += [taken] if turn else []
    own = seconds[OWN]
    yield Row(START, OWN, spread([each * 1000 for each in own]), "ms of CPU")
    for peer in PEERS:
        against = [theirs / ours for theirs, ours in zip(seconds[peer], own)]
        yield Row(START, f"{peer}, times {OWN}", spread(against), "×")
    first = spread([each * 1000 for each in seconds["first"]])
    yield Row(START, "the first lifecycle event after the import", first, "ms of CPU")
