"""Documents that are small to send and large to read, in any size.

Reads a size; returns the text of a document, or the spec that it belongs to. Never builds in memory what its text would expand to.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.hostile.documents import REF, document


def _text(schemas: dict[str, Any]) -> str:
    return json.dumps(document(schemas))


def _event(tag: str, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"type": {"const": tag}, **more}, "required": ["type"]}


def aliases(size: int) -> str:
    """Every line is the one before it, ten times: 10**size values."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, size)]
    return "openapi: 3.1.0\ncomponents: {schemas: {Ev: {}}}\nx:\n  " + "\n  ".join(lines)


def flow(size: int) -> str:
    """Lists within lists."""
    return "openapi: 3.1.0\nx: " + "[" * size


def json_depth(size: int) -> str:
    """The same as JSON."""
    return '{"openapi": "3.1.0", "x": ' + '{"a":' * size + "1" + "}" * size + "}"


def block(size: int) -> str:
    """Lists within lists, each on the same line as the one around it."""
    return "openapi: 3.1.0\nx:\n  " + "- " * size + "x"


def properties(size: int) -> str:
    """An event with very many properties."""
    return _text({"Ev": _event("e", **{f"p{n}": {} for n in range(size)})})


def union(size: int) -> str:
    """A union of very many events."""
    return _text({"Ev": {"anyOf": [_event(f"e{n}") for n in range(size)]}})


def payload_union(size: int) -> str:
    """A property that is a union of very many objects."""
    return _text({"Ev": _event("e", x={"anyOf": [_event(f"e{n}") for n in range(size)]})})


def enum(size: int) -> str:
    """A property with very many values."""
    return _text({"Ev": _event("e", x={"type": "string", "enum": [f"v{n}" for n in range(size)]})})


def combinations(size: int) -> str:
    """`allOf` of unions of two: 2**size objects."""
    pair = [
        {"type": "object", "properties": {"a": {}}},
        {"type": "object", "properties": {"b": {}}},
    ]
    return _text({"Ev": _event("e", x={"allOf": [{"anyOf": pair}] * size})})


def chain(size: int) -> str:
    """A component that refers to the next, and so on."""
    links: dict[str, Any] = {f"C{n}": {"$ref": f"{REF}C{n + 1}"} for n in range(size)}
    return _text(
        {"Ev": _event("e", x={"$ref": REF + "C0"}), **links, f"C{size}": {"type": "string"}}
    )


def nullable_chain(size: int) -> str:
    """The same through unions with null."""
    links: dict[str, Any] = {
        f"C{n}": {"anyOf": [{"$ref": f"{REF}C{n + 1}"}, {"type": "null"}, {"type": "integer"}]}
        for n in range(size)
    }
    return _text(
        {"Ev": _event("e", x={"$ref": REF + "C0"}), **links, f"C{size}": {"type": "string"}}
    )


def objects(size: int) -> str:
    """An object whose property is the next object, and so on."""
    links: dict[str, Any] = {
        f"C{n}": {"type": "object", "properties": {"next": {"$ref": f"{REF}C{n + 1}"}}}
        for n in range(size)
    }
    return _text(
        {"Ev": _event("e", x={"$ref": REF + "C0"}), **links, f"C{size}": {"type": "string"}}
    )


def all_of_chain(size: int) -> str:
    """A component that is `allOf` the next, and so on."""
    links: dict[str, Any] = {
        f"C{n}": {"allOf": [{"$ref": f"{REF}C{n + 1}"}, {"properties": {f"p{n}": {}}}]}
        for n in range(size)
    }
    return _text(
        {
            "Ev": _event("e", x={"$ref": REF + "C0"}),
            **links,
            f"C{size}": {"type": "object", "properties": {"z": {}}},
        }
    )


def fan(size: int) -> str:
    """Each component names the next one twice: 2**size ways to the last."""
    links: dict[str, Any] = {
        f"C{n}": {"allOf": [{"$ref": f"{REF}C{n + 1}"}, {"$ref": f"{REF}C{n + 1}"}]}
        for n in range(size)
    }
    return _text(
        {
            "Ev": _event("e", x={"$ref": REF + "C0"}),
            **links,
            f"C{size}": {"type": "object", "properties": {"z": {}}},
        }
    )


def union_fan(size: int) -> str:
    """The same by unions."""
    links: dict[str, Any] = {
        f"C{n}": {"anyOf": [{"$ref": f"{REF}C{n + 1}"}, {"$ref": f"{REF}C{n + 1}"}]}
        for n in range(size)
    }
    return _text(
        {
            "Ev": _event("e", x={"$ref": REF + "C0"}),
            **links,
            f"C{size}": {"type": "object", "properties": {"z": {}}},
        }
    )


LINKS: dict[str, Callable[[dict[str, Any], int], dict[str, Any]]] = {
    "lists": lambda ref, n: {"type": "array", "items": ref},
    "maps": lambda ref, n: {"type": "object", "additionalProperties": ref},
    "single unions": lambda ref, n: {"oneOf": [ref]},
    "unions": lambda ref, n: {"anyOf": [ref, {"type": "array", "items": ref}]},
    "single allOf": lambda ref, n: {"allOf": [ref]},
    "discriminators": lambda ref, n: {"anyOf": [ref], "discriminator": {"propertyName": "type"}},
    "nullable": lambda ref, n: {**ref, "nullable": True},
    "objects": lambda ref, n: {"type": "object", "properties": {"n": {"anyOf": [ref, {"type": "null"}]}}},
    "objects of lists": lambda ref, n: {"type": "object", "properties": {"a": {"type": "array", "items": {"anyOf": [ref, {"type": "string"}]}}}},
    "allOf beside": lambda ref, n: {"allOf": [{"properties": {f"p{n}": ref}}, {"properties": {"q": {"allOf": [ref]}}}]},
    "tagged": lambda ref, n: {"type": "object", "properties": {"type": {"const": f"t{n}"}, "n": {"oneOf": [ref, {"type": "object", "properties": {"type": {"const": f"u{n}"}}}]}}},
}  # fmt: skip
"""How one component may lead to the next."""


def links(kinds: list[str], size: int) -> str:
    """A chain of components, the first ones of the first kind, and so on, to a text."""
    schemas = {
        f"C{n}": LINKS[kinds[n * len(kinds) // size]]({"$ref": f"{REF}C{n + 1}"}, n)
        for n in range(size)
    }
    event = _event("e", x={"$ref": REF + "C0"})
    return _text({"Ev": event, **schemas, f"C{size}": {"type": "string"}})


def large(size: int) -> str:
    """A document of so many bytes."""
    return "openapi: 3.1.0\nx: " + "a" * size


def digits(size: int) -> str:
    """A number of so many digits."""
    return "openapi: 3.1.0\nx: " + "9" * size


CYCLES: dict[str, dict[str, Any]] = {
    "itself": {"A": {"$ref": REF + "A"}},
    "two": {"A": {"$ref": REF + "B"}, "B": {"$ref": REF + "A"}},
    "all of": {"A": {"allOf": [{"$ref": REF + "A"}]}},
    "all of two": {"A": {"allOf": [{"$ref": REF + "B"}, {}]}, "B": {"allOf": [{"$ref": REF + "A"}, {"properties": {}}]}},
    "any of": {"A": {"anyOf": [{"$ref": REF + "A"}, {"type": "string"}]}},
    "any of two": {"A": {"anyOf": [{"$ref": REF + "B"}]}, "B": {"oneOf": [{"$ref": REF + "A"}, {"type": "null"}]}},
    "items": {"A": {"type": "array", "items": {"$ref": REF + "A"}}},
    "values": {"A": {"type": "object", "additionalProperties": {"$ref": REF + "A"}}},
    "property": {"A": {"type": "object", "properties": {"a": {"$ref": REF + "A"}}}},
    "recursive": {"A": {"anyOf": [{"$recursiveRef": "#"}, {"$recursiveRef": "#"}]}},
    "beside": {"A": {"$ref": REF + "A", "properties": {"a": {}}}},
    "all of any of": {"A": {"allOf": [{"anyOf": [{"$ref": REF + "A"}, {"properties": {"x": {}}}]}]}},
}  # fmt: skip


def cycle(name: str) -> str:
    """Components that name one another."""
    return _text({"Ev": _event("e", x={"$ref": REF + "A"}), **CYCLES[name]})


BLOWUPS: dict[str, tuple[Callable[[int], str], int, int]] = {
    "alias bomb": (aliases, 9, 40),
    "flow lists": (flow, 100_000, 1_000_000),
    "JSON depth": (json_depth, 100_000, 1_000_000),
    "block lists": (block, 100_000, 1_000_000),
    "properties": (properties, 300, 1_000_000),
    "events": (union, 300, 50_000),
    "payloads": (payload_union, 300, 50_000),
    "enum": (enum, 3_000, 500_000),
    "combinations": (combinations, 30, 1_000),
    "chain of refs": (chain, 2_000, 100_000),
    "chain of nullable refs": (nullable_chain, 2_000, 50_000),
    "chain of objects": (objects, 2_000, 50_000),
    "chain of allOf": (all_of_chain, 2_000, 50_000),
    "fan of allOf": (fan, 30, 1_000),
    "fan of unions": (union_fan, 30, 1_000),
    "bytes": (large, 17_000_000, 200_000_000),
    "digits": (digits, 100_000, 10_000_000),
}
"""Name → what makes the text, its size in the suite, its size in `make hostile`."""
