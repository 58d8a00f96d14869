"""Folders from which wheels are built: one of the generated package, one of the generator.

Reads a checkout; writes below one folder that it empties first. Never builds in the checkout, where an earlier build's leavings would
get into the wheel. `python -m codegen.dist build/dist` is what `make dist` begins with.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from codegen import VERSION
from codegen.emit.render import render
from codegen.installed import CHECKOUT
from codegen.vendor_imports import NAME, ROOT, sources_of

PARTS = ("codegen", "templates", "spec", "generated", "pyproject.toml", "README.md", "LICENSE")
"""What the generator's wheel is built from."""
NOT = shutil.ignore_patterns("__pycache__", ".*")


def stage_package(generated: Path, into: Path) -> Path:
    """The folder from which the wheel of the package below `generated` is built."""
    _empty(into)
    shutil.copytree(generated / NAME, into / NAME, ignore=NOT)
    shutil.copy(CHECKOUT / "LICENSE", into)
    sources = sources_of((generated / NAME / ROOT).read_bytes())
    named = [" ".join(filter(None, [each.name, each.version, each.date])) for each in sources]
    text = render("pyproject.jinja", version=VERSION, sources=named)
    (into / "pyproject.toml").write_text(text, encoding="utf-8")
    return into


def stage_generator(checkout: Path, into: Path) -> Path:
    """The folder from which the generator's wheel is built."""
    _empty(into)
    for name in PARTS:
        if (checkout / name).is_dir():
            shutil.copytree(checkout / name, into / name, ignore=NOT)
        else:
            shutil.copy(checkout / name, into)
    return into


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def main(into: Path) -> None:
    """Prepare both, and print the folders."""
    print(stage_package(CHECKOUT / "generated", into / "package"))
    print(stage_generator(CHECKOUT, into / "generator"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
