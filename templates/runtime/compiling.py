"""From the rules of an event to functions, so that nothing is looked up per event that the rules already say.

Reads rules; returns operations in the order of the rules, those that go through one list as one loop over it. Never
looks at an event while it does so.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .rules import Rule, dotted, is_object, value_of

if TYPE_CHECKING:
    from .engine import Engine

Operation = Callable[[Any, Any, Any], None]
"""Called with the event, the source (the event or an element of a list in it) and the node that paths start from."""
Verb = Callable[[Rule, bool], Operation]
"""The operation of a rule without a list in its source; the second says whether a list may stand for the text."""


def compiled(engine: Engine, verb: Verb, rules: tuple[Rule, ...]) -> list[Operation]:
    """The operations of rules."""
    operations: list[Operation] = []
    loops: dict[str, list[Rule]] = {}
    groups: dict[str, tuple[Any, ...]] = {}
    for rule in rules:
        at_list = _list_in(rule)
        if at_list is None:
            continue
        at_key = next((n for n, step in enumerate(rule.path) if type(step) is tuple), None)
        before = rule.path[:at_key] if at_key is not None else ()
        key = rule.path[at_key] if at_key is not None else ()
        after = rule.path if at_key is None else rule.path[at_key + 1 :]
        group = (rule.source[: at_list + 1], before, key)
        inner = rule._replace(source=rule.source[at_list + 1 :], path=after)
        loops.setdefault(json.dumps(group), []).append(inner)
        groups[json.dumps(group)] = group
    lists = {group[0][:-1] for group in groups.values()}
    texts = {rule.source for rule in rules if rule.verb == "append" and _list_in(rule) is None}
    for rule in rules:
        if _list_in(rule) is None:
            operations.append(verb(rule, rule.source in lists))
    for name, inner_rules in loops.items():
        source, path, key = groups[name]
        inside = compiled(engine, verb, tuple(inner_rules))
        operations.append(_loop(engine, source, (path, key), inside, source[:-1] in texts))
    return operations


def _list_in(rule: Rule) -> int | None:
    found = (n for n, step in enumerate(rule.source) if type(step) is str and step[:1] == "[")
    return next(found, None)


def _loop(
    engine: Engine,
    source: tuple[Any, ...],
    target: tuple[tuple[str, ...], tuple[str, ...]],
    operations: list[Operation],
    may_be_text: bool,
) -> Operation:
    """Operations for every element of the list at `source`, each on the entry of `target` that is the element's."""
    path, key = target
    name, _, wanted = source[-1].strip("[]").partition("=")
    source = source[:-1]

    def run(event: Any, item: Any, node: Any) -> None:
        elements = engine.get(item, source, event)
        if elements is None or (may_be_text and isinstance(elements, str)):
            return
        entries: Any = None
        for place, element in enumerate(_elements(engine, elements, source, event)):
            if not is_object(element):
                engine.wrong_type("an object", element, event, f"{dotted(source)}[{place}]")
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
                for operation in operations:
                    operation(event, element, found)

    return run


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
