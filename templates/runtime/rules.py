"""Accumulation rules in the form that the runtime reads, and how they reach into events.

Reads records, dicts and names; returns what stands there. Never applies a rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .records import Record, UnknownEvent, UnknownObject

Report = Callable[[str, str, str, Any, str], None]
"""Takes a problem: its kind, level, message, the event and the path."""


class Rule(NamedTuple):
    """One accumulation rule; `codegen/rules.py` has the notation and what each verb means.

    path      names as text, keys as tuples of names; the first may be "@name", kept beside the snapshot
    source    names; a tuple of names is the first of them that is there, if need be empty; "[]" goes through a list, "[name=value]" through
              those of its elements that have the value; () is the whole
    literal   a tuple of no or one value that stands for the source; for `rest` the names that are not its own
    creating  what an entry that was never announced starts with, one per key; "$name" takes the event's property
    keep      the list that stays where a new snapshot has none; for `rest` words, text under names that end with one is
              joined; for `fail`, whose path is the names of signs, the property that a failure lacks
    """

    verb: str
    path: tuple[Any, ...] = ()
    source: tuple[Any, ...] = ()
    literal: tuple[Any, ...] = ()
    creating: tuple[dict[str, Any], ...] = ()
    keep: str = ""


def value_of(node: Any, name: str) -> Any:
    """The property `name` of a record or a dict; None where there is none."""
    kind = type(node)
    if kind is UnknownEvent or kind is UnknownObject:
        node = node.data
    elif isinstance(node, Record):
        if name in node.__slots__:
            return getattr(node, name)
        return node._wire.unknown.get(name) if node._wire is not None else None
    return node.get(name) if isinstance(node, dict) else None


def given(node: Any) -> set[str]:
    """The names of the properties of an object that are there and not null; none for anything else."""
    if isinstance(node, (UnknownEvent, UnknownObject)):
        node = node.data
    if isinstance(node, dict):
        return {name for name, value in node.items() if value is not None}
    if not isinstance(node, Record):
        return set()
    names = {name for name in node.__slots__ if getattr(node, name) is not None}
    if node._wire is not None and node._wire.unknown:
        names.update(node._wire.unknown)
    return names


def reached(node: Any, names: tuple[Any, ...]) -> Any:
    """The value at a path of names; None where there is none."""
    for name in names:
        node = step(node, name)
    return node


def step(node: Any, name: str | tuple[str, ...]) -> Any:
    """One step of a path; of several names the first that is there."""
    if type(name) is not tuple:
        return value_of(node, name)  # type: ignore[arg-type]
    found = [value for each in name if (value := value_of(node, each)) is not None]
    if len(found) > 1:
        return next((value for value in found if value != "" and given(value)), found[0])
    return found[0] if found else None


def is_object(node: Any) -> bool:
    """Whether a value is a JSON object, decoded or not."""
    return isinstance(node, (dict, Record))


Signs = tuple[tuple[str, ...], str]
"""Names of properties of which a failure has one, and the name of a property that it then lacks; "" for none."""


def fails(node: Any, signs: Signs) -> bool:
    """Whether an object says that something failed: one of the properties has a value, and the other is not there."""
    names, without = signs
    has_sign = any(value_of(node, name) not in (None, "", {}, [], False) for name in names)
    return has_sign and not (without and value_of(node, without) is not None)


def integer(value: Any) -> int | None:
    """The integer that a JSON number is, as in JSON Schema (1.0 is one); None for anything else."""
    if type(value) is int:
        return value
    return int(value) if type(value) is float and value.is_integer() else None


def dotted(names: tuple[Any, ...]) -> str:
    """A path of names as a problem shows it."""
    shown = [name[0] if type(name) is tuple else name for name in names]
    return "".join(name if name[:1] == "[" else f".{name}" for name in shown)


def undeclared(node: Any, claimed: tuple[Any, ...]) -> dict[str, Any]:
    """The properties of an object that no class and no rule names; none of an object whose class is not known."""
    if isinstance(node, UnknownObject):
        return {}
    if isinstance(node, UnknownEvent):
        node = node.data
    if isinstance(node, Record):
        if node._wire is None or not node._wire.unknown:
            return {}
        node = node._wire.unknown
    if not isinstance(node, dict):
        return {}
    return {name: value for name, value in node.items() if name not in claimed}


def short(value: Any) -> str:
    """A value as a problem shows it: the begin and the end of what is long."""
    if isinstance(value, (UnknownEvent, UnknownObject)):
        value = value.data
    elif isinstance(value, Record):
        fields = ((name, getattr(value, name)) for name in value.__slots__)
        value = {name: each for name, each in fields if each is not None}
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:40]}…{text[-16:]}"
