"""The structural cut of an upstream document: facts without prose.

Reads a document's tree and the names of root schemas; returns a new tree with the schemas that the roots reach and the
keywords of the tables below; never lets a keyword through that is not in them, and never follows a `$ref` out of
`components.schemas`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import unquote

from codegen import yaml_dump
from codegen.errors import Finding, SpecError
from codegen.yaml_lines import escape, unescape

# What a schema may say, by what the value is. The order of keywords stays that of the document.
FACTS = frozenset("""
    type required enum const default format nullable deprecated readOnly writeOnly
    minimum maximum exclusiveMinimum exclusiveMaximum multipleOf pattern minLength maxLength
    minItems maxItems uniqueItems minProperties maxProperties
    $recursiveAnchor x-stainless-const x-oaiTypeLabel
    """.split())
FACTS_AND_PROSE = FACTS | {"description"}
SCHEMA = frozenset({"additionalProperties", "items", "not", "propertyNames"})
SCHEMA_LIST = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
SCHEMA_MAP = frozenset({"patternProperties", "properties"})

# Where an inline object has no other name than its title: a member of a union, an item of a list.
_UNNAMED = frozenset({"anyOf", "items", "oneOf", "prefixItems"})
_OBJECT_SIGNS = frozenset({"allOf", "properties"})
_PREFIX = "#/components/schemas/"
_OVERLAY = "Add an overlay in spec/overlays/, or report it upstream."


def cut(
    tree: Mapping[str, Any],
    roots: Iterable[str],
    where: Callable[[str], str] = str,
    facts: frozenset[str] = FACTS,
) -> dict[str, Any]:
    """The closure of `roots` in `tree`, in the document's order.

    tree    an OpenAPI 3.0 or 3.1 document with components.schemas; it is not changed, and shares nothing with the result
    where   turns a JSON pointer into a place for errors (`Document.where`)
    facts   the keywords that pass as they are; FACTS_AND_PROSE for docstrings, in nothing that is committed

    Raises SpecError with every reference that is missing or leads out of the document, and every root that is missing.
    """
    schemas = tree["components"]["schemas"]
    cutter = _Cutter(schemas, where, facts)
    for root in roots:
        cutter.reach(root, "#/components/schemas", f"the root schema {root}")
    cutter.close()
    if cutter.findings:
        raise SpecError(cutter.findings)
    info = tree.get("info")
    info = info if isinstance(info, dict) else {}
    return {
        "openapi": tree["openapi"],
        "info": {"title": str(info.get("title", "")), "version": str(info.get("version", ""))},
        "paths": {},
        "components": {
            "schemas": {name: cutter.done[name] for name in schemas if name in cutter.done}
        },
    }


def ref_name(ref: str) -> str | None:
    """The schema that a `$ref` names, or None where it is no `#/components/schemas/NAME`.

    NAME is a step of a JSON pointer in a URI fragment: percent-decoded, then `~1` and `~0` (RFC 6901, section 6).
    """
    name = ref.removeprefix(_PREFIX)
    return None if name == ref or not name or "/" in name else unescape(unquote(name))


class _Cutter:
    """Copies schema after schema, noting which ones they reach."""

    def __init__(
        self, schemas: Mapping[str, Any], where: Callable[[str], str], facts: frozenset[str]
    ) -> None:
        self.done: dict[str, Any] = {}
        self.findings: list[Finding] = []
        self._schemas = schemas
        self._where = where
        self._facts = facts
        self._waiting: list[str] = []
        self._reached: set[str] = set()

    def close(self) -> None:
        while self._waiting:
            name = self._waiting.pop()
            pointer = _PREFIX + escape(name)
            self.done[name] = self._schema(self._schemas[name], pointer, "")

    def reach(self, name: str, pointer: str, what: str) -> None:
        """Note that `name` belongs to the closure because of what `pointer` says."""
        if name in self._reached:
            return
        if name in self._schemas:
            self._reached.add(name)
            self._waiting.append(name)
        else:
            self._find(pointer, f"{what} is not in components.schemas")

    def _schema(self, schema: Any, pointer: str, place: str) -> Any:
        """`place` is the keyword that holds this schema, or nothing for a component."""
        if isinstance(schema, bool):  # JSON Schema 2020-12, section 4.3.2
            return schema
        if not isinstance(schema, dict):
            self._find(pointer, "a schema is neither a mapping nor true or false")
            return {}
        result: dict[str, Any] = {}
        for key, value in schema.items():
            here = f"{pointer}/{escape(key)}"
            if key in self._facts:
                result[key] = copy(value)
            elif key in SCHEMA:
                result[key] = self._schema(value, here, key)
            elif key in SCHEMA_LIST:
                result[key] = self._list(value, here, key)
            elif key in SCHEMA_MAP:
                result[key] = self._map(value, here, key)
            elif key in _SPECIAL:
                result[key] = _SPECIAL[key](self, value, here)
            elif key == "title" and place in _UNNAMED and _is_inline_object(schema):
                result[key] = str(value)
        return result

    def _list(self, members: Any, pointer: str, place: str) -> list[Any]:
        if not isinstance(members, list):
            self._find(pointer, f"`{place}` is not a list")
            return []
        return [self._schema(m, f"{pointer}/{i}", place) for i, m in enumerate(members)]

    def _map(self, members: Any, pointer: str, place: str) -> dict[str, Any]:
        if not isinstance(members, dict):
            self._find(pointer, f"`{place}` is not a mapping")
            return {}
        return {
            name: self._schema(schema, f"{pointer}/{escape(name)}", place)
            for name, schema in members.items()
        }

    def _ref(self, value: Any, pointer: str) -> Any:
        name = ref_name(value) if isinstance(value, str) else None
        if name is None:
            self._find(pointer, f"the reference {value} is not of the form {_PREFIX}NAME")
        else:
            self.reach(name, pointer, f"the reference {value}")
        return value

    def _recursive_ref(self, value: Any, pointer: str) -> Any:
        if value != "#":  # JSON Schema 2019-09, section 8.2.4.2.1: no other value is defined
            self._find(pointer, f"$recursiveRef is {value} and not #")
        return value

    def _discriminator(self, value: Any, pointer: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            self._find(pointer, "`discriminator` is not a mapping")
            return {}
        result = {}
        if "propertyName" in value:
            result["propertyName"] = copy(value["propertyName"])
        if "mapping" in value:
            result["mapping"] = self._mapping(value["mapping"], pointer + "/mapping")
        return result

    def _mapping(self, mapping: Any, pointer: str) -> dict[str, Any]:
        """Values are references or bare names of schemas (OpenAPI 3.1, section 4.8.25)."""
        if not isinstance(mapping, dict):
            self._find(pointer, "`mapping` is not a mapping")
            return {}
        for tag, target in mapping.items():
            here = f"{pointer}/{escape(tag)}"
            name = ref_name(target) if isinstance(target, str) else None
            if isinstance(target, str) and (name is not None or "/" not in target):
                self.reach(name or target, here, f"the mapping's {target}")
            else:
                self._find(here, f"the mapping's {target} is not a schema of this document")
        return dict(mapping)

    def _find(self, pointer: str, what: str) -> None:
        self.findings.append(Finding(self._where(pointer), what, _OVERLAY))


_SPECIAL: Mapping[str, Callable[[_Cutter, Any, str], Any]] = {
    "$ref": _Cutter._ref,
    "$recursiveRef": _Cutter._recursive_ref,
    "discriminator": _Cutter._discriminator,
}


def copy(value: Any) -> Any:
    """A copy that shares nothing, not even where an alias made the value share (unlike `copy.deepcopy`)."""
    if isinstance(value, dict):
        return {key: copy(item) for key, item in value.items()}
    if isinstance(value, list):
        return [copy(item) for item in value]
    return value


def _is_inline_object(schema: Mapping[str, Any]) -> bool:
    kind = schema.get("type")
    named = "$ref" in schema
    return not named and (kind == "object" or not _OBJECT_SIGNS.isdisjoint(schema))


_HEADER = """\
# Written by `codegen cut` from an upstream document (see spec/sources.yaml): names, types, bounds and
# references, no prose. Do not edit: corrections go into spec/overlays/.
"""


def dump(tree: Mapping[str, Any]) -> bytes:
    """The cut as YAML text under a header; `documents.parse` gives the same tree back."""
    return (_HEADER + yaml_dump.dump(tree)).encode()
