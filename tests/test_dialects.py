"""Dialects: every file of tests/dialects is a body as a server of that dialect sends it, and what must come out of it.

Reads the files, and recordings in ../shared/captures; compares with the final objects that the files write out. The files
follow the descriptions in spec/fragments/dialects; their keys:

    why       what the case shows
    stream    the subpackage
    body      the bytes, as text
    tags      the tags of the events, in order, where the case says them
    final     the final object; no_final in its place is a part of the message of the StreamError
    text, status, error, outcome    as reader and accumulator have them at the end
    problems  with the dialect: "level kind path tag" → how often
    default   without the dialect; where it is absent, only warnings are asked for in place of the repairs
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from stream_events import responses
from stream_events.responses import websocket
from stream_events._runtime.dialect import Dialect
from tests.shared import shared

FOLDER = Path(__file__).parent / "dialects"
CASES = sorted(FOLDER.glob("*/*.yaml"))
NAMES = ("elixir-server", "gateway", "open-responses", "routing-provider")
STREAMS = ("beta_responses", "chat", "completions", "images", "messages", "responses")


def case_of(path: Path) -> tuple[str, Any, dict[str, Any]]:
    """The dialect, the subpackage and the case in a file."""
    case = yaml.safe_load(path.read_text("utf-8"))
    return path.parent.name, import_module(f"stream_events.{case['stream']}"), case


def accumulated(module: Any, body: bytes, dialect: str | None, size: int = 0) -> tuple[Any, Any]:
    """The reader and the accumulator at the end of a body that comes in pieces of `size` bytes, or at once."""
    step = size or len(body)
    pieces = [body[at : at + step] for at in range(0, len(body), step)]
    reader = module.read(pieces, dialect=dialect)
    accumulator = module.Accumulator(dialect=dialect)
    accumulator.add_all(reader)
    return reader, accumulator


def told(problems: Any) -> dict[str, int]:
    """How often each problem was reported."""
    words = (f"{each.level} {each.kind} {each.path} {each.tag or ''}" for each in problems)
    return dict(Counter(" ".join(text.split()) for text in words))


def require(case: dict[str, Any], module: Any, reader: Any, accumulator: Any) -> None:
    """The end is as the case says it."""
    assert reader.outcome == case["outcome"]
    if "text" in case:
        assert accumulator.text() == case["text"]
    if "status" in case:
        assert accumulator.status == case["status"]
    if "error" in case:
        assert accumulator.error.message == case["error"]
    if "final" in case:
        assert module.encode(accumulator.final) == case["final"]
    else:
        with pytest.raises(module.StreamError, match=case["no_final"]):
            accumulator.final


@pytest.mark.parametrize("size", (0, 1, 7))
@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_comes_out_with_the_dialect(path: Path, size: int) -> None:
    dialect, module, case = case_of(path)
    reader, accumulator = accumulated(module, case["body"].encode(), dialect, size)
    require(case, module, reader, accumulator)
    assert told(accumulator.problems) == case["problems"]


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_same_comes_out_without_the_dialect(path: Path) -> None:
    """The default reading accepts it all; what the dialect repairs is a warning."""
    _, module, case = case_of(path)
    reader, accumulator = accumulated(module, case["body"].encode(), None)
    require(case, module, reader, accumulator)
    if "default" in case:
        assert told(accumulator.problems) == case["default"]
    else:
        assert any(each.level == "warning" for each in accumulator.problems)


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_without_the_dialect_events_encode_to_what_came(path: Path) -> None:
    _, module, case = case_of(path)
    came = [json.loads(line[6:]) for line in case["body"].splitlines() if line[:7] == "data: {"]
    events = list(module.read([case["body"].encode()]))
    assert [module.encode(event) for event in events] == came


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_with_the_dialect_events_have_their_tags_and_places(path: Path) -> None:
    dialect, module, case = case_of(path)
    events = list(module.read([case["body"].encode()], dialect=dialect))
    for event in events:
        encoded = module.encode(event)
        assert isinstance(encoded.get("type", encoded.get("object")), str)
        if case["stream"] == "responses" and not isinstance(event, module.UnknownEvent):
            assert set(module.missing(event)) <= {"logprobs", "part", "item_id", "response"}
    if "tags" in case:
        assert [module.encode(event)["type"] for event in events] == case["tags"]


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_events_of_a_reader_without_the_dialect_are_repaired_by_the_accumulator(path: Path) -> None:
    dialect, module, case = case_of(path)
    accumulator = module.Accumulator(dialect=dialect)
    reader = module.read([case["body"].encode()])
    accumulator.add_all(reader)
    require(case, module, reader, accumulator)
    assert not any(each.kind == "index-filled" for each in accumulator.problems)


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_final_reads_a_dialect_to_its_end(path: Path) -> None:
    dialect, module, case = case_of(path)

    async def chunks() -> AsyncIterator[bytes]:
        yield case["body"].encode()

    if "final" in case:
        assert module.encode(module.final([case["body"].encode()], dialect)) == case["final"]
        found = asyncio.run(module.afinal(chunks(), dialect=dialect))
        assert module.encode(found) == case["final"]
    else:
        with pytest.raises(module.StreamError):
            module.final([case["body"].encode()], dialect=dialect)


def test_every_dialect_has_its_cases() -> None:
    for name in NAMES:
        outcomes = {
            yaml.safe_load(path.read_text("utf-8"))["outcome"] for path in (FOLDER / name).glob("*")
        }
        assert {"complete", "truncated"} <= outcomes
        assert any("error" in path.stem for path in (FOLDER / name).glob("*"))
        assert any("parallel-tool-calls" in path.stem for path in (FOLDER / name).glob("*"))


def dialects_of(name: str) -> dict[str, Dialect]:
    """The dialects of a subpackage."""
    found: dict[str, Dialect] = import_module(f"stream_events.{name}.dialects").DIALECTS
    return found


@pytest.mark.parametrize("name", STREAMS)
def test_an_unknown_dialect_is_an_error_that_names_those_that_exist(name: str) -> None:
    module = import_module(f"stream_events.{name}")
    known = ", ".join(map(repr, sorted(dialects_of(name)))) or "none"
    for call in (module.read, module.aread, module.final):
        with pytest.raises(ValueError, match=f"no dialect 'klingon'; there is {known}"):
            call([], dialect="klingon")
    with pytest.raises(ValueError, match="klingon"):
        module.Accumulator(dialect="klingon")
    with pytest.raises(ValueError, match="klingon"):
        websocket.Lanes(dialect="klingon")


def recordings() -> list[dict[str, Any]]:
    """The recordings of OpenAI's and Anthropic's own servers."""
    manifest = json.loads(shared("captures/manifest.json").read_text("utf-8"))
    return [
        entry
        for entry in manifest["entries"]
        if entry["provider"] in ("openai", "anthropic") and entry["api"] in STREAMS
    ]


def body_of(entry: dict[str, Any]) -> bytes:
    """The bytes of a recording; a recording of payloads alone gets its framing back."""
    raw = shared(f"captures/{entry['file']}").read_bytes()
    if entry["format"] == "sse":
        return raw
    return b"".join(b"data: " + line + b"\n\n" for line in raw.split(b"\n") if line)


def test_recorded_streams_of_the_vendors_give_the_same_with_any_dialect() -> None:
    for entry in recordings():
        module = import_module(f"stream_events.{entry['api']}")
        plain_reader, plain = accumulated(module, body_of(entry), None)
        for dialect in dialects_of(entry["api"]):
            reader, found = accumulated(module, body_of(entry), dialect)
            assert reader.outcome == plain_reader.outcome, entry["name"]
            assert found.text() == plain.text(), entry["name"]
            assert final_of(module, found) == final_of(module, plain), entry["name"]
            usual = [each for each in found.problems if each.kind != "repaired"]
            assert {each.kind for each in usual} <= {each.kind for each in plain.problems}


def test_a_stream_of_openai_gives_the_same_events_with_any_dialect() -> None:
    body = (FOLDER / "gateway" / "responses-completed.yaml").read_text("utf-8")
    stream = yaml.safe_load(body)["body"].encode()
    for dialect in dialects_of("responses"):
        assert list(responses.read([stream], dialect)) == list(responses.read([stream]))
        reader, accumulator = accumulated(responses, stream, dialect)
        assert accumulator.problems == []


def final_of(module: Any, accumulator: Any) -> Any:
    """The final object as JSON, or what stands in its way."""
    try:
        return module.encode(accumulator.final)
    except module.StreamError as error:
        return str(error)
