"""The verbs that set and gather values: text, numbers, labels, and objects property by property.

Reads rules; returns the operation of each. Never turns a value into one of another type.
"""

from __future__ import annotations

import json
from typing import Any

from .applying import Applying
from .compiling import Operation
from .errors import DecodeError
from .json_text import loads
from .places import Place
from .rules import Rule, integer, undeclared, value_of
from .tree import Base64, Entries, Text, at, plain


class ValueVerbs(Applying):
    """set, last, first, merge, append, extend, rest and parse."""

    def _set(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            value = self._value(rule, item, event)
            if not isinstance(value, str):
                if value is None:
                    self._lacks(rule, event)
                else:
                    self._wrong(rule, "text", value, event)
                return
            place = self._place(rule, event, node)
            if place is None:
                return
            if rule.literal:
                place.holder[place.key] = value
                return
            self.engine.comparing.settle(place.holder.get(place.key), value, event, place.path)
            text = place.holder[place.key] = Text(value)
            text.finished = True
            self.engine.moved()

        return run

    def _last(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            value = self._value(rule, item, event)
            place = self._place(rule, event, node) if value not in (None, "", [], {}) else None
            if place is not None:
                place.holder[place.key] = value

        return run

    def _first(self, rule: Rule) -> Operation:
        name = rule.path[0] if len(rule.path) == 1 and rule.path[0][0] != "@" else None

        def run(event: Any, item: Any, node: Any) -> None:
            if name is not None and node.get(name):
                return
            value = self._value(rule, item, event)
            place = self._place(rule, event, node) if value is not None else None
            if place is not None and place.holder.get(place.key) in (None, "", 0):
                place.holder[place.key] = value

        return run

    def _merge(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            value = self._value(rule, item, event)
            if value is None:
                return
            if not isinstance(value, dict):
                self._wrong(rule, "an object", value, event)
                return
            given = {name: each for name, each in value.items() if each is not None}
            place = self._place(rule, event, node) if given else None
            if place is not None:
                old = place.holder.get(place.key)
                earlier = old if isinstance(old, dict) else {}
                place.holder[place.key] = {**value, **earlier, **given}

        return run

    def _append(self, rule: Rule, may_be_list: bool) -> Operation:
        is_needed = len(rule.source) == 1 and type(rule.path[-1]) is str

        def run(event: Any, item: Any, node: Any) -> None:
            self.engine.found = None
            value = self.engine.get(item, rule.source, event)
            if value is None and is_needed and item is event:
                self._lacks(rule, event)
            if value is None or (may_be_list and isinstance(value, list)):
                return
            if not isinstance(value, str):
                self._wrong(rule, "text", value, event)
                if rule.verb != "appendjson":
                    return
                value = json.dumps(self.engine.json(value), ensure_ascii=False)
            place = self._place(rule, event, node)
            text = self._text(place, rule, event, value) if place is not None else None
            if text is not None:
                text.parts.append(value)
                self.engine.found = text

        return run

    def _text(self, place: Place, rule: Rule, event: Any, delta: str) -> Text | None:
        """The text at a place; None, reported, where it is finished or where something else is."""
        old = place.holder.get(place.key)
        if isinstance(old, Text):
            if old.finished:
                what = f"{delta!r} came after this text was finished"
                self.report("after-done", "warning", what, event, place.path)
            return None if old.finished else old
        if old is not None and not isinstance(old, str):
            what = "text is appended to something that is not text"
            self.report("wrong-type", "error", what, event, place.path)
            return None
        kind = Base64 if rule.verb == "append64" else Text
        text: Text = kind(*([old] if old else []))
        place.holder[place.key] = text
        return text

    def _extend(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            value = self._value(rule, item, event)
            place = self._place(rule, event, node) if isinstance(value, list) else None
            if place is not None:
                old = place.holder.get(place.key)
                if isinstance(old, list):
                    old += value
                else:
                    place.holder[place.key] = value

        return run

    def _rest(self, rule: Rule) -> Operation:
        words = tuple(rule.keep.split())

        def run(event: Any, item: Any, node: Any) -> None:
            unknown = undeclared(self.engine.get(item, rule.source, event), rule.literal)
            target = self.engine.places.descend(node, rule.path, event) if unknown else None
            if target is None:
                return
            for name, value in unknown.items():
                old = target.get(name)
                if isinstance(value, str) and any(word in name for word in words):
                    if not isinstance(old, Text):
                        old = target[name] = Text()
                    old.parts.append(value)
                elif isinstance(value, dict) and isinstance(old, dict):
                    target[name] = {**old, **self.engine.json(value)}
                elif value is not None:
                    target[name] = self.engine.json(value)

        return run

    def _parse(self, rule: Rule) -> Operation:
        """JSON text kept beside, under the key of the path's first entry, as a value at the path."""
        name = rule.source[0].lstrip("@")

        def run(event: Any, item: Any, node: Any) -> None:
            index = next(step[0] for step in rule.path if type(step) is tuple)
            key = integer(value_of(event, index))
            entries = self.engine.beside.get(name)
            text = None
            if key is not None and isinstance(entries, Entries):
                text = plain(entries.by_key.get(key))
            place = self._place(rule, event, node) if text else None
            if place is None or text is None:
                return
            try:
                place.holder[place.key] = loads(text)
            except DecodeError as error:
                self.report("not-json", "warning", f"the joined text is {error}", event, place.path)

        return run
