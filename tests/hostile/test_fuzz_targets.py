"""The fuzz targets: what they once found, and some inputs at random, so that the targets themselves keep working."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS

KEPT = sorted(path for path in (Path(__file__).parent.parent / "fuzz" / "kept").glob("*/*"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}: {path.name}")
def test_what_was_found_is_gone(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_inputs_at_random(name: str) -> None:
    chance = random.Random(name)
    for _ in range(60):
        TARGETS[name](chance.randbytes(chance.choice((8, 64, 512, 2000))))
