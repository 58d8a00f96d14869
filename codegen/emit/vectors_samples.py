"""Values of the types of a package, for the vectors of single events.

Reads models and aliases; returns JSON values, with what stands where in them. Never runs a decoder: what is right about a
value follows from the types alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from codegen.catalogue import Alias, Field, Model, Package, Type

Steps: TypeAlias = tuple[str | int, ...]
Accepted: TypeAlias = frozenset[str]

KINDS: Accepted = frozenset({"string", "integer", "number", "boolean", "array", "object", "null"})
"""The kinds of JSON values; a number here is one with a fraction."""
WRONG: tuple[tuple[str, Any], ...] = (
    ("integer", 3),
    ("string", "three"),
    ("boolean", True),
    ("array", []),
    ("object", {}),
)
"""Values to put where another kind is expected, in the order in which they are tried."""


@dataclass
class Sample:
    """A value with its places: each enum, object and union in it, by the steps that lead there."""

    value: Any = None
    enums: list[tuple[Steps, Type]] = field(default_factory=list)
    objects: list[tuple[Steps, Model]] = field(default_factory=list)
    unions: list[tuple[Steps, Alias]] = field(default_factory=list)


class Samples:
    """Samples of one package's models."""

    def __init__(self, package: Package) -> None:
        self.models = {model.name: model for model in package.models}
        self.aliases = {alias.name: alias for alias in package.aliases}

    def required(self, model: Model) -> Sample:
        """The smallest value: required properties only, null where it is allowed."""
        sample = Sample()
        sample.value = self._object(sample, model, (), 0)
        return sample

    def everything(self, model: Model) -> Sample:
        """Every property, and every property of the objects in it; deeper objects have the required ones."""
        sample = Sample()
        sample.value = self._object(sample, model, (), 2)
        return sample

    def accepted(self, kind: Type) -> Accepted:
        """The kinds of JSON values of which some are right for a type."""
        return frozenset(self._accepted(kind, frozenset()))

    def members(self, kind: Type) -> Iterator[Type]:
        """A type's alternatives, aliases and unions opened; models stay refs."""
        if kind.kind == "ref" and kind.name in self.aliases:
            alias = self.aliases[kind.name]
            if alias.cases or alias.untagged:
                names = [case.model for _, cases in alias.cases for case in cases]
                names += [case.model for case in alias.untagged]
                yield from (Type("ref", name=name) for name in dict.fromkeys(names))
                for other in alias.others:
                    yield from self.members(other)
            else:
                yield from self.members(alias.type)
        elif kind.kind == "union":
            for member in kind.members:
                yield from self.members(member)
        else:
            yield kind

    def nullable(self, kind: Type) -> bool:
        """Whether null is right for a type."""
        return "null" in self.accepted(kind)

    def _accepted(self, kind: Type, seen: frozenset[str]) -> Iterator[str]:
        if kind.null:
            yield "null"
        if kind.kind == "ref" and kind.name in self.aliases:
            if kind.name in seen:
                return
            alias = self.aliases[kind.name]
            inner = (alias.type, *alias.others)
            for each in inner:
                yield from self._accepted(each, seen | {kind.name})
        elif kind.kind == "union":
            for member in kind.members:
                yield from self._accepted(member, seen)
        elif kind.kind in ("constant", "enum"):
            yield from (_kind_of(value) for value in kind.values)
        elif kind.kind == "any":
            yield from KINDS
        elif kind.kind == "number":
            yield from ("integer", "number")
        else:
            yield {"ref": "object", "map": "object"}.get(kind.kind, kind.kind)

    def _object(self, sample: Sample, model: Model, steps: Steps, depth: int) -> dict[str, Any]:
        sample.objects.append((steps, model))
        return {
            one.name: self._value(sample, one.type, (*steps, one.name), depth)
            for one in model.fields
            if one.required or depth
        }

    def _value(self, sample: Sample, kind: Type, steps: Steps, depth: int) -> Any:
        if not depth and self.nullable(kind):
            return None
        if kind.kind == "ref":
            return self._named(sample, kind.name, steps, depth)
        if kind.kind == "union":
            return self._value(sample, self._plainest(kind.members), steps, depth)
        if kind.kind in ("constant", "enum"):
            sample.enums.append((steps, kind))
            return kind.values[0]
        if kind.kind == "array" and kind.items is not None:
            filled = depth or dict(kind.bounds).get("minItems")
            deeper = max(depth - 1, 0)
            return [self._value(sample, kind.items, (*steps, 0), deeper)] if filled else []
        if kind.kind == "map" and kind.items is not None:
            deeper = max(depth - 1, 0)
            return (
                {"key": self._value(sample, kind.items, (*steps, "key"), deeper)} if depth else {}
            )
        if kind.kind == "integer":
            return max(1, int(dict(kind.bounds).get("minimum", 1)))
        return {"boolean": True, "number": 0.5, "any": "anything", "array": [], "map": {}}.get(
            kind.kind, "text"
        )

    def _plainest(self, members: tuple[Type, ...]) -> Type:
        """The member that is no object where there is one: which object is meant may be a matter of shape."""
        return next(
            (each for each in members if self.accepted(each) - {"object", "null"}), members[0]
        )

    def _named(self, sample: Sample, name: str, steps: Steps, depth: int) -> Any:
        deeper = max(depth - 1, 0)
        if name in self.models:
            return self._object(sample, self.models[name], steps, deeper)
        alias = self.aliases[name]
        if not alias.cases:
            return self._value(sample, alias.type, steps, depth)
        tag, cases = next((each for each in alias.cases if len(each[1]) == 1), alias.cases[0])
        sample.unions.append((steps, alias))
        value = self._object(sample, self.models[cases[0].model], steps, deeper)
        sample.enums = [(at, each) for at, each in sample.enums if at != (*steps, alias.tag)]
        return {**value, alias.tag: tag}


def at(value: Any, steps: Steps) -> Any:
    """What stands at some steps."""
    for step in steps:
        value = value[step]
    return value


def with_value(value: Any, steps: Steps, new: Any) -> Any:
    """The value with another one at some steps; what was handed in stays as it is."""
    if not steps:
        return new
    copy = list(value) if isinstance(value, list) else dict(value)
    copy[steps[0]] = with_value(value[steps[0]], steps[1:], new)  # type: ignore[index]
    return copy


def path(steps: Steps) -> str:
    """Steps as a problem's path has them."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)


def optional(model: Model) -> list[Field]:
    """The fields of a model that may be absent."""
    return [one for one in model.fields if not one.required]


def _kind_of(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    return {str: "string", int: "integer", float: "number"}.get(type(value), "null")
