"""When each event was first there.

Reads the catalogue snapshots of upstream in a folder; returns the oldest one by (stream, tag). Never asks what an event was called
before: `codegen.history` compares snapshots and knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from codegen.documents import parse, read_bytes, shown
from codegen.errors import Finding, SpecError
from codegen.snapshot_text import OWN

FirstSeen: TypeAlias = Mapping[tuple[str, str], tuple[str, str]]
"""Stream and tag → name and day (YYYY-MM-DD) of a snapshot."""


def read_first_seen(folder: Path) -> FirstSeen:
    """The oldest snapshot with each event; those of a working tree, with our corrections, do not count. SpecError where one
    cannot be read."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    faults: list[Finding] = []
    dated = []
    for path in sorted(folder.glob("*.json")):
        try:
            dated.append(_snapshot(path))
        except SpecError as error:
            faults += error.findings
    if faults:
        raise SpecError(faults)
    for day, name, keys in sorted(dated):
        for key in keys:
            found.setdefault(key, (name, day))
    return found


def _snapshot(path: Path) -> tuple[str, str, list[tuple[str, str]]]:
    """Day, name and the events of a snapshot."""
    tree: Mapping[str, Any] = parse(read_bytes(path), shown(path))
    try:
        streams = {} if tree.get("of") == OWN else _streams(tree)
        keys = [(name, tag) for name, stream in streams.items() for tag in stream["events"]]
        return str(tree["date"]), str(tree["name"]), keys
    except (AttributeError, KeyError, TypeError) as error:
        what = f"the snapshot is damaged ({type(error).__name__}: {error})"
        action = "Write it again with codegen snapshot."
        raise SpecError([Finding(shown(path), what, action)]) from None


def _streams(tree: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: stream
        for package in tree["packages"].values()
        for name, stream in package["streams"].items()
    }
