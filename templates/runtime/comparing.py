"""What takes the place of something that was streamed: what it says otherwise, and what it leaves out.

Reads nodes of the tree and JSON values. Fills in values that it is handed; never changes what was streamed before.
"""

from __future__ import annotations

from typing import Any

from .rules import Report, short
from .tree import Entries, Text, at, identity, listed, plain, texts

UNDER_WAY = "in_progress"
"""The status of what is not finished, which nothing that takes its place keeps."""


class Comparing:
    """Compares the old with the new and reports. `names` are those of properties that hold streamed text."""

    def __init__(self, report: Report, names: frozenset[str]) -> None:
        self.report = report
        self.names = names

    def settle(self, old: Any, new: Any, event: Any, path: str) -> None:
        """Let `new` take the place of `old`: fill in what it leaves out, and report what it says otherwise."""
        if isinstance(old, dict) and isinstance(new, dict):
            if new.get("type", old.get("type")) != old.get("type"):
                what = f"a {new.get('type')} takes the place of a {old.get('type')}"
                self.report("replaced", "warning", what, event, path)
                return
            self._fill(old, new, event, path)
        self.compare(old, new, event, path)

    def compare(self, old: Any, new: Any, event: Any, path: str) -> None:
        """Report every text that was streamed and stands otherwise in what takes its place."""
        for steps, text in texts(old, self.names):
            other = plain(at(new, steps) if steps else new)
            if text and other != text:
                where = path + "".join(
                    f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps
                )
                what = f"streamed {short(text)}, then {short(other)}"
                self.report("disagreement", "warning", what, event, where)

    def complete(self, old: Any, new: Any, event: Any, path: str) -> None:
        """Let part of an object, which takes the place of one of its type, keep what it leaves out altogether."""
        if not isinstance(old, dict) or not isinstance(new, dict):
            return
        if new.get("type", old.get("type")) != old.get("type"):
            return
        for name, value in old.items():
            if name not in new and value not in (None, UNDER_WAY):
                new[name] = value
                what = f"{name} is left out; what was streamed stands"
                self.report("filled", "info", what, event, f"{path}.{name}")

    def settle_all(self, old: Entries, new: list[Any], event: Any, path: str) -> None:
        """Let a list take the place of entries: those of one id belong together, and those of one place."""
        before = [value for _, value in old.ordered()]
        by_id = {identity(value): value for value in before if identity(value)}
        for place, value in enumerate(new):
            match = by_id.get(identity(value))
            if match is None and place < len(before):
                match = before[place]
            if match is not None:
                self.settle(match, value, event, f"{path}[{place}]")
        if len(before) != len(new):
            what = f"{len(before)} entries were streamed, the snapshot has {len(new)}"
            self.report("disagreement", "warning", what, event, path)

    def _fill(self, old: dict[str, Any], new: dict[str, Any], event: Any, path: str) -> None:
        """Take over streamed text and lists that the new object leaves out, and lists that it has empty."""
        for name, value in old.items():
            given = new.get(name)
            if isinstance(given, list) and given:
                self._fill_all(listed(value), given, event, f"{path}.{name}")
            elif given is None or given == []:
                if listed(value) or (isinstance(value, Text) and given is None and str(value)):
                    new[name] = value
                    what = f"{name} is left out; what was streamed stands"
                    self.report("filled", "info", what, event, f"{path}.{name}")

    def _fill_all(self, old: list[Any], new: list[Any], event: Any, path: str) -> None:
        for place, (before, after) in enumerate(zip(old, new, strict=False)):
            if isinstance(before, dict) and isinstance(after, dict):
                if before.get("type") == after.get("type"):
                    self._fill(before, after, event, f"{path}[{place}]")


def is_empty(entry: Any) -> bool:
    """Whether an entry says nothing but its type."""
    if not isinstance(entry, dict):
        return not plain(entry)
    return not any(plain(value) for name, value in entry.items() if name != "type")


def is_another(old: Any, new: Any) -> bool:
    """Whether what begins at a place is not what stands there: of another type or id; without ids, of other content."""
    if is_empty(old):
        return False
    if not isinstance(old, dict) or not isinstance(new, dict):
        return bool(plain(old) != new)
    if old.get("type") != new.get("type"):
        return True
    if identity(old) and identity(new):
        return identity(old) != identity(new)
    return bool(plain(old) != new)
