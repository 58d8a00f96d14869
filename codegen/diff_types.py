"""What changed between two types, however deep.

Reads two packages; returns, for each pair of models or aliases that stand for each other, what changed in their own
schema and which pairs they lead to. Never looks at a stream, and never reports anything twice for two ways to it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Set

from codegen.catalogue import Field, Model, Type
from codegen.changes import Place
from codegen.diff_names import LITERAL, component, json_text
from codegen.diff_pairs import paired_fields, paired_members
from codegen.diff_pointers import field_pointer, is_component
from codegen.diff_records import At, Found, Node, Pair
from codegen.diff_scope import CLOSED, OPEN, Atom, Scope, family
from codegen.diff_values import Turn, literal_turns, scalar_turns, type_kind

_SCALAR = ("boolean", "number", "string")
Types = Callable[[Type, Type, At, Node], None]


class Walk:
    """All pairs between two packages, compared as they are reached.

    components  the pointers of the components of the old document, other packages' included
    """

    def __init__(self, old: Scope, new: Scope, components: Set[str]) -> None:
        self.old = old
        self.new = new
        self.components = components
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

    def place(self, pair: Pair) -> Place:
        """The pointers of a pair's schemas."""
        old = self.old.models.get(pair.old) or self.old.aliases[pair.old]
        new = self.new.models.get(pair.new) or self.new.aliases[pair.new]
        return Place(old.schema, new.schema)

    def is_replaced(self, pair: Pair) -> bool:
        """Whether a pair is of two components that are not one under two names.

        That is where the new one was there before, or the old one is still part of the package; a schema of which a package
        takes a copy under a new name is renamed in it.
        """
        place = self.place(pair)
        if place.old == place.new or not is_component(place.old) or not is_component(place.new):
            return False
        return place.old in self.new.components or place.new in self.components

    def is_inline(self, pair: Pair) -> bool:
        """Whether both schemas of a pair are written in another one."""
        place = self.place(pair)
        return not is_component(place.old) and not is_component(place.new)

    def _compare(self, pair: Pair, node: Node) -> None:
        place = self.place(pair)
        here = At(place, "", self._is_told_in_old_words(place))
        if place.old != place.new and is_component(place.old) and is_component(place.new):
            if not self.is_replaced(pair):
                names = component(place.old), component(place.new)
                node.found.append(here.found(Turn("schema-renamed", *names)))
        if pair.old in self.old.aliases and pair.new in self.new.aliases:
            before, after = self.old.aliases[pair.old], self.new.aliases[pair.new]
            self._atoms(
                self.old.atoms(before.type, before.schema),
                self.new.atoms(after.type, after.schema),
                here,
                node,
            )
        else:
            self._objects(Type("ref", name=pair.old), Type("ref", name=pair.new), here, node, pair)

    def _is_told_in_old_words(self, place: Place) -> bool:
        """Whether what was written in place is now a schema that was there before, and did not change itself."""
        return not is_component(place.old) and place.new in self.components

    def _lead(self, pair: Pair, at: At, node: Node) -> None:
        node.children.append(pair)
        if self.is_replaced(pair):
            place = self.place(pair)
            turn = Turn("schema-replaced", component(place.old), component(place.new))
            node.replaced.append((at.found(turn), pair))

    def _types(self, old: Type, new: Type, at: At, node: Node) -> None:
        if old.null != new.null and not {"any", "null"} & {family(old), family(new)}:
            node.found.append(at.found(_null_turn(new)))
        if self.old.alias(old) and self.new.alias(new):
            self._lead(Pair(old.name, new.name), at, node)
            return
        before = self.old.atoms(old, at.place.old, at.tail)
        after = self.new.atoms(new, at.place.new, at.tail)
        self._atoms(before, after, at, node)

    def _atoms(self, old: list[Atom], new: list[Atom], at: At, node: Node) -> None:
        pairs, gone, came = paired_members(old, new, self.old, self.new)
        for before, after in pairs:
            self._atom(before, after, at, node)
        if not pairs and (old or new):  # nothing of the old is left
            sides = [atom.type for atom in old], [atom.type for atom in new]
            texts = [
                " | ".join(sorted(map(scope.words.type, side))) or "null"
                for scope, side in zip((self.old, self.new), sides)
            ]
            node.found.append(at.found(Turn(type_kind(*sides), *texts)))
            return
        for atom in gone:
            text = self.old.words.type(atom.type)
            where = self._edited(atom, text, self.old, self.new, at)
            node.found.append(where.found(Turn("union-member-removed", old=text)))
        for atom in came:
            text = self.new.words.type(atom.type)
            where = self._edited(atom, text, self.new, self.old, at)
            node.found.append(where.found(Turn("union-member-added", new=text)))

    def _edited(self, atom: Atom, text: str, own: Scope, other: Scope, at: At) -> At:
        """Where a member came or went: in the union that has it, if that is a schema of both sides and differs in it."""
        pointer = atom.pointer
        is_shared = pointer in own.components and pointer in other.components
        if not is_shared or pointer == at.place.new or other.holds(pointer, text):
            return at
        return At(Place(pointer, pointer))

    def _atom(self, old: Atom, new: Atom, at: At, node: Node) -> None:
        """Two types of the same JSON kind, neither a union."""
        at = at.to(Place(old.pointer, new.pointer), new.tail)
        before, after = old.type, new.type
        kind = family(before)
        if kind in _SCALAR and before == after:
            return
        if kind == "object":
            if before.kind == after.kind == "ref":
                self._lead(Pair(before.name, after.name), at, node)
            else:
                if before.kind == after.kind:
                    node.found += map(at.found, scalar_turns(before, after))
                at = at.to(Place(self.old.place(old), self.new.place(new)), at.tail)
                self._objects(before, after, at, node, None)
        elif before.kind in LITERAL or after.kind in LITERAL:
            words = self.old.words.type(before), self.new.words.type(after)
            for turn in literal_turns(before, after, words):
                node.found.append(self._joined(turn, old, new, at))
        else:
            node.found += map(at.found, scalar_turns(before, after))
            if kind == "array":
                self._types(before.items or OPEN, after.items or OPEN, at.below("[]"), node)

    def _joined(self, turn: Turn, old: Atom, new: Atom, at: At) -> Found:
        """A turn of an enum, told at the enum that it is joined from, if that is on both sides and turned likewise."""
        nested, other = (new.nested, self.old) if turn.new else (old.nested, self.new)
        for part in nested:
            twin = other.enums.get(part.name)
            if twin is None or turn.kind == "constant-changed":
                continue
            place = At(Place(part.name, part.name))
            if turn.kind.startswith("enum-value-"):
                text = turn.new or turn.old
                if text in map(json_text, part.values) and text not in map(json_text, twin.values):
                    return place.found(turn)
            elif part.open != twin.open:
                texts = self.old.words.type(twin), self.new.words.type(part)
                return place.found(Turn(turn.kind, *texts))
        return at.found(turn)

    def _objects(self, old: Type, new: Type, at: At, node: Node, pair: Pair | None) -> None:
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
            subject = self._gone(each, at)
            text = self.old.words.declared(each.type)
            node.found.append(Found("field-removed", place, subject, old=text))
        for each in came:
            place = Place(at.place.old, field_pointer(at.place.new, each))
            kind = "required-field-added" if each.required else "field-added"
            text = self.new.words.declared(each.type)
            subject = _below(at.place.old, each) if at.in_old_words else place.new
            node.found.append(Found(kind, place, subject, new=text))
        self._undeclared(old, new, at, node)

    def _gone(self, each: Field, at: At) -> str:
        """The pointer by which people know a property that went; where its schema still has it, that of what left the schema."""
        record = self.new.by_schema.get(at.place.old)
        if at.place.old != at.place.new and isinstance(record, Model):
            if each.name in {field.name for field in record.fields}:
                return _below(at.place.new, each)
        return field_pointer(at.place.old, each)

    def _fields(self, old: Field, new: Field, at: At, node: Node, types: Types) -> None:
        owner = at.place
        at = at.to(Place(field_pointer(owner.old, old), field_pointer(owner.new, new)))
        turns = []
        if old.name != new.name:
            turn = Turn("field-renamed", old.name, new.name)
            node.found.append(Found(turn.kind, at.place, at.place.old, "", turn.old, turn.new))
        if old.required != new.required:
            turns.append(Turn("made-required" if new.required else "made-optional"))
        if old.deprecated != new.deprecated:
            texts = ["deprecated" if each.deprecated else "in use" for each in (old, new)]
            turns.append(Turn("deprecation-changed", *texts))
        defaults = [json_text(each.default[0]) if each.default else "none" for each in (old, new)]
        if defaults[0] != defaults[1]:
            turns.append(Turn("default-changed", *defaults))
        node.found += map(at.found, turns)
        types(old.type, new.type, at, node)

    def _without_literal(self, old: Type, new: Type, at: At, node: Node) -> None:
        """The tag of an event: that its value is another is told as an event added, removed or renamed."""
        values = [scope.atoms(type_, "") for scope, type_ in ((self.old, old), (self.new, new))]
        closed = [
            len(side) == 1 and side[0].type.kind in LITERAL and not side[0].type.open
            for side in values
        ]
        if not all(closed):
            self._types(old, new, at, node)
        elif old.null != new.null:
            node.found.append(at.found(_null_turn(new)))

    def _undeclared(self, old: Type, new: Type, at: At, node: Node) -> None:
        before, after = self.old.undeclared(old), self.new.undeclared(new)
        if before == CLOSED and after == CLOSED:
            return
        if CLOSED in (before, after):
            node.found.append(
                at.found(Turn("object-closed" if after == CLOSED else "object-opened"))
            )
            return
        self._types(before, after, at.below(".*"), node)


def _below(owner: str, each: Field) -> str:
    return field_pointer(owner, dataclasses.replace(each, schema=""))


def _null_turn(new: Type) -> Turn:
    return Turn("made-nullable" if new.null else "no-longer-nullable")
