"""Every scenario against the catalogue and the accumulator: its events do nothing wrong, and add up to its final object.

Reads `spec/scenarios` and what the composer makes of them. Never starts a server.
"""

from __future__ import annotations

import copy
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from codegen.errors import SpecError
from codegen.load import read_fragments
from codegen.scenarios.compose import answer, compose
from codegen.serve.frame import framing_of, recorded
from codegen.serve.library import read_library
from codegen.scenarios.pieces import cut, ordered
from codegen.scenarios.scenario import Scenario, Streaming, read_scenarios
from codegen.scenarios.workload import KINDS, workload

SPEC = Path(__file__).resolve().parent.parent / "spec"
SCENARIOS = read_scenarios(SPEC / "scenarios")
FRAGMENTS = {each["stream"]: each for each in read_fragments(SPEC / "fragments")}
MODULES = {"images-generations": "images", "images-edits": "images"}


def module_of(stream: str) -> Any:
    """The package's module of a stream."""
    return import_module(f"stream_events.{MODULES.get(stream, stream)}")


def without_null(value: Any) -> Any:
    """A JSON value without the properties that are null."""
    if isinstance(value, list):
        return [without_null(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {name: without_null(item) for name, item in value.items() if item is not None}


ALL = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: f"{each.stream}/{each.name}")


@ALL
def test_events_are_what_the_catalogue_says(scenario: Scenario) -> None:
    module = module_of(scenario.stream)
    found = [
        str(problem)
        for event in compose(scenario)
        for problem in module.problems(module.decode(event))
    ]
    undeclared = (scenario.stream, scenario.name) == ("chat", "reasoning")
    unknown = ".choices[0].delta.reasoning_content: unknown property 'reasoning_content'"
    assert set(found) == ({unknown} if undeclared else set())


@ALL
def test_events_add_up_to_the_final_object(scenario: Scenario) -> None:
    module = module_of(scenario.stream)
    accumulator = module.Accumulator()
    accumulator.add_all(module.decode(event) for event in compose(scenario))
    made, final = module.encode(accumulator.final), scenario.final
    if scenario.stream in (
        "chat",
        "completions",
    ):  # a chunk cannot say that a text is null at the end
        made, final = without_null(made), without_null(final)
    assert made == final
    assert accumulator.problems == []


@ALL
def test_the_same_scenario_gives_the_same_events_and_keeps_its_own(scenario: Scenario) -> None:
    before = copy.deepcopy(scenario)
    events = compose(scenario)
    assert compose(scenario) == events
    for event in events:
        event.clear()
    assert scenario == before
    assert answer(scenario) == answer(before)


@ALL
def test_events_are_numbered_as_the_fragment_says(scenario: Scenario) -> None:
    sequence = FRAGMENTS[scenario.stream].get("sequence")
    numbers = [event.get("sequence_number") for event in compose(scenario)]
    assert numbers == (list(range(len(numbers))) if sequence else [None] * len(numbers))


@ALL
def test_bytes_are_framed_as_the_fragment_says(scenario: Scenario) -> None:
    framing = framing_of(FRAGMENTS[scenario.stream])
    body = b"".join(frame.data for frame in framing.frames(compose(scenario)))
    reader = module_of(scenario.stream).read([body])
    module = module_of(scenario.stream)
    assert [module.encode(event) for event in reader] == compose(scenario)
    assert reader.problems == []
    is_error = (scenario.stream, scenario.name) == ("responses", "failed")
    assert reader.outcome in (("complete", "error") if is_error else ("complete",))
    assert b"".join(frame.data for frame in recorded(body)) == body
    assert [frame.event for frame in recorded(body) if frame.event] == compose(scenario)


NOT_PLAYED = {
    "response.audio.delta", "response.audio.done", "response.audio.transcript.delta", "response.audio.transcript.done",
    "response.compaction.compacting", "response.mcp_list_tools.failed", "error",
}  # fmt: skip
"""Tags of Responses that no scenario has: audio and compaction are rare, an error is a fault."""


def test_scenarios_have_nearly_every_event_of_responses() -> None:
    played = {
        event["type"]
        for scenario in SCENARIOS
        if scenario.stream == "responses"
        for event in compose(scenario)
    }
    assert set(FRAGMENTS["responses"]["events"]) - played == NOT_PLAYED
    assert played <= set(FRAGMENTS["responses"]["events"])


def test_every_stream_has_a_default_scenario_and_ids_are_unique() -> None:
    assert {each.stream for each in SCENARIOS} == {
        "chat", "completions", "images-generations", "messages", "responses", "images-edits",
    }  # fmt: skip
    ids = [each.final["id"] for each in SCENARIOS if each.stream == "responses"]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    "text, fault",
    [
        ("final: {}", "'about' is a required property"),
        ("about: x", "'final' is a required property"),
        (
            "about: x\nfinal: {}\nstreaming: {pieces: 0}",
            "0 is not valid under any of the given schemas",
        ),
        ("about: x\nfinal: {}\nstreaming: {speed: 1}", "'speed' was unexpected"),
    ],
)
def test_a_scenario_that_is_wrong_is_a_finding(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "responses").mkdir()
    (tmp_path / "responses.yaml").write_text("object: response", "utf-8")
    (tmp_path / "responses" / "x.yaml").write_text(text, "utf-8")
    with pytest.raises(SpecError) as caught:
        read_scenarios(tmp_path)
    assert [finding for finding in caught.value.findings if fault in finding.what]


def test_a_folder_without_scenarios_is_a_finding(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="has no scenarios"):
        read_scenarios(tmp_path)


def test_pieces_give_the_text_again_and_parts_keep_their_order() -> None:
    for text in ("", " ", "a", "a  b\n", "\n\n漢字 🎈 ", "x" * 50):
        for pieces in ("words", 1, 3, 100):
            assert "".join(cut(text, pieces)) == text
            assert "" not in cut(text, pieces)
    parts = [[1, 2, 3], [], [4]]
    assert ordered(parts, Streaming()) == [1, 2, 3, 4]
    assert ordered(parts, Streaming(order="interleaved")) == [1, 4, 2, 3]


WORKLOADS = {
    "text": "responses", "mixed": "responses", "images": "responses", "chat": "chat", "messages": "messages",
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_workload_is_a_scenario_like_any_other(kind: str) -> None:
    base = next(each for each in SCENARIOS if each.stream == WORKLOADS[kind])
    made = workload(kind, base, 300, seed=1)
    assert made == workload(kind, base, 300, seed=1)
    assert made != workload(kind, base, 300, seed=2)
    events = compose(made)
    if kind != "images":
        assert 280 <= len(events) <= 340
    module = module_of(made.stream)
    accumulator = module.Accumulator()
    for event in events:
        typed = module.decode(event)
        assert module.problems(typed) == []
        accumulator.add(typed)
    accumulator.end()
    assert without_null(module.encode(accumulator.final)) == without_null(made.final)
    assert accumulator.problems == []


def test_a_workload_of_text_has_as_many_deltas_as_asked_for() -> None:
    base = next(each for each in SCENARIOS if each.stream == "responses")
    events = compose(workload("text", base, 1000))
    assert sum(event["type"] == "response.output_text.delta" for event in events) == 1000


@pytest.mark.parametrize(
    ("stream", "final", "says"),
    [
        ("responses", "{output: 7}", "cannot be streamed"),
        ("responses", "{output: [{type: unheard_of}]}", "cannot be streamed"),
        ("responses", "{}", "cannot be streamed"),
        ("nostream", "{output: []}", "no endpoint plays the stream 'nostream'"),
    ],
)
def test_a_scenario_that_cannot_be_played_is_told_at_the_start(
    stream: str, final: str, says: str, tmp_path: Path
) -> None:
    (tmp_path / "fragments").symlink_to(SPEC / "fragments")
    folder = tmp_path / "scenarios" / stream
    folder.mkdir(parents=True)
    folder.with_name(f"{stream}.yaml").write_text("id: x\n")
    (folder / "x.yaml").write_text(f"about: x\nfinal: {final}\n")
    with pytest.raises(SpecError, match=says):
        read_library(tmp_path)
