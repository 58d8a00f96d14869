"""Scenarios: the final object of a stream as data, and how it is streamed.

Reads `spec/scenarios/`; returns `Scenario` records, what all finals of a stream share filled in. Never makes an event.

    spec/scenarios/<stream>/<name>.yaml     about, final, streaming (scenario.schema.json)
    spec/scenarios/<stream>.yaml            what the final objects of the stream have in common
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema

from codegen.documents import parse, read_bytes, shown
from codegen.errors import Finding, SpecError
from codegen.yaml_lines import escape

Value = dict[str, Any]
SCHEMA = Path(__file__).with_name("scenario.schema.json")


@dataclass(frozen=True)
class Streaming:
    """How a final object is streamed.

    pieces    "words", or the number of characters of a piece of text
    order     "in turn", or "interleaved": one event of each item (choice, call) after the other
    begin     statuses that a response goes through before its output
    previews  place in the output → previews of the image there, in base64, which no final object holds
    """

    pieces: str | int = "words"
    order: str = "in turn"
    begin: tuple[str, ...] = ("created", "in_progress")
    previews: dict[int, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Scenario:
    """One stream to be: its name, the stream's name (of the fragment), the whole final object, how it is streamed."""

    name: str
    stream: str
    about: str
    final: Value
    streaming: Streaming = Streaming()


def read_scenarios(folder: Path) -> tuple[Scenario, ...]:
    """All scenarios of a folder, by stream and name; SpecError with everything that the schema does not allow."""
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_bytes()))
    findings: list[Finding] = []
    found = []
    for path in sorted(folder.glob("*/*.yaml")):
        values = _values(path)
        faults = list(_faults(path, values, validator))
        findings += faults
        if not faults:
            common = _values(folder / f"{path.parent.name}.yaml")
            found.append(_scenario(path, values, common))
    if not found and not findings:
        findings = [Finding(shown(folder), "the folder has no scenarios", "Name the right --spec.")]
    if findings:
        raise SpecError(findings)
    return tuple(sorted(found, key=lambda each: (each.stream, each.name != "text", each.name)))


def _values(path: Path) -> Value:
    return dict(parse(read_bytes(path), shown(path)))


def _faults(
    path: Path, values: Value, validator: jsonschema.Draft202012Validator
) -> Iterator[Finding]:
    for error in validator.iter_errors(values):
        pointer = "".join(f"/{escape(str(step))}" for step in error.absolute_path)
        action = "See codegen/scenarios/scenario.schema.json."
        yield Finding(f"{shown(path)} (#{pointer})", error.message[:200], action)


def _scenario(path: Path, values: Value, common: Value) -> Scenario:
    """The scenario; a property of its final object takes the place of the common one as a whole."""
    options = values.get("streaming", {})
    previews = options.get("previews", {})
    streaming = Streaming(
        pieces=options.get("pieces", "words"),
        order=options.get("order", "in turn"),
        begin=tuple(options.get("begin", Streaming.begin)),
        previews={int(place): tuple(images) for place, images in previews.items()},
    )
    final = {**common, **values["final"]}
    return Scenario(path.stem, path.parent.name, values["about"], final, streaming)
