"""Small documents with a text of the caller's at one place, or at every place that can hold it.

Reads texts; returns OpenAPI documents of the stream `s` (`tests.small_spec`). Never decides whether a document can be used.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any

REF = "#/components/schemas/"


def document(schemas: dict[str, Any], version: str = "1", title: str = "t") -> dict[str, Any]:
    """A document with these schemas; its union of events is `Ev`."""
    info = {"title": title, "version": version, "description": title}
    return {"openapi": "3.1.0", "info": info, "paths": {}, "components": {"schemas": schemas}}


def plain() -> dict[str, Any]:
    """The document in which places are filled: two events, a payload with an enum, and an inline union."""
    started = {
        "type": "object",
        "description": "It began.",
        "properties": {
            "type": {"type": "string", "const": "started"},
            "part": {"$ref": REF + "Part"},
        },
        "required": ["type", "part"],
    }
    ended = {
        "type": "object",
        "properties": {
            "type": {"type": "string", "enum": ["ended"]},
            "count": {"type": "integer", "default": 1, "description": "How many."},
            "either": {"anyOf": [_member("one"), _member("two")]},
        },
        "required": ["type"],
    }
    part = {
        "type": "object",
        "properties": {
            "kind": {"type": "string", "enum": ["big", "small"]},
            "name": {"type": "string", "pattern": "^a", "format": "uuid"},
        },
        "required": ["kind"],
    }
    union = {
        "anyOf": [{"$ref": REF + "Started"}, {"$ref": REF + "Ended"}],
        "discriminator": {"propertyName": "type"},
    }
    return document({"Ev": union, "Started": started, "Ended": ended, "Part": part})


def _member(tag: str) -> dict[str, Any]:
    properties = {"type": {"const": tag}, "x": {"type": "string"}}
    return {
        "type": "object",
        "title": "Title " + tag,
        "properties": properties,
        "required": ["type"],
    }


def _schemas(tree: dict[str, Any]) -> Any:
    return tree["components"]["schemas"]


def _component(tree: dict[str, Any], text: str) -> None:
    step = text.replace("~", "~0").replace("/", "~1").replace("%", "%25")
    _schemas(tree)[text] = _schemas(tree).pop("Part")
    _schemas(tree)["Started"]["properties"]["part"]["$ref"] = REF + step


def _property(tree: dict[str, Any], text: str) -> None:
    part = _schemas(tree)["Part"]
    part["properties"][text] = {"type": "string"}
    part["required"].append(text)


def _nested(tree: dict[str, Any], text: str) -> None:
    inner = {"type": "object", "properties": {text: {"type": "integer"}}, "required": [text]}
    _schemas(tree)["Part"]["properties"][text] = {"type": "array", "items": inner}


def _tag(tree: dict[str, Any], text: str) -> None:
    _schemas(tree)["Started"]["properties"]["type"]["const"] = text


def _payload_tag(tree: dict[str, Any], text: str) -> None:
    _schemas(tree)["Ended"]["properties"]["either"]["anyOf"][0]["properties"]["type"][
        "const"
    ] = text


def _enum(tree: dict[str, Any], text: str) -> None:
    _schemas(tree)["Part"]["properties"]["kind"]["enum"] += [text, text + text[:1] + "?"]


def _default(tree: dict[str, Any], text: str) -> None:
    _schemas(tree)["Part"]["properties"]["name"]["default"] = text
    _schemas(tree)["Ended"]["properties"]["count"]["default"] = {text: [text]}


def _title(tree: dict[str, Any], text: str) -> None:
    _schemas(tree)["Ended"]["properties"]["either"]["anyOf"][0]["title"] = text
    _schemas(tree)["Started"]["title"] = text


def _description(tree: dict[str, Any], text: str) -> None:
    for schema in (*_schemas(tree).values(), _schemas(tree)["Ended"]["properties"]["count"]):
        schema["description"] = text


def _pattern(tree: dict[str, Any], text: str) -> None:
    _schemas(tree)["Part"]["properties"]["name"] |= {
        "pattern": text,
        "format": text,
        "x-oaiTypeLabel": text,
    }


def _discriminator(tree: dict[str, Any], text: str) -> None:
    either = _schemas(tree)["Ended"]["properties"]["either"]
    either["discriminator"] = {"propertyName": text, "mapping": {text: REF + "Part"}}


def _mapping(tree: dict[str, Any], text: str) -> None:
    del _schemas(tree)["Started"]["properties"]["type"]["const"]
    _schemas(tree)["Ev"]["discriminator"]["mapping"] = {
        text: REF + "Started",
        "ended": REF + "Ended",
    }


def _required(tree: dict[str, Any], text: str) -> None:
    _schemas(tree)["Part"]["required"].append(text)


def _info(tree: dict[str, Any], text: str) -> None:
    tree["info"] = {"title": text, "version": text, "description": text}


def _extensions(tree: dict[str, Any], text: str) -> None:
    for schema in _schemas(tree).values():
        schema |= {
            "customTypePath": text,
            "customBasePath": text,
            "x-python-type": text,
            "x-python-import": {"module": text, "name": text},
        }


PLACES: dict[str, Callable[[dict[str, Any], str], None]] = {
    "component": _component, "property": _property, "nested property": _nested, "tag": _tag, "payload tag": _payload_tag,
    "enum": _enum, "default": _default, "title": _title, "description": _description, "pattern": _pattern,
    "discriminator": _discriminator, "mapping": _mapping, "required": _required, "info": _info, "extensions": _extensions,
}  # fmt: skip


def with_text(place: str, text: str) -> dict[str, Any]:
    """The plain document with a text at one place."""
    tree = copy.deepcopy(plain())
    PLACES[place](tree, text)
    return tree


def everywhere(text: str) -> dict[str, Any]:
    """The plain document with a text at every place that does not change what the others mean."""
    tree = copy.deepcopy(plain())
    for place, put in PLACES.items():
        if place not in ("mapping", "discriminator", "component"):
            put(tree, text)
    _component(tree, text)
    return tree


def with_names(names: Iterable[str]) -> dict[str, Any]:
    """A document in which every name is that of a component, a tag and an enum's value, and of a property of the first and the last."""
    wanted = [name for name in dict.fromkeys(names) if name != "Ev"]
    schemas: dict[str, Any] = {}
    for name in wanted:
        own = {each: {"type": "string"} for each in wanted if each != "type"}
        own = own if name in (wanted[0], wanted[-1]) else {}
        tag = {"type": {"type": "string", "enum": [name], "x-stainless-const": True}}
        schemas[name] = {"type": "object", "properties": {**tag, **own}, "required": ["type"]}
    members = [
        {"$ref": REF + name.replace("~", "~0").replace("/", "~1").replace("%", "%25")}
        for name in wanted
    ]
    return document(
        {"Ev": {"anyOf": members, "discriminator": {"propertyName": "type"}}, **schemas}
    )
