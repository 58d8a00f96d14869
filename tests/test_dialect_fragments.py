"""Dialect fragments: what is read from them, what is wrong with them, and what `codegen show --dialects` prints.

Reads the committed specification and small files; expected messages are written out. Never writes into spec/.
"""

from __future__ import annotations

import dataclasses
import json
from functools import cache
from pathlib import Path

import pytest
from codegen.__main__ import main
from codegen.catalogue import Catalogue, from_json, to_json
from codegen.dialects import read_dialects, with_dialects
from codegen.errors import SpecError
from codegen.load import Specification, load
from codegen.resolve import resolve

SPEC = Path(__file__).resolve().parent.parent / "spec"
HEAD = "dialect: d\nsentence: A server.\nsources: [a page]\n"


@cache
def specification() -> Specification:
    """The committed specification."""
    return load(SPEC)


@cache
def bare() -> Catalogue:
    """Its catalogue without dialects."""
    return resolve(dataclasses.replace(specification(), dialects=()))


def with_file(folder: Path, text: str, name: str = "d") -> Catalogue:
    """The catalogue with the one dialect in a text."""
    (folder / f"{name}.yaml").write_text(HEAD + text, encoding="utf-8")
    names = [stream.name for stream in bare().streams]
    return with_dialects(bare(), read_dialects(folder, names))


FAULTS = {
    "streams: {nonsense: {}}": "there is no stream 'nonsense'",
    "streams: {chat: {tags: [x]}}": "'x' is no tag of the stream or the dialect",
    "streams: {chat: {terminal: [x]}}": "'x' is no tag of the stream or the dialect",
    "streams: {responses: {leaves_out: {error: [colour]}}}": "has no property 'colour'",
    "streams: {chat: {repairs: [output_index]}}": "the stream's `repair` does not have 'output_index'",
    "streams: {chat: {events: {x: {sentence: A., rule: [put]}}}}": "'put' is not a rule",
    "streams: {chat: {events: {x: {sentence: A., rule: ['set colour = c']}}}}": "has no property 'colour'",
    "streams: {responses: {events: {error: {sentence: A., rule: ['agree taste = message']}}}}": "`reads` has no such name",
    "streams: {responses: {events: {response.done: {sentence: A., rule: [ignore]}}}}": "has other rules elsewhere",
    "streams: {chat: {expects: [surprise]}}": "'surprise' is not one of",
    "streams: {chat: {colour: red}}": "'colour' was unexpected",
    "streams: {}": "should be non-empty",
}


@pytest.mark.parametrize("text", FAULTS)
def test_a_fault_is_told_with_its_place(text: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as caught:
        with_file(tmp_path, text)
    (finding,) = caught.value.findings
    assert FAULTS[text] in finding.what
    assert finding.where.startswith(f"{tmp_path / 'd.yaml'}")


def test_a_dialect_is_called_as_its_file(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="the dialect is called 'd' and the file 'other'"):
        with_file(tmp_path, "streams: {chat: {}}", "other")


def test_own_events_and_further_rules_hold_without_the_dialect_too(tmp_path: Path) -> None:
    catalogue = with_file(
        tmp_path,
        "streams: {responses: {events: {"
        "x.y: {sentence: New., rule: ['put @x = $']}, "
        "response.completed: {sentence: More., rule: ['first status = \"completed\"']}}}}",
    )
    before = next(stream for stream in bare().streams if stream.name == "responses")
    stream = next(stream for stream in catalogue.streams if stream.name == "responses")
    assert {event.tag: event.rules for event in stream.unlisted}["x.y"] == ("put @x = $",)
    rules = {event.tag: event.rules for event in stream.events}["response.completed"]
    earlier = {event.tag: event.rules for event in before.events}["response.completed"]
    assert rules == (*earlier, 'first status = "completed"')
    assert stream.dialects[0].own == ("x.y",)
    assert stream.dialects[0].terminal == before.terminal


def test_the_catalogue_with_dialects_goes_to_json_and_back() -> None:
    catalogue = resolve(specification())
    assert from_json(json.loads(json.dumps(to_json(catalogue)))) == catalogue
    names = {dialect.name for stream in catalogue.streams for dialect in stream.dialects}
    assert names == {path.stem for path in (SPEC / "fragments" / "dialects").glob("*.yaml")}


def test_a_specification_without_dialects_is_fine(tmp_path: Path) -> None:
    assert read_dialects(tmp_path / "nowhere", []) == ()
    assert with_dialects(bare(), ()) == bare()


def test_show_prints_what_departs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "--dialects", "--spec", str(SPEC)]) == 0
    text = capsys.readouterr().out
    for line in (
        "elixir-server: An OpenAI-compatible server written in Elixir, which spreads the response over the payload.",
        "    13 tags: 13 of the stream's 59",
        "    24 tags: 22 of the stream's 59",
        "    event: line message, not tag",
        "    ends with [DONE]",
        "    ends with image_edit.completed, error",
        "    response.in_progress without response",
        "    filled in: sequence_number, item_id, output_index, content_index",
        "    own event response.rewrite.in_progress: The answer is being rewritten; carries nothing.",
    ):
        assert line in text.splitlines()
