"""What a value may be, unions opened and names followed: the form in which a client's type meets a document's.

Reads the types of one package; returns `Parts`, and pairs of models that stand for each other. Never looks at how a type is named
or nested.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from codegen.catalogue import Json, Model, Package, Type


@dataclass(frozen=True)
class Parts:
    """Every member of a union, unions within it opened.

    kinds     string, integer, number, boolean, any; integers are numbers where those are allowed
    literals  known values
    models    objects with declared properties
    items     what the items of a list are, once for each list
    values    what the values of an object with free keys are, once for each
    """

    kinds: frozenset[str] = frozenset()
    literals: tuple[Json, ...] = ()
    models: tuple[str, ...] = ()
    items: tuple[Type, ...] = ()
    values: tuple[Type, ...] = ()
    null: bool = False

    def __bool__(self) -> bool:
        """Whether anything but null is allowed."""
        return bool(self.kinds or self.literals or self.models or self.items or self.values)

    @property
    def is_free(self) -> bool:
        """Whether any object is allowed, or any value, and nothing else is said."""
        if self.literals or self.models or self.items:
            return False
        free = all(type_.kind == "any" for type_ in self.values)
        return free and (self.kinds == {"any"} or (not self.kinds and bool(self.values)))

    @property
    def covers(self) -> bool:
        """Whether objects that are not among the models are allowed too."""
        return "any" in self.kinds or any(type_.kind == "any" for type_ in self.values)


def joined(parts: Iterable[Parts]) -> Parts:
    """What may be any of `parts`."""
    every = list(parts)
    kinds = frozenset(kind for each in every for kind in each.kinds)
    return Parts(
        kinds - {"integer"} if "number" in kinds else kinds,
        unique(value for each in every for value in each.literals),
        tuple(dict.fromkeys(name for each in every for name in each.models)),
        tuple(dict.fromkeys(type_ for each in every for type_ in each.items)),
        tuple(dict.fromkeys(type_ for each in every for type_ in each.values)),
        any(each.null for each in every),
    )


def unique(values: Iterable[Json]) -> tuple[Json, ...]:
    """Values, each once; 1, 1.0 and true are three."""
    return tuple({(type(value).__name__, value): value for value in values}.values())


class Reader:
    """The types of one package as parts."""

    def __init__(self, package: Package) -> None:
        self.models = {model.name: model for model in package.models}
        self.aliases = {alias.name: alias for alias in package.aliases}
        self._slots: dict[str, dict[str, Parts]] = {}

    def parts(self, type_: Type) -> Parts:
        """What a type allows."""
        found = self._plain(type_, frozenset())
        return replace(found, null=True) if type_.null else found

    def _plain(self, type_: Type, seen: frozenset[str]) -> Parts:
        if type_.kind in ("constant", "enum"):
            kinds = frozenset({"string"}) if type_.open else frozenset[str]()
            return Parts(kinds, tuple(value for value in type_.values if value is not None))
        if type_.kind == "union":
            return joined(self._plain(member, seen) for member in type_.members)
        if type_.kind == "array":
            return Parts(items=(type_.items or Type("any"),))
        if type_.kind == "map":
            return Parts(values=(type_.items or Type("any"),))
        if type_.kind != "ref":
            return Parts(frozenset({type_.kind}))
        if type_.name in self.models:
            # A model that declares nothing is an object with any members.
            declared = self.models[type_.name].fields
            return Parts(models=(type_.name,)) if declared else Parts(values=(Type("any"),))
        if type_.name in seen:
            return Parts()
        return self._plain(self.aliases[type_.name].type, seen | {type_.name})

    def slots(self, name: str) -> dict[str, Parts]:
        """The properties of a model."""
        if name not in self._slots:
            self._slots[name] = {
                field.name: self.parts(field.type) for field in self.models[name].fields
            }
        return self._slots[name]

    def model(self, name: str) -> Model:
        """The model of that name."""
        return self.models[name]


def matched(
    ours: Sequence[str], theirs: Sequence[str], one: Reader, other: Reader
) -> dict[str, str]:
    """Members of two unions in pairs, the most alike first; a single one and a single one are a pair."""
    if len(ours) == len(theirs) == 1:
        return {ours[0]: theirs[0]}
    scores = [
        (-_likeness(one.slots(our), other.slots(their)), at, our, their)
        for at, our in enumerate(ours)
        for their in theirs
    ]
    found: dict[str, str] = {}
    taken: set[str] = set()
    for score, _, our, their in sorted(scores):
        if score < 0 and our not in found and their not in taken:
            found[our] = their
            taken.add(their)
    return found


def _likeness(ours: dict[str, Parts], theirs: dict[str, Parts]) -> float:
    """How much two objects share, literals above names of properties; negative where literals exclude each other."""
    agreed = 0.0
    common = ours.keys() & theirs.keys()
    for name in common:
        first, second = (
            frozenset((type(value).__name__, value) for value in side[name].literals)
            for side in (ours, theirs)
        )
        if not first or not second or ours[name].kinds or theirs[name].kinds:
            continue
        if not first & second:
            return -1
        agreed += len(first & second) / len(first | second)
    return 2 * agreed + len(common) / max(1, len(ours.keys() | theirs.keys()))
