"""Catalogue snapshots as text: facts only, sorted, one fact a line, so that git shows well what changed.

Reads and returns JSON; `read` gives back the catalogue that `text` was given, without prose, rules and Python names. Never
holds anything that a fragment says in words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from codegen.catalogue import Catalogue, Model, Package, Stream, from_json, to_json
from codegen.days import is_day
from codegen.errors import Finding, SpecError, reason
from codegen.schemas import REF_PREFIX
from codegen.snapshot_check import require_whole

FORMAT = 1
"""Version of the layout, the value of `snapshot` in the file."""
OWN = "spec"
"""The value of `of` in the snapshot of a working tree, overlays applied; one of upstream has no `of`."""
_STREAM = ("direction", "document", "module", "tag", "transport", "union")
_OPENED = frozenset(
    "aliases events fields members models packages sources streams values written".split()
)
_OF_OPENED = frozenset({"aliases", "models", "packages", "streams", "written"})


def is_snapshot(tree: Mapping[str, Any]) -> bool:
    """Whether a value is a snapshot of ours and not an OpenAPI document."""
    return "snapshot" in tree and "openapi" not in tree


def text(
    name: str,
    catalogue: Catalogue,
    date: str,
    written: Mapping[str, Mapping[str, str]],
    of: str = "",
) -> str:
    """The text of a snapshot; `of` is OWN for a working tree."""
    value = {
        "snapshot": FORMAT,
        "name": name,
        "date": date,
        **({"of": of} if of else {}),
        "sources": [to_json(source) for source in catalogue.sources],
        "packages": {package.name: _package(package) for package in catalogue.packages},
        "written": written,
    }
    return "".join(_lines(value, (), "")) + "\n"


def read(
    tree: Mapping[str, Any], where: str
) -> tuple[str, Catalogue, str, Mapping[str, Mapping[str, str]]]:
    """Name, catalogue, date and digests of a snapshot; SpecError where it is not one of this format."""
    action = "Write it again with codegen snapshot."
    if tree.get("snapshot") != FORMAT:
        what = f"the snapshot's format is {tree.get('snapshot')!r} and not {FORMAT}"
        raise SpecError([Finding(where, what, action)])
    try:
        packages = [_read_package(name, each) for name, each in tree["packages"].items()]
        catalogue = from_json({"sources": tree["sources"], "packages": packages})
        require_whole(catalogue)
        if tree["date"] != "" and not is_day(tree["date"]):
            raise ValueError(f"the date is {tree['date']!r}")
        return str(tree["name"]), catalogue, tree["date"], _written(tree["written"])
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        what = f"the snapshot is damaged ({reason(error)})"
        raise SpecError([Finding(where, what, action)]) from None


def _written(value: Mapping[str, Mapping[str, str]]) -> Mapping[str, Mapping[str, str]]:
    """TypeError where this is not document → component → digest."""
    return {document: dict(digests.items()) for document, digests in value.items()}


def _package(package: Package) -> dict[str, Any]:
    return {
        "streams": {stream.name: _stream(stream) for stream in package.streams},
        "models": {model.name: _model(model) for model in package.models},
        "aliases": {
            alias.name: {**_schema(alias.name, alias.schema), "type": _type(to_json(alias.type))}
            for alias in package.aliases
        },
    }


def _stream(stream: Stream) -> dict[str, Any]:
    facts = {key: getattr(stream, key) for key in _STREAM}
    return {**facts, "events": {event.tag: event.model for event in stream.events}}


def _model(model: Model) -> dict[str, Any]:
    row: dict[str, Any] = _schema(model.name, model.schema)
    if model.extra is not None:
        row["extra"] = _type(to_json(model.extra))
    if model.closed:
        row["closed"] = True
    fields = {}
    for field in model.fields:
        facts = {**to_json(field), "type": _type(to_json(field.type))}
        fields[field.name] = {
            key: value for key, value in facts.items() if key not in ("attribute", "docs", "name")
        }
    return {**row, "fields": fields}


def _type(value: dict[str, Any]) -> dict[str, Any]:
    """A type with values and members in an order of their own: that of the document is no fact."""
    found = dict(value)
    if "items" in found:
        found["items"] = _type(found["items"])
    if "members" in found:
        found["members"] = sorted(map(_type, found["members"]), key=json.dumps)
    if "values" in found:
        found["values"] = sorted(found["values"], key=json.dumps)
    return found


def _schema(name: str, schema: str) -> dict[str, Any]:
    """The pointer, where it is not that of the component of this name."""
    return {} if schema == REF_PREFIX + name else {"schema": schema}


def _read_package(name: str, value: Mapping[str, Any]) -> dict[str, Any]:
    streams = [
        {
            **{key: part for key, part in each.items() if key != "events"},
            "name": stream,
            "table": "",
            "sentence": "",
            "events": [{"tag": tag, "model": model} for tag, model in each["events"].items()],
        }
        for stream, each in value["streams"].items()
    ]
    models = [
        {
            **_named(model, each),
            "sentence": "",
            "fields": [
                {**field, "name": wire, "attribute": ""} for wire, field in each["fields"].items()
            ],
        }
        for model, each in value["models"].items()
    ]
    aliases = [_named(alias, each) for alias, each in value["aliases"].items()]
    return {"name": name, "streams": streams, "models": models, "aliases": aliases}


def _named(name: str, value: Mapping[str, Any]) -> dict[str, Any]:
    return {"schema": REF_PREFIX + name, **value, "name": name}


def _lines(value: Any, path: tuple[str, ...], indent: str) -> Iterator[str]:
    """A value over several lines where its place is one that is opened, else on one."""
    opened = _is_opened(path) or _is_part(value)
    if not value or not isinstance(value, (dict, list)) or not opened:
        yield json.dumps(value, ensure_ascii=False, sort_keys=True)
        return
    inner = indent + " "
    is_list = isinstance(value, list)
    yield "[" if is_list else "{"
    rows = [("", each) for each in value] if isinstance(value, list) else sorted(value.items())
    for number, (key, each) in enumerate(rows):
        yield f"{',' if number else ''}\n{inner}"
        yield "" if is_list else json.dumps(key, ensure_ascii=False) + ": "
        yield from _lines(each, (*path, key), inner)
    yield f"\n{indent}" + ("]" if is_list else "}")


def _is_part(value: Any) -> bool:
    """Whether this is one of the enums that an enum is joined from."""
    return isinstance(value, dict) and value.get("kind") == "enum" and "name" in value


def _is_opened(path: tuple[str, ...]) -> bool:
    if not path or path[-1] in _OPENED:
        return True
    alias_type = path[-1] == "type" and path[-3:-2] == ("aliases",)
    return alias_type or path[-2:-1] != () and path[-2] in _OF_OPENED
