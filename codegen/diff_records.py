"""What a walk over two packages keeps: pairs, what was found in them, and where a comparison stands.

Reads nothing. Never decides whether something changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from codegen.changes import Place
from codegen.diff_values import Turn


class Pair(NamedTuple):
    """Names of two models, or of two aliases, that stand for each other; for events the tag property of each side."""

    old: str
    new: str
    old_tag: str = ""
    new_tag: str = ""


@dataclass(frozen=True)
class Found:
    """Something that changed at a place, with the way from there (`[]`, `.*`) and what was and is, as text.

    subject  the pointer of what changed as people know it
    """

    kind: str
    place: Place
    subject: str
    tail: str = ""
    old: str = ""
    new: str = ""


@dataclass
class Node:
    """What changed in a pair's own schemas, and the pairs that they lead to.

    replaced  references that lead to another schema than before, with the pair of both
    """

    found: list[Found] = field(default_factory=list)
    children: list[Pair] = field(default_factory=list)
    replaced: list[tuple[Found, Pair]] = field(default_factory=list)


@dataclass(frozen=True)
class At:
    """Where a comparison stands, and in whose words it is told: the old document's where only that has a place of its own."""

    place: Place
    tail: str = ""
    in_old_words: bool = False

    def below(self, step: str) -> At:
        return At(self.place, self.tail + step, self.in_old_words)

    def to(self, place: Place, tail: str = "") -> At:
        return At(place, tail, self.in_old_words)

    def found(self, turn: Turn) -> Found:
        subject = self.place.old if self.in_old_words else self.place.new
        return Found(turn.kind, self.place, subject, self.tail, turn.old, turn.new)
