"""The types of an official client as plain records, and the catalogue's in the same form.

Reads classes and annotations of `openai` and `anthropic`, and packages of the catalogue; returns `Value` and `Slot`
records that can be compared. Never matches or judges anything.
"""

from __future__ import annotations

import datetime
import functools
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel

from codegen.catalogue import Package, Type

Class: TypeAlias = Union[str, type[BaseModel]]
"""A class: the name of a model of ours, or a class of the client."""

_KINDS: dict[Any, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    object: "any",
    Any: "any",
    datetime.datetime: "string",
}


@dataclass(frozen=True)
class Value:
    """What a value may be: every member of a union, unions within it opened.

    kinds     string, integer, number, boolean, any (any JSON value)
    literals  known values as text; those that are no strings with the name of their Python type before them
    classes   objects with declared properties (an object without any is one with free keys)
    items     what the items of a list are, where it may be a list
    values    what the values of an object with free keys are, where it may be one
    """

    kinds: frozenset[str] = frozenset()
    literals: frozenset[str] = frozenset()
    classes: tuple[Class, ...] = ()
    items: Value | None = None
    values: Value | None = None
    null: bool = False

    def shapes(self) -> frozenset[str]:
        """The kinds, with list and map among them; integers are numbers where those are allowed."""
        found = set(self.kinds)
        if "number" in found:
            found.discard("integer")
        found |= {"list"} if self.items else set()
        found |= {"map"} if self.values else set()
        return frozenset(found)


FREE = Value(values=Value(frozenset({"any"})))
"""An object with any members."""


@dataclass(frozen=True)
class Slot:
    """A property of a class. A client's field is required, or may be absent or null: it knows no third form."""

    value: Value
    required: bool


def joined(values: Iterable[Value]) -> Value:
    """One value that may be any of `values`."""
    parts = list(values)
    items = [part.items for part in parts if part.items is not None]
    free = [part.values for part in parts if part.values is not None]
    return Value(
        frozenset(kind for part in parts for kind in part.kinds),
        frozenset(literal for part in parts for literal in part.literals),
        tuple(dict.fromkeys(found for part in parts for found in part.classes)),
        joined(items) if items else None,
        joined(free) if free else None,
        any(part.null for part in parts),
    )


def literal_text(value: Any) -> str:
    """A literal as text that no literal of another type has."""
    return value if isinstance(value, str) else f"{type(value).__name__} {value}"


class ClientTypes:
    """A client's classes, read by `model_fields`."""

    def slots(self, owner: Class) -> Mapping[str, Slot]:
        """The properties of a class by their names on the wire."""
        return _client_slots(typing.cast(type[BaseModel], owner))

    def value(self, annotation: Any) -> Value:
        """What an annotation allows. TypeError for a form that no client had when this was written."""
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is typing.Annotated:
            return self.value(arguments[0])
        if origin in (Union, types.UnionType):
            return joined(map(self.value, arguments))
        if origin is Literal:
            return Value(literals=frozenset(map(literal_text, arguments)))
        if origin is list:
            return Value(items=self.value(arguments[0]))
        if origin is dict:
            return Value(values=self.value(arguments[1]))
        if annotation is type(None):
            return Value(null=True)
        if annotation in _KINDS:
            return Value(frozenset({_KINDS[annotation]}))
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            return Value(classes=(annotation,)) if annotation.model_fields else FREE
        raise TypeError(f"no reading for the annotation {annotation!r}")


@functools.cache
def _client_slots(owner: type[BaseModel]) -> Mapping[str, Slot]:
    if not owner.__pydantic_fields_complete__:  # names that were not yet defined at its import
        owner.model_rebuild()
    read = ClientTypes().value
    return {
        field.alias or name: Slot(read(field.annotation), field.is_required())
        for name, field in owner.model_fields.items()
    }


class CatalogueTypes:
    """The models and aliases of one package of the catalogue."""

    def __init__(self, package: Package) -> None:
        self._models = {model.name: model for model in package.models}
        self._aliases = {alias.name: alias for alias in package.aliases}
        self._slots: dict[Class, Mapping[str, Slot]] = {}

    def slots(self, owner: Class) -> Mapping[str, Slot]:
        """The properties of a model by their names on the wire."""
        if owner not in self._slots:
            fields = self._models[str(owner)].fields
            self._slots[owner] = {
                field.name: Slot(self.value(field.type), field.required) for field in fields
            }
        return self._slots[owner]

    def value(self, type_: Type) -> Value:
        """What a type allows, aliases opened."""
        plain = self._plain(type_)
        return joined([plain, Value(null=True)]) if type_.null else plain

    def _plain(self, type_: Type) -> Value:
        if type_.kind in ("constant", "enum"):
            kinds = frozenset({"string"}) if type_.open else frozenset[str]()
            return Value(kinds, frozenset(map(literal_text, type_.values)))
        if type_.kind == "union":
            return joined(map(self.value, type_.members))
        if type_.kind == "array" and type_.items is not None:
            return Value(items=self.value(type_.items))
        if type_.kind == "map" and type_.items is not None:
            return Value(values=self.value(type_.items))
        if type_.kind == "ref" and type_.name in self._models:
            return Value(classes=(type_.name,)) if self._models[type_.name].fields else FREE
        if type_.kind == "ref":
            return self.value(self._aliases[type_.name].type)
        return Value(frozenset({type_.kind}))
