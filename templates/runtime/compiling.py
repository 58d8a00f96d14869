"""From the rules of an event to functions, so that nothing is looked up per event that the rules already say.

Reads rules; returns operations in the order of the rules, those that go through one list as one loop over it. Never
looks at an event while it does so.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .rules import Rule, dotted, given, is_object, value_of

if TYPE_CHECKING:
    from .engine import Engine

_OPTIONAL = ("last", "first", "merge", "extend", "rest", "fail", "add", "unfold")
Operation = Callable[[Any, Any, Any], None]
"""Called with the event, the source (the event or an element of a list in it) and the node that paths start from."""
Guarded = tuple[tuple[str, ...], Operation]
"""The properties without which an operation does nothing, none where it has to look itself; and the operation."""
Verb = Callable[[Rule, bool], Operation]
"""The operation of a rule without a list in its source; the second says whether a list may stand for the text."""


def compiled(engine: Engine, verb: Verb, rules: tuple[Rule, ...]) -> list[Guarded]:
    """The operations of the rules of an event."""
    return _Compiler(engine, verb).guarded(rules, False)


def run_guarded(guarded: list[Guarded], event: Any, item: Any, node: Any) -> None:
    """Run operations in their order, on what the item has."""
    present = given(item)
    for names, operation in guarded:
        if not names or not present.isdisjoint(names):
            operation(event, item, node)


class _Compiler:
    """Makes operations that work on one engine."""

    def __init__(self, engine: Engine, verb: Verb) -> None:
        self.engine = engine
        self.verb = verb

    def guarded(self, rules: tuple[Rule, ...], is_inside: bool) -> list[Guarded]:
        """The operations of rules; inside a list a rule whose source is absent does nothing, also where it would be missed
        outside."""
        if len(rules) == 1 and len(rules[0].source) < 2 and _list_at(rules[0]) is None:
            return [(_guard(rules[0], is_inside), self.verb(rules[0], False))]
        units: dict[str, list[Rule]] = {}
        for number, rule in enumerate(rules):
            units.setdefault(_unit(rule) or str(number), []).append(rule)
        lists = {rule.source[:1] for rule in rules if _list_at(rule) == 1}
        texts = {rule.source for rule in rules if rule.verb == "append"}
        found: list[Guarded] = []
        for group in units.values():
            first = group[0]
            if _list_at(first) in (0, 1):
                found.append((_names(first.source), self._loop(group, texts)))
            elif len(group) > 1:
                found.append((_names(first.source), self._within(group)))
            else:
                shared = texts if first.verb == "extend" else lists
                operation = self.verb(first, first.source in shared)
                found.append((_guard(first, is_inside), operation))
        return found

    def _within(self, rules: list[Rule]) -> Operation:
        """Operations on the object at the first step that rules have in common."""
        source = rules[0].source[:1]
        guarded = self.guarded(tuple(rule._replace(source=rule.source[1:]) for rule in rules), True)
        engine = self.engine

        def run(event: Any, item: Any, node: Any) -> None:
            value = engine.get(item, source, event)
            if is_object(value):
                run_guarded(guarded, event, value, node)
            elif value is not None:
                engine.wrong_type("an object", value, event, dotted(source))

        return run

    def _loop(self, rules: list[Rule], texts: set[tuple[Any, ...]]) -> Operation:
        """Operations for every element of a list, each on the entry of the tree that is the element's."""
        first, engine = rules[0], self.engine
        at_list = _list_at(first) or 0
        at_key = _key_at(first)
        path, key = (first.path[:at_key], first.path[at_key]) if at_key is not None else ((), ())
        after = 0 if at_key is None else at_key + 1
        inner = (
            rule._replace(source=rule.source[at_list + 1 :], path=rule.path[after:])
            for rule in rules
        )
        guarded = self.guarded(tuple(inner), True)
        name, _, wanted = first.source[at_list].strip("[]").partition("=")
        source = first.source[:at_list]
        may_be_text = source in texts

        def run(event: Any, item: Any, node: Any) -> None:
            elements = engine.get(item, source, event)
            if elements is None or (may_be_text and isinstance(elements, str)):
                return
            entries: Any = None
            for place, element in enumerate(_elements(engine, elements, source, event)):
                if not is_object(element):
                    where = f"{dotted(source)}[{place}]"
                    engine.wrong_type("an object", element, event, where)
                    continue
                if name and value_of(element, name) != wanted:
                    continue
                found = node
                if key:
                    entries = _entries(engine, node, path, event) if entries is None else entries
                    if entries is None:
                        return
                    found = engine.places.entry(entries, key, place, element, event)
                if found is not None:
                    run_guarded(guarded, event, element, found)

        return run


def _guard(rule: Rule, is_inside: bool) -> tuple[str, ...]:
    """The properties without which a rule does nothing; none where it has to look."""
    if rule.verb == "fail" and rule.path:
        return rule.path
    is_optional = rule.verb in _OPTIONAL or (rule.verb.startswith("append") and is_inside)
    return _names(rule.source) if rule.source and is_optional else ()


def _names(source: tuple[Any, ...]) -> tuple[str, ...]:
    """The names of the first step of a source."""
    if not source or (isinstance(source[0], str) and source[0][:1] == "["):
        return ()
    return source[0] if isinstance(source[0], tuple) else (source[0],)


def _unit(rule: Rule) -> str:
    """What rules have in common that are run as one: the list they go through and the one they go to, or the object they
    look into; "" for a rule that stands alone."""
    at_list, at_key = _list_at(rule), _key_at(rule)
    if at_list in (0, 1):
        path = rule.path[: at_key + 1] if at_key is not None else ()
        return json.dumps(("list", rule.source[: at_list + 1], path))
    return json.dumps(("object", rule.source[0])) if len(rule.source) > 1 else ""


def _key_at(rule: Rule) -> int | None:
    return next((at for at, step in enumerate(rule.path) if type(step) is tuple), None)


def _list_at(rule: Rule) -> int | None:
    found = (n for n, step in enumerate(rule.source) if type(step) is str and step[:1] == "[")
    return next(found, None)


def _elements(engine: Engine, value: Any, source: tuple[Any, ...], event: Any) -> list[Any]:
    """The elements of a list; an object that stands where a list should is taken for its one element."""
    if isinstance(value, list):
        return value
    engine.wrong_type("a list", value, event, dotted(source))
    return [value] if is_object(value) else []


def _entries(engine: Engine, node: Any, path: tuple[str, ...], event: Any) -> Any:
    if path[0][0] == "@":
        node, path = engine.beside, (path[0][1:], *path[1:])
    parent = engine.places.descend(node, path[:-1], event)
    if parent is None:
        return None
    return engine.places.child(parent, path[-1], True, event, f".{path[-1]}")
