"""What changed, in words: subjects of changes and texts of types, the same however the documents order things.

Reads pointers and types; returns text. Never gives a class name that we made: what a document does not name is described.

A subject is `Schema.field[].inner`; a name in it that has a dot or another sign of this notation is quoted as in JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from codegen.catalogue import Alias, Json, Model, Type
from codegen.diff_pointers import is_component, pointer_steps
from codegen.show import BARE
from codegen.yaml_lines import unescape

LITERAL = ("constant", "enum")
"""Kinds of types that list their values."""
_SCHEMA = re.compile(r'"(?:[^"\\]|\\.)*"|[^.\[]+')
_SIGNS = {"items": "[]", "additionalProperties": ".*"}
_PLAIN = re.compile(r"[\w$@:/+~^-]+")


def subject(pointer: str) -> str:
    """A pointer as people read it; which member of a union it leads through is left out."""
    owner, steps = pointer_steps(pointer)
    text = quoted(owner)
    for word, name in steps:
        text += _SIGNS[word] if word in _SIGNS else f".{quoted(name)}"
    return text


def quoted(name: str) -> str:
    """A name as it stands in a subject."""
    return name if _PLAIN.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def parted(text: str) -> tuple[str, str]:
    """The owner in a subject and the name of its last property, the way to its items included; the whole and "" for none."""
    start = _split(text)
    return (text[:start], text[start + 1 :]) if start else (text, "")


def schema_part(text: str) -> tuple[str, str]:
    """The schema that a subject begins with, and the rest."""
    found = _SCHEMA.match(text)
    end = found.end() if found else len(text)
    return text[:end], text[end:]


def _split(text: str) -> int:
    """Where the dot before the last property stands; 0 for none."""
    start, is_quoted, at = 0, False, 0
    while at < len(text):
        if text[at] == "\\" and is_quoted:
            at += 1
        elif text[at] == '"':
            is_quoted = not is_quoted
        elif text[at] == "." and not is_quoted and text[at + 1 : at + 2] != "*":
            start = at
        at += 1
    return start


def json_text(value: Json) -> str:
    """A value as JSON; 1.0 is 1, as JSON Schema has it (section 4.2.2), and true is not."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return json.dumps(_plain(value), ensure_ascii=False, sort_keys=True)


def _plain(value: Json) -> Json:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return value


class Words:
    """Texts of the types of one package."""

    def __init__(self, models: Mapping[str, Model], aliases: Mapping[str, Alias]) -> None:
        self._models = models
        self._aliases = aliases

    def type(self, type_: Type, within: frozenset[str] = frozenset()) -> str:
        """A type, without its null; values and members sorted."""
        if type_.kind in LITERAL:
            values = [json_text(value) for value in type_.values]
            return " | ".join(sorted(values) + (["string"] if type_.open else []))
        if type_.kind == "union":
            return " | ".join(sorted({self.nullable(each, within) for each in type_.members}))
        if type_.kind in ("array", "map"):
            inner = self.nullable(type_.items or Type("any"), within)
            inner = f"({inner})" if " | " in inner else inner
            return f"{'list' if type_.kind == 'array' else 'map'} of {inner}"
        if type_.kind == "ref":
            return self._named(type_.name, within)
        return BARE[type_.kind] + (f" ({type_.format})" if type_.format else "")

    def declared(self, type_: Type) -> str:
        """The type of a property."""
        text = self.type(type_)
        return f"{text} or null" if type_.null and text != "null" else text

    def nullable(self, type_: Type, within: frozenset[str] = frozenset()) -> str:
        """A type within another."""
        text = self.type(type_, within)
        return f"{text} | null" if type_.null and text != "null" else text

    def _named(self, name: str, within: frozenset[str]) -> str:
        """A component by its name in the document; what stands in another schema by what it is."""
        record = self._models.get(name) or self._aliases[name]
        if is_component(record.schema):
            return component(record.schema)
        if name in within:
            return "the same again"
        if isinstance(record, Alias):
            return self.type(record.type, within | {name})
        names = ", ".join(sorted(quoted(each.name) for each in record.fields))
        return f"object {{{names}}}" if names else "object"


def component(pointer: str) -> str:
    """The name of the component at a pointer."""
    return unescape(pointer.rpartition("/")[2])
