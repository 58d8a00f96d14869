"""What an event's schema does not allow, quickly.

Reads events; returns the problems that the package's own check has. Never checks twice what is of one shape: the types of
all values, and the values themselves where the schema lists some. Checking a delta anew costs as much as reading it from
bytes, and finding its shape a fifth of that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

PLAIN = ("str", "int", "bool", "any")
MAX_SHAPES = 20_000
"""Shapes that are remembered; what comes after them is checked anew."""
MAX_LIST = 16
"""Elements of a list that has a shape."""


OF_SHAPE = ("unknown-property", "missing-property", "unknown-value")
"""Problems that say nothing of a value which is not part of the shape."""


class _Shapeless(Exception):
    """The value of something decides, and not its type."""


class Shapes:
    """The shapes of events so far, and the problems of each."""

    def __init__(self, decoder: Any, problems: Callable[[Any], list[Any]]) -> None:
        self._wire, self._tag, self._problems = decoder.wire, decoder.tag, problems
        # Where a payload may lack the tag, it did not choose the class.
        self._tagged = frozenset() if decoder.untagged else _with_one_tag(decoder.events)
        self._classes: dict[type[Any], tuple[Callable[[Any], Any], tuple[bool, ...]] | None] = {}
        self._flat: dict[type[Any], dict[tuple[Any, ...], tuple[int, ...]]] = {}
        self._looks: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        self._known: dict[tuple[Any, ...], list[Any]] = {}

    def problems(self, event: Any) -> list[Any]:
        """The problems of an event."""
        cls = type(event)
        known = self._classes.get(cls)
        if known is None:
            if cls not in self._classes:
                self._classes[cls] = self._class(cls)
            known = self._classes[cls]
        if known is None:
            return self._problems(event)
        flat = self._flat.get(cls)
        if flat is not None and event._wire is None:
            # Most deltas have no object in them: one look at the types of their values is enough.
            values = known[0](event)
            lists = flat.get((*map(type, values),))
            if lists is not None and not any([values[at] for at in lists]):
                return []
        return self._by_shape(event)

    def _by_shape(self, event: Any) -> list[Any]:
        try:
            shape = self._shape(event)
        except (_Shapeless, TypeError, RecursionError):
            return self._problems(event)
        found = self._known.get(shape)
        if found is None:
            found = self._problems(event)
            if len(self._known) < MAX_SHAPES and all(map(_is_of_shape, found)):
                self._known[shape] = found
                self._note_flat(event, found)
        return found

    def _note_flat(self, event: Any, found: list[Any]) -> None:
        """Remember an event without problems that has only scalars that may be anything, null, and empty lists."""
        getter, plain = self._classes[type(event)] or (None, ())
        if found or event._wire is not None or getter is None:
            return
        values = getter(event)
        if all(map(_is_flat, values, plain)):
            places = tuple(at for at, value in enumerate(values) if type(value) is list)
            self._flat.setdefault(type(event), {})[*map(type, values)] = places

    def _shape(self, record: Any) -> tuple[Any, ...]:
        cls = type(record)
        if cls not in self._classes:
            self._classes[cls] = self._class(cls)
        known = self._classes[cls]
        if known is None:
            raise _Shapeless
        getter, plain = known
        values = getter(record)
        key = (cls, *map(type, values))
        look = self._looks.get(key)
        if look is None:
            look = self._looked(key, plain)
        parts: list[Any] = [look]
        for at, is_plain in look[1:]:
            parts.append(self._part(values[at], is_plain))
        kept = record._wire
        if kept is not None:
            parts.append((tuple(kept.unknown), tuple(kept.marks.items())))
        return tuple(parts)

    def _looked(self, key: tuple[Any, ...], plain: tuple[bool, ...]) -> tuple[Any, ...]:
        """The number of a class with these types of values, and at which values one has to look: not at scalars of which
        any is allowed."""
        if len(self._looks) >= MAX_SHAPES:
            raise _Shapeless
        known = [
            (at, is_plain)
            for at, (kind, is_plain) in enumerate(zip(key[1:], plain, strict=True))
            if kind is not type(None) and not (is_plain and kind in (str, int, bool))
        ]
        self._looks[key] = found = (len(self._looks), *known)
        return found

    def _part(self, value: Any, is_plain: bool) -> Any:
        kind = type(value)
        if kind is str or kind is int or kind is bool or value is None:
            return kind if is_plain else (kind, value)
        if kind is list:
            if len(value) > MAX_LIST:
                raise _Shapeless
            return tuple([self._part(each, is_plain) for each in value])
        if hasattr(value, "_wire"):
            return self._shape(value)
        raise _Shapeless  # a free object, or a number that may be whole

    def _class(self, cls: type[Any]) -> tuple[Callable[[Any], Any], tuple[bool, ...]] | None:
        """What gives the values of a class's fields, and of which of them any value of the type is allowed."""
        table = self._wire.table(cls.__name__)
        if table is None or table.extra is not None:
            return None
        names = {attribute: name for name, attribute in table.renamed.items()}
        types = {**table.required, **table.optional}
        if cls in self._tagged:
            types[self._tag] = "str"  # it chose the class
        plain = tuple(_is_plain(types.get(names.get(slot, slot))) for slot in cls.__slots__)
        if len(cls.__slots__) == 1:
            single = attrgetter(cls.__slots__[0])
            return lambda record: (single(record),), plain
        return (attrgetter(*cls.__slots__) if cls.__slots__ else lambda record: ()), plain


def _with_one_tag(events: Mapping[str, type[Any]]) -> frozenset[type[Any]]:
    """Classes that only one tag chooses."""
    counts = Counter(events.values())
    return frozenset(cls for cls, count in counts.items() if count == 1)


def _is_flat(value: Any, is_plain: bool) -> bool:
    return value is None or value == [] or (is_plain and type(value) in (str, int, bool))


def _is_of_shape(problem: Any) -> bool:
    return problem.kind in OF_SHAPE or problem.message.endswith("got null")


def _is_plain(expression: Any) -> bool:
    """Whether any value of a scalar's type is allowed; of a list, any element."""
    if isinstance(expression, str):
        return expression in PLAIN
    if not expression or expression[0] not in ("null", "list"):
        return False
    return _is_plain(expression[1])
