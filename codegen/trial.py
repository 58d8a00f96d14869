"""A copy of a folder `spec` in which something is tried before it is written.

Reads a folder `spec`; writes a copy of what `load` reads of it. Never writes into the folder that it copies.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from codegen.documents import shown
from codegen.errors import Finding, SpecError

_READ = ("documents", "fragments", "overlays", "vectors")


@contextmanager
def copied(spec: Path) -> Iterator[Path]:
    """A copy as long as the block lasts; a SpecError that leaves the block names the places in the folder itself."""
    with tempfile.TemporaryDirectory(prefix="codegen-trial-") as folder:
        work = Path(folder) / "spec"
        for part in _READ:
            if (spec / part).is_dir():
                shutil.copytree(spec / part, work / part, copy_function=shutil.copyfile)
        for each, _, _ in os.walk(work):  # the folder itself may be one that nobody may write into
            os.chmod(each, 0o700)
        (work / "overlays").mkdir(parents=True, exist_ok=True)
        if (spec / "sources.yaml").exists():
            shutil.copyfile(spec / "sources.yaml", work / "sources.yaml")
        try:
            yield work
        except SpecError as error:
            raise SpecError(at_home(error.findings, work, spec)) from None


def at_home(findings: Iterable[Finding], work: Path, spec: Path) -> tuple[Finding, ...]:
    """Findings with the paths of the folder that the user named, in place of those of its copy."""

    def named(text: str) -> str:
        return text.replace(str(work), str(spec)).replace(shown(work), str(spec))

    return tuple(
        Finding(named(each.where), named(each.what), named(each.action)) for each in findings
    )
