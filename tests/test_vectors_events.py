"""The generated vectors of single events, judged by another reader of the same documents: a JSON Schema validator.

Reads generated/vectors and spec/documents with their overlays. A payload is valid where nothing worse
than a remark is expected, and nowhere else.
"""

from __future__ import annotations

import dataclasses
import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from codegen.catalogue import Alias, Case, Event, Field, Model, Package, Stream, Type
from codegen.emit.vectors_events import event_cases
from codegen.load import load
from tests.vectors.cases import FOLDER

ROOT = Path(__file__).resolve().parent.parent
STREAMS = sorted(path.stem for path in (FOLDER / "v1" / "event").glob("*.json"))


@cache
def registry() -> Any:
    """The documents as JSON Schema: null is spelled `nullable` in places, and a discriminator is no keyword."""
    documents = load(ROOT / "spec").documents
    resources = [
        (f"urn:{name}", Resource.from_contents(_plain(document.tree), DRAFT202012))
        for name, document in documents.items()
    ]
    return Registry().with_resources(resources)


def _plain(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_plain(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _plain(item) for key, item in schema.items() if key != "discriminator"}
    if plain.get("$recursiveRef") == "#":
        return {}
    if plain.pop("nullable", None) is True:
        return {"anyOf": [plain, {"type": "null"}]}
    return plain


def is_valid(document: str, pointer: str, payload: Any) -> bool:
    """Whether a payload fits the schema at a pointer of a document."""
    reference = {"$ref": f"urn:{document}{pointer}"}
    validator = jsonschema.Draft202012Validator(reference, registry=registry())
    return bool(validator.is_valid(payload))


@pytest.mark.parametrize("stream", STREAMS)
def test_schemas_agree(stream: str) -> None:
    file = json.loads((FOLDER / "v1" / "event" / f"{stream}.json").read_bytes())
    union = next(case["spec"] for case in file["cases"] if "UnknownTag" in case["flags"])
    wrong = []
    for case in file["cases"]:
        # The lane stands in the union's members, which wrap the schemas of the events.
        expect, spec = case["expect"], union if "stream_id" in case["id"] else case["spec"]
        if not expect.get("known"):
            continue
        payload = json.loads(case["given"]["text"])
        valid = is_valid(spec["document"], spec["section"], payload)
        if valid is not all(problem["level"] == "info" for problem in expect["problems"]):
            wrong.append(f"{case['id']}: valid is {valid}")
    assert wrong == []


# --- one small stream, by hand ----------------------------------------------------------------------------------------

STRING = Type("string")
PART = Model(
    "Part",
    "#/P",
    (
        Field("kind", "kind", Type("constant", values=("part",)), required=True),
        Field("level", "level", Type("enum", values=("low", "high")), required=True),
    ),
    "A part.",
)
EVENT = Model(
    "Ev",
    "#/E",
    (
        Field("type", "type", Type("constant", values=("ev",)), required=True),
        Field("name", "name", Type("string", null=True), required=True),
        Field("part", "part", Type("ref", name="Parts")),
        Field("colour", "colour", Type("enum", values=("red",), open=True)),
        Field("count", "count", Type("enum", values=(1, 2))),
        Field("anything", "anything", Type("any")),
    ),
    "An event.",
)
PARTS = Alias(
    "Parts",
    "#/Parts",
    Type("union", members=(Type("ref", name="Part"),)),
    tag="kind",
    cases=(("part", (Case("Part"),)),),
)
STREAM = Stream(
    "s", "d", "Ev", "s", "EVENTS", "server", "sse", "type", "Events.", (Event("ev", "Ev"),)
)


def found() -> dict[str, dict[str, Any]]:
    package = Package("s", (STREAM,), (EVENT, PART), (PARTS,))
    return {case["id"].removeprefix("s--"): case for case in event_cases(package, STREAM)}


def test_an_empty_tag_is_none_where_events_need_none() -> None:
    stream = dataclasses.replace(STREAM, untagged="ev")
    package = Package("s", (stream,), (EVENT, PART), (PARTS,))
    cases = {case["id"]: case for case in event_cases(package, stream)}
    case = cases["s--ev--empty-tag"]
    assert json.loads(case["given"]["text"])["type"] == ""
    assert case["expect"]["tag"] == "ev" and case["expect"]["known"] is True
    assert case["expect"]["problems"] == [
        {"kind": "unknown-value", "level": "warning", "path": ".type"}
    ]


def test_cases_of_a_small_stream() -> None:
    assert sorted(found()) == sorted(
        [
            *("ev--required-only", "ev--everything", "ev--null-for-absent"),
            *("ev--unknown-property", "ev--unknown-inner", "ev--unknown-member"),
            *("ev--unknown-value", "ev--unknown-value-open"),
            *("ev--missing-type", "ev--missing-name"),
            *("ev--wrong-type-type", "ev--wrong-type-name", "ev--wrong-type-part"),
            *("ev--wrong-type-colour", "ev--null-part", "ev--null-colour"),
            *("unknown-tag", "list", "text", "null", "cut", "empty", "no-tag"),
            *("tag-null", "tag-number"),
        ]
    )


@pytest.mark.parametrize(
    ("name", "payload", "problem"),
    [
        ("required-only", {"type": "ev", "name": None}, None),
        (
            "everything",
            {
                "type": "ev",
                "name": "text",
                "part": {"kind": "part", "level": "low"},
                "colour": "red",
                "count": 1,
                "anything": "anything",
            },
            None,
        ),
        ("null-for-absent", {"type": "ev", "name": None, "anything": None}, None),
        ("missing-name", {"type": "ev"}, ("missing-property", "error", ".name")),
        ("wrong-type-name", {"type": "ev", "name": 3}, ("wrong-type", "error", ".name")),
        ("null-part", {"type": "ev", "name": None, "part": None}, ("wrong-type", "error", ".part")),
    ],
)
def test_payload_of_a_small_stream(
    name: str, payload: Any, problem: tuple[str, str, str] | None
) -> None:
    case = found()[f"ev--{name}"]
    problems = [dict(zip(("kind", "level", "path"), problem))] if problem else []
    assert json.loads(case["given"]["text"]) == payload
    assert case["expect"]["problems"] == problems
    assert case["expect"]["payload"] == case["given"]["text"]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("unknown-value", ("unknown-value", "warning", ".part.level")),
        ("unknown-value-open", ("unknown-value", "info", ".colour")),
        ("unknown-member", ("unknown-member", "warning", ".part")),
        ("unknown-inner", ("unknown-property", "info", ".part.vector_property")),
        ("unknown-property", ("unknown-property", "info", ".vector_property")),
    ],
)
def test_problem_of_a_small_stream(name: str, problem: tuple[str, str, str]) -> None:
    expected = [dict(zip(("kind", "level", "path"), problem))]
    assert found()[f"ev--{name}"]["expect"]["problems"] == expected
