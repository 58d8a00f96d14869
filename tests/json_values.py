"""JSON values of the models of the catalogue, valid and not, and a judge that tells which.

Reads the catalogue; returns JSON values and JSON Schemas. Never looks at the generated package: what is right is decided by
`jsonschema` (Draft 2020-12) on a schema made of the catalogue.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from jsonschema import Draft202012Validator

from codegen.catalogue import Catalogue, Package, Type
from codegen.load import load
from codegen.resolve import resolve

Option = TypeVar("Option")
Pick = Callable[[Sequence[Any]], Any]
"""Chooses one of several; a test hands in hypothesis or a seeded generator."""

SPEC = Path(__file__).resolve().parent.parent / "spec"
DEPTH = 5
"""Objects within objects before a maker leaves out whatever it may."""

STRINGS = ("text", "", "漢\n\u2028", "\ud83d lone", "a" * 200)
INTEGERS = (7, 0, -1, 10**25, 3.0)
NUMBERS = (0.5, 2, -0.0, 1e300)
JUNK: tuple[Any, ...] = (
    True,
    None,
    1,
    1.0,
    "new",
    [],
    {},
    [1, [None]],
    {"type": "new", "a": {"b": [1.0]}},
)
WRONG: tuple[Any, ...] = (
    None,
    True,
    3,
    2.5,
    "wrong",
    "",
    [],
    {},
    [1],
    [{}],
    {"type": 3},
    {"type": "x"},
)


@cache
def catalogue() -> Catalogue:
    """The catalogue of the committed specification."""
    return resolve(load(SPEC))


def package(name: str) -> Package:
    """A package of the catalogue by its name."""
    return {package.name: package for package in catalogue().packages}[name]


def same_text(value: Any) -> str:
    """A text that two JSON values share exactly if they are equal, 1 and 1.0 and true told apart."""
    return json.dumps(value, sort_keys=True)


@dataclass(frozen=True)
class Recipe:
    """What a maker puts in besides what is required, where it may."""

    optional: tuple[bool, ...] = (False,)
    nulls: tuple[bool, ...] = (False,)
    unknown_keys: tuple[bool, ...] = (False,)
    unknown_values: tuple[bool, ...] = (False,)
    unknown_members: tuple[bool, ...] = (False,)


NO, YES, MAYBE, SELDOM = (False,), (True,), (False, True), (False, False, False, True)
RECIPES = {
    "required": Recipe(),
    "everything": Recipe(optional=YES),
    "nulls": Recipe(optional=YES, nulls=YES),
    "unknown keys": Recipe(optional=MAYBE, unknown_keys=YES),
    "unknown values": Recipe(optional=YES, unknown_values=MAYBE),
    "unknown members": Recipe(optional=YES, unknown_members=MAYBE),
    "mixed": Recipe(MAYBE, SELDOM, SELDOM, SELDOM, SELDOM),
}


class Maker:
    """Makes values of the models of one package by a recipe."""

    def __init__(self, package: Package, recipe: Recipe, pick: Pick) -> None:
        self.models = {model.name: model for model in package.models}
        self.aliases = {alias.name: alias for alias in package.aliases}
        self.recipe = recipe
        self.pick = pick

    def model(self, name: str, depth: int = 0) -> dict[str, Any]:
        """An object of a model; what must not be changed (the tag of an event) is for the caller to put back."""
        value: dict[str, Any] = {}
        for field in self.models[name].fields:
            if field.required or (depth < DEPTH and self.pick(self.recipe.optional)):
                value[field.name] = self.of(field.type, depth + 1)
        if self.pick(self.recipe.unknown_keys):
            value["x-unknown"] = self.pick(JUNK)
        return value

    def of(self, type_: Type, depth: int) -> Any:
        """A value of a type."""
        if type_.null and self.pick(self.recipe.nulls):
            return None
        if type_.kind in ("array", "map"):
            return self._container(type_, depth)
        if type_.kind == "union":
            return self._member(type_.members, depth)
        if type_.kind == "ref":
            if type_.name in self.models:
                return self.model(type_.name, depth)
            return self.of(self.aliases[type_.name].type, depth)
        if type_.kind == "enum" and self.pick(self.recipe.unknown_values):
            return "x-new-value"
        return self.pick(
            {
                "any": JUNK,
                "boolean": (True, False),
                "integer": INTEGERS,
                "number": NUMBERS,
                "string": STRINGS,
            }.get(type_.kind, type_.values)
        )

    def _container(self, type_: Type, depth: int) -> Any:
        assert type_.items is not None
        count = 0 if depth > DEPTH else self.pick((1, 0, 2))
        items = [self.of(type_.items, depth + 1) for _ in range(count)]
        return (
            items if type_.kind == "array" else {f"key {i}": item for i, item in enumerate(items)}
        )

    def _member(self, members: tuple[Type, ...], depth: int) -> Any:
        if any(member.kind == "ref" for member in members) and self.pick(
            self.recipe.unknown_members
        ):
            return self.pick(({"type": "x-new", "a": [1.0]}, {}, {"object": "x-new"}, "text", 4))
        return self.of(self.pick(members), depth)


def with_wrong_place(value: Any, pick: Pick) -> Any:
    """A copy of a JSON value with something else at one place inside."""
    copy = json.loads(json.dumps(value))
    places = [
        (part, key)
        for part in _containers(copy)
        for key in (list(part) if isinstance(part, dict) else range(len(part)))
    ]
    if places:
        part, key = pick(places)
        part[key] = pick(WRONG)
    return copy


def _containers(value: Any) -> list[Any]:
    if not isinstance(value, (dict, list)):
        return []
    items = value.values() if isinstance(value, dict) else value
    return [value, *(inner for item in items for inner in _containers(item))]


@cache
def judge(package_name: str) -> Callable[[str, Any], bool]:
    """Whether a value is valid for a model, by name, of a package."""
    definitions: dict[str, Any] = {}
    for model in package(package_name).models:
        definitions[model.name] = {
            "type": "object",
            "required": [field.name for field in model.fields if field.required],
            "properties": {field.name: schema(field.type) for field in model.fields},
            **({"additionalProperties": schema(model.extra)} if model.extra is not None else {}),
        }
    for alias in package(package_name).aliases:
        definitions[alias.name] = schema(alias.type)
    validators = {
        name: Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": definitions})
        for name in definitions
    }
    return lambda name, value: validators[name].is_valid(value)


def schema(type_: Type) -> dict[str, Any]:
    """The JSON Schema of a type, by JSON Schema 2020-12: formats and bounds are left out."""
    if type_.null:
        return {"anyOf": [{"type": "null"}, schema(_without_null(type_))]}
    if type_.kind == "ref":
        return {"$ref": f"#/$defs/{type_.name}"}
    if type_.kind == "union":
        return {"anyOf": [schema(member) for member in type_.members]}
    if type_.kind in ("constant", "enum"):
        return {"type": "string"} if type_.open else {"enum": list(type_.values)}
    if type_.kind == "any":
        return {}
    if type_.kind == "array":
        return {"type": "array", "items": schema(_items(type_))}
    if type_.kind == "map":
        return {"type": "object", "additionalProperties": schema(_items(type_))}
    return {"type": type_.kind}


def _items(type_: Type) -> Type:
    assert type_.items is not None
    return type_.items


def _without_null(type_: Type) -> Type:
    return replace(type_, null=False)
