"""What the generated modules say of their classes: literal tables, and the little that reads them.

Reads tables; returns what they say of a value. Never makes a record of a value and never looks at a class.

Expressions of a table's types: "str", "int", "float", "bool", "any" or the name of a class, a union or an alias; and
("const", value), ("enum", *values), ("open", *values), ("list", item), ("map", value), ("union", *members),
("null", type).
"""

from __future__ import annotations

from typing import Any, NamedTuple

Expression = Any
PRIMITIVES = frozenset(("str", "int", "float", "bool", "any"))


class Table(NamedTuple):
    """The fields of a class by their names on the wire, each group in the order of the class's slots.

    renamed  name on the wire → attribute, where they differ
    extra    the type of undeclared properties, where the specification gives one
    """

    cls: type[Any]
    required: dict[str, Expression]
    optional: dict[str, Expression] = {}
    renamed: dict[str, str] = {}
    extra: Expression = None


class Shape(NamedTuple):
    """What tells a model from others that the same tag allows: its properties and their known values."""

    model: str
    required: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()
    literals: dict[str, tuple[Any, ...]] = {}


class Choice(NamedTuple):
    """A union of several models: by the value of `tag`, by shape where a value has several or the tag is absent.

    others  the members that are no models
    """

    tag: str
    cases: dict[str, str | tuple[Shape, ...]]
    untagged: tuple[Shape, ...] = ()
    others: tuple[Expression, ...] = ()


class Payloads(NamedTuple):
    """The tables of a payload module, and its name; "" where no event class needs to see its names."""

    tables: dict[str, Table]
    choices: dict[str, Choice]
    aliases: dict[str, Expression]
    module: str = ""


def is_null(expression: Expression) -> bool:
    """Whether an expression allows null."""
    return type(expression) is tuple and expression[0] == "null"


def inner(expression: Expression) -> Expression:
    """The expression without null."""
    return expression[1] if is_null(expression) else expression


def is_constant(expression: Expression) -> bool:
    """Whether an expression is a text constant, which constructors fill in where it is required."""
    return type(expression) is tuple and expression[0] == "const" and type(expression[1]) is str


def fits(shape: Shape, data: dict[str, Any]) -> bool:
    """Whether every required property is there and every known value is one of those known."""
    return all(name in data for name in shape.required) and all(
        data[name] in values for name, values in shape.literals.items() if name in data
    )


def candidates(choice: Choice, data: dict[str, Any]) -> str | tuple[Shape, ...]:
    """The model that a value's tag selects, or those among which its shape decides; () for a member that is not known."""
    tag = data.get(choice.tag)
    if isinstance(tag, str):
        return choice.cases.get(tag, ())
    if tag is not None:
        return ()
    return tuple(shape for shape in choice.untagged if fits(shape, data))


def chosen(shapes: tuple[Shape, ...], data: dict[str, Any]) -> str:
    """The model among several of one tag: the one that fits and declares most of the properties; the first of equals."""

    def score(shape: Shape) -> tuple[bool, int]:
        return fits(shape, data), sum(name in data for name in shape.declared)

    return max(shapes, key=score).model
