"""The verbs that set and gather values: text, numbers, labels, and objects property by property.

Reads rules; returns the operation of each. Never turns a value into one of another type.
"""

from __future__ import annotations

import json
import re
from typing import Any

from .applying import Applying
from .compiling import Operation
from .errors import DecodeError
from .json_text import loads
from .places import Place
from .rules import Rule, dotted, integer, short, undeclared, value_of
from .tree import Base64, Entries, Text, at


class ValueVerbs(Applying):
    """set, last, first, fill, merge, append, extend, rest and parse."""

    def _set(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            value = self._value(rule, item, event)
            if not isinstance(value, str):
                if value is None:
                    self._lacks(rule, event)
                else:
                    self._wrong(rule, "text", value, event)
                return
            place = self._place(rule, event, item, node)
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
            place = (
                self._place(rule, event, item, node) if value not in (None, "", [], {}) else None
            )
            if place is not None:
                place.holder[place.key] = value

        return run

    def _first(self, rule: Rule) -> Operation:
        """first and fill."""
        is_told = rule.verb == "fill"
        name = rule.path[0] if len(rule.path) == 1 and rule.path[0][0] != "@" else None

        def run(event: Any, item: Any, node: Any) -> None:
            if name is not None and node.get(name):
                return
            value = self._value(rule, item, event)
            place = self._place(rule, event, item, node) if value is not None else None
            if place is not None and place.holder.get(place.key) in (None, "", 0):
                place.holder[place.key] = value
                if is_told:
                    what = f"{place.key} is left out; {short(value)} was taken"
                    self.report("filled", "info", what, event, place.path)

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
            place = self._place(rule, event, item, node) if given else None
            if place is not None:
                old = place.holder.get(place.key)
                earlier = old if isinstance(old, dict) else {}
                place.holder[place.key] = {**value, **earlier, **given}

        return run

    def _append(self, rule: Rule, may_be_list: bool) -> Operation:
        is_needed = len(rule.source) == 1 and type(rule.path[-1]) is str

        def run(event: Any, item: Any, node: Any) -> None:
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
            place = self._place(rule, event, item, node)
            text = self._text(place, rule, event, value) if place is not None else None
            if text is not None:
                text.parts.append(value)
                self.engine.appended.append((rule, text))

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

    def _extend(self, rule: Rule, may_be_text: bool) -> Operation:
        """One list after the other; `may_be_text` says that text in place of a list is the affair of other rules."""

        def run(event: Any, item: Any, node: Any) -> None:
            value = self._value(rule, item, event)
            if value is None or (may_be_text and isinstance(value, str)):
                return
            if not isinstance(value, list):
                self._wrong(rule, "a list", value, event)
                value = [value]
            self.engine.is_repeatable = self.engine.is_repeatable and not value
            place = self._place(rule, event, item, node)
            if place is not None:
                old = place.holder.get(place.key)
                if isinstance(old, list):
                    old += value
                else:
                    place.holder[place.key] = value

        return run

    def _rest(self, rule: Rule) -> Operation:
        words = frozenset(rule.keep.split())
        told: set[str] = set()

        def run(event: Any, item: Any, node: Any) -> None:
            unknown = undeclared(self.engine.get(item, rule.source, event), rule.literal)
            target = self._target(rule, event, item, node) if unknown else None
            if not isinstance(target, dict):
                return
            for name, value in unknown.items():
                old = target.get(name)
                if isinstance(value, str) and _last_word(name) in words:
                    if not isinstance(old, Text):
                        old = target[name] = Text()
                    old.parts.append(value)
                    self.engine.is_repeatable = False
                elif isinstance(old, (Entries, Text)):
                    what = f"{name} is {short(value)} here; what was streamed stands"
                    self.report("disagreement", "warning", what, event, f".{name}")
                elif isinstance(value, dict) and isinstance(old, dict):
                    target[name] = {**old, **self.engine.json(value)}
                elif value is not None:
                    if isinstance(old, str) and old and value != old and name not in told:
                        told.add(name)
                        what = f"{name} was {short(old)}, then {short(value)}; the last stands"
                        self.report("replaced", "info", what, event, f".{name}")
                    target[name] = self.engine.json(value)

        return run

    def _target(self, rule: Rule, event: Any, item: Any, node: Any) -> Any:
        """The object at a path, which may end with an entry."""
        if not rule.path or type(rule.path[-1]) is str:
            return self.engine.places.descend(node, rule.path, event)
        place = self._place(rule, event, item, node)
        return place.holder.get(place.key) if place is not None else None

    def _parse(self, rule: Rule) -> Operation:
        """JSON text kept beside, under the key of the path's first entry, as an object at the path; where that key is none,
        all that was not parsed before. The text is then finished."""
        name = rule.source[0].lstrip("@")
        at_key = next(at for at, step in enumerate(rule.path) if type(step) is tuple)
        index = rule.path[at_key]

        def run(event: Any, item: Any, node: Any) -> None:
            entries = self.engine.beside.get(name)
            if not isinstance(entries, Entries):
                return
            keys: list[int] = [*entries.by_key]
            if index:
                given = integer(value_of(event, index[0]))
                keys = [entries.by_key.top if given is None else given]
            for key in keys:
                text = entries.by_key.get(key)
                if isinstance(text, Text) and str(text) and not text.finished:
                    text.finished = True
                    path = (*rule.path[:at_key], key, *rule.path[at_key + 1 :])
                    self._parse_into(at(node, path[:-1]), path, str(text), event)

        return run

    def _parse_into(self, holder: Any, path: tuple[Any, ...], text: str, event: Any) -> None:
        shown = dotted(tuple(f"[{step}]" if type(step) is int else step for step in path))
        if not isinstance(holder, dict):
            what = f"nothing was announced here; {short(text)} stands beside"
            self.report("unannounced", "warning", what, event, shown)
            return
        try:
            value = loads(text)
        except DecodeError as error:
            self.report("not-json", "warning", f"the joined text is {error}", event, shown)
            return
        if path[-1] not in holder:
            what = f"a {holder.get('type')} has no {path[-1]}; {short(text)} stands beside"
            self.report("wrong-kind", "warning", what, event, shown)
        elif isinstance(value, dict):
            holder[path[-1]] = value
        else:
            what = f"the joined text is {short(value)} and not an object"
            self.report("wrong-type", "error", what, event, shown)


def _last_word(name: str) -> str:
    """The last word of a property's name: `text` of my_text and of myText."""
    words = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", name)
    return words[-1].lower() if words else ""
