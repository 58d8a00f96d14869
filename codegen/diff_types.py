"""What changed between two types, however deep.

Reads two packages; returns, for each pair of models or aliases that stand for each other, what changed in their own
schema and which pairs they lead to. Never looks at a stream, and never reports anything twice for two ways to it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from codegen import show
from codegen.catalogue import Field, Type
from codegen.changes import Place
from codegen.diff_pairs import paired_fields, paired_members
from codegen.diff_scope import (
    CLOSED,
    OPEN,
    Atom,
    Scope,
    family,
    field_pointer,
    is_component,
)

LITERAL = ("constant", "enum")


class Pair(NamedTuple):
    """Names of two models, or of two aliases, that stand for each other; for events the tag property of each side."""

    old: str
    new: str
    old_tag: str = ""
    new_tag: str = ""


@dataclass(frozen=True)
class Found:
    """Something that changed at a place, with the way from there (`[]`, `.*`) and what was and is, as text."""

    kind: str
    place: Place
    tail: str = ""
    old: str = ""
    new: str = ""


@dataclass
class Node:
    """What changed in a pair's own schemas, and the pairs that they lead to."""

    found: list[Found] = field(default_factory=list)
    children: list[Pair] = field(default_factory=list)


@dataclass(frozen=True)
class _At:
    place: Place
    tail: str = ""

    def below(self, step: str) -> _At:
        return _At(self.place, self.tail + step)


Types = Callable[[Type, Type, _At, Node], None]


class Walk:
    """All pairs between two packages, compared as they are reached."""

    def __init__(self, old: Scope, new: Scope) -> None:
        self.old = old
        self.new = new
        self.nodes: dict[Pair, Node] = {}

    def reach(self, start: Pair) -> None:
        """Compare a pair and everything that it leads to."""
        todo = [start]
        while todo:
            pair = todo.pop()
            if pair not in self.nodes:
                self.nodes[pair] = node = Node()
                self._compare(pair, node)
                todo += node.children

    def _compare(self, pair: Pair, node: Node) -> None:
        if pair.old in self.old.aliases and pair.new in self.new.aliases:
            before, after = self.old.aliases[pair.old], self.new.aliases[pair.new]
            at = _At(Place(before.schema, after.schema))
            self._renamed(before.schema, after.schema, node)
            self._atoms(
                self.old.atoms(before.type, before.schema),
                self.new.atoms(after.type, after.schema),
                at,
                node,
            )
        else:
            place = Place(self.old.models[pair.old].schema, self.new.models[pair.new].schema)
            self._renamed(place.old, place.new, node)
            self._objects(
                Type("ref", name=pair.old), Type("ref", name=pair.new), _At(place), node, pair
            )

    def _renamed(self, old: str, new: str, node: Node) -> None:
        """A component under another name; where either name is on both sides, it is another component instead."""
        if old == new or not is_component(old) or not is_component(new):
            return
        if old not in self.new.components and new not in self.old.components:
            names = [pointer.rpartition("/")[2] for pointer in (old, new)]
            node.found.append(Found("schema-renamed", Place(old, new), "", *names))

    def _types(self, old: Type, new: Type, at: _At, node: Node) -> None:
        if old.null != new.null and family(old) != "null" != family(new):
            kind = "made-nullable" if new.null else "no-longer-nullable"
            node.found.append(Found(kind, at.place, at.tail))
        if self.old.alias(old) and self.new.alias(new):
            node.children.append(Pair(old.name, new.name))
            return
        before = self.old.atoms(old, at.place.old, at.tail)
        after = self.new.atoms(new, at.place.new, at.tail)
        self._atoms(before, after, at, node)

    def _atoms(self, old: list[Atom], new: list[Atom], at: _At, node: Node) -> None:
        pairs, gone, came = paired_members(old, new, self.old, self.new)
        for before, after in pairs:
            self._atom(before, after, node)
        if not pairs and (old or new):  # nothing of the old is left
            self._change_type(old, new, at, node)
            return
        for atom in gone:
            text = _text(atom.type)
            node.found.append(Found("union-member-removed", at.place, at.tail, old=text))
        for atom in came:
            text = _text(atom.type)
            node.found.append(Found("union-member-added", at.place, at.tail, new=text))

    def _change_type(self, old: list[Atom], new: list[Atom], at: _At, node: Node) -> None:
        before, after = (" | ".join(_text(atom.type) for atom in side) for side in (old, new))
        node.found.append(
            Found("type-changed", at.place, at.tail, before or "null", after or "null")
        )

    def _atom(self, old: Atom, new: Atom, node: Node) -> None:
        """Two types of the same JSON kind, neither a union."""
        at = _At(Place(old.pointer, new.pointer), new.tail)
        before, after = old.type, new.type
        kind = family(before)
        if kind == "object":
            if before.kind == after.kind == "ref":
                node.children.append(Pair(before.name, after.name))
            else:
                self._objects(before, after, at, node, None)
            return
        if before.kind in LITERAL or after.kind in LITERAL:
            self._literals(before, after, at, node)
            return
        if before.kind != after.kind:
            self._change_type([old], [new], at, node)
        if before.format != after.format:
            texts = (before.format or "none", after.format or "none")
            node.found.append(Found("format-changed", at.place, at.tail, *texts))
        self._bounds(before, after, at, node)
        if kind == "array":
            self._types(before.items or OPEN, after.items or OPEN, at.below("[]"), node)

    def _bounds(self, old: Type, new: Type, at: _At, node: Node) -> None:
        before, after = dict(old.bounds), dict(new.bounds)
        for word in sorted(before.keys() | after.keys()):
            if before.get(word) != after.get(word):
                texts = [
                    f"{word} {_json(side[word])}" if word in side else f"no {word}"
                    for side in (before, after)
                ]
                node.found.append(Found("bound-changed", at.place, at.tail, *texts))

    def _literals(self, old: Type, new: Type, at: _At, node: Node) -> None:
        before, after = (type_.kind in LITERAL and not type_.open for type_ in (old, new))
        sides = [{_json(value): None for value in type_.values} for type_ in (old, new)]
        gone = [text for text in sides[0] if text not in sides[1]]
        came = [text for text in sides[1] if text not in sides[0]]
        if before and after and len(old.values) == len(new.values) == len(gone) == 1:
            node.found.append(Found("constant-changed", at.place, at.tail, gone[0], came[0]))
            return
        if before != after:
            texts = (_text(old), _text(new))
            kind = "enum-opened" if before else "enum-closed"
            node.found.append(Found(kind, at.place, at.tail, *texts))
        if old.values and new.values or before == after:
            for text in gone:
                node.found.append(Found("enum-value-removed", at.place, at.tail, old=text))
            for text in came:
                node.found.append(Found("enum-value-added", at.place, at.tail, new=text))

    def _objects(self, old: Type, new: Type, at: _At, node: Node, pair: Pair | None) -> None:
        before, after = self.old.fields(old), self.new.fields(new)
        skipped = (pair.old_tag, pair.new_tag) if pair and pair.old_tag != pair.new_tag else ()
        pairs, gone, came = paired_fields(
            {name: each for name, each in before.items() if name not in skipped},
            {name: each for name, each in after.items() if name not in skipped},
            self.old,
            self.new,
        )
        for first, second in pairs:
            tag = pair is not None and second.name == pair.new_tag and pair.new_tag != ""
            self._fields(first, second, at, node, self._without_literal if tag else self._types)
        for each in gone:
            place = Place(field_pointer(at.place.old, each), at.place.new)
            node.found.append(Found("field-removed", place, old=self._declared(each)))
        for each in came:
            place = Place(at.place.old, field_pointer(at.place.new, each))
            kind = "required-field-added" if each.required else "field-added"
            node.found.append(Found(kind, place, new=self._declared(each)))
        self._undeclared(old, new, at, node)

    def _declared(self, each: Field) -> str:
        return _text(each.type) + (" or null" if each.type.null else "")

    def _fields(self, old: Field, new: Field, at: _At, node: Node, types: Types) -> None:
        owner = at.place
        place = Place(field_pointer(owner.old, old), field_pointer(owner.new, new))
        if old.name != new.name:
            node.found.append(Found("field-renamed", place, "", old.name, new.name))
        if old.required != new.required:
            kind = "made-required" if new.required else "made-optional"
            node.found.append(Found(kind, place))
        if old.deprecated != new.deprecated:
            texts = ["deprecated" if each.deprecated else "in use" for each in (old, new)]
            node.found.append(Found("deprecation-changed", place, "", *texts))
        if not _same(old.default, new.default):
            texts = [_json(each.default[0]) if each.default else "none" for each in (old, new)]
            node.found.append(Found("default-changed", place, "", *texts))
        types(old.type, new.type, _At(place), node)

    def _without_literal(self, old: Type, new: Type, at: _At, node: Node) -> None:
        """The tag of an event: that its value is another is told as an event added, removed or renamed."""
        values = [scope.atoms(type_, "") for scope, type_ in ((self.old, old), (self.new, new))]
        closed = [
            len(side) == 1 and side[0].type.kind in LITERAL and not side[0].type.open
            for side in values
        ]
        if not all(closed):
            self._types(old, new, at, node)
        elif old.null != new.null:
            kind = "made-nullable" if new.null else "no-longer-nullable"
            node.found.append(Found(kind, at.place))

    def _undeclared(self, old: Type, new: Type, at: _At, node: Node) -> None:
        before, after = self.old.undeclared(old), self.new.undeclared(new)
        if before == CLOSED and after == CLOSED:
            return
        if CLOSED in (before, after):
            kind = "object-closed" if after == CLOSED else "object-opened"
            node.found.append(Found(kind, at.place, at.tail))
            return
        self._types(before, after, at.below(".*"), node)


def _same(first: object, second: object) -> bool:
    """Equal as JSON: true is not 1."""
    return first is second or first == second and _json(first) == _json(second)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _text(type_: Type) -> str:
    if type_.kind in LITERAL:
        values = " | ".join(map(_json, type_.values))
        return f"{values} | string" if type_.open else values
    return show.spelled(type_, {})
