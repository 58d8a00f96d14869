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
SCALARS = (str, int, bool)
Fits = Callable[[Any], bool]
"""Whether another value is of the shape of the one that it was made from; of the type it is."""
MAX_SHAPES = 16
"""Shapes of one class that are remembered, the last ones."""
MAX_LIST = 16
"""Elements of a list that has a shape."""


OF_SHAPE = ("unknown-property", "missing-property", "unknown-value")
"""Problems that say nothing of a value which is not part of the shape."""


class _Shapeless(Exception):
    """The value of something decides, and not its type."""


class Shapes:
    """The last shapes of each class of events, and the problems of each."""

    def __init__(self, decoder: Any, problems: Callable[[Any], list[Any]]) -> None:
        self._wire, self._tag, self._problems = decoder.wire, decoder.tag, problems
        # Where a payload may lack the tag, it did not choose the class.
        self._tagged = frozenset() if decoder.untagged else _with_one_tag(decoder.events)
        self._classes: dict[type[Any], tuple[Callable[[Any], Any], tuple[bool, ...]] | None] = {}
        self._known: dict[type[Any], list[tuple[Fits, list[Any]]]] = {}

    def problems(self, event: Any) -> list[Any]:
        """The problems of an event."""
        known = self._known.get(type(event))
        if known is None:
            known = self._known[type(event)] = []
        for fits, found in known:
            if fits(event):
                return found
        return self._learnt(event, known)

    def _learnt(self, event: Any, known: list[tuple[Fits, list[Any]]]) -> list[Any]:
        """The problems of an event, by the package; known from now on where they are those of its shape."""
        found = self._problems(event)
        if all(map(_is_of_shape, found)):
            try:
                known.insert(0, (self._fits(event), found))
            except (_Shapeless, TypeError, RecursionError):
                return found
            del known[MAX_SHAPES:]
        return found

    def _fits(self, record: Any) -> Fits:
        """Whether another object of the class is of the shape of this one."""
        cls = type(record)
        if cls not in self._classes:
            self._classes[cls] = self._class(cls)
        known = self._classes[cls]
        if known is None:
            raise _Shapeless
        getter, plain = known
        values = getter(record)
        types = tuple(map(type, values))
        looks = [
            (at, look)
            for at, (value, is_plain) in enumerate(zip(values, plain, strict=True))
            if (look := self._look(value, is_plain)) is not None
        ]
        kept = record._wire
        unknown, marks = ([], {}) if kept is None else (list(kept.unknown), dict(kept.marks))

        def fits(other: Any) -> bool:
            wire = other._wire
            if wire is None:
                if kept is not None:
                    return False
            elif kept is None or wire.marks != marks or [*wire.unknown] != unknown:
                return False
            given = getter(other)
            if tuple(map(type, given)) != types:
                return False
            for at, look in looks:
                if not look(given[at]):
                    return False
            return True

        return fits

    def _look(self, value: Any, is_plain: bool) -> Fits | None:
        """Whether another value of the same type is of the same shape; None where each is."""
        kind = type(value)
        if value is None or (is_plain and kind in SCALARS):
            return None
        if kind in SCALARS:
            return lambda other: bool(other == value)
        if kind is list:
            return self._list(value, is_plain)
        if hasattr(value, "_wire"):
            return self._fits(value)
        raise _Shapeless  # a free object, or a number that may be whole

    def _list(self, values: list[Any], is_plain: bool) -> Fits:
        if not values:
            return lambda other: not other
        if len(values) > MAX_LIST:
            raise _Shapeless
        types = list(map(type, values))
        looks = [self._look(value, is_plain) for value in values]

        def fits(other: list[Any]) -> bool:
            return list(map(type, other)) == types and all(
                look is None or look(each) for look, each in zip(looks, other, strict=True)
            )

        return fits

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


def _is_of_shape(problem: Any) -> bool:
    return problem.kind in OF_SHAPE or problem.message.endswith("got null")


def _is_plain(expression: Any) -> bool:
    """Whether any value of a scalar's type is allowed; of a list, any element."""
    if isinstance(expression, str):
        return expression in PLAIN
    if not expression or expression[0] not in ("null", "list"):
        return False
    return _is_plain(expression[1])
