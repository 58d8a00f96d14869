"""From the units of an event's rules to functions, so that nothing is looked up per event that the rules already say.

Reads units; returns operations in their order. Never looks at an event while it does so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .rules import Rule, dotted, given, is_object, value_of
from .units import Loop, Unit

if TYPE_CHECKING:
    from .engine import Engine

Operation = Callable[[Any, Any, Any], None]
"""Called with the event, the source (the event or an element of a list in it) and the node that paths start from."""
Guarded = tuple[tuple[str, ...], Operation]
"""The properties without which an operation does nothing, none where it has to look itself; and the operation."""
Verb = Callable[[Rule, bool], Operation]
"""The operation of a rule without a list in its source; the second says whether a list may stand for the text."""


def compiled(engine: Engine, verb: Verb, units: tuple[Unit, ...]) -> list[Guarded]:
    """The operations of the units of an event, on one engine."""
    return [(unit.names, _operation(engine, verb, unit)) for unit in units]


def run_guarded(guarded: list[Guarded], event: Any, item: Any, node: Any) -> None:
    """Run operations in their order, on what the item has."""
    present = given(item)
    for names, operation in guarded:
        if not names or not present.isdisjoint(names):
            operation(event, item, node)


def _operation(engine: Engine, verb: Verb, unit: Unit) -> Operation:
    if not unit.inner:
        return verb(unit.rule, unit.is_shared)
    guarded = compiled(engine, verb, unit.inner)
    if unit.loop is not None:
        return _loop(engine, unit.loop, guarded)
    return _within(engine, unit.rule.source[:1], guarded)


def _within(engine: Engine, source: tuple[Any, ...], guarded: list[Guarded]) -> Operation:
    """Operations on the object at the first step that rules have in common."""

    def run(event: Any, item: Any, node: Any) -> None:
        value = engine.get(item, source, event)
        if is_object(value):
            run_guarded(guarded, event, value, node)
        elif value is not None:
            engine.wrong_type("an object", value, event, dotted(source))

    return run


def _loop(engine: Engine, loop: Loop, guarded: list[Guarded]) -> Operation:
    """Operations for every element of a list, each on the entry of the tree that is the element's."""
    source, name, wanted, path, key, may_be_text = loop

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
