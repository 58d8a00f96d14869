"""`codegen snapshot`: a side becomes a committed catalogue snapshot.

Reads a `Side`; writes spec/snapshots/NAME.json. Never writes a file that is already as it should be.
"""

from __future__ import annotations

import datetime
import re
from pathlib import Path

from codegen import snapshot_text
from codegen.documents import shown
from codegen.errors import Finding, SpecError
from codegen.sides import Side
from codegen.sources import replace_file

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def write_snapshot(side: Side, folder: Path, name: str | None, date: str) -> tuple[str, bool]:
    """Write the snapshot of a side; its path, and whether the file changed.

    name  by default what the side is called, with its day where that is not part of it
    date  YYYY-MM-DD; by default the side's
    """
    day = date or side.date
    named = name or (side.label if not day or day in side.label else f"{side.label}-{day}")
    if not _NAME.fullmatch(named):
        what = "is not a name for a snapshot: letters, digits, dots and hyphens"
        raise SpecError([Finding(named, what, "Give a NAME.")])
    try:
        datetime.date.fromisoformat(day)
    except ValueError:
        what = f"the day of this side is {day or 'not known'}"
        raise SpecError([Finding(side.label, what, "Give --date YYYY-MM-DD.")]) from None
    path = folder / f"{named}.json"
    data = snapshot_text.text(named, side.catalogue, day, side.written).encode()
    changed = not path.exists() or path.read_bytes() != data
    if changed:
        replace_file(path, data)
    return shown(path), changed
