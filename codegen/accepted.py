"""Changes that someone looked at: spec/accepted.yaml.

Reads the file; returns its entries, and which changes they cover on a given day. Never hides a change: one that is accepted
is still told.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from codegen.changes import Accepted, Change
from codegen.days import is_day
from codegen.documents import Text, read_bytes, read_text
from codegen.errors import Finding, SpecError

_NEEDED = ("id", "reason", "who")
COMPARISONS = ("diff", "drift", "sdk")
"""What an entry may be for only: a command, or comparisons of a document with a client."""
_OPTIONAL = ("until", "comparison")
_FIX = (
    "Give each entry an id, a reason, who it is for, and its events, each stream with the tags or `all`; where it ends, "
    "until: 'YYYY-MM-DD'; where it is for one comparison only, comparison: diff, drift or sdk."
)


def read_accepted(path: Path, command: str = "") -> tuple[Accepted, ...]:
    """The entries in the file's order; none where there is no file. SpecError with every fault.

    command  "diff" or "drift": without those that are for the other one only
    """
    if not path.exists() or _is_blank(read_bytes(path)):
        return ()
    text = read_text(path)
    entries = text.tree.get("accepted", "")
    entries = [] if entries is None else entries
    if not isinstance(entries, list):
        what = "`accepted` is not a list of entries"
        raise SpecError([Finding(text.where("/accepted"), what, _FIX)])
    findings = [fault for at, entry in enumerate(entries) for fault in _faults(text, at, entry)]
    findings += [] if findings else _twice(text, entries)
    if findings:
        raise SpecError(findings)
    found = tuple(map(_entry, entries))
    others = {"diff", "drift"} - {command} if command else set()
    return tuple(entry for entry in found if entry.comparison not in others)


def _entry(value: dict[str, Any]) -> Accepted:
    events = tuple(
        (stream, () if tags == "all" else tuple(tags)) for stream, tags in value["events"].items()
    )
    return Accepted(**{**value, "events": events})


def entry_text(change: Change) -> str:
    """The entry of spec/accepted.yaml for a change and all that it reaches, as YAML; reason and person are left to fill in."""
    events: dict[str, list[str]] = {}
    for reach in change.events:
        events.setdefault(reach.stream, []).append(reach.tag)
    lines = [f"- id: {json.dumps(change.id)}", '  reason: ""', '  who: ""', "  events:"]
    lines += [f"    {stream}: {json.dumps(tags)}" for stream, tags in events.items()]
    return "\n".join(lines) + "\n"


def _is_blank(data: bytes) -> bool:
    """Whether a text has nothing but comments."""
    return all(not line.strip() or line.lstrip().startswith(b"#") for line in data.splitlines())


def _twice(text: Text, entries: list[dict[str, Any]]) -> Iterator[Finding]:
    seen: set[tuple[str, str]] = set()
    for at, entry in enumerate(entries):
        key = (entry["id"], entry.get("comparison", ""))
        if key in seen:
            what, action = "there is an entry for this change already", "Make one of the two."
            yield Finding(text.where(f"/accepted/{at}/id"), what, action)
        seen.add(key)


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
        if key not in (*_NEEDED, *_OPTIONAL, "events"):
            yield Finding(text.where(f"{place}/{key}"), f"`{key}` is not a key of an entry", _FIX)
    if not _is_events(entry.get("events")):
        what = f"`events` is {entry.get('events')!r}"
        yield Finding(text.where(f"{place}/events"), what, _FIX)
    if entry.get("comparison", "") not in ("", *COMPARISONS):
        what = f"`comparison` is {entry['comparison']!r}"
        yield Finding(text.where(f"{place}/comparison"), what, _FIX)
    if "until" in entry and not is_day(entry["until"]):
        what = f"`until` is {entry['until']!r}"
        yield Finding(text.where(f"{place}/until"), what, _FIX)


def _is_events(value: object) -> bool:
    if not isinstance(value, dict) or not value:
        return False
    return all(
        tags == "all"
        or isinstance(tags, list)
        and tags != []
        and all(isinstance(tag, str) for tag in tags)
        for tags in value.values()
    )


def sorted_out(
    changes: Iterable[Change], entries: Iterable[Accepted], today: str
) -> tuple[list[Change], list[tuple[Change, Accepted]], list[Accepted], list[Accepted]]:
    """Changes that count, changes that are accepted, entries that cover none, and entries that are over.

    today  YYYY-MM-DD; an entry holds through its last day

    An entry is for a change and not for what stands beneath it: that counts until it has entries of its own.
    """
    entries = tuple(entries)
    left: list[Change] = []
    known: list[tuple[Change, Accepted]] = []
    over: set[Accepted] = set()
    todo = list(changes)
    while todo:
        change = todo.pop(0)
        found = [entry for entry in entries if entry.covers(change)]
        valid = [entry for entry in found if not entry.until or today <= entry.until]
        if not valid:
            left.append(change)
            over.update(found)
            continue
        known.append((dataclasses.replace(change, beneath=()), valid[0]))
        todo += change.beneath
    used = {entry for _, entry in known}
    return (
        sorted(left, key=lambda change: change.rank),
        known,
        [entry for entry in entries if entry not in used and entry not in over],
        [entry for entry in entries if entry in over],
    )
