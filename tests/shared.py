"""Where recorded material lies that is not part of the repository.

Reads the folder `../shared` beside the checkout; returns paths in it; never copies anything from it.
A test that needs it is skipped, saying so, where the folder is absent.
"""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent / "shared"


def shared(name: str) -> Path:
    """The path of `name` below ../shared; skips the running test where it is absent."""
    path = ROOT / name
    if not path.exists():
        pytest.skip(f"../shared/{name} is absent on this machine")
    return path
