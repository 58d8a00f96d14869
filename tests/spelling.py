"""Other spellings of a document that mean the same.

Reads the tree of a document; returns a changed copy. Never changes what a value may be: each rewrite is an equivalence of
JSON Schema 2020-12 or of OpenAPI 3.0 and 3.1.
"""

from __future__ import annotations

import copy
from random import Random
from typing import Any

PREFIX = "#/components/schemas/"


def respelled(tree: dict[str, Any], random: Random) -> dict[str, Any]:
    """A copy of a document in which about half of all schemas are written otherwise."""
    tree = copy.deepcopy(tree)
    schemas = tree["components"]["schemas"]
    for name in list(schemas):
        schemas[name] = _schema(schemas[name], random, schemas, [])
    tree["components"]["schemas"] = _shuffled(schemas, random)
    return tree


def _schema(schema: Any, random: Random, components: dict[str, Any], path: list[str]) -> Any:
    """One schema with all that is in it; `path` are the keywords that lead to it from its component."""
    if not isinstance(schema, dict):
        return schema
    made = dict(schema)
    for keyword in ("properties", "patternProperties"):
        if isinstance(made.get(keyword), dict):
            made[keyword] = {
                name: _schema(each, random, components, [*path, keyword])
                for name, each in made[keyword].items()
            }
    for keyword in ("allOf", "anyOf", "oneOf"):
        if keyword in made:
            made[keyword] = [
                _schema(each, random, components, [*path, keyword]) for each in made[keyword]
            ]
    for keyword in ("items", "additionalProperties"):
        if isinstance(made.get(keyword), dict):
            made[keyword] = _schema(made[keyword], random, components, [*path, keyword])
    for rewrite in (_null, _constant, _union, _split, _wrapped):
        if random.random() < 0.5:
            made = rewrite(made, random)
    if path[-1:] == ["properties"] and "properties" in made and random.random() < 0.5:
        made = _extracted(made, components)
    return _prose(_shuffled(made, random), random)


def _null(schema: dict[str, Any], random: Random) -> dict[str, Any]:
    """Null in a list of types, as a member of a union, or as `nullable`."""
    kinds = schema.get("type")
    if not isinstance(kinds, list) or len(kinds) != 2 or "null" not in kinds or "enum" in schema:
        return schema
    (kind,) = [kind for kind in kinds if kind != "null"]
    plain = {**schema, "type": kind}
    if random.random() < 0.5:
        return {**plain, "nullable": True}
    return {random.choice(["anyOf", "oneOf"]): [plain, {"type": "null"}]}


def _constant(schema: dict[str, Any], random: Random) -> dict[str, Any]:
    """A constant as an enum of one value that is marked as one."""
    if "const" not in schema:
        return schema
    made = {key: value for key, value in schema.items() if key != "const"}
    value = schema["const"]
    if isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    return {**made, "enum": [value], "x-stainless-const": True}


def _union(schema: dict[str, Any], random: Random) -> dict[str, Any]:
    """anyOf for oneOf and the other way round: to a reader they are the same."""
    pairs = [("anyOf", "oneOf"), ("oneOf", "anyOf")]
    for keyword, other in pairs:
        if keyword in schema and other not in schema:
            made = {key: value for key, value in schema.items() if key != keyword}
            return {**made, other: random.sample(schema[keyword], len(schema[keyword]))}
    return schema


def _split(schema: dict[str, Any], random: Random) -> dict[str, Any]:
    """An object as allOf of two halves."""
    properties = schema.get("properties")
    if (
        not isinstance(properties, dict)
        or len(properties) < 2
        or schema.keys()
        & {"allOf", "anyOf", "oneOf", "additionalProperties", "nullable", "deprecated", "default"}
    ):
        return schema
    if schema.get("type") != "object":
        return schema
    names = list(properties)
    required = schema.get("required", [])
    first = names[: len(names) // 2]
    halves = (first, [*names[len(first) :], *(name for name in required if name not in names)])
    parts = [
        {
            "type": "object",
            "properties": {name: properties[name] for name in half if name in properties},
            "required": [name for name in required if name in half],
        }
        for half in halves
    ]
    kept = {
        key: value for key, value in schema.items() if key not in ("properties", "required", "type")
    }
    return {**kept, "allOf": parts}


def _wrapped(schema: dict[str, Any], random: Random) -> dict[str, Any]:
    """A reference as allOf of one reference."""
    return {"allOf": [schema]} if schema.keys() == {"$ref"} else schema


def _extracted(schema: dict[str, Any], components: dict[str, Any]) -> dict[str, Any]:
    """An inline object as a component of its own."""
    if schema.keys() & {"default", "deprecated", "nullable", "anyOf", "oneOf"}:
        return schema
    name = f"Extracted{len(components)}"
    components[name] = schema
    return {"$ref": PREFIX + name}


def _shuffled(schema: dict[str, Any], random: Random) -> dict[str, Any]:
    """Keys, and lists whose order means nothing, in another order."""
    made = {key: schema[key] for key in random.sample(list(schema), len(schema))}
    for keyword in ("required", "enum"):
        if isinstance(made.get(keyword), list):
            made[keyword] = random.sample(made[keyword], len(made[keyword]))
    return made


def _prose(schema: dict[str, Any], random: Random) -> dict[str, Any]:
    if "$ref" in schema or random.random() < 0.5:
        return schema
    return {**schema, "description": "Some words.", "example": {"x": random.random()}}


def reordered(tree: Any, random: Random) -> Any:
    """A copy of a document with properties, values and members of unions in another order, and nothing else."""
    if isinstance(tree, list):
        return [reordered(each, random) for each in tree]
    if not isinstance(tree, dict):
        return tree
    made = {key: reordered(tree[key], random) for key in random.sample(list(tree), len(tree))}
    for keyword in ("anyOf", "enum", "oneOf", "required"):
        if isinstance(made.get(keyword), list):
            made[keyword] = random.sample(made[keyword], len(made[keyword]))
    return made
