"""From names of the specification to names in Python; no other file does this.

Reads names and JSON pointers, returns identifiers. Never returns a keyword, a name that the generated modules use for
something else, or anything that is not an identifier of ASCII letters, digits and underscores.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable

import inflect

_INFLECT = inflect.engine()

TAKEN_CLASSES = frozenset(
    "Accumulator AliasHolder Any DecodeError EVENTS Final Iterator Kept Literal None Payloads Problem Reader Record Self Shape StreamError True False TypeAlias "
    "TYPE_CHECKING Table Choice Wire WIRE Union UnknownEvent UnknownObject".split()
) | {name for name in dir(builtins)}
"""Names in generated modules that no class may take."""

TAKEN_ATTRIBUTES = frozenset(
    "Any Literal Union UnknownObject UnknownEvent bool dict float int list str self None True False".split()
)
"""Names that stand in annotations of a class body, or as its first parameter, and that no field may take."""


def pascal(name: str) -> str:
    """`name` in PascalCase; capitals inside a word stay (`MCPTool` stays, `input_tokens` is InputTokens)."""
    parts = re.sub(r"[^A-Za-z0-9]+", " ", name).split()
    return "".join(part[:1].upper() + part[1:] for part in parts)


def singular(name: str) -> str:
    """The singular of a property's name: choices → choice; a name without a plural form stays."""
    stem, _, last = name.rpartition("_")
    one = _INFLECT.singular_noun(last) if last.isalpha() and last.islower() else False
    return name if not one else f"{stem}_{one}" if stem else str(one)


def class_name(name: str, taken: Iterable[str]) -> str:
    """A class name for a component or a path that is neither reserved nor in `taken`."""
    plain = pascal(name)
    if not plain or plain[0].isdigit():
        plain = "Schema" + plain
    return _free(plain + "_" if plain in TAKEN_CLASSES else plain, set(taken))


def attribute_name(name: str, taken: Iterable[str]) -> str:
    """An attribute name for a property, neither a keyword nor reserved nor in `taken`.

    A name that is an identifier stays as it is, save a leading underscore: `class` → class_, `x-y` → x_y, `_id` →
    field_id, `2d` → field_2d.
    """
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", name).rstrip("_") or "field"
    if plain[0] == "_" or plain[0].isdigit():
        plain = "field_" + plain.lstrip("_")
    if keyword.iskeyword(plain) or plain in TAKEN_ATTRIBUTES:
        plain += "_"
    return _free(plain, set(taken))


def path_name(owner: str, steps: Iterable[str]) -> str:
    """A name for an inline schema from its owner and the steps to it; `[]` stands for the items of a list."""
    name = owner
    last = ""
    for step in steps:
        if step == "[]":
            name = (
                name[: len(name) - len(pascal(last))] + pascal(singular(last))
                if last
                else name + "Item"
            )
            last = ""
        else:
            name += pascal(step)
            last = step
    return name


def _free(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    return next(
        free for number in range(2, len(taken) + 3) if (free := f"{name}{number}") not in taken
    )
