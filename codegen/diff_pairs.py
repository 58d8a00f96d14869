"""Which property, member or event of the new side stands for which of the old.

Reads two scopes; returns pairs, what is gone and what came. Equal names come first, then equal tags, then content. Never
pairs by content where something else of the same side has the same content: then content tells nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

from codegen.catalogue import Field
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
    names = name_likeness(old.name, new.name)
    if old.type == new.type and old.type.kind == "ref":
        return 1 + names  # the same payload under another name
    first, second = (scope.atoms(each.type, "") for scope, each in ((before, old), (after, new)))
    same = [atom.type for atom in first] == [atom.type for atom in second]
    return names if same and names >= NAME_ALIKE else 0


Members = Sequence[Atom]


def paired_members(
    old: Members, new: Members, before: Scope, after: Scope
) -> tuple[list[tuple[Atom, Atom]], list[Atom], list[Atom]]:
    """Pairs of members of two unions, those gone and those that came; a type that is no union is its own member."""
    scores: dict[tuple[int, int], float] = {}
    alone = len(old) == len(new) == 1
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
    if old.type == new.type:
        return 10
    if family(old.type) != "object":
        return 2 if old.type.kind == new.type.kind else 1
    if "map" in (old.type.kind, new.type.kind):
        return 1 if old.type.kind == new.type.kind or alone else 0
    tags = before.literals(old.type), after.literals(new.type)
    alike = likeness(before.signature(old.type), after.signature(new.type))
    named = old.type.name == new.type.name
    if tags[0] & tags[1]:
        return 4 + alike + named
    if named:
        return 3 + alike
    if alone:
        return alike if alike >= RELATED else 0
    return alike if alike >= ALIKE and not any(tags) else 0
