"""The bench itself: its streams, its contestants, its goals and its page.

Reads small made streams and the runs that were kept. Never takes a time: what is measured is no matter of tests.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from stream_events import chat, messages, responses
from tests.bench import goals, page
from tests.bench.clock import Spread, ratios, spread
from tests.bench.contestants import create, ours, streamed, untyped
from tests.bench.goals import COMMANDS, EACH, GOALS, WINDOWS, Row, end_to_end
from tests.bench.raw import raw
from tests.bench.hand_written import limit
from tests.bench.workloads import ROOT, STREAMS, Workloads

SIZE = 60
BENCH = Path(goals.__file__).parent
MEASURED = BENCH / "measured"
KINDS = ("text", "mixed", "chat", "messages")
APIS: dict[str, Any] = {"responses": responses, "chat": chat, "messages": messages}
_HASHES = """
import hashlib
from tests.bench.workloads import STREAMS, Workloads
print(*(hashlib.sha256(Workloads().made(kind, 40).body).hexdigest() for kind in STREAMS))
"""

# The goals of the project's plan for speed, one line for each figure of it.
PLANNED = {
    (end_to_end("text", EACH), goals.OURS): "≤ 1.25",
    (end_to_end("text", WINDOWS), goals.OURS): "≤ 0.95",
    (end_to_end("chat", EACH), goals.OURS): "≤ 1.5",
    (end_to_end("short, 10 tools", EACH), goals.OURS): "≤ 1.5",
    (end_to_end("images, 1 MB", EACH), goals.OURS): "≤ 1.15",
    (goals.DECODE, "text delta: stream_events"): "≤ 0.3",
    (goals.ENCODE, "text delta: stream_events"): "≤ 0.3",
    (goals.SSE, "text, one event a chunk: stream_events"): "≤ 0.55",
    (goals.SSE, "text, 16 KB chunks: stream_events"): "≤ 0.3",
    (goals.SSE, "1 MB lines in 1,400-byte chunks, with JSON: stream_events"): "≤ 1.6",
    (goals.GROWTH, "cost of a delta among 100,000 against 1,000"): "≤ 1.1",
    (goals.KEPT, "retained by a kept text delta: stream_events"): "≤ 450",
    (goals.START, "stream_events.responses"): "≤ 60",
    (goals.START, "openai, times stream_events.responses"): "≥ 15",
    (goals.START, "the first lifecycle event after the import"): "≤ 150",
    (COMMANDS, "generate, little changed"): "≤ 10",
    (COMMANDS, "generate, cold"): "≤ 20",
    (COMMANDS, "our own part of generate (without formatting and annotations)"): "≤ 1.5",
    (COMMANDS, "text of stream_events without beta_responses"): "≤ 10000",
    (COMMANDS, "cut of the whole YAML document, against the C loader"): "≤ 1.2",
    (COMMANDS, "lint of a capture of 100 MB"): "≥ 20",
    (COMMANDS, "memory of lint at 100 MB against 10 MB"): "≤ 1.1",
}


@pytest.fixture(scope="module")
def workloads() -> Workloads:
    return Workloads()


def test_streams_are_the_same_in_every_process() -> None:
    found = set()
    for seed in ("1", "2"):
        path = os.pathsep.join([str(ROOT), str(ROOT / "generated")])
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
        command = [sys.executable, "-c", _HASHES]
        found.add(subprocess.run(command, env=environment, check=True, capture_output=True).stdout)
    (hashes,) = found
    assert len(set(hashes.split())) == len(STREAMS)


@pytest.mark.parametrize("kind", STREAMS)
def test_chunkings_are_of_one_body(workloads: Workloads, kind: str) -> None:
    load = workloads.made(kind, SIZE)
    assert b"".join(load.each) == b"".join(load.windows) == load.body
    assert raw(load.body) == load.payloads


@pytest.mark.parametrize("chunking", ["each", "windows"])
@pytest.mark.parametrize("kind", KINDS)
def test_all_that_accumulate_have_the_same_texts(
    workloads: Workloads, kind: str, chunking: str
) -> None:
    load = workloads.made(kind, SIZE)
    chunks = getattr(load, chunking)
    final = APIS[load.stream].encode(ours(load.stream, chunks)())
    peer: Any = streamed(load.stream, chunks)()
    texts = _texts(load.stream, final)
    assert any(texts)
    assert texts == _texts(load.stream, peer.model_dump(mode="json"))
    assert "".join(texts) == "".join(_texts_of_deltas(load.payloads))


@pytest.mark.parametrize("kind", KINDS)
def test_all_that_read_see_every_event(workloads: Workloads, kind: str) -> None:
    load = workloads.made(kind, SIZE)
    assert untyped(load.each)() == load.payloads
    last: Any = create(load.stream, load.each)()
    names = {"chat": ("id", "object", "model")}.get(load.stream, ("type",))
    assert [getattr(last, name) for name in names] == [load.payloads[-1][name] for name in names]


@pytest.mark.parametrize("kind", KINDS)
def test_the_limit_in_c_has_the_same_texts(workloads: Workloads, kind: str) -> None:
    load = workloads.made(kind, SIZE)
    found: Any = limit(load.stream, load.each)()
    pieces = [piece for each in load.payloads for piece in _pieces(each)]
    assert sorted("".join(found[1].values())) == sorted("".join(pieces))


def _pieces(payload: dict[str, Any]) -> list[str]:
    """Every piece of text that an event adds, visible or not."""
    deltas = [payload.get("delta"), *(choice["delta"] for choice in payload.get("choices", ()))]
    found = [each for each in deltas if isinstance(each, str)]
    for delta in deltas:
        if isinstance(delta, dict):
            names = ("content", "text", "thinking", "partial_json")
            found += [delta[name] for name in names if delta.get(name)]
            calls = delta.get("tool_calls") or ()
            found += [call["function"].get("arguments") or "" for call in calls]
    return found


def _texts(stream: str, final: dict[str, Any]) -> list[str]:
    """The visible texts and the arguments of a final object, each API's in its own place."""
    if stream == "chat":
        message = final["choices"][0]["message"]
        calls = [call["function"]["arguments"] for call in message["tool_calls"] or []]
        return [message["content"] or "", *calls]
    if stream == "messages":
        blocks = final["content"]
        return [block["text"] for block in blocks if block["type"] == "text"]
    items = [item for item in final["output"] if item["type"] == "message"]
    return [part["text"] for item in items for part in item["content"]]


def _texts_of_deltas(payloads: list[dict[str, Any]]) -> list[str]:
    """The same, joined by hand from what the events add."""
    found: dict[int, str] = {-1: ""}  # by the index of the call; -1 is visible text
    for each in payloads:
        if each.get("type") == "response.output_text.delta":
            found[-1] += each["delta"]
        elif each.get("type") == "content_block_delta":
            found[-1] += each["delta"].get("text", "")
        for choice in each.get("choices", ()):
            found[-1] += choice["delta"].get("content") or ""
            for call in choice["delta"].get("tool_calls") or ():
                piece = call["function"].get("arguments") or ""
                found[call["index"]] = found.get(call["index"], "") + piece
    return [found[key] for key in sorted(found)]


def test_every_planned_figure_has_its_goal() -> None:
    faster = {key: str(goal) for key, goal in GOALS.items() if key[1].endswith(goals.FASTER)}
    assert {key: str(goal) for key, goal in GOALS.items() if key not in faster} == PLANNED
    for load in ("text", "chat", "mixed", "short, 10 tools", "messages"):
        for chunking in (EACH, WINDOWS):
            assert faster.pop((end_to_end(load, chunking), goals.CREATE + goals.FASTER)) == "≥ 20"
            assert faster.pop((end_to_end(load, chunking), goals.STREAMED + goals.FASTER)) == "≥ 30"
    assert not faster


@pytest.mark.parametrize("path", sorted(MEASURED.glob("*.json")), ids=lambda path: path.stem)
def test_a_kept_run_answers_every_goal(path: Path) -> None:
    assert page.absent(page.rows_of(json.loads(path.read_text(encoding="utf-8")))) == []


def test_the_page_is_that_of_the_kept_runs() -> None:
    written = (ROOT / "generated" / "reference" / "performance.md").read_text(encoding="utf-8")
    assert written == page.page(MEASURED)


def test_a_page_says_what_was_met_missed_and_not_measured(tmp_path: Path) -> None:
    rows = [
        Row(COMMANDS, "generate, cold", Spread(21.5, 21.0, 22.0), "s"),
        Row(COMMANDS, "generate, little changed", Spread(4.0, 4.0, 4.0), "s"),
        Row(end_to_end("text", EACH), goals.OURS, Spread(1.2, 1.1, 1.3), "× RAW"),
        Row(end_to_end("chat", EACH), "a peer", Spread(123.4, 123.4, 123.4), "× RAW"),
    ]
    about = {"python": "3.11.7", "deltas": 10_000, "load": "0.1", "peers": {"openai": "1.0"}}
    (tmp_path / "3.11.json").write_text(page.kept(rows, about), encoding="utf-8")
    lines = page.page(tmp_path).splitlines()
    assert "| The generator: generate, cold | ≤ 20 | 21.5 (21.0 … 22.0) s | **missed** |" in lines
    assert "| The generator: generate, little changed | ≤ 10 | 4.00 s | met |" in lines
    assert "| Import: stream_events.responses | ≤ 60 | | not measured |" in lines
    assert "| | text | chat |" in lines
    assert f"| {goals.OURS} | 1.20 (1.10 … 1.30) |  |" in lines
    assert "| a peer |  | 123 |" in lines
    assert sum(line.endswith("not measured |") for line in lines) == len(GOALS) - 3


def test_runs_of_python_come_in_the_order_of_versions(tmp_path: Path) -> None:
    for version in ("3.9.1", "3.14.0", "3.11.7"):
        about = {"python": version, "deltas": 1, "load": "", "peers": {}}
        (tmp_path / f"{version}.json").write_text(page.kept([], about), encoding="utf-8")
    found = [line for line in page.page(tmp_path).splitlines() if line.startswith("## ")]
    assert found == ["## Python 3.9.1", "## Python 3.11.7", "## Python 3.14.0"]


def test_ratios_are_of_one_round() -> None:
    times = {"raw": {0: 1.0, 1: 10.0, 2: 100.0}, "ours": {0: 2.0, 1: 20.0, 2: 200.0}, "slow": {1: 30.0}}  # fmt: skip
    assert ratios(times, "raw")["ours"] == Spread(2.0, 2.0, 2.0)
    assert ratios(times, "raw")["slow"] == Spread(3.0, 3.0, 3.0)
    assert spread([1.0, 2.0, 3.0, 4.0, 5.0]) == Spread(3.0, 2.0, 4.0)
