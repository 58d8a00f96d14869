"""Text of Python literals and docstrings.

Reads values and sentences; returns text that is nothing but a literal, whatever stood in the value. Everything that comes
from a specification and ends in generated code goes through here.
"""

from __future__ import annotations

import json
from typing import Any

from codegen.catalogue import Alias, Case, Field, Model, Type

_string = json.JSONEncoder(ensure_ascii=False).encode
_NAMES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "any": "any"}


def literal(value: Any) -> str:
    """A Python literal, strings in double quotes and plain ASCII wherever a character could mislead a reader."""
    if isinstance(value, str):
        return _string(value) if _simple(value) else ascii(value)
    if isinstance(value, tuple):
        return "(" + ", ".join(map(literal, value)) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "}"
        )
    return repr(value)


def docstring(text: str) -> str:
    """`text` as a docstring in triple quotes; what is not plain is written as an escape."""
    plain = "".join(_doc_character(character) for character in text.strip())
    if plain.endswith(('"', "\\")):
        plain = plain[:-1] + "\\" + plain[-1] if plain.endswith('"') else plain + "."
    return f'"""{plain}"""'


def comment(text: str) -> str:
    """`text` on one line, fit for a comment."""
    return "".join(character if character.isprintable() else " " for character in text)


def _simple(value: str) -> bool:
    return value.isprintable() and "\\" not in value


def _doc_character(character: str) -> str:
    if character == "\n" or (character.isprintable() and character not in '\\"'):
        return character
    if character == '"':
        return "'"
    return "\\\\" if character == "\\" else character.encode("unicode_escape").decode("ascii")


def expression(type_: Type) -> Any:
    """A type in the notation of the runtime's tables, as a value for `literal`."""
    if type_.null:
        return ("null", _plain(type_))
    return _plain(type_)


def _plain(type_: Type) -> Any:
    if type_.kind in _NAMES:
        return _NAMES[type_.kind]
    if type_.kind == "ref":
        return type_.name
    if type_.kind == "constant":
        return ("const", *type_.values)
    if type_.kind == "enum":
        return ("open" if type_.open else "enum", *type_.values)
    if type_.kind == "union":
        return ("union", *map(expression, type_.members))
    inner = expression(type_.items) if type_.items is not None else "any"
    return ("list" if type_.kind == "array" else "map", inner)


def is_defaulted(field: Field) -> bool:
    """Whether a field is a required text constant, which the constructor fills in."""
    type_ = field.type
    return (
        field.required
        and type_.kind == "constant"
        and not type_.null
        and isinstance(type_.values[0], str)
    )


def ordered(model: Model) -> list[Field]:
    """Required fields first, then optional ones, then constants with their default, each in the specification's order."""
    plain = [field for field in model.fields if not is_defaulted(field)]
    constants = [field for field in model.fields if is_defaulted(field)]
    return [f for f in plain if f.required] + [f for f in plain if not f.required] + constants


def table(model: Model) -> str:
    """The row of a model in its module's TABLES: `Table(Class, required, optional, …)`."""
    fields = ordered(model)
    parts = [
        model.name,
        literal({field.name: expression(field.type) for field in fields if field.required}),
    ]
    optional = {field.name: expression(field.type) for field in fields if not field.required}
    renamed = {field.name: field.attribute for field in fields if field.name != field.attribute}
    if optional or renamed or model.extra:
        parts.append(literal(optional))
    if renamed or model.extra:
        parts.append(literal(renamed))
    if model.extra:
        parts.append(literal(expression(model.extra)))
    return f"Table({', '.join(parts)})"


def choice(alias: Alias) -> str:
    """The row of a union in CHOICES: `Choice(tag, cases, untagged, others)`."""
    cases = ", ".join(f"{literal(value)}: {_case(found)}" for value, found in alias.cases)
    parts = [literal(alias.tag), f"{{{cases}}}"]
    if alias.untagged or alias.others:
        parts.append(_shapes(alias.untagged))
    if alias.others:
        parts.append(literal(tuple(map(expression, alias.others))))
    return f"Choice({', '.join(parts)})"


def _case(found: tuple[Case, ...]) -> str:
    return literal(found[0].model) if len(found) == 1 else _shapes(found)


def _shapes(found: tuple[Case, ...]) -> str:
    rows = [
        f"Shape({literal(case.model)}, {literal(case.required)}, {literal(case.declared)}, "
        f"{literal(dict(case.literals))})"
        for case in found
    ]
    return "(" + ", ".join(rows) + ",)" if rows else "()"
