"""What an event is at each step of the way to its piece of text, for telling that another one differs in its piece alone.

Reads events and rules; returns levels. Never changes an event, and holds no list, dict or record of one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .records import Kept, Record, UnknownObject
from .rules import Rule, value_of


class Level(NamedTuple):
    """What the object at one step of a path has to be.

    names     its attributes that have to be the same, with `values` for them
    name      the property that leads on
    is_own    whether this is a field of the class
    is_list   whether it leads through a list of one
    key       what says which entry it is about; () where it is about no entry
    """

    cls: type[Any]
    names: tuple[str, ...]
    values: tuple[Any, ...]
    name: str
    is_own: bool
    is_list: bool
    key: tuple[Any, ...]


class _Number:
    """Equal to a number of the same type and value alone, as 1, 1.0 and true differ."""

    __slots__ = ("_value",)

    def __init__(self, value: int | float) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        value = other._value if type(other) is _Number else other
        return type(value) is type(self._value) and value == self._value


def levels_of(event: Any, rule: Rule, read_names: set[str]) -> list[Level] | None:
    """What an event has to be at each step of a rule's source; None where it cannot be told."""
    keys = [step[0] for step in rule.path if type(step) is tuple]
    has_list = any(type(step) is str and step[:1] == "[" for step in rule.source)
    here = [] if has_list else keys  # of the event itself, or else one for each list
    levels: list[Level] = []
    node = event
    for at, step in enumerate(rule.source):
        if type(step) is str and step[:1] == "[":
            if step != "[]" or type(node) is not list or len(node) != 1 or not keys:
                return None
            node, here, keys = node[0], keys[:1], keys[1:]
            continue
        names = step if type(step) is tuple else (step,)
        present = [name for name in names if value_of(node, name) is not None]
        if not isinstance(node, Record) or isinstance(node, UnknownObject) or len(present) != 1:
            return None
        is_list = at + 1 < len(rule.source) and str(rule.source[at + 1])[:1] == "["
        counted = [
            slot
            for slot in type(node).__slots__
            if slot != present[0] and (levels or slot in read_names)
        ]
        key = tuple(value_of(node, name) for name in here)
        level = _level(node, present[0], is_list, counted, key)
        if level is None:
            return None
        levels.append(level)
        node, here = value_of(node, present[0]), []
    return levels if type(node) is str else None


def _level(
    node: Any, name: str, is_list: bool, counted: list[str], key: tuple[Any, ...]
) -> Level | None:
    """What an object has to be, by the fields that count; None where these are not plain values."""
    values = [getattr(node, slot) for slot in counted]
    is_own = name in type(node).__slots__
    kept = node._wire
    if is_own:
        counted = [*counted, "_wire"]
        values.append(kept and Kept(_exactly(kept.unknown), kept.marks))
        inside = [] if kept is None else list(kept.unknown.values())
    else:
        inside = [kept.marks] if kept.marks else []
    if not counted or any(isinstance(value, (list, dict, Record)) for value in [*values, *inside]):
        return None
    return Level(type(node), tuple(counted), tuple(values), name, is_own, is_list, key)


def _exactly(unknown: dict[str, Any]) -> dict[str, Any]:
    """Undeclared properties in a form that is equal to the same values of the same types alone."""
    return {
        name: _Number(value) if isinstance(value, (int, float)) else value
        for name, value in unknown.items()
    }


def is_about_another(known: list[Level], new: list[Level]) -> bool:
    """Whether two are the same down to an object that is about another entry."""
    for one, other in zip(known, new):
        if one.cls is not other.cls or one.name != other.name:
            return False
        if one.values != other.values or _types(one.values) != _types(other.values):
            return one.key != other.key
    return False


def _types(values: tuple[Any, ...]) -> list[type[Any]]:
    return [type(value) for value in values]
