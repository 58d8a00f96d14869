"""The generator's wheel: the code, and inside it the folders that it reads.

Reads a checkout and, as a step of setuptools' build, puts templates, specification and the generated package into the wheel as
codegen/data. Never changes the checkout. Named in pyproject.toml; nothing of the generator imports it, and it imports nothing of it:
setuptools reads it as a file by itself.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools.command.build_py import build_py

WHOLE = ("templates", "spec", "generated/stream_events", "generated/catalogue", "generated/vectors")
"""Folders that a command of the generator reads; `codegen.installed` finds them."""
SINGLE = ("LICENSE",)
NOT = shutil.ignore_patterns("__pycache__", ".*")


class BuildWithData(build_py):
    """Copies the code as setuptools does, then the data. An editable installation needs no copy: it reads the checkout."""

    def run(self) -> None:
        """Fill the build folder."""
        super().run()
        if self.editable_mode:
            return
        data = Path(self.build_lib) / "codegen" / "data"
        shutil.rmtree(data, ignore_errors=True)
        for name in WHOLE:
            shutil.copytree(name, data / name, ignore=NOT)
        for name in SINGLE:
            shutil.copy(name, data / name)
