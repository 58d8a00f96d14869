"""The official client as a side of a comparison.

Reads the types of the installed client, or of a released version of it, by `sdk_install`; returns a `Catalogue` of the streams
whose fragments name one of its types. Never claims what the client does not carry: prose, formats, bounds and defaults are gone,
and `align` takes from the other side what the client cannot say.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from codegen.align import PACKAGE_URL
from codegen.catalogue import Catalogue, Source
from codegen.documents import Document
from codegen.errors import Finding, SpecError
from codegen.load import Fragment, read_fragments
from codegen.schemas import REF_PREFIX
from codegen.sdk_install import read_types
from codegen.tolerant import catalogue_of
from codegen.yaml_lines import escape

DISTRIBUTION = "openai"
_KEPT = frozenset("const enum required type".split())
_MEMBERS = ("allOf", "anyOf", "oneOf")
_DEFS = "#/$defs/"
ANY_OBJECT: Mapping[str, Any] = {"type": "object", "additionalProperties": True}


def read_sdk(version: str, spec: Path) -> tuple[str, Catalogue]:
    """What the side `sdk` or `sdk:VERSION` is called, and its catalogue; a client does not say when it was released.

    version  a released version, `newest`, or nothing for the installed one
    spec     the folder whose fragments say which types to read
    """
    fragments = _named(read_fragments(spec / "fragments"), DISTRIBUTION)
    types = {fragment["stream"]: fragment["client"] for fragment in fragments}
    value = read_types(DISTRIBUTION, version, types)
    return _label(value), client_catalogue(value, fragments)


def _named(fragments: Iterable[Fragment], distribution: str) -> tuple[Fragment, ...]:
    """The fragments that name a type of a client."""
    prefix = f"{distribution}."
    found = tuple(each for each in fragments if str(each.get("client", "")).startswith(prefix))
    if not found:
        action = f"Add, for example, client: {prefix}types.Completion."
        what = f"no fragment names a type of {distribution} as its `client`"
        raise SpecError([Finding("spec/fragments", what, action)])
    return found


def _label(value: Mapping[str, Any]) -> str:
    return f"{value['distribution']}-{value['version']}"


def client_catalogue(value: Mapping[str, Any], fragments: Iterable[Fragment]) -> Catalogue:
    """The catalogue of what `read_types` gave for the types that `fragments` name.

    It speaks about all their documents: a stream whose type is not there is one that the client does not have.
    """
    fragments = tuple(fragments)
    present = tuple(each for each in fragments if each["stream"] in value["streams"])
    documents: dict[str, Document] = {}
    sources = []
    for name in sorted({fragment["document"] for fragment in fragments}):
        own = [fragment for fragment in present if fragment["document"] == name]
        tree = document_tree(value, {each["stream"]: each["union"] for each in own})
        data = json.dumps(tree, sort_keys=True).encode()
        documents[name] = Document(name, _label(value), b"", tree)
        url = f"{PACKAGE_URL}{value['distribution']}@{value['version']}"
        digest = hashlib.sha256(data).hexdigest()
        sources.append(Source(name, url, value["version"], "", "", digest))
    return catalogue_of(documents, present, tuple(sources))


def document_tree(value: Mapping[str, Any], unions: Mapping[str, str]) -> dict[str, Any]:
    """JSON Schemas of a client's types as an OpenAPI document.

    unions  stream → component that stands for its union
    """
    names = _component_names(value["definitions"])
    schemas = {
        names[key]: _schema(schema, names, _DEFS + escape(key))
        for key, schema in value["definitions"].items()
    }
    for stream, union in unions.items():
        root = _schema(value["streams"][stream], names, stream)
        if root != {"$ref": REF_PREFIX + union}:
            schemas[union] = root
    info = {"title": value["distribution"], "version": value["version"]}
    return {"openapi": "3.1.0", "info": info, "components": {"schemas": schemas}}


def _component_names(definitions: Iterable[str]) -> dict[str, str]:
    """A component's name for each definition: its class; where several have it, with as many modules before it as it takes."""
    keys = list(definitions)
    parts = {key: key.split("__") for key in keys}
    names = {}
    for key in keys:
        tails = (parts[key][-count:] for count in range(1, len(parts[key]) + 1))
        alone = next(
            (
                tail
                for tail in tails
                if all(other == key or parts[other][-len(tail) :] != tail for other in keys)
            ),
            parts[key],
        )
        names[key] = "_".join(alone)
    return names


def _schema(schema: Any, names: Mapping[str, str], where: str) -> Any:
    """A schema with the keywords that say something here, its refs as OpenAPI writes them.

    A list of keywords that pass, so that no prose does. A default of null stays: it is the client's way to write a property
    of which nothing is known but that it need not be there.
    """
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        key = str(schema["$ref"]).removeprefix(_DEFS)
        if key not in names:
            action = "Report it: the client's types have a form that is new."
            raise SpecError(
                [Finding(where, f"the reference {schema['$ref']} leads nowhere", action)]
            )
        made: dict[str, Any] = {"$ref": REF_PREFIX + escape(names[key])}
    else:
        made = {key: part for key, part in schema.items() if key in _KEPT}
    for keyword in _MEMBERS:
        if keyword in schema:
            made[keyword] = [_member(part, names, where) for part in schema[keyword]]
    if "items" in schema:
        made["items"] = _schema(schema["items"], names, where)
    if schema.get("properties"):  # a class without any is an object with free keys
        made["properties"] = {
            name: _schema(part, names, f"{where}/properties/{escape(name)}")
            for name, part in schema["properties"].items()
        }
    elif schema.get("type") == "object":
        made["additionalProperties"] = _schema(
            schema.get("additionalProperties", True), names, where
        )
    if "default" in schema and schema["default"] is None:
        made["default"] = None
    return made


def _member(schema: Any, names: Mapping[str, str], where: str) -> Any:
    """A member of a union; one that allows anything is a free object, since a resolved union has no such member."""
    made = _schema(schema, names, where)
    return dict(ANY_OBJECT) if made == {} else made
