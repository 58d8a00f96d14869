"""Comparing classes of the catalogue with those of an official client, pair by pair.

Reads classes through the two readers of `client_types`; returns differences. Never compares names of classes, and
never decides who is right.

A payload class is compared with the class that the client has in the same place: the same field, list item or map value
of two classes that were compared, and in a union the member with the same literals. What is the same fact written
differently is no difference, by these rules:

- Requiredness. The client has two forms, required and `Optional[…] = None`. The first is what we call required and
  not nullable. The second stands for everything else, required and nullable included; null is therefore compared only
  where the client can say it by itself: in the items of lists and the values of maps.
- An object with any members is `object` in some places of the client and a map of `object`, or a class without
  fields, in others.
- A number that may be an integer is a number. A time is the text that is on the wire.
- Over a WebSocket the client has a second class for an event, with the lane (`stream_id`) added. We have one class for
  both, in which the lane is optional; with the client's class for SSE it is compared without the lane.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.client_types import CatalogueTypes, Class, ClientTypes, Slot, Value

ABSENT = "absent"


@dataclass(frozen=True)
class Difference:
    """One fact that a class of ours and the client's state differently.

    where  Class.field, then `[]` for the items of a list and `{}` for the values of a map; Class for a class that the
           client does not have; stream.tag for an event
    kind   class, event, field, member (of a union), null, required, type, or values (the known ones that only one side
           lists)
    """

    where: str
    kind: str
    ours: str
    client: str

    def as_entry(self) -> str:
        """The difference as it would stand in the list of known ones."""
        return (
            f"- where: [{self.where!r}]\n  kind: {self.kind}\n  ours: {self.ours!r}\n"
            f"  client: {self.client!r}\n  right: wire | document | client | ours\n  reason:\n"
        )


@dataclass
class Comparison:
    """Compares pairs of classes, each once. `fields` are the fields of ours that were compared."""

    ours: CatalogueTypes
    client: ClientTypes = field(default_factory=ClientTypes)
    pairs: dict[tuple[Class, Class], None] = field(default_factory=dict)
    fields: set[tuple[Class, str]] = field(default_factory=set)
    differences: dict[Difference, None] = field(default_factory=dict)

    def classes(self, our: Class, client: Class, lanes: frozenset[str] = frozenset()) -> None:
        """Compare two classes and all that they lead to; optional fields of ours in `lanes` may be ours alone."""
        if (our, client) in self.pairs:
            return
        self.pairs[our, client] = None
        mine, theirs = self.ours.slots(our), self.client.slots(client)
        for name in {**mine, **theirs}:
            where = f"{our}.{name}"
            if name in mine and name in theirs:
                self.fields.add((our, name))
                self._slots(where, mine[name], theirs[name])
            elif name in theirs:
                self.note(where, "field", ABSENT, _described(theirs[name]))
            elif name not in lanes or mine[name].required:
                self.note(where, "field", _described(mine[name]), ABSENT)

    def note(self, where: str, kind: str, ours: str, client: str) -> None:
        """Keep a difference; the same one is kept once, wherever it was met."""
        self.differences[Difference(where, kind, ours, client)] = None

    def _slots(self, where: str, our: Slot, client: Slot) -> None:
        if (our.required and not our.value.null) != client.required:
            self.note(where, "required", _presence(our), _presence(client))
        self._values(where, our.value, client.value)

    def _values(self, where: str, our: Value, client: Value) -> None:
        if _any_object(our) and _any_object(client):
            return
        if _any_object(our) and client.classes:
            self.note(where, "type", "any object", f"{len(client.classes)} classes")
            return
        if our.shapes() != client.shapes():
            self.note(where, "type", _text(our.shapes()), _text(client.shapes()))
        if our.literals != client.literals:
            mine, theirs = our.literals - client.literals, client.literals - our.literals
            self.note(where, "values", _text(mine), _text(theirs))
        for one, other in self._matched(list(our.classes), list(client.classes)):
            if one is None or other is None:
                self.note(where, "member", _name(one), _name(other))
            else:
                self.classes(one, other)
        self._inner(where + "[]", our.items, client.items)
        self._inner(where + "{}", our.values, client.values)

    def _inner(self, where: str, our: Value | None, client: Value | None) -> None:
        if our is None or client is None:
            return
        if our.null != client.null:
            self.note(where, "null", _null(our), _null(client))
        self._values(where, our, client)

    def _matched(
        self, ours: list[Class], clients: list[Class]
    ) -> Iterator[tuple[Class | None, Class | None]]:
        """Members of two unions in pairs, the most alike first; None stands beside what has no partner."""
        if len(ours) == len(clients) == 1:
            yield ours[0], clients[0]
            return
        ranked = sorted(
            ((self._likeness(our, client), our, client) for our in ours for client in clients),
            key=lambda entry: -entry[0],
        )
        for likeness, our, client in ranked:
            if likeness > 0 and our in ours and client in clients:
                ours.remove(our)
                clients.remove(client)
                yield our, client
        yield from ((our, None) for our in ours)
        yield from ((None, client) for client in clients)

    def _likeness(self, our: Class, client: Class) -> float:
        """How much two members share, literals above names of fields; negative where literals exclude each other."""
        mine, theirs = self.ours.slots(our), self.client.slots(client)
        common = [name for name in mine if name in theirs]
        agreed = 0.0
        for name in common:
            one, other = mine[name].value, theirs[name].value
            if not one.literals or not other.literals or one.kinds or other.kinds:
                continue
            if not one.literals & other.literals:
                return -1
            agreed += len(one.literals & other.literals) / len(one.literals | other.literals)
        return 2 * agreed + len(common) / max(1, len(mine.keys() | theirs.keys()))


def _any_object(value: Value) -> bool:
    shapes = value.shapes()
    inner = value.values.shapes() if value.values is not None else frozenset()
    plain = not value.classes and not value.literals
    return plain and (shapes == {"any"} or (shapes == {"map"} and inner == {"any"}))


def _null(value: Value) -> str:
    return "or null" if value.null else "not null"


def _presence(slot: Slot) -> str:
    return ("required" if slot.required else "optional") + (", or null" if slot.value.null else "")


def _described(slot: Slot) -> str:
    value = slot.value
    parts = [*sorted(value.shapes()), *sorted(value.literals), *map(_name, value.classes)]
    return f"{_presence(slot)}: {' | '.join(parts)}"


def _name(found: Class | None) -> str:
    return ABSENT if found is None else found if isinstance(found, str) else found.__name__


def _text(parts: frozenset[str]) -> str:
    return " | ".join(sorted(parts)) or "none"
