"""How a value of a union finds its model: by tag, and by shape where members share a tag or may lack it.

Reads the members' models; returns the alias with its table filled. Never orders members by anything but the order in
the specification, and never decides by trial.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from codegen.catalogue import Alias, Case, Model, Type
from codegen.schemas import Node

USUAL_TAGS = ("type", "object", "role")
"""Properties that tell members apart where no discriminator does, the most usual first."""


def literal_values(type_: Type, aliases: dict[str, Alias]) -> tuple[Any, ...]:
    """The values that a constant or a closed enum allows; () for anything else, an alias of itself among it."""
    seen: set[str] = set()
    while type_.kind == "ref" and type_.name in aliases and type_.name not in seen:
        seen.add(type_.name)
        type_ = aliases[type_.name].type
    return type_.values if type_.kind in ("constant", "enum") and not type_.open else ()


def opened(type_: Type, models: dict[str, Model], aliases: dict[str, Alias]) -> list[Type]:
    """The members of a union, unions within it opened, each once, in order; a type that is no union is its own member."""
    found: dict[Type, None] = {}
    seen: set[str] = set()

    def walk(each: Type) -> None:
        target = aliases.get(each.name) if each.kind == "ref" and each.name not in models else None
        if each.kind == "union":
            for member in each.members:
                walk(member)
        elif target is not None and target.type.kind in ("union", "ref"):
            if target.name not in seen:
                seen.add(target.name)
                walk(target.type)
        else:
            found.setdefault(each)

    walk(type_)
    return list(found)


def dispatch(
    alias: Alias, node: Node, models: dict[str, Model], aliases: dict[str, Alias]
) -> Alias:
    """`alias` with `tag`, `cases` and `untagged`, where several of its members are models."""
    parts = opened(alias.type, models, aliases)
    members = [models[part.name] for part in parts if part.kind == "ref" and part.name in models]
    if alias.type.kind != "union" or len(members) < 2:
        return alias
    others = tuple(part for part in parts if part.kind != "ref" or part.name not in models)
    tag = _tag(node, members, aliases)
    mapping = mapped_tags(node)
    cases: dict[str, list[Case]] = {}
    untagged = []
    for model in members:
        case = _case(model, tag, aliases)
        values = _values(model, tag, aliases) or mapping.get(component_of(model), ())
        for value in values:
            if isinstance(value, str):
                cases.setdefault(value, []).append(case)
        field = next((field for field in model.fields if field.name == tag), None)
        if field is None or not field.required:
            untagged.append(case)
    table = tuple((value, tuple(found)) for value, found in cases.items())
    return dataclasses.replace(alias, tag=tag, cases=table, untagged=tuple(untagged), others=others)


def component_of(model: Model) -> str:
    """The component that a model stands for; the last step of its pointer for an inline one."""
    return model.schema.rpartition("/")[2].replace("~1", "/").replace("~0", "~")


def mapped_tags(node: Node) -> dict[str, tuple[str, ...]]:
    """Component → tags of the discriminator's mapping; its values may be names or pointers."""
    discriminator = node.schema.get("discriminator") if isinstance(node.schema, dict) else None
    mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
    found: dict[str, tuple[str, ...]] = {}
    for tag, target in (mapping or {}).items():
        name = str(target).rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        found[name] = (*found.get(name, ()), tag)
    return found


def _tag(node: Node, members: list[Model], aliases: dict[str, Alias]) -> str:
    discriminator = node.schema.get("discriminator") if isinstance(node.schema, dict) else None
    if isinstance(discriminator, dict) and isinstance(discriminator.get("propertyName"), str):
        return str(discriminator["propertyName"])
    own = [field.name for model in members for field in model.fields]
    candidates = [*USUAL_TAGS, *dict.fromkeys(own)]
    best, most = "", 1
    for name in candidates:
        values = [_values(model, name, aliases) for model in members]
        said = (
            len({value for found in values for value in found if isinstance(value, str)})
            if any(values)
            else 0
        )
        if sum(map(bool, values)) == len(members) and said >= len(members):
            return name
        if name in USUAL_TAGS and said > most:
            best, most = name, said
    return best


def _values(model: Model, tag: str, aliases: dict[str, Alias]) -> tuple[Any, ...]:
    for field in model.fields:
        if field.name == tag:
            return literal_values(field.type, aliases)
    return ()


def _case(model: Model, tag: str, aliases: dict[str, Alias]) -> Case:
    literals = tuple(
        (field.name, (*values, None) if field.type.null else values)
        for field in model.fields
        if field.name != tag and (values := literal_values(field.type, aliases))
    )
    required = tuple(field.name for field in model.fields if field.required and field.name != tag)
    return Case(model.name, required, tuple(field.name for field in model.fields), literals)
