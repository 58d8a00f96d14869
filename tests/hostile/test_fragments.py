"""Fragments and unions with names that Python or our own modules would take for something else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.emit import emit
from codegen.errors import SpecError
from codegen.load import load
from codegen.resolve import resolve
from tests.hostile import documents
from tests.hostile.judge import parsed
from tests.small_spec import fragment, import_package, submodule, write_spec

UNIONS = ["class", "None", "Ev-2", "a.b", "2x", "-", "print", "Event", "Record", "UnknownEvent", "__import__", "TypeAlias", "Started2", "x.y.z", "EVENTS", "_"]  # fmt: skip


@pytest.mark.parametrize("union", UNIONS)
def test_a_union_of_any_name(union: str, tmp_path: Path) -> None:
    tree = documents.plain()
    schemas = tree["components"]["schemas"]
    schemas[union] = schemas.pop("Ev")
    spec = write_spec(tmp_path, json.dumps(tree), [fragment(union=union)])
    files = emit(resolve(load(spec)))
    for path, text in files.items():
        if path.endswith(".py"):
            parsed(text)
    package = import_package(files, tmp_path, f"hostile_union_{UNIONS.index(union)}")
    event = submodule(package, "s").decode({"type": "ended", "count": 1})
    assert type(event).__name__ == "Ended"


WRONG: dict[str, dict[str, Any]] = {
    "a keyword as a table": {"table": "NONES"},
    "True as a table": {"table": "TRUES"},
    "an empty alias": {"table": "S"},
    "a table that is ours": {"table": "WIRE"},
    "an alias that is ours": {"table": "RECORDS"},
    "a module that is a keyword": {"module": "class"},
    "a module that is ours": {"module": "sse"},
    "a module within that is ours": {"module": "s.events"},
    "a newline behind the stream": {"stream": "s\n"},
    "a newline behind the module": {"module": "s\n"},
    "a newline behind the union": {"union": "Ev\n"},
    "a newline behind the table": {"table": "EVENTS\n"},
    "a path as a stream": {"stream": "../x"},
    "a path as a document": {"document": "../../d"},
    "code as a module": {"module": "s;import os"},
    "code as a union": {"union": "Ev: x = 1"},
    "a newline in a sentence": {"sentence": "A\nb."},
    "a read that is a keyword": {"snapshot": "Part", "snapshot_name": "part", "reads": {"class": "name"}},
    "a read that is a member": {"snapshot": "Part", "snapshot_name": "part", "reads": {"final": "name"}},
    "a snapshot that is a member": {"snapshot": "Part", "snapshot_name": "add"},
    "a snapshot and a read of one name": {"snapshot": "Part", "snapshot_name": "text", "reads": {"text": "name"}},
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_names_that_cannot_be_given(name: str, tmp_path: Path) -> None:
    spec = write_spec(tmp_path, json.dumps(documents.plain()), [fragment(**WRONG[name])])
    with pytest.raises(SpecError):
        load(spec)


FORMS: list[tuple[str, Any]] = [
    ("type", [["string"]]), ("type", 3), ("type", {}), ("enum", {}), ("enum", "a"), ("required", [1]), ("required", [["a"]]), ("required", "a"),
    ("properties", []), ("properties", {"a": 3}), ("properties", {"a": []}), ("allOf", {}), ("allOf", [3]), ("anyOf", ["x"]), ("oneOf", [None]),
    ("items", 3), ("items", []), ("additionalProperties", "x"), ("discriminator", []), ("discriminator", {"mapping": []}),
    ("discriminator", {"mapping": {"a": 3}}), ("discriminator", {"propertyName": []}), ("pattern", 3), ("minimum", "a"), ("maxLength", {}), ("uniqueItems", []),
]  # fmt: skip


@pytest.mark.parametrize("where", ["component", "property", "event"])
@pytest.mark.parametrize(("keyword", "value"), FORMS, ids=lambda each: json.dumps(each)[:24])
def test_keywords_of_another_form_are_errors(
    keyword: str, value: Any, where: str, tmp_path: Path
) -> None:
    tree = documents.plain()
    schemas = tree["components"]["schemas"]
    target = {
        "component": schemas["Part"],
        "property": schemas["Part"]["properties"]["name"],
        "event": schemas["Ended"],
    }[where]
    target[keyword] = value
    with pytest.raises(SpecError):
        resolve(load(write_spec(tmp_path, json.dumps(tree))))


@pytest.mark.parametrize("schema", [{"allOf": [True]}, {"allOf": [False, {"type": "object", "properties": {"a": {}}}]}, {"anyOf": [True, {"type": ["string", "null"]}, {"enum": ["a"]}]}, {"properties": {"a": True, "b": False}}, {"anyOf": [{"enum": ["a", "b"]}, {"type": ["string", "null"]}]}, {"enum": [[1], {}, None]}, {"const": [1]}, {"$recursiveRef": "#"}], ids=json.dumps)  # fmt: skip
def test_odd_schemas_are_taken_or_refused(schema: dict[str, Any], tmp_path: Path) -> None:
    tree = documents.plain()
    tree["components"]["schemas"]["Part"]["properties"]["name"] = schema
    try:
        emit(resolve(load(write_spec(tmp_path, json.dumps(tree)))))
    except SpecError:
        pass
