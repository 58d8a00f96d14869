"""Rows: the generator's commands, each in a process of its own.

Reads spec/, a whole document where one lies beside the checkout, and captures that it makes; returns rows. Never writes below
the checkout.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.child import COMMAND, Finished, python
from tests.bench.clock import Pace, spread
from tests.bench.goals import COMMANDS, Row
from tests.bench.workloads import ROOT, SHARED, Workloads

DOCUMENT = SHARED / "upstream" / "openai-2026-08-21.yaml"
_C_LOADERS = {
    "the C loader": "import sys, yaml; yaml.load(open(sys.argv[1], 'rb'), yaml.CSafeLoader)",
    "ruamel.yaml's C loader": "import sys; from ruamel.yaml import YAML; YAML(typ='safe').load(open(sys.argv[1], 'rb'))",
}
_OWN = """
import sys, time
import black, datamodel_code_generator, jsonschema, jinja2, ruamel.yaml
import codegen.files
from codegen.__main__ import main

others = 0.0

def aside(module, name):
    real = getattr(module, name)
    def timed(*values, **named):
        global others
        start = time.process_time()
        try:
            return real(*values, **named)
        finally:
            others += time.process_time() - start
    setattr(module, name, timed)

aside(datamodel_code_generator, "generate")
aside(codegen.files, "formatted")
start = time.process_time()
main()
print(time.process_time() - start - others)
"""
MB = 1_000_000


def rows(workloads: Workloads, pace: Pace) -> Iterator[Row]:
    """All commands."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield _lines()
        yield from _lint(workloads, folder, 100)
        if DOCUMENT.exists():
            yield from _cut(folder, pace)
        yield from _generate(folder, pace)


def quick_rows(workloads: Workloads) -> Iterator[Row]:
    """What takes no time."""
    with tempfile.TemporaryDirectory() as name:
        yield _lines()
        yield from _lint(workloads, Path(name), 2)


def _lines() -> Row:
    files = (ROOT / "generated" / "stream_events").rglob("*.py")
    own = [path for path in files if "beta_responses" not in path.parts]
    count = sum(path.read_text(encoding="utf-8").count("\n") for path in own)
    return _row("text of stream_events without beta_responses", [count], "lines")


def _row(what: str, figures: list[float], unit: str) -> Row:
    return Row(COMMANDS, what, spread(figures), unit)


def _lint(workloads: Workloads, folder: Path, size: int) -> Iterator[Row]:
    """The speed on one long stream; the memory for many responses, and for one whose final object is as long as it is."""
    done, _ = _linted(_stream(workloads, "text", folder, size * MB // 10))  # compiles, if need be
    done, speed = _linted(_stream(workloads, "text", folder, size * MB))
    yield _row(f"lint of a capture of {size} MB", [speed], "MB/s of CPU")
    _, speed = _linted(_stream(workloads, "chat", folder, size * MB // 5))
    yield _row(f"lint of a capture of {size // 5} MB of chat", [speed], "MB/s of CPU")
    if not done.memory or size < 100:
        return
    few, many = (_linted(_responses(workloads, folder, each))[0] for each in (size * MB // 10, size * MB))  # fmt: skip
    what = f"memory of lint at {size} MB against {size // 10} MB"
    yield _row(what, [many.memory / few.memory], "×")
    yield _row(f"the most memory of lint at {size} MB", [many.memory / MB], "MB")
    less, _ = _linted(_stream(workloads, "text", folder, size * MB // 10))
    yield _row(f"{what}, all of it one response", [done.memory / less.memory], "×")


def _linted(capture: Path) -> tuple[Finished, float]:
    """How the lint of a capture went, and MB/s of it."""
    done = _command("lint", str(capture), "--out", str(ROOT / "generated"), accepted=(0, 1))
    return done, capture.stat().st_size / MB / done.cpu


def _stream(workloads: Workloads, kind: str, folder: Path, size: int) -> Path:
    """A capture of about so many bytes: one stream, whose deltas are most of it."""
    sample = workloads.made(kind, 2000)
    deltas = round(2000 * size / len(sample.body))
    path = folder / f"{kind}-{size}.sse"
    with path.open("wb") as file:
        file.writelines(workloads.made(kind, deltas).each)
    return path


def _responses(workloads: Workloads, folder: Path, size: int) -> Path:
    """A capture of about so many bytes: the messages of a socket, one response of 2,000 deltas after another."""
    payloads = workloads.made("text", 2000).payloads
    name = payloads[0]["response"]["id"]
    path, written, number = folder / f"responses-{size}.jsonl", 0, 0
    text = "".join(json.dumps(each) + "\n" for each in payloads)
    with path.open("w", encoding="utf-8") as file:
        while written < size:
            number += 1
            written += file.write(text.replace(name, f"{name}_{number}"))
    return path


def _cut(folder: Path, pace: Pace) -> Iterator[Row]:
    spec = folder / "cut"
    shutil.copytree(ROOT / "spec", spec)
    figures: dict[str, list[float]] = {name: [] for name in _C_LOADERS}
    for _ in range(pace.slow_rounds):
        own = _command("cut", str(DOCUMENT), "--name", "openai", "--into", str(spec / "documents"))
        for name, code in _C_LOADERS.items():
            figures[name].append(own.cpu / python(code, str(DOCUMENT)).cpu)
    for name, against in figures.items():
        yield _row(f"cut of the whole YAML document, against {name}", against, "×")


def _generate(folder: Path, pace: Pace) -> Iterator[Row]:
    spec, out = folder / "spec", folder / "out"
    shutil.copytree(ROOT / "spec", spec)
    arguments = ("generate", "--spec", str(spec), "--out", str(out))
    cold = _command(*arguments)
    warm, own = [], []
    for turn in range(pace.slow_rounds):
        _change(spec / "fragments" / "responses.yaml", turn)
        warm.append(_command(*arguments))
        own.append(float(python(_OWN, *arguments).output.split()[-1]))
    yield _row("generate, cold", [cold.cpu], "s of CPU, all processes")
    yield _row("generate, cold, on the clock", [cold.wall], "s")
    yield _row("generate, little changed", [each.cpu for each in warm], "s of CPU, all processes")
    yield _row("generate, little changed, on the clock", [each.wall for each in warm], "s")
    what = "our own part of generate (without formatting and annotations)"
    yield _row(what, own, "s of CPU")


def _change(fragment: Path, turn: int) -> None:
    """Say one event in other words."""
    text = fragment.read_text(encoding="utf-8")
    changed = re.sub(
        r"(sentence: Another piece of the visible text)", rf"\1 ({turn})", text, count=1
    )
    if changed == text:
        raise RuntimeError(f"{fragment} has no sentence that this measurement knows how to change")
    fragment.write_text(changed, encoding="utf-8")


def _command(*arguments: str, accepted: tuple[int, ...] = (0,)) -> Finished:
    return python(COMMAND, *arguments, accepted=accepted)
