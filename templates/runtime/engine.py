"""What accumulation rules do.

Reads events by the names that rules give; grows one tree. Never changes an event, never keeps a part of one, and never
raises on what a server sent: what cannot be done is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .comparing import Comparing
from .compiling import compiled
from .places import Places
from .records import Record, UnknownEvent, UnknownObject
from .rules import Report, Rule, given, is_object, short, step
from .tree import Entries, Text, identity
from .units import Unit
from .verbs import Verbs
from .wire import Wire


class Engine:
    """The tree of one stream, and the functions that its rules are.

    tree      the snapshot so far; None before the first event that gives one
    beside    what the snapshot has no place for
    gathered  events that are kept as they came, over all snapshots
    finished  the snapshots of responses that ended before the present one
    failure   what a `fail` rule found; None while nothing failed
    flags     `finish` rules: one for each entry, whether it is finished
    hollow    whether a rule wanted a whole snapshot and the event had none
    closed    whether the snapshot is the last one of its response
    appended  the texts that the last event added to, and by which rules
    is_repeatable  whether the last event, if it came again, would do nothing but to append once more
    """

    def __init__(self, wire: Wire, report: Report, names: frozenset[str]) -> None:
        self.wire = wire
        self.report = report
        self.comparing = Comparing(report, names)
        self.places = Places(report, self._is_known_kind, self.moved)
        self.tree: dict[str, Any] | None = None
        self.beside: dict[str, Any] = {}
        self.gathered: dict[str, list[Any]] = {}
        self.finished: list[dict[str, Any]] = []
        self.failure: Any = None
        self.flags: dict[int, bool] = {}
        self.hollow = False
        self.closed = False
        self.appended: list[tuple[Rule, Text]] = []
        self.is_repeatable = True
        self._verbs = Verbs(self)
        self._told: set[tuple[int, str]] = set()
        self.known: list[dict[Any, Text]] = []

    def operation(self, rules: tuple[Rule, ...], units: tuple[Unit, ...]) -> Callable[[Any], None]:
        """A function that applies rules, which are those of the units, to an event."""
        guarded = compiled(self, self._verbs.operation, units)
        verbs = {rule.verb for rule in rules}
        brings_tree = bool(verbs & {"start", "replace"})
        needs_tree = not brings_tree and bool(verbs - {"fail", "collect"})
        is_guarded = any(names for names, _ in guarded)

        def apply(event: Any) -> None:
            if self.tree is None and needs_tree:
                self.tree = {}
            self._told.clear()
            self.appended.clear()
            self.is_repeatable = True
            present = given(event) if is_guarded else None
            for names, operation in guarded:
                if present is None or not names or not present.isdisjoint(names):
                    operation(event, event, self.tree)
                if self.tree is None and brings_tree:
                    return  # the event should have had the snapshot that further rules act on

        return apply

    def json(self, value: Any) -> Any:
        """A value of an event as JSON, fresh at every level."""
        if isinstance(value, (UnknownEvent, UnknownObject)):
            return self.json(value.data)
        if isinstance(value, Record):
            return self.wire.encode(value)
        if isinstance(value, list):
            return [self.json(item) for item in value]
        if isinstance(value, dict):
            return {key: self.json(item) for key, item in value.items()}
        return value

    def get(self, item: Any, source: tuple[Any, ...], event: Any) -> Any:
        """The value at a path of an event; where something on the way is no object, None and a report, once an event."""
        node = item
        for name in source:
            if node is None:
                return None
            if not is_object(node):
                self.wrong_type("an object", node, event, "")
                return None
            node = step(node, name)
        return node

    def wrong_type(self, expected: str, value: Any, event: Any, path: str) -> None:
        """Report a value of another type than expected, once an event, however many rules meet it."""
        if (id(value), path) not in self._told:
            self._told.add((id(value), path))
            what = f"{expected} was expected, got {type(value).__name__}"
            self.report("wrong-type", "error", what, event, path)

    def _is_known_kind(self, kind: Any) -> bool:
        """Whether a member of some union is of this kind."""
        if not isinstance(kind, str):
            return False
        return any(kind in choice.cases for choice in self.wire.loaded.choices.values())

    def moved(self) -> None:
        """Forget the places of texts that `quick` knows, after one of them may have been replaced."""
        for known in self.known:
            known.clear()
        self.is_repeatable = False

    def replace(self, value: dict[str, Any], keep: str, event: Any) -> None:
        """Make an object the snapshot; the list `keep` of the one before stays where the new one's is empty."""
        was, now = identity(self.tree), identity(value)
        if was is not None and now is not None and was != now:
            what = f"{now!r} takes the place of {was!r}"
            self.report("id-changed", "warning", what, event, ".id")
        old = self.tree.get(keep) if keep and self.tree else None
        entries = old if isinstance(old, Entries) else Entries(old if isinstance(old, list) else ())
        given = value.get(keep)
        if given is not None and not isinstance(given, list):
            value[keep] = entries
            what = f"{keep} is {short(given)} and not a list"
            self.report("wrong-type", "error", what, event, f".{keep}")
        if entries.by_key and isinstance(given, list) and given:
            self.comparing.settle_all(entries, given, event, f".{keep}")
            keys = [key for key, _ in entries.ordered()]
            if len(keys) == len(given) == len(set(keys)):
                value[keep] = Entries(given, keys)  # so that places stay the same
        elif entries.by_key:
            value[keep] = entries
            what = f"{keep} is empty; what was streamed stands"
            self.report("filled", "info", what, event, f".{keep}")
        self.tree = value
        self.hollow = False
        self.moved()

    def start(self, value: dict[str, Any], keep: str, event: Any) -> None:
        """As `replace`; the snapshot of another response that stands there becomes a predecessor."""
        old, new = identity(self.tree), identity(value)
        is_other = old is not None and new is not None and old != new
        has_ended = self.closed or self.failure is not None
        streamed = self.tree.get(keep) if self.tree is not None and keep else None
        has_more = isinstance(streamed, Entries) and bool(streamed.by_key)
        if self.tree is not None and not is_other and (has_ended or has_more):
            what = f"{old or 'it'!r} begins again"
            self.report("announced-twice", "warning", what, event, "")
        elif self.tree is not None and is_other and not has_ended:
            what = f"{new!r} begins before {old!r} has ended"
            self.report("unfinished", "warning", what, event, "")
        if self.tree is not None and (has_ended or is_other):
            self.finished.append(self.tree)
            self.tree, self.beside, self.flags = None, {}, {}
        self.closed, self.failure = False, None
        self.replace(value, keep, event)
