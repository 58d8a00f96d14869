"""Overlay 1.0: which files are accepted, and what each kind of action does to a tree."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from codegen.documents import Document
from codegen.errors import SpecError
from codegen.overlay import apply, apply_all, read_overlay, read_overlays

HEAD = "overlay: 1.0.0\ninfo:\n  title: t\n  version: '1'\nx-document: openai\n"
TREE: dict[str, Any] = {
    "openapi": "3.1.0",
    "components": {
        "schemas": {
            "A": {
                "type": "object",
                "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
                "required": ["a", "b", "c", "d"],
            },
            "U": {
                "anyOf": [{"$ref": "#/x/A"}, {"$ref": "#/x/B"}, {"$ref": "#/x/A"}, {"type": "null"}]
            },
        }
    },
}


def overlay_file(folder: Path, *actions: dict[str, Any], name: str = "10-x.yaml") -> Path:
    path = folder / name
    path.write_text(
        HEAD + "actions:\n" + "".join(f"  - {json.dumps(action)}\n" for action in actions)
    )
    return path


def applied(folder: Path, *actions: dict[str, Any]) -> Any:
    before = copy.deepcopy(TREE)
    tree, findings = apply(read_overlay(overlay_file(folder, *actions)), TREE)
    assert TREE == before
    assert [finding.what for finding in findings] == []
    return tree["components"]["schemas"]


def refused(folder: Path, *actions: dict[str, Any]) -> list[str]:
    _, findings = apply(read_overlay(overlay_file(folder, *actions)), TREE)
    return [str(finding).replace(f"{folder}/", "") for finding in findings]


def test_update_merges_mappings_joins_lists_and_replaces_the_rest(tmp_path: Path) -> None:
    update = {
        "type": ["object", "null"],
        "properties": {"a": {"type": "boolean", "format": "f"}, "n": {"type": "null"}},
        "required": ["n"],
        "new": [1, {"x": None}],
    }
    schemas = applied(tmp_path, {"target": "$.components.schemas.A", "update": update})
    assert schemas["A"] == {
        "type": ["object", "null"],
        "properties": {
            "a": {"type": "boolean", "format": "f"},
            "b": {"type": "integer"},
            "n": {"type": "null"},
        },
        "required": ["a", "b", "c", "d", "n"],
        "new": [1, {"x": None}],
    }


@pytest.mark.parametrize("entry", [{"$ref": "#/x/C"}, ["x", "y"], "x", None])
def test_update_of_a_list_appends_one_entry(tmp_path: Path, entry: Any) -> None:
    schemas = applied(tmp_path, {"target": "$.components.schemas.U.anyOf", "update": entry})
    assert schemas["U"]["anyOf"] == [*TREE["components"]["schemas"]["U"]["anyOf"], entry]


def test_each_match_gets_a_value_of_its_own(tmp_path: Path) -> None:
    actions = (
        {"target": "$.components.schemas.*", "update": {"m": {"k": []}}},
        {"target": "$.components.schemas.A.m.k", "update": 1},
    )
    schemas = applied(tmp_path, *actions)
    assert (schemas["A"]["m"], schemas["U"]["m"]) == ({"k": [1]}, {"k": []})


def test_aliases_in_the_input_do_not_spread_a_change(tmp_path: Path) -> None:
    shared: dict[str, Any] = {"type": "string"}
    overlay = read_overlay(overlay_file(tmp_path, {"target": "$.a", "update": {"x": 1}}))
    tree, _ = apply(overlay, {"a": shared, "b": shared})
    assert tree == {"a": {"type": "string", "x": 1}, "b": {"type": "string"}}


def test_actions_see_what_earlier_ones_did(tmp_path: Path) -> None:
    # Replacing is removing and adding again.
    schemas = applied(
        tmp_path,
        {"target": "$.components.schemas.A.properties", "remove": True},
        {"target": "$.components.schemas.A", "update": {"properties": {"z": {}}}},
    )
    assert schemas["A"]["properties"] == {"z": {}}


@pytest.mark.parametrize(
    ("target", "left"),
    [
        ("$.components.schemas.A.required[?@ == 'b' || @ == 'd']", ["a", "c"]),
        ("$.components.schemas.A.required[0,2,0]", ["b", "d"]),
        ("$.components.schemas.A.required[-1]", ["a", "b", "c"]),
        ("$.components.schemas.A.required[1:]", ["a"]),
        ("$.components.schemas.A.required[*]", []),
        ("$..required[::2]", ["b", "d"]),
    ],
)
def test_removing_several_entries_of_a_list(tmp_path: Path, target: str, left: list[str]) -> None:
    assert applied(tmp_path, {"target": target, "remove": True})["A"]["required"] == left


def test_removing_more_than_ten_entries_keeps_the_right_ones(tmp_path: Path) -> None:
    # As strings, "10" sorts before "9".
    overlay = read_overlay(overlay_file(tmp_path, {"target": "$.l[?@ != 10]", "remove": True}))
    assert apply(overlay, {"l": list(range(25))})[0] == {"l": [10]}


def test_removing_a_node_and_what_is_in_it(tmp_path: Path) -> None:
    overlay = read_overlay(overlay_file(tmp_path, {"target": "$..[?@.x]", "remove": True}))
    tree, findings = apply(
        overlay, {"l": [{"x": 1, "m": [{"x": 2}, 3]}, 4, {"x": 5}], "k": {"x": 6}}
    )
    assert (tree, findings) == ({"l": [4]}, ())


def test_removing_by_reference(tmp_path: Path) -> None:
    target = "$.components.schemas.U.anyOf[?@['$ref'] == '#/x/A']"
    schemas = applied(tmp_path, {"target": target, "remove": True})
    assert schemas["U"]["anyOf"] == [{"$ref": "#/x/B"}, {"type": "null"}]


def test_every_action_that_does_not_fit_is_named(tmp_path: Path) -> None:
    advice = "Remove the action or correct its target."
    assert refused(
        tmp_path,
        {"target": "$.components.schemas.None", "update": {}},
        {"target": "$.components.schemas.A", "update": {"x": 1}},
        {"target": "$.components.schemas.A.type", "update": "array"},
        {"target": "$.components.schemas.A", "update": ["x"]},
        {"target": "$", "remove": True},
    ) == [
        "10-x.yaml:7 (#/actions/0): target $.components.schemas.None matches nothing in document openai. "
        + advice,
        "10-x.yaml:9 (#/actions/2): target $.components.schemas.A.type selects 'object', which is neither a "
        "mapping nor a list. " + advice,
        "10-x.yaml:10 (#/actions/3): `update` is not a mapping, and target $.components.schemas.A selects one. "
        + advice,
        "10-x.yaml:11 (#/actions/4): the whole document cannot be removed. " + advice,
    ]


FIT = "actions:\n  - target: $\n    update: {}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            HEAD.replace("1.0.0", "1.1.0") + FIT,
            [":1 (#/overlay): `overlay` is '1.1.0' and not 1.0.x"],
        ),
        (HEAD.replace("1.0.0", "1.0") + FIT, [":1 (#/overlay): `overlay` is 1.0 and not 1.0.x"]),
        ("overlay: 1.0.1\nx-document: a\n" + FIT, ["(#/info/title)", "(#/info/version)"]),
        (HEAD.replace("x-document: openai\n", "") + FIT, ["`x-document` does not name a document"]),
        (HEAD + "extends: ../documents/anthropic.yaml\n" + FIT, [":6 (#/extends): `extends` is"]),
        (HEAD, ["`actions` is not a list of one or more actions"]),
        (HEAD + "actions: []\n", ["`actions` is not a list of one or more actions"]),
        (HEAD + "more: 1\n" + FIT, [":6 (#/more): `more` is not a key of Overlay 1.0 here"]),
        (HEAD + "actions: [1]", ["(#/actions/0): an action is not a mapping"]),
        (
            HEAD + "actions: [{update: 1}]",
            ["(#/actions/0/target): `target` is not there or not a string"],
        ),
        (HEAD + "actions: [{target: $}]", ["an action needs either `update` or `remove: true`"]),
        (
            HEAD + "actions: [{target: $, update: 1, remove: true}]",
            ["needs either `update` or `remove: true`"],
        ),
        (HEAD + "actions: [{target: $, remove: 'true'}]", ["`remove` is 'true' and not true"]),
        (
            HEAD + "actions: [{target: $, remove: false}]",
            ["needs either `update` or `remove: true`"],
        ),
        (HEAD + "actions: [{target: $, update: 1, descripton: x}]", ["`descripton` is not a key"]),
        (
            HEAD + "actions: [{target: $, update: 1, description: 1}]",
            ["`description` is not a string"],
        ),
        (
            HEAD + "actions: [{target: a.b, update: 1}]",
            ["target a.b is not a JSONPath of RFC 9535"],
        ),
        (HEAD + "actions: [{target: '$.a | $.b', update: 1}]", ["is not a JSONPath of RFC 9535"]),
        (
            HEAD + "actions: [{target: '$[?', update: 1}]",
            ["target $[? is not a JSONPath of RFC 9535"],
        ),
        (
            HEAD + "actions: [{target: '$.~', update: 1}]",
            ["target $.~ is not a JSONPath of RFC 9535"],
        ),
    ],
)
def test_files_that_are_refused(tmp_path: Path, text: str, expected: list[str]) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(text)
    with pytest.raises(SpecError) as caught:
        read_overlay(path)
    found = [str(finding) for finding in caught.value.findings]
    assert len(found) == len(expected)
    assert all(part in finding for part, finding in zip(expected, found))


@pytest.mark.parametrize(
    "extends", ["../documents/openai.yaml", "https://example.org/openapi.json"]
)
def test_extends_may_name_the_same_document(tmp_path: Path, extends: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(HEAD + f"extends: {extends}\n" + FIT + "    x-evidence: 3 of 9\n")
    assert read_overlay(path).document == "openai"


def test_findings_of_all_files_come_together(tmp_path: Path) -> None:
    paths = [overlay_file(tmp_path, {"target": "a"}, name=f"{n}.yaml") for n in (1, 2)]
    with pytest.raises(SpecError) as caught:
        read_overlays(paths)
    assert len(caught.value.findings) == 4


def document(name: str) -> Document:
    return Document(name, f"{name}.yaml", b"", TREE)


def test_all_overlays_of_a_document_in_their_order(tmp_path: Path) -> None:
    first = overlay_file(tmp_path, {"target": "$", "update": {"n": [1]}}, name="10-a.yaml")
    second = overlay_file(tmp_path, {"target": "$.n", "update": 2}, name="20-b.yaml")
    overlays = read_overlays([first, second])
    assert apply_all(overlays, document("openai")).tree["n"] == [1, 2]
    assert apply_all(overlays, document("other")).tree is TREE
    with pytest.raises(SpecError, match="20-b.yaml:7 .*matches nothing in document openai"):
        apply_all(overlays[1:], document("openai"))


def test_the_same_result_twice(tmp_path: Path) -> None:
    overlay = read_overlay(overlay_file(tmp_path, {"target": "$..required", "update": "z"}))
    assert apply(overlay, TREE) == apply(overlay, TREE)
