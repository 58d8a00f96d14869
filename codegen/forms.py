"""Whether the keywords of a schema have values of the form that JSON Schema gives them.

Reads schemas as a document has them; returns copies in which every keyword that the generator reads can be relied on, and
the faults of those that were left out. Never follows a `$ref` and never judges what a schema means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from codegen.yaml_lines import escape

Report: TypeAlias = Callable[[str, str], None]
"""Takes a JSON pointer and what is wrong there."""

NOT_A_SCHEMA = "the schema is not an object"
_WHOLE = "maxItems maxLength maxProperties minItems minLength minProperties".split()
_NUMBER = "maximum minimum multipleOf".split()


def usable(schema: Any, pointer: str, report: Report) -> Any:
    """The schema without the keywords whose values have another form than JSON Schema 2020-12 or OpenAPI 3.0 gives them.

    What is no schema at all becomes {}, which allows everything. The depth is that of the document, which is limited.
    """
    if isinstance(schema, bool):
        return schema
    if not isinstance(schema, dict):
        report(pointer, NOT_A_SCHEMA)
        return {}
    kept: dict[str, Any] = {}
    for keyword, value in schema.items():
        fault = _FORMS[keyword](value) if keyword in _FORMS else ""
        if fault:
            report(pointer, f"{keyword} {fault}")
        elif keyword in _INNER:
            kept[keyword] = _INNER[keyword](value, f"{pointer}/{escape(keyword)}", report)
        else:
            kept[keyword] = value
    return kept


def _each(value: list[Any], pointer: str, report: Report) -> list[Any]:
    return [usable(member, f"{pointer}/{at}", report) for at, member in enumerate(value)]


def _named(value: dict[str, Any], pointer: str, report: Report) -> dict[str, Any]:
    return {
        name: usable(member, f"{pointer}/{escape(name)}", report) for name, member in value.items()
    }


def _list(value: Any) -> str:
    return "" if isinstance(value, list) else "is not a list"


def _mapping(value: Any) -> str:
    return "" if value is None or isinstance(value, dict) else "is not an object"


def _names(value: Any) -> str:
    fault = _list(value)
    return fault or ("" if _are_texts(value) else "names something that is no text")


def _type(value: Any) -> str:
    is_text = isinstance(value, str) or (isinstance(value, list) and _are_texts(value))
    return "" if is_text else "is neither text nor a list of texts"


def _text(value: Any) -> str:
    return "" if isinstance(value, str) else "is not text"


def _number(value: Any) -> str:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return "" if is_number else "is not a number"


def _bound(value: Any) -> str:
    """OpenAPI 3.0 has true and false here, 3.1 a number."""
    return "" if isinstance(value, (int, float)) else "is neither a number nor true or false"


def _discriminator(value: Any) -> str:
    if not isinstance(value, dict):
        return "is not an object"
    if not isinstance(value.get("propertyName", ""), str):
        return "has a `propertyName` that is not text"
    mapping = value.get("mapping", {})
    if not isinstance(mapping, dict) or not _are_texts(list(mapping.values())):
        return "has a `mapping` that is not one from tags to schemas"
    return ""


def _are_texts(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


_FORMS: Mapping[str, Callable[[Any], str]] = {
    "type": _type,
    "enum": _list,
    "required": _names,
    "properties": _mapping,
    "allOf": _list,
    "anyOf": _list,
    "oneOf": _list,
    "discriminator": _discriminator,
    "pattern": _text,
    "exclusiveMaximum": _bound,
    "exclusiveMinimum": _bound,
    "uniqueItems": _bound,
    **dict.fromkeys([*_WHOLE, *_NUMBER], _number),
}


def _optional(value: Any, pointer: str, report: Report) -> Any:
    return value if value is None else _named(value, pointer, report)


_INNER: Mapping[str, Callable[[Any, str, Report], Any]] = {
    "properties": _optional,
    "allOf": _each,
    "anyOf": _each,
    "oneOf": _each,
    "items": usable,
    "additionalProperties": usable,
}
