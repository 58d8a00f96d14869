"""From names of the specification to names in Python; no other file does this.

Reads names and JSON pointers, returns identifiers. Never returns a keyword, a name that the generated modules use for
something else, or anything that is not an identifier of ASCII letters, digits and underscores.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Collection, Iterable

import inflection

TAKEN_CLASSES = frozenset(
    "ALIASES Accumulator AliasHolder Any AsyncIterable AsyncReader CHOICES CLIENT Callable Choice DecodeError EVENTS ErrorInfo "
    "Event EventReader FRAMING False Final Iterable Iterator Kept Lanes Literal None PAIRS PAYLOADS PLAN Package Pairs Payloads Problem RULES Reader Record "
    "Rest Rule SERVER STREAM Self Shape StreamError T TABLES Table True TypeAlias TypeVar Union UnknownEvent UnknownObject WIRE "
    "Wire Written".split()
) | {name for name in dir(builtins)}
"""Names in generated modules, or in what datamodel-code-generator makes of a package, that no class may take."""

TAKEN_ATTRIBUTES = frozenset(
    "Any Kept Literal Union UnknownObject UnknownEvent bool dict float int list str self None True False".split()
)
"""Names that stand in annotations of a class body, or as its first parameter, and that no field may take."""


def pascal(name: str) -> str:
    """`name` in PascalCase; capitals inside a word stay (`MCPTool` stays, `input_tokens` is InputTokens)."""
    parts = re.sub(r"[^A-Za-z0-9]+", " ", name).split()
    return "".join(part[:1].upper() + part[1:] for part in parts)


def singular(name: str) -> str:
    """The singular of a property's name: choices → choice; a name without a plural form stays."""
    return inflection.singularize(name) if name.endswith("s") and name.islower() else name


def class_name(name: str, taken: Collection[str]) -> str:
    """A class name for a component or a path that is neither reserved nor in `taken`."""
    plain = pascal(name)
    if not plain or plain[0].isdigit():
        plain = "Schema" + plain
    # No underscore: datamodel-code-generator drops it.
    return _free(plain + "Schema" if plain in TAKEN_CLASSES else plain, taken)


def class_names(components: Iterable[str], reserved: Iterable[str]) -> dict[str, str]:
    """A class name for each component, in their order; one that can keep its own name gets it before any other.

    reserved  names that belong to something else
    """
    wanted = list(components)
    taken = set(reserved)
    kept = {name for name in wanted if class_name(name, taken) == name}
    taken |= kept
    made = {}
    for name in wanted:
        made[name] = name if name in kept else class_name(name, taken)
        taken.add(made[name])
    return made


def pair_name(cls: str) -> str:
    """The name of the function that gives the written-out decoder and encoder of a class; no class begins like it."""
    return f"as_{cls}"


def local_name(attribute: str) -> str:
    """The name of a local variable for an attribute; no other name in such a function ends with an underscore."""
    return f"{attribute}_"


def attribute_names(properties: Iterable[str], classes: Iterable[str]) -> dict[str, str]:
    """An attribute name for each property of a class, neither a keyword nor reserved nor the name of a class.

    A name that is an identifier stays as it is, save a leading underscore: `class` → class_, `x-y` → x_y, `_id` →
    field_id, `2d` → field_2d. What comes out twice is numbered, after the names that stay.
    """
    wanted = list(properties)
    reserved = TAKEN_ATTRIBUTES.union(classes)
    plain = {name: _attribute(name, reserved) for name in wanted}
    taken = {name for name in wanted if plain[name] == name}
    made = {}
    for name in wanted:
        made[name] = name if plain[name] == name else _free(plain[name], taken)
        taken.add(made[name])
    return made


def union_alias(union: str, taken: Collection[str]) -> str:
    """A name for the union of a stream's events from that of its component, which may be one of `taken` itself."""
    return union if class_name(union, ()) == union else class_name(union, taken)


def event_alias(table: str) -> str:
    """The name of the type of a stream's events, from that of its table: EVENTS → Event, SERVER_EVENTS → ServerEvent."""
    return table.removesuffix("S").title().replace("_", "")


def _attribute(name: str, reserved: frozenset[str]) -> str:
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", name)
    plain = (plain if plain == name else plain.rstrip("_")) or "field"
    if plain[0] == "_" or plain[0].isdigit():
        plain = f"field_{plain.strip('_')}".rstrip("_")
    return plain + "_" if keyword.iskeyword(plain) or plain in reserved else plain


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


def _free(name: str, taken: Collection[str]) -> str:
    if name not in taken:
        return name
    return next(
        free for number in range(2, len(taken) + 3) if (free := f"{name}{number}") not in taken
    )
