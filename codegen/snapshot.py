"""`codegen snapshot`: a side becomes a committed catalogue snapshot.

Reads a `Side`; writes spec/snapshots/NAME.json. Never writes a file that is already as it should be, and never over other facts
unless it is asked to.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from codegen import snapshot_text
from codegen.days import is_day
from codegen.documents import parse, read_bytes, shown
from codegen.errors import Finding, SpecError
from codegen.sides import READERS, Side
from codegen.sources import replace_file

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def write_snapshot(
    side: Side, folder: Path, name: str | None, date: str, of: str = ""
) -> tuple[str, bool]:
    """Write the snapshot of a side; its path, and whether the file changed. SpecError where one with other facts is there.

    name  by default what the side is called, with its day where that is not part of it
    date  YYYY-MM-DD; by default the side's
    of    `snapshot_text.OWN` for the working tree
    """
    path, data = _made(side, folder, name, date, of)
    old = read_bytes(path) if path.exists() else data
    if old != data and _facts(old, path) != _facts(data, path):
        action = "Give another NAME, or --force to write over it."
        raise SpecError([Finding(shown(path), "there is a snapshot with other facts", action)])
    return _put(path, data)


def overwrite_snapshot(
    side: Side, folder: Path, name: str | None, date: str, of: str = ""
) -> tuple[str, bool]:
    """The same, whatever is there."""
    return _put(*_made(side, folder, name, date, of))


def _put(path: Path, data: bytes) -> tuple[str, bool]:
    changed = not path.exists() or read_bytes(path) != data
    if changed:
        replace_file(path, data)
    return shown(path), changed


def _made(side: Side, folder: Path, name: str | None, date: str, of: str) -> tuple[Path, bytes]:
    """Path and text; SpecError where the name or the day will not do."""
    day = date or side.date
    named = name if name is not None else _name(side, day)
    if not _NAME.fullmatch(named) or named in READERS:
        what = "is not a name for a snapshot: at most 100 letters, digits, dots and hyphens, not "
        raise SpecError([Finding(named[:100], what + ", ".join(READERS), "Give a NAME.")])
    if not is_day(day):
        what = f"the day of this side is {day or 'not known'}"
        raise SpecError([Finding(side.label, what, "Give --date YYYY-MM-DD.")])
    return (
        folder / f"{named}.json",
        snapshot_text.text(named, side.catalogue, day, side.written, of).encode(),
    )


def _name(side: Side, day: str) -> str:
    return side.label if not day or day in side.label else f"{side.label}-{day}"


def _facts(data: bytes, path: Path) -> Any:
    """What a snapshot says of streams and types; None where nothing can be read there."""
    try:
        return parse(data, shown(path)).get("packages")
    except SpecError:
        return None
