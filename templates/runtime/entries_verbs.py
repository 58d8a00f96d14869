"""The verbs that put objects: into lists, and as a whole.

Reads rules; returns the operation of each. Never lets one object take the place of another without a word on what is lost.
"""

from __future__ import annotations

from typing import Any

from .applying import Applying
from .comparing import is_another
from .compiling import Operation
from .places import Place
from .records import Record, UnknownObject
from .rules import Rule, dotted, reached
from .tree import identity


class EntryVerbs(Applying):
    """put, open, add, unfold and close."""

    def _put(self, rule: Rule) -> Operation:
        """An object in its final form; where the source is a list, its entries from the key on."""

        def run(event: Any, item: Any, node: Any) -> None:
            value = self._object(rule, item, event, type(rule.path[-1]) is tuple)
            place = self._place(rule, event, item, node) if value is not None else None
            if place is None:
                return
            for offset, each in enumerate(value if isinstance(value, list) else [value]):
                key = place.key + offset if offset else place.key
                if not self._put_before(place, each, event):
                    old = place.holder.get(key)
                    self.engine.comparing.settle(old, each, event, place.path)
                    if self._is_partial(reached(item, rule.source)):
                        self.engine.comparing.complete(old, each, event, place.path)
                    place.holder[key] = each
                if place.entries is not None:
                    place.entries.made.pop(key, None)
                    place.entries.closed.add(key)
            self.engine.moved()

        return run

    def _is_partial(self, value: Any) -> bool:
        """Whether an object lacks what its class requires, or even says not which class it is of."""
        if isinstance(value, UnknownObject):
            return value.tag is None
        return isinstance(value, Record) and bool(self.engine.wire.missing(value))

    def _object(self, rule: Rule, item: Any, event: Any, may_be_list: bool) -> Any:
        value = self._value(rule, item, event)
        if value is None:
            self._lacks(rule, event)
        elif not isinstance(value, (dict, list) if may_be_list else dict):
            self._wrong(rule, "an object", value, event)
            return None
        return value

    def _put_before(self, place: Place, value: Any, event: Any) -> bool:
        """Put an entry where one of its id stands in front of the one that has its key; whether it was so."""
        before = place.entries.before.get(place.key, []) if place.entries is not None else []
        for number, other in enumerate(before):
            if identity(other) and identity(other) == identity(value):
                self.engine.comparing.settle(other, value, event, place.path)
                before[number] = value
                return True
        return False

    def _open(self, rule: Rule) -> Operation:
        """An entry that begins: it takes over what was streamed to it before, and stands behind another with its key."""

        def run(event: Any, item: Any, node: Any) -> None:
            value = self._object(rule, item, event, False)
            place = self._place(rule, event, item, node) if value is not None else None
            if value is None or place is None or place.entries is None:
                return
            entries, key = place.entries, place.key
            old = entries.by_key.get(key)
            if key in entries.made and old is not None and old.get("type") == value.get("type"):
                self._adopt(old, value)
            elif old is not None and is_another(old, value):
                what = f"{rule.path[-1][0]} {key} was given to another entry before"
                self.report("index-reused", "warning", what, event, place.path)
                entries.before.setdefault(key, []).append(old)
            elif old is not None:
                self.report(
                    "announced-twice", "warning", "it was announced before", event, place.path
                )
                self.engine.comparing.compare(old, value, event, place.path)
            entries.by_key[key] = value
            entries.made.pop(key, None)
            entries.closed.discard(key)
            self.engine.moved()

        return run

    def _adopt(self, old: dict[str, Any], new: dict[str, Any]) -> None:
        """Let what was streamed before the announcement stand where the announcement has nothing."""
        for name, value in old.items():
            if not new.get(name):
                new[name] = value

    def _add(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            value = self._value(rule, item, event)
            place = self._place(rule, event, item, node) if value is not None else None
            if place is not None:
                self.engine.is_repeatable = False
                old = place.holder.get(place.key)
                if isinstance(old, list):
                    old.append(value)
                else:
                    place.holder[place.key] = [value]

        return run

    def _unfold(self, rule: Rule) -> Operation:
        add = self._add(rule)

        def run(event: Any, item: Any, node: Any) -> None:
            value = self.engine.get(item, rule.source, event)
            if isinstance(value, UnknownObject):
                what = f"unknown {dotted(rule.source).lstrip('.')} {value.tag!r}; it is kept as it came"
                self.report("unknown-member", "info", what, event, dotted(rule.source))
                add(event, item, node)

        return run

    def _close(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            place = self._place(rule, event, item, node)
            if place is None or place.entries is None:
                return
            if place.key not in place.holder:
                self.report(
                    "unannounced", "warning", "nothing was announced here", event, place.path
                )
            elif place.key in place.entries.closed:
                self.report("closed-twice", "warning", "it was finished before", event, place.path)
            place.entries.closed.add(place.key)

        return run
