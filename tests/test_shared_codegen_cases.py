"""Faults of code generators that were reported in public, each as a small document with the right result.

Reads ../shared/cases/cases.json, area spec-codegen; checks every key of a case's `expected` against the package that we
generate from its document. Never changes a document: what has no stream of its own gets one by an overlay.
"""

from __future__ import annotations

import inspect
import json
import re
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from codegen.catalogue import Catalogue, Model, Stream
from codegen.emit import emit
from codegen.emit.render import Files
from codegen.load import load
from codegen.resolve import resolve
from codegen.review import review
from tests.shared import shared
from tests.small_spec import fragment, import_package, submodule, write_spec

CASES: Mapping[str, Mapping[str, Any]] = {
    "spec-fabricated-literal-on-dedup": {"holds": "R"},
    "spec-inline-member-placeholder-literal": {"holds": "L"},
    "spec-union-without-discriminator": {"union": "Ev"},
    "spec-discriminator-mapping-disagrees-with-const": {"union": "Ev", "tag": "kind"},
    "spec-nullable-keyword-in-3.1": {"holds": "A"},
    "spec-dataclass-default-order": {"union": "A"},
    "spec-allof-narrows-parent-field": {"union": "Ev"},
    "spec-open-object-and-maps": {"holds": "A"},
    "spec-required-field-the-api-omits": {"union": "D"},
    "spec-payload-not-in-spec-event-list": {
        "union": "Chunk",
        "tag": "object",
        "framing": {"event_line": "none", "done": True},
    },
    "spec-unused-and-unreachable-members": {"union": "Ev"},
    "spec-union-nested-in-union": {"union": "Server"},
}
"""Case → what its fragment says; `holds` names a payload that an event of ours carries as `value`."""

OURS = "ours"
"""Union, and tag of the one event in it, that carries the payload of a case without events."""


@dataclass(frozen=True)
class Made:
    """What came out of the document of a case."""

    document: Mapping[str, Any]
    catalogue: Catalogue
    notes: list[str]
    files: Files
    package: ModuleType
    root: Any

    @property
    def stream(self) -> Stream:
        (stream,) = self.catalogue.streams
        return stream

    @property
    def models(self) -> dict[str, Model]:
        return {model.name: model for model in self.catalogue.packages[0].models}

    def cls(self, name: str) -> Any:
        """The generated class; a payload is in the module that is loaded on first use."""
        return getattr(self.root, name)


@pytest.mark.parametrize("name", CASES)
def test_case(name: str, tmp_path: Path) -> None:
    cases = json.loads(shared("cases/cases.json").read_bytes())["cases"]
    case = next(case for case in cases if case["id"] == name)
    made = _make(name, case["input"], tmp_path)
    for key, wanted in case["expected"].items():
        CHECKS[key](made, wanted, case["expected"])


def test_every_case_of_the_area_is_here() -> None:
    cases = json.loads(shared("cases/cases.json").read_bytes())["cases"]
    assert {case["id"] for case in cases if case["area"] == "spec-codegen"} == set(CASES)


def _make(name: str, document: Mapping[str, Any], folder: Path) -> Made:
    changes = dict(CASES[name])
    held = changes.pop("holds", None)
    overlays = [_carrier(held)] if held else []
    if held:
        changes["union"] = OURS
    spec = write_spec(folder, json.dumps(document), [fragment(**changes)], overlays)
    specification = load(spec)
    catalogue = resolve(specification)
    files = emit(catalogue)
    package = import_package(files, folder, "shared_" + re.sub(r"\W", "_", name))
    notes = [str(note) for note in review(specification, catalogue)]
    return Made(document, catalogue, notes, files, package, submodule(package, "s"))


def _carrier(held: str) -> str:
    """An overlay that adds an event with the component `held` as its value."""
    value = {"$ref": f"#/components/schemas/{held}"}
    event = {
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"const": OURS}, "value": value},
    }
    action = {"target": "$.components.schemas", "update": {OURS: event}}
    info = {"title": "An event", "version": "1"}
    return json.dumps({"overlay": "1.0.0", "info": info, "x-document": "d", "actions": [action]})


def _dispatch(made: Made, wanted: Mapping[str, str], _: Mapping[str, Any]) -> None:
    """`"a": "A + stream_id"` is the event A with one more property."""
    assert set(made.root.EVENTS) == set(wanted)
    for tag, text in wanted.items():
        name, more = (*text.split(" + "), "")[:2]
        cls = made.root.EVENTS[tag]
        fields = {field.name for field in made.models[cls.__name__].fields}
        assert cls.__name__.endswith(name) if more else cls.__name__ == name
        assert fields >= set(filter(None, [more]))
        assert type(made.root.decode({made.stream.tag: tag})) is cls


def _literals(made: Made, wanted: list[str], _: Mapping[str, Any]) -> None:
    text = "\n".join(
        text for path, text in made.files.items() if path.startswith("stream_events/s/")
    )
    found = set(re.findall(r'Literal\["([^"]*)"\]', text))
    assert found == {*wanted, OURS}


def _imports(made: Made, wanted: bool, _: Mapping[str, Any]) -> None:
    submodule(made.package, "s.models")  # payloads are there once it was imported
    hints = [typing.get_type_hints(made.cls(name)) for name in made.models]
    assert bool(hints) is wanted


def _inferred(made: Made, wanted: bool, _: Mapping[str, Any]) -> None:
    assert ("discriminator" not in json.dumps(made.document)) is wanted


def _report(made: Made, wanted: str, _: Mapping[str, Any]) -> None:
    words = set(re.findall(r"[\w.-]+", wanted))
    assert any(words <= set(re.findall(r"[\w.-]+", note)) for note in made.notes), made.notes


def _types(made: Made, wanted: Mapping[str, str], _: Mapping[str, Any]) -> None:
    (held,) = [
        model for model in made.models.values() if {*wanted} <= {f.name for f in model.fields}
    ]
    annotations = made.cls(held.name).__annotations__
    for field in held.fields:
        if field.name in wanted:
            shown, required = (*wanted[field.name].split(", "), "")[:2]
            assert field.required is (required == "required")
            assert annotations[field.attribute].replace(" ", "") == (
                shown.replace(" ", "") + ("" if field.required else "|None")
            )


def _construct(made: Made, wanted: str, _: Mapping[str, Any]) -> None:
    expression = wanted.removesuffix(" works")
    (name,) = re.findall(r"^(\w+)\(", expression)
    event = eval(expression, {name: made.cls(name)})  # noqa: S307 - the text is that of the case
    assert event == made.root.decode(made.root.encode(event))
    assert made.root.problems(event) == []


def _required(made: Made, wanted: list[str], expected: Mapping[str, Any]) -> None:
    """What the constructor asks for: the tag has its one value as default."""
    (name,) = re.findall(r"^(\w+)\(", expected["construct"])
    parameters = inspect.signature(made.cls(name)).parameters.values()
    assert [each.name for each in parameters if each.default is each.empty] == wanted


def _required_of_a(made: Made, wanted: list[str], _: Mapping[str, Any]) -> None:
    assert [field.name for field in made.models["A"].fields if field.required] == wanted


def _closed(made: Made, wanted: str, _: Mapping[str, Any]) -> None:
    assert wanted == "accepted, extra kept, note in strict mode"
    payload = {"type": OURS, "value": {"closed": {"k": "v", "extra": {"deep": [1]}}}}
    event = made.root.decode(payload)
    assert event.value.closed.k == "v"
    assert made.root.encode(event) == payload
    assert [(found.level, found.path) for found in made.root.problems(event)] == [
        ("info", ".value.closed.extra")
    ]


def _decode(made: Made, payload: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    assert (
        expected["result"] == "typed object, name None/unset, problem listed; strict mode may raise"
    )
    event = made.root.decode(payload)
    assert type(event) is made.cls("D")
    assert event.name is None
    assert made.root.missing(event) == ["name"]
    assert [found.path for found in made.root.problems(event)] == [".name"]
    assert made.root.encode(event) == payload


def _result(made: Made, wanted: str, expected: Mapping[str, Any]) -> None:
    assert "decode" in expected  # `_decode` compares with it


def _stream_schema(made: Made, wanted: str, _: Mapping[str, Any]) -> None:
    assert {tag: cls.__name__ for tag, cls in made.root.EVENTS.items()} == {
        "chat.completion.chunk": wanted
    }
    assert set(made.models) == {wanted}


def _terminator(made: Made, wanted: str, _: Mapping[str, Any]) -> None:
    assert wanted == "[DONE] by configuration"
    assert made.stream.done and "done" in CASES["spec-payload-not-in-spec-event-list"]["framing"]


CHECKS: Mapping[str, Callable[[Made, Any, Mapping[str, Any]], None]] = {
    "dispatch": _dispatch,
    "literals_in_output": _literals,
    "imports": _imports,
    "inferred": _inferred,
    "report": _report,
    "types": _types,
    "construct": _construct,
    "required": _required,
    "A.required": _required_of_a,
    "closed_with_extra_key_on_wire": _closed,
    "decode": _decode,
    "result": _result,
    "stream_schema": _stream_schema,
    "terminator": _terminator,
}
"""Key of `expected` → what it says of the generated package; a key that is not here fails the test."""
