"""Where the generator's own files lie: beside the code in a checkout, inside the package where it was installed as a wheel.

Reads nothing but whether folders are there; returns paths. Never lets a command write into what came with the program unless it
stands there.
"""

from __future__ import annotations

import os
from pathlib import Path

from codegen.errors import Finding, SpecError

DATA = Path(__file__).resolve().with_name("data")
"""What `codegen/wheel.py` puts into a wheel; absent in a checkout."""
CHECKOUT = DATA.parent.parent
MARKS = {
    "spec": "spec/fragments",
    "generated": "generated/stream_events",
    "generated/vectors": "generated/vectors/index.json",
}
"""Folders by what tells that one of that name is ours: other projects have a folder spec too."""


def own(name: str) -> Path:
    """A file or folder of the generator's: templates, spec, generated, LICENSE."""
    return DATA / name if DATA.is_dir() else CHECKOUT / name


def here_or_own(name: str) -> Path:
    """The folder of that name where the command runs, if there is one; otherwise the one that came with the program."""
    return Path(name) if Path(MARKS[name]).exists() else own(name)


def require_here(spec: Path, option: str) -> None:
    """Refuse to write into what came with the program: an installation would undo it, and a checkout is elsewhere."""
    if os.path.realpath(spec) == os.path.realpath(own("spec")) and not Path(MARKS["spec"]).exists():
        action = "Run it in a checkout, or name a copy of the folder with --spec."
        raise SpecError([Finding(option, f"{spec} came with the program", action)])
