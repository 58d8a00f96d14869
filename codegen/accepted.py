"""Changes that someone looked at: spec/accepted.yaml.

Reads the file; returns its entries, and which changes they cover on a given day. Never hides a change: one that is accepted
is still told.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from codegen.changes import Accepted, Change
from codegen.documents import Text, read_text
from codegen.errors import Finding, SpecError

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_NEEDED = ("id", "reason", "who")
_FIX = "Give each entry an id, a reason, who it is for, and where it ends, until: 'YYYY-MM-DD'."


def read_accepted(path: Path) -> tuple[Accepted, ...]:
    """The entries in the file's order; none where there is no file. SpecError with every fault."""
    if not path.exists():
        return ()
    text = read_text(path)
    entries = text.tree.get("accepted")
    if not isinstance(entries, list):
        what = "`accepted` is not a list of entries"
        raise SpecError([Finding(text.where("/accepted"), what, _FIX)])
    findings = [fault for at, entry in enumerate(entries) for fault in _faults(text, at, entry)]
    if findings:
        raise SpecError(findings)
    return tuple(Accepted(**entry) for entry in entries)


def _faults(text: Text, number: int, entry: Any) -> Iterator[Finding]:
    place = f"/accepted/{number}"
    if not isinstance(entry, dict):
        yield Finding(text.where(place), "an entry is not a mapping", _FIX)
        return
    for key in _NEEDED:
        value = entry.get(key)
        if not isinstance(value, str) or not value.strip():
            yield Finding(text.where(f"{place}/{key}"), f"`{key}` is {value!r}", _FIX)
    for key in entry:
        if key not in (*_NEEDED, "until"):
            yield Finding(text.where(f"{place}/{key}"), f"`{key}` is not a key of an entry", _FIX)
    if "until" in entry and not _is_day(entry["until"]):
        what = f"`until` is {entry['until']!r}"
        yield Finding(text.where(f"{place}/until"), what, _FIX)


def _is_day(value: object) -> bool:
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        return False
    try:
        datetime.date.fromisoformat(value)
    except ValueError:
        return False
    return True


def sorted_out(
    changes: Iterable[Change], entries: Iterable[Accepted], today: str
) -> tuple[list[Change], list[tuple[Change, Accepted]], list[Accepted], list[Accepted]]:
    """Changes that count, changes that are accepted, entries that match nothing, and entries that are over.

    today  YYYY-MM-DD; an entry holds through its last day
    """
    entries = tuple(entries)
    valid = {entry.id: entry for entry in entries if not entry.until or today <= entry.until}
    found = list(changes)
    ids = {change.id for change in found}
    return (
        [change for change in found if change.id not in valid],
        [(change, valid[change.id]) for change in found if change.id in valid],
        [entry for entry in entries if entry.id not in ids],
        [entry for entry in entries if entry.id in ids and entry.id not in valid],
    )
