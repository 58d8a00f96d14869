"""Where the generator's own files lie: beside the code in a checkout, inside the package where it was installed as a wheel.

Reads nothing but whether folders are there; returns paths, and the defaults of options. Never lets a command write into what was
installed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from codegen.errors import Finding, SpecError

DATA = Path(__file__).resolve().with_name("data")
"""What `codegen/wheel.py` puts into a wheel; absent in a checkout."""
CHECKOUT = DATA.parent.parent
FOLDERS = {
    "spec": Path("spec"),
    "out": Path("generated"),
    "vectors": Path("generated/vectors"),
}
"""Options by the folder that each has by default, in a checkout."""
READING = {
    "check": ("spec",),
    "diff": ("spec",),
    "drift": ("spec",),
    "generate": ("spec",),
    "history": ("spec",),
    "lint": ("out",),
    "serve": ("spec", "vectors"),
    "show": ("spec",),
    "vendor": ("out",),
}
"""Commands by the options that name a folder from which they only read."""


def own(name: str) -> Path:
    """A file or folder of the generator's: templates, spec, generated, LICENSE."""
    return DATA / name if DATA.is_dir() else CHECKOUT / name


def defaults(commands: Iterable[tuple[str, argparse.ArgumentParser]]) -> None:
    """Let options that name no folder mean what was installed, where there is no such folder here."""
    if not DATA.is_dir():
        return
    for name, parser in commands:
        for option in READING.get(name, ()):
            folder = FOLDERS[option]
            if parser.get_default(option) == folder and not folder.exists():
                parser.set_defaults(**{option: DATA / folder})


def require_own_folder(options: argparse.Namespace) -> None:
    """Refuse to update what was installed: the next installation would undo it."""
    if getattr(options, "update", False) and DATA in Path(options.spec).resolve().parents:
        action = "Work in a checkout, or name a copy of it with --spec."
        raise SpecError([Finding("--update", f"{options.spec} is part of the package", action)])
