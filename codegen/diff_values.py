"""What changed between two types of one JSON kind that are no objects, and which way: more values than before, or fewer.

Reads types; returns turns: a kind of change with what was and what is. Never looks into a package.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from codegen.catalogue import Type
from codegen.diff_names import LITERAL, json_text
from codegen.show import BARE


class Turn(NamedTuple):
    """A kind of change, and what was and what is as text."""

    kind: str
    old: str = ""
    new: str = ""


def type_kind(old: Sequence[Type], new: Sequence[Type]) -> str:
    """The kind of change where one set of members gives way to another: to one that allows all of it, or part of it."""
    if old and new and all(any(_allows(second, first) for second in new) for first in old):
        return "type-widened"
    if old and new and all(any(_allows(first, second) for first in old) for second in new):
        return "type-narrowed"
    return "type-changed"


def _allows(wide: Type, narrow: Type) -> bool:
    """Whether every value of one type is one of the other, by what both are at the top."""
    if wide.kind == "any" or wide.kind in BARE and wide == narrow:
        return True
    if wide.kind == "number":
        return narrow.kind == "integer"
    is_free = wide.kind == "map" and (wide.items is None or wide.items.kind == "any")
    return is_free and not wide.bounds and narrow.kind in ("map", "ref")


def scalar_turns(old: Type, new: Type) -> Iterator[Turn]:
    """What changed in format and bounds, and between integer and number."""
    if old.kind != new.kind:
        yield Turn(type_kind([old], [new]), old.kind, new.kind)
    if old.format != new.format:
        kind = "format-changed" if old.format and new.format else "format-added"
        kind = kind if new.format else "format-removed"
        yield Turn(kind, old.format or "none", new.format or "none")
    before, after = dict(old.bounds), dict(new.bounds)
    for word in sorted(before.keys() | after.keys()):
        first, second = before.get(word), after.get(word)
        if first != second:
            texts = (
                f"{word} {json_text(side[word])}" if word in side else f"no {word}"
                for side in (before, after)
            )
            yield Turn(_bound_kind(word, first, second), *texts)


def _bound_kind(word: str, old: Any, new: Any) -> str:
    """None and false are no bound."""
    if not old and old != 0 or old is False:
        return "bound-narrowed"
    if not new and new != 0 or new is False:
        return "bound-widened"
    if not all(isinstance(each, (int, float)) for each in (old, new)):
        return "bound-changed"
    if word == "multipleOf":
        divides = [b and a % b == 0 for a, b in ((old, new), (new, old))]
        return (
            "bound-widened" if divides[0] else "bound-narrowed" if divides[1] else "bound-changed"
        )
    is_upper = "max" in word.lower()
    return "bound-widened" if (new > old) == is_upper else "bound-narrowed"


def literal_turns(old: Type, new: Type, words: tuple[str, str]) -> Iterator[Turn]:
    """What changed in listed values; of the two, one at least lists some. `words`: both types as text."""
    closed = [type_.kind in LITERAL and not type_.open for type_ in (old, new)]
    sides = [{json_text(value) for value in type_.values} for type_ in (old, new)]
    gone, came = sorted(sides[0] - sides[1]), sorted(sides[1] - sides[0])
    if all(closed) and len(sides[0]) == len(sides[1]) == len(gone) == 1:
        yield Turn("constant-changed", gone[0], came[0])
        return
    if closed[0] != closed[1]:
        yield Turn("enum-opened" if closed[0] else "enum-closed", *words)
        if not (old.values and new.values):
            return
    # What only an open list names was allowed, or still is.
    for text in gone:
        yield Turn("enum-value-removed" if closed[1] else "enum-value-unlisted", old=text)
    for text in came:
        yield Turn("enum-value-added" if closed[0] else "enum-value-listed", new=text)
