"""The types of one package as the differ sees them: names followed, unions opened, spelling gone.

Reads a `Package`; returns atoms (types that are no unions and no names of unions), fields and how alike two models are.
Never compares two documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from codegen.catalogue import Alias, Field, Model, Package, Type
from codegen.diff_names import LITERAL, Words
from codegen.diff_pointers import field_pointer as field_pointer
from codegen.diff_pointers import is_component as is_component
from codegen.show import BARE
from codegen.unions import USUAL_TAGS, literal_values

OPEN = Type("any")
CLOSED = Type("constant", null=True, values=(None,))
"""What stands for the type of undeclared properties where there may be none."""


@dataclass(frozen=True)
class Atom:
    """A member of an opened union, the pointer of the nearest schema around it, and the way from there (`[]`, `.*`).

    nested  enums that an enum is joined from, the innermost first: their `name` is the pointer of the component
    """

    type: Type
    pointer: str
    tail: str = ""
    nested: tuple[Type, ...] = ()


class Scope:
    """The models and aliases of one package by name."""

    def __init__(self, package: Package) -> None:
        self.models: dict[str, Model] = {model.name: model for model in package.models}
        self.aliases: dict[str, Alias] = {alias.name: alias for alias in package.aliases}
        named: Iterable[Model | Alias] = (*package.models, *package.aliases)
        self._signatures: dict[tuple[str, str], frozenset[tuple[str, str]]] = {}
        self._literals: dict[str, frozenset[object]] = {}
        self.enums: dict[str, Type] = {}
        for alias in package.aliases:
            if alias.type.kind in LITERAL:
                self.enums |= {alias.schema: alias.type}
                self.enums |= {each.name: each for each in alias.type.members}
        self.by_schema = {each.schema: each for each in named}
        self.components = {pointer for pointer in self.by_schema if is_component(pointer)}
        self.components |= {pointer for pointer in self.enums if is_component(pointer)}
        self.words = Words(self.models, self.aliases)

    def alias(self, type_: Type) -> Alias | None:
        """The alias that a type names, or None."""
        return self.aliases.get(type_.name) if type_.kind == "ref" else None

    def atoms(self, type_: Type, pointer: str, tail: str = "") -> list[Atom]:
        """The members of a type, unions and names of anything but models opened; null left out."""
        if type_.kind in BARE and not type_.null:
            return [Atom(type_, pointer, tail)]
        found: list[Atom] = []
        self._open(Atom(type_, pointer, tail), found, set())
        kept = {atom.type: atom for atom in reversed(found)}
        if Type("number") in kept:  # every integer is one
            kept.pop(Type("integer"), None)
        return list(kept.values())[::-1]

    def _open(self, atom: Atom, found: list[Atom], seen: set[str]) -> None:
        type_ = atom.type
        alias = self.alias(type_)
        if alias is not None:
            if alias.name not in seen:
                seen.add(alias.name)
                self._open(Atom(alias.type, alias.schema), found, seen)
        elif type_.kind == "union":
            for member in type_.members:
                self._open(Atom(member, atom.pointer, atom.tail), found, seen)
        elif family(type_) != "null":
            bare = type_
            if type_.null or type_.members:
                bare = Type(**{**vars(type_), "null": False, "members": ()})
            found.append(Atom(bare, atom.pointer, atom.tail, type_.members))

    def holds(self, pointer: str, text: str) -> bool:
        """Whether the union at `pointer` has a member of this text."""
        record = self.by_schema.get(pointer)
        if not isinstance(record, Alias):
            return False
        return text in {self.words.type(atom.type) for atom in self.atoms(record.type, pointer)}

    def fields(self, type_: Type) -> dict[str, Field]:
        """The declared properties of an object; none of a map."""
        if type_.kind != "ref":
            return {}
        return {field.name: field for field in self.models[type_.name].fields}

    def place(self, atom: Atom) -> str:
        """The pointer of an object's schema."""
        return self.models[atom.type.name].schema if atom.type.kind == "ref" else atom.pointer

    def undeclared(self, type_: Type) -> Type:
        """The type of the properties that an object does not declare."""
        if type_.kind == "map":
            return type_.items or OPEN
        model = self.models[type_.name]
        return CLOSED if model.closed else model.extra or OPEN

    def literals(self, type_: Type) -> frozenset[object]:
        """The values of the property that tells an object from others; empty where none does."""
        if type_.name not in self._literals:
            self._literals[type_.name] = frozenset(self._tagged(self.fields(type_)))
        return self._literals[type_.name]

    def _tagged(self, declared: Mapping[str, Field]) -> Iterator[tuple[str, object]]:
        for name in USUAL_TAGS:
            if name in declared and (values := literal_values(declared[name].type, self.aliases)):
                yield from ((name, value) for value in values)
                return

    def signature(self, type_: Type, without: str = "") -> frozenset[tuple[str, str]]:
        """The properties of an object with the outline of their types."""
        key = (type_.name, without)
        if key not in self._signatures:
            self._signatures[key] = frozenset(
                (each.name, self.outline(each.type))
                for each in self.fields(type_).values()
                if each.name != without
            )
        return self._signatures[key]

    def outline(self, type_: Type) -> str:
        """A type in a few words that do not depend on how it is spelled or named."""
        families = {family(atom.type) for atom in self.atoms(type_, "")}
        return "|".join(sorted(families))


def family(type_: Type) -> str:
    """The JSON kind of a type's values: any, array, boolean, null, number, object, string."""
    if type_.kind in ("constant", "enum"):
        value = type_.values[0]
        if isinstance(value, bool):
            return "boolean"
        if value is None:
            return "null"
        return "string" if isinstance(value, str) else "number"
    return {"ref": "object", "map": "object", "integer": "number"}.get(type_.kind, type_.kind)


def likeness(first: frozenset[tuple[str, str]], second: frozenset[tuple[str, str]]) -> float:
    """How much two signatures have in common, from 0 to 1; names and types count the same."""
    names = {name for name, _ in first} | {name for name, _ in second}
    if not names:
        return 1.0
    shared = {name for name, _ in first} & {name for name, _ in second}
    return (len(shared) + len(first & second)) / (2 * len(names))
