"""Which property, member or event of the new side stands for which of the old.

Reads two scopes; returns pairs, what is gone and what came. Equal names come first, then equal tags, then content. Never
pairs by content where something else of the same side has the same content: then content tells nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

from codegen.catalogue import Field, Type
from codegen.diff_names import json_text
from codegen.diff_pointers import is_component
from codegen.diff_scope import Atom, Scope, family, likeness

ALIKE = 0.8
"""From which likeness on two objects with another name and tag are taken for the same."""
RELATED = 0.3
"""From which likeness on two objects without any name in common are compared field by field."""
NAME_ALIKE = 0.6
"""From which likeness on two names are taken for versions of one another."""

One = TypeVar("One", bound=Hashable)


def best_pairs(scores: Mapping[tuple[One, One], float]) -> list[tuple[One, One]]:
    """The pairs with the highest scores above 0, none of them with a partner twice."""
    order = sorted(scores, key=lambda pair: -scores[pair])
    left: set[One] = set()
    right: set[One] = set()
    found = []
    for first, second in order:
        if scores[first, second] > 0 and first not in left and second not in right:
            left.add(first)
            right.add(second)
            found.append((first, second))
    return found


def name_likeness(first: str, second: str) -> float:
    """How alike two names are, from 0 to 1."""
    return SequenceMatcher(None, first, second, autojunk=False).ratio()


def paired_fields(
    old: Mapping[str, Field], new: Mapping[str, Field], before: Scope, after: Scope
) -> tuple[list[tuple[Field, Field]], list[Field], list[Field]]:
    """Pairs of properties, those gone and those that came. Renamed is what has the same type and a name like it."""
    pairs = [(old[name], new[name]) for name in old if name in new]
    gone = {name: each for name, each in old.items() if name not in new}
    came = {name: each for name, each in new.items() if name not in old}
    scores = {
        (first, second): _renamed(gone[first], came[second], before, after)
        for first in gone
        for second in came
    }
    for first, second in best_pairs(scores):
        pairs.append((gone.pop(first), came.pop(second)))
    return pairs, list(gone.values()), list(came.values())


def _renamed(old: Field, new: Field, before: Scope, after: Scope) -> float:
    if (old.required, old.type.null) != (new.required, new.type.null):
        return 0
    texts = [
        sorted(scope.words.type(atom.type) for atom in scope.atoms(each.type, ""))
        for scope, each in ((before, old), (after, new))
    ]
    if texts[0] != texts[1]:
        return 0
    names = name_likeness(old.name, new.name)
    if old.type.kind == new.type.kind == "ref":
        return 1 + names  # the same payload under another name
    return names if names >= NAME_ALIKE else 0


Members = Sequence[Atom]


def paired_members(
    old: Members, new: Members, before: Scope, after: Scope
) -> tuple[list[tuple[Atom, Atom]], list[Atom], list[Atom]]:
    """Pairs of members of two unions, those gone and those that came; a type that is no union is its own member."""
    scores: dict[tuple[int, int], float] = {}
    alone = len(old) == len(new) == 1
    if not alone:  # where the scores are equal, the text decides and not the order in the document
        old = sorted(old, key=lambda atom: before.words.type(atom.type))
        new = sorted(new, key=lambda atom: after.words.type(atom.type))
    for left, first in enumerate(old):
        for right, second in enumerate(new):
            if family(first.type) == family(second.type):
                scores[left, right] = _member(first, second, before, after, alone)
    pairs = best_pairs(scores)
    gone = {left for left, _ in pairs}
    came = {right for _, right in pairs}
    return (
        [(old[left], new[right]) for left, right in sorted(pairs)],
        [atom for at, atom in enumerate(old) if at not in gone],
        [atom for at, atom in enumerate(new) if at not in came],
    )


def _member(old: Atom, new: Atom, before: Scope, after: Scope, alone: bool) -> float:
    """How much speaks for two members of one JSON kind being the same; 0 for nothing."""
    if family(old.type) != "object" or "map" in (old.type.kind, new.type.kind):
        if _is_same(old.type, new.type, before, after):
            return 10
        if family(old.type) != "object":
            values = set(map(json_text, old.type.values)) & set(map(json_text, new.type.values))
            return (2 if old.type.kind == new.type.kind else 1) + min(len(values), 7)
        return 1 if old.type.kind == new.type.kind or alone else 0
    tags = before.literals(old.type), after.literals(new.type)
    places = before.models[old.type.name].schema, after.models[new.type.name].schema
    named = _named(*places)
    if not named and not alone and all(tags) and not tags[0] & tags[1]:
        return 0
    alike = likeness(before.signature(old.type), after.signature(new.type))
    if tags[0] & tags[1]:
        return 4 + alike + named
    if named == 1:
        return 3 + alike
    if alone:
        return alike + named if alike >= RELATED or named else 0
    inline = not is_component(places[0]) and not is_component(places[1])
    least = RELATED if inline else ALIKE
    return alike + named / 10 if alike >= least and not any(tags) else 0


def _is_same(old: Type, new: Type, before: Scope, after: Scope) -> bool:
    """Whether two types that are no models are one, whatever the names of what is written in them."""
    if old.items is None or new.items is None:
        return old == new
    return before.words.type(old) == after.words.type(new)


def _named(old: str, new: str) -> float:
    """What the places of two objects say: 1 for the same component, a little for the same place in another schema.

    A member that is written in its union has its number there for a place, which only decides between equals.
    """
    if old != new:
        return 0
    return 1 if is_component(old) else 0.1
