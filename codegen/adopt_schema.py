"""Types of a catalogue as schemas, and JSON pointers as JSONPath: what the actions of an overlay are made of.

Reads records of an aligned client and the tree of the document; returns schemas and paths. Never writes a schema out where the
document has a component for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from codegen.align_names import Record
from codegen.catalogue import Alias, Field, Model, Type
from codegen.diff_scope import is_component
from codegen.schemas import REF_PREFIX
from codegen.yaml_lines import escape, unescape

_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def json_path(pointer: str) -> str:
    """The JSONPath (RFC 9535) of the one place that a pointer into a document names."""
    steps = [unescape(step) for step in pointer.removeprefix("#").split("/")[1:]]
    path = "$"
    for before, step in zip(["", *steps], steps):
        if step.isdigit() and before in _LISTS:
            path += f"[{step}]"
        else:
            path += f".{step}" if _PLAIN.fullmatch(step) else f"[{quoted(step)}]"
    return path


def quoted(text: str) -> str:
    """A string literal of JSONPath (RFC 9535, section 2.3.1.1)."""
    inner = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{inner}'"


def literal(value: Any) -> str:
    """A literal in a filter of JSONPath: true, false, null, a number or a string."""
    if isinstance(value, str):
        return quoted(value)
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def node_at(tree: Mapping[str, Any], pointer: str) -> Any:
    """What stands at a pointer, None where nothing does."""
    node: Any = tree
    for step in map(unescape, pointer.removeprefix("#").split("/")[1:]):
        if isinstance(node, list):
            node = node[int(step)] if step.isdigit() and int(step) < len(node) else None
        else:
            node = node.get(step) if isinstance(node, dict) else None
    return node


def below(node: Any, pointer: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The schema at a pointer and those that it is made of, short of refs and of properties."""
    if not isinstance(node, dict):
        return
    yield node, pointer
    for keyword in ("anyOf", "oneOf", "allOf"):
        members = node.get(keyword)
        for at, member in enumerate(members if isinstance(members, list) else ()):
            yield from below(member, f"{pointer}/{keyword}/{at}")
    for keyword in ("items", "additionalProperties"):
        yield from below(node.get(keyword), f"{pointer}/{keyword}")


@dataclass
class Writer:
    """Types of one package as schemas of the document.

    tree      the document, for the names that are taken
    own       the document's records by name
    records   the aligned client's records by name
    made      component → schema, for those that the document does not have yet; shared by all packages of a document
    names     name of a record of this package → the component that it became
    """

    tree: Mapping[str, Any]
    own: Mapping[str, Record]
    records: Mapping[str, Record]
    made: dict[str, Any] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def schema(self, type_: Type) -> dict[str, Any]:
        """The schema of a type, null included."""
        made = self._plain(type_)
        if not type_.null:
            return made
        members = made["anyOf"] if made.keys() == {"anyOf"} else [made]
        return {"anyOf": [*members, {"type": "null"}]}

    def _plain(self, type_: Type) -> dict[str, Any]:
        if type_.kind == "ref":
            return self._ref(type_.name)
        if type_.kind == "any":
            return {}
        if type_.kind == "union":
            return {"anyOf": [self.schema(member) for member in type_.members]}
        if type_.kind == "array":
            return {"type": "array", "items": self.schema(type_.items or Type("any"))}
        if type_.kind == "map":
            values = self.schema(type_.items or Type("any"))
            return {"type": "object", "additionalProperties": values or True}
        if type_.kind not in ("constant", "enum"):
            extra = {"format": type_.format} if type_.format else {}
            return {"type": type_.kind, **extra, **dict(type_.bounds)}
        return _literals(type_)

    def _ref(self, name: str) -> dict[str, Any]:
        record = self.records[name]
        if name not in self.own:
            return {"$ref": REF_PREFIX + escape(self._component(record))}
        if is_component(record.schema):
            return {"$ref": record.schema}
        return self.record(record)

    def _component(self, record: Record) -> str:
        """The component that a new record becomes; one that another package made is taken where it is the same."""
        if record.name not in self.names:
            taken = {*self.tree["components"]["schemas"], *self.made}
            plain = record.name
            free = (plain, *(f"{plain}{number}" for number in range(2, len(taken) + 3)))
            name = next(name for name in free if name not in taken)
            self.names[plain] = name
            self.made[name] = {}  # so that a recursion finds the name taken
            self.made[name] = self.record(record)
            if name != plain and self.made.get(plain) == self.made[name]:
                del self.made[name]
                self.names[plain] = plain
        return self.names[record.name]

    def record(self, record: Record) -> dict[str, Any]:
        """The schema of a model or an alias, written out."""
        if isinstance(record, Alias):
            return self.schema(record.type)
        return self._object(record)

    def _object(self, model: Model) -> dict[str, Any]:
        made: dict[str, Any] = {
            "type": "object",
            "properties": {field.name: self._property(field) for field in model.fields},
        }
        if required := [field.name for field in model.fields if field.required]:
            made["required"] = required
        if model.closed:
            made["additionalProperties"] = False
        elif model.extra:
            made["additionalProperties"] = self.schema(model.extra)
        return made

    def _property(self, field: Field) -> dict[str, Any]:
        made = self.schema(field.type)
        if field.default:
            made["default"] = field.default[0]
        return {**made, "deprecated": True} if field.deprecated else made


def _literals(type_: Type) -> dict[str, Any]:
    kinds = dict.fromkeys(_json_type(value) for value in type_.values)
    made: dict[str, Any] = {"type": next(iter(kinds))} if len(kinds) == 1 else {}
    made["enum"] = list(type_.values)
    if type_.kind == "constant":
        made["x-stainless-const"] = True
    return {"anyOf": [{"type": "string"}, made]} if type_.open else made


def _json_type(value: Any) -> str:
    names = {str: "string", bool: "boolean", int: "integer", float: "number"}
    return names.get(type(value), "null")
