"""What servers leave out of their events, taken from what came before.

Reads events of one stream in their order, decoded or not; returns payloads in which what was missing is filled in, and
reports each repair. Never changes the payload that it was handed, and never fills in what nothing said.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .rules import integer, short, value_of

Report = Callable[[str, str, str, Any], None]
"""Called with the property that was filled, a sentence, the tag and the repaired payload."""


class Repairs(NamedTuple):
    """What can be filled in, as the stream's fragment and its schemas say it.

    methods   property → how: count (the next number), wrap (an object whose own properties stand at the top level), place
              (where the item stands), id (which item it is), part (which part of the item is open)
    tags      tag → those of these properties that the event has, in the order of `methods`
    kinds     tag → the types that the item may have that the event belongs to
    plain     tag → the other properties of an event with a property to wrap
    required  property to wrap → the properties that its object needs
    numbers   the first number and the step
    """

    methods: dict[str, str]
    tags: dict[str, tuple[str, ...]]
    kinds: dict[str, tuple[str, ...]]
    plain: dict[str, tuple[str, ...]]
    required: dict[str, tuple[str, ...]]
    numbers: tuple[int, int] = (0, 1)


class _Item:
    """An item so far: its id and type where they are known, whether it is open, and for each kind of part the last one's
    number and whether that one is open."""

    __slots__ = ("id", "kind", "open", "parts")

    def __init__(self) -> None:
        self.id: str | None = None
        self.kind: str | None = None
        self.open = True
        self.parts: dict[str, tuple[int, bool]] = {}


class Repair:
    """The state of one stream that repairs need: which item stands where, and what is open.

    only  the properties that are filled in
    """

    def __init__(self, repairs: Repairs, only: tuple[str, ...], report: Report) -> None:
        self._repairs = repairs
        self._only = frozenset(only)
        self._report = report
        self._names = {method: name for name, method in repairs.methods.items()}
        self._number: int | None = None
        self._items: dict[int, _Item] = {}
        self._by_id: dict[str, int] = {}
        self._whole: dict[str, dict[str, Any]] = {}
        self._noted: Any = None

    def lacks(self, tag: str, event: Any) -> bool:
        """Whether a property is missing that would be filled in."""
        return any(
            name in self._only and value_of(event, name) is None
            for name in self._repairs.tags.get(tag, ())
        )

    def repaired(self, tag: str, data: dict[str, Any]) -> dict[str, Any]:
        """The payload with what was missing; the same object where nothing was. Takes note of it."""
        fixed = data
        for name in self._repairs.tags.get(tag, ()):
            if name in self._only and fixed.get(name) is None:
                value = self._value(name, tag, fixed)
                if value is not None:
                    fixed = self._filled(name, tag, fixed, value)
        self.note(tag, fixed)
        return fixed

    def note(self, tag: str, event: Any) -> None:
        """Take note of the number, the item and the part of an event."""
        number = integer(value_of(event, self._names.get("count", "")))
        if number is not None:
            self._number = number
        place = integer(value_of(event, self._names.get("place", "")))
        if place is None or tag not in self._repairs.tags:
            return
        identity = value_of(event, self._names.get("id", ""))
        key = (tag, place, identity, *(value_of(event, name) for name in self._parts()))
        if key != self._noted:  # the many deltas of one place say nothing new
            self._noted = key
            self._note_item(tag, place, identity, event)

    # --- filling ----------------------------------------------------------------------------------------------------

    def _filled(self, name: str, tag: str, data: dict[str, Any], value: Any) -> dict[str, Any]:
        if self._repairs.methods[name] == "wrap":
            plain = self._repairs.plain.get(tag, ())
            fixed = {**{key: each for key, each in data.items() if key in plain}, name: value}
            what = f"{name} is missing; what stands at the top level was taken for it"
        else:
            fixed = {**data, name: value}
            what = f"{name} is missing; {short(value)} was taken"
        self._report(name, what, tag, fixed)
        return fixed

    def _value(self, name: str, tag: str, data: dict[str, Any]) -> Any:
        method = self._repairs.methods[name]
        if method == "count":
            first, step = self._repairs.numbers
            return first if self._number is None else self._number + step
        if method == "wrap":
            return self._wrapped(name, tag, data)
        if method == "place":
            return self._place(tag, data)
        item = self._items.get(_int(data.get(self._names.get("place", ""))))
        if method == "id":
            return item.id if item is not None and self._fits(item, self._kinds(tag)) else None
        return self._part(name, tag, item)

    def _wrapped(self, name: str, tag: str, data: dict[str, Any]) -> dict[str, Any] | None:
        """The object at the top level, with what it needs and only an earlier one said; None where there is none."""
        plain = self._repairs.plain.get(tag, ())
        required = self._repairs.required.get(name, ())
        found = {key: value for key, value in data.items() if key not in plain}
        known = self._whole.get(name, {})
        if not found or not any(key in required for key in (*found, *known)):
            return None
        found |= {key: known[key] for key in required if key in known and key not in found}
        self._whole[name] = found
        return found

    def _place(self, tag: str, data: dict[str, Any]) -> int:
        """The place of the item that the event is about: that of its id; without one, of an open item of its type; the next
        free place for a new item."""
        item = data.get("item")
        found = item if isinstance(item, dict) else {}
        identity = found.get("id", data.get(self._names.get("id", "")))
        if isinstance(identity, str) and identity in self._by_id:
            return self._by_id[identity]
        kinds = (found["type"],) if isinstance(found.get("type"), str) else self._kinds(tag)
        fitting = [
            place
            for place, each in self._items.items()
            if each.open and self._fits(each, kinds) and not (identity and each.id)
        ]
        if fitting and not (found and tag.endswith(".added")):
            return fitting[0] if found else fitting[-1]
        return max(self._items, default=-1) + 1

    def _kinds(self, tag: str) -> tuple[str, ...]:
        return self._repairs.kinds.get(tag, ())

    def _fits(self, item: _Item, kinds: tuple[str, ...]) -> bool:
        return not kinds or item.kind is None or item.kind in kinds

    def _part(self, name: str, tag: str, item: _Item | None) -> int:
        """The open part; a new one where the event announces it, or adds to an item whose last part is finished."""
        if item is None or name not in item.parts:
            return 0
        last, is_open = item.parts[name]
        begins = tag.endswith("_part.added") or (tag.endswith(".delta") and not is_open)
        return last + 1 if begins else last

    # --- noting -----------------------------------------------------------------------------------------------------

    def _parts(self) -> list[str]:
        return [name for name, method in self._repairs.methods.items() if method == "part"]

    def _note_item(self, tag: str, place: int, identity: Any, event: Any) -> None:
        given = value_of(event, "item")
        is_new = given is not None and tag.endswith(".added")
        if place not in self._items or is_new:
            self._items[place] = _Item()
        item = self._items[place]
        kinds = self._kinds(tag) if given is None else (value_of(given, "type"),)
        if item.kind is None and len(kinds) == 1 and isinstance(kinds[0], str):
            item.kind = kinds[0]
        identity = value_of(given, "id") if given is not None else identity
        if isinstance(identity, str) and identity:
            item.id = item.id or identity
            self._by_id.setdefault(identity, place)
        if given is not None and tag.endswith(".done"):
            item.open = False
        for name in self._parts():
            number = integer(value_of(event, name))
            if number is not None:
                item.parts[name] = (number, not tag.endswith("_part.done"))


def _int(value: Any) -> int:
    """The integer of a place; one that no item has for anything else."""
    found = integer(value)
    return -1 if found is None else found
