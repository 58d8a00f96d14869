"""The cut: which schemas and keywords stay, which references are refused, and the text that is written."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codegen.cut import FACTS_AND_PROSE, cut, dump
from codegen.documents import Document, parse, read_bytes, read_document
from codegen.errors import SpecError
from codegen.load import read_fragments, roots
from codegen.sources import read_entries, read_sources
from tests.shared import shared

SPEC = Path(__file__).resolve().parent.parent / "spec"


def document(schemas: dict[str, Any]) -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1", "description": "prose"},
        "servers": [{"url": "https://example.org"}],
        "paths": {"/x": {"get": {"description": "prose"}}},
        "components": {"schemas": schemas, "parameters": {"p": {}}},
        "x-oaiMeta": {"groups": []},
    }


def kept(schemas: dict[str, Any], *roots: str) -> Any:
    return cut(document(schemas), roots or ["R"])["components"]["schemas"]


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def test_around_the_schemas_only_what_openapi_requires() -> None:
    assert cut(document({"R": {}}), ["R"]) == {
        "openapi": "3.1.0",
        "info": {"title": "T", "version": "1"},
        "paths": {},
        "components": {"schemas": {"R": {}}},
    }


def test_the_closure_in_the_order_of_the_document() -> None:
    schemas = {
        "Unused": ref("A"),
        "G": {"prefixItems": [{"not": ref("H")}]},
        "F": {"propertyNames": ref("G")},
        "E": {"patternProperties": {"^x": ref("F")}},
        "D": {"additionalProperties": ref("E")},
        "C": {"items": ref("D")},
        "B": {"oneOf": [ref("C"), ref("R")]},
        "A": {"anyOf": [{"allOf": [ref("B")]}]},
        "R": {"properties": {"a": ref("A")}},
        "H": {"type": "null"},
    }
    assert list(kept(schemas)) == [name for name in schemas if name != "Unused"]
    assert kept(schemas) == {name: schemas[name] for name in schemas if name != "Unused"}


def test_facts_stay_as_they_are_and_prose_goes() -> None:
    facts = {
        "type": ["object", "null"],
        "required": ["a"],
        "enum": [1, None, {"description": "a value"}],
        "const": {"title": "a value"},
        "default": {"description": "a value", "example": []},
        "format": "f",
        "nullable": True,
        "deprecated": True,
        "readOnly": True,
        "writeOnly": True,
        "minimum": 0,
        "maximum": 1.5,
        "exclusiveMinimum": False,
        "exclusiveMaximum": 2,
        "multipleOf": 1,
        "pattern": "^a",
        "minLength": 1,
        "maxLength": 2,
        "minItems": 1,
        "maxItems": 2,
        "uniqueItems": True,
        "minProperties": 1,
        "maxProperties": 2,
        "additionalProperties": False,
        "items": True,
        "x-stainless-const": True,
        "x-oaiTypeLabel": "map",
        "$recursiveAnchor": True,
        "$recursiveRef": "#",
    }
    prose = {
        "title": "R",
        "description": "prose",
        "example": 1,
        "examples": [1],
        "externalDocs": {},
        "x-oaiMeta": {},
        "$comment": "prose",
        "xml": {},
        "customTypePath": "os.system",
        "x-python-type": "os.system",
    }
    assert kept({"R": {**prose, **facts}}) == {"R": facts}


def test_properties_may_be_called_like_keywords() -> None:
    names = ["description", "title", "example", "x-oaiMeta", "properties", "$ref", "enum", "allOf"]
    schema = {"properties": {name: {"type": "string", "description": "prose"} for name in names}}
    assert kept({"R": schema}) == {
        "R": {"properties": {name: {"type": "string"} for name in names}}
    }


OBJECT = {"type": "object", "title": "Named"}
MERGED = {"allOf": [{"type": "object", "title": "Gone"}], "title": "Named"}


def test_a_title_stays_where_it_is_the_only_name() -> None:
    bare = {"type": "object"}
    text = {"type": "string", "title": "Gone"}
    schemas = {
        "R": {
            "title": "Gone",
            "properties": {
                "inline": OBJECT,
                "list": {"title": "Gone", "items": OBJECT},
                "union": {
                    "title": "Gone",
                    "anyOf": [OBJECT, MERGED, text, {**ref("R"), "title": "Gone"}],
                },
                "one": {"oneOf": [{"properties": {}, "title": "Named"}]},
            },
            "allOf": [OBJECT],
        }
    }
    merged = {"allOf": [bare], "title": "Named"}
    assert kept(schemas)["R"] == {
        "properties": {
            "inline": bare,
            "list": {"items": OBJECT},
            "union": {"anyOf": [OBJECT, merged, {"type": "string"}, ref("R")]},
            "one": {"oneOf": [{"properties": {}, "title": "Named"}]},
        },
        "allOf": [bare],
    }


def test_prose_on_request() -> None:
    tree = document(
        {"R": {"description": "prose", "title": "T", "properties": {"a": {"description": "p"}}}}
    )
    schemas = cut(tree, ["R"], facts=FACTS_AND_PROSE)["components"]["schemas"]
    assert schemas == {"R": {"description": "prose", "properties": {"a": {"description": "p"}}}}


def test_discriminators_reach_what_they_map_to() -> None:
    mapping = {"a": "#/components/schemas/A", "b": "B", "c": "C.v1"}
    schemas = {
        "R": {"discriminator": {"propertyName": "type", "mapping": mapping, "x-more": 1}},
        "A": {},
        "B": {},
        "C.v1": {},
        "D": {},
    }
    assert kept(schemas) == {
        "R": {"discriminator": {"propertyName": "type", "mapping": mapping}},
        "A": {},
        "B": {},
        "C.v1": {},
    }


def test_names_with_escapes() -> None:
    schemas = {"R": {"allOf": [ref("a~1b~0c"), ref("d%20e")]}, "a/b~c": {}, "d e": {}}
    assert kept(schemas) == schemas


def test_roots_may_be_given_twice_and_reach_each_other() -> None:
    schemas = {"A": ref("B"), "B": ref("A")}
    assert kept(schemas, "B", "A", "B") == schemas


def test_every_bad_reference_and_root_is_named() -> None:
    schemas = {
        "R": {
            "properties": {
                "a/b": ref("None"),
                "c": {"$ref": "other.yaml#/components/schemas/A"},
                "d": {"$ref": "https://example.org/x.json"},
                "e": {"$ref": "file:///etc/passwd"},
                "f": {"$ref": "#/components/schemas/R/properties/c"},
                "g": {"$ref": "#/components/parameters/p"},
                "h": {"$ref": 1},
                "i": {"discriminator": {"mapping": {"x": "None", "y": "other.yaml#/A"}}},
                "j": {"$recursiveRef": "#/x"},
            }
        }
    }
    with pytest.raises(SpecError) as caught:
        kept(schemas, "R", "Missing")
    at = "#/components/schemas/R/properties"
    form = "is not of the form #/components/schemas/NAME"
    assert [f"{finding.where}: {finding.what}" for finding in caught.value.findings] == [
        "#/components/schemas: the root schema Missing is not in components.schemas",
        f"{at}/a~1b/$ref: the reference #/components/schemas/None is not in components.schemas",
        f"{at}/c/$ref: the reference other.yaml#/components/schemas/A {form}",
        f"{at}/d/$ref: the reference https://example.org/x.json {form}",
        f"{at}/e/$ref: the reference file:///etc/passwd {form}",
        f"{at}/f/$ref: the reference #/components/schemas/R/properties/c {form}",
        f"{at}/g/$ref: the reference #/components/parameters/p {form}",
        f"{at}/h/$ref: the reference 1 {form}",
        f"{at}/i/discriminator/mapping/x: the mapping's None is not in components.schemas",
        f"{at}/i/discriminator/mapping/y: the mapping's other.yaml#/A is not a schema of this document",
        f"{at}/j/$recursiveRef: $recursiveRef is #/x and not #",
    ]


def test_findings_name_the_line(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(dump(document({"R": {"items": {"$ref": "nowhere"}}})))
    read = read_document(path, "x")
    line = path.read_text().splitlines().index("        $ref: nowhere") + 1
    with pytest.raises(
        SpecError, match=rf"x\.yaml:{line} \(#/components/schemas/R/items/\$ref\): "
    ):
        cut(read.tree, ["R"], read.where)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ([], "a schema is neither a mapping nor true or false"),
        ({"items": "x"}, "a schema is neither a mapping nor true or false"),
        ({"anyOf": {}}, "`anyOf` is not a list"),
        ({"properties": []}, "`properties` is not a mapping"),
        ({"discriminator": "type"}, "`discriminator` is not a mapping"),
        ({"discriminator": {"mapping": []}}, "`mapping` is not a mapping"),
    ],
)
def test_schemas_of_the_wrong_shape(schema: Any, expected: str) -> None:
    with pytest.raises(SpecError, match=expected):
        kept({"R": schema})


def test_the_cut_shares_nothing_with_its_input() -> None:
    tree = document({"R": {"enum": [["x"]], "required": ["a"], "properties": {"a": {}}}})
    result = cut(tree, ["R"])["components"]["schemas"]["R"]
    result["enum"][0].append("y")
    result["required"].append("b")
    assert tree["components"]["schemas"]["R"]["enum"] == [["x"]]
    assert tree["components"]["schemas"]["R"]["required"] == ["a"]


def test_the_text_of_a_cut() -> None:
    union = {
        "anyOf": [{"type": "null"}, ref("R")],
        "default": [],
        "enum": ["y", "a b", "1", 1e-05, [1, {"x": {}}]],
    }
    text = dump(cut(document({"R": {"properties": {"on": union}}}), ["R"])).decode()
    lines = text.splitlines()
    assert all(line.startswith("# ") for line in lines[:2])
    assert "\n".join(lines[2:]) == """\
openapi: "3.1.0"
info:
  title: T
  version: "1"
paths: {}
components:
  schemas:
    R:
      properties:
        "on":
          anyOf:
            - type: "null"
            - $ref: "#/components/schemas/R"
          default: []
          enum:
            - "y"
            - a b
            - "1"
            - 1.0e-05
            - - 1
              - x: {}"""


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.sampled_from(
        ["", "null", "on", "1", "0x1", "- a", "a: b", "a #", "<<", "\x85\u2028\ufeff\x7f\0", "a\n"]
    )
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=4),
    max_leaves=30,
)


def typed(value: Any) -> Any:
    if isinstance(value, dict):
        return [(key, typed(item)) for key, item in value.items()]
    if isinstance(value, list):
        return [typed(item) for item in value]
    return type(value).__name__, repr(value)


@settings(deadline=None)
@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), VALUES, max_size=4))
def test_reading_what_was_written_gives_the_same_value(value: dict[str, Any]) -> None:
    text = dump(value)
    assert typed(parse(text, "f")) == typed(value)
    assert dump(parse(text, "f")) == text


FRAGMENTS = read_fragments(SPEC / "fragments")
ROOTS = {name: roots(FRAGMENTS, name) for name in ("anthropic", "openai")}


def committed(name: str) -> Document:
    return read_document(SPEC / "documents" / f"{name}.yaml", name)


@pytest.mark.parametrize("entry", read_entries(SPEC / "sources.yaml"), ids=lambda entry: entry.name)
class TestCommittedCuts:
    def test_is_what_its_source_says(self, entry: Any) -> None:
        data = read_bytes(SPEC / "documents" / f"{entry.name}.yaml")
        assert hashlib.sha256(data).hexdigest() == entry.cut_sha256

    def test_is_closed_and_stable(self, entry: Any) -> None:
        read = committed(entry.name)
        again = cut(read.tree, ROOTS[entry.name], read.where)
        assert again == read.tree
        assert dump(again) == read.data

    def test_is_the_cut_of_the_upstream_document(self, entry: Any) -> None:
        path = shared(f"upstream/{entry.name}-{entry.date}.yaml")
        assert hashlib.sha256(path.read_bytes()).hexdigest() == entry.sha256
        whole = read_document(path, entry.name)
        assert dump(cut(whole.tree, ROOTS[entry.name], whole.where)) == committed(entry.name).data


def test_yaml_and_json_give_the_same_cut() -> None:
    entry = next(entry for entry in read_entries(SPEC / "sources.yaml") if entry.name == "openai")
    whole = read_document(shared("upstream/openai-2026-08-21.json"), "openai")
    assert dump(cut(whole.tree, ROOTS[entry.name])) == committed("openai").data


@pytest.mark.parametrize(
    "date", ["2023-06-16", "2024-10-03", "2025-04-29", "2026-05-13", "2026-08-14"]
)
def test_older_documents_are_cut_with_the_roots_they_have(date: str) -> None:
    whole = read_document(shared(f"upstream/openai-{date}.yaml"), "openai")
    entry = next(entry for entry in read_entries(SPEC / "sources.yaml") if entry.name == "openai")
    roots = [root for root in ROOTS[entry.name] if root in whole.tree["components"]["schemas"]]
    result = cut(whole.tree, roots, whole.where)
    assert roots and set(roots) <= set(result["components"]["schemas"])
    assert parse(dump(result), "f") == result


def test_sources_with_faults(tmp_path: Path) -> None:
    path = tmp_path / "sources.yaml"
    text = (SPEC / "sources.yaml").read_text()
    path.write_text(text.replace('url: "https', 'url: "file').replace('date: "', 'when: "'))
    with pytest.raises(SpecError) as caught:
        read_sources(path)
    what = {finding.what for finding in caught.value.findings}
    assert {"`date` is None", "`when` is not a key of a source"} < what
    path.write_text("sources: {}\n")
    with pytest.raises(SpecError, match="`sources` is not a list of entries"):
        read_sources(path)
