"""Repairs judged by recorded streams: what is taken out of them has to be put back.

Reads recordings in ../shared/captures. Expected is what the same recording gives as it is: a reader or an accumulator that
fills in what is missing has to come to the same final object.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from importlib import import_module
from typing import Any

import pytest
import yaml
from stream_events import responses
from stream_events.sse import SSEDecoder
from tests.shared import shared
from tests.test_dialects import (
    CASES,
    accumulated,
    body_of,
    case_of,
    dialects_of,
    final_of,
    recordings,
)

LEFT_OUT = (
    ("type",),
    ("sequence_number",),
    ("output_index",),
    ("item_id",),
    ("content_index", "summary_index"),
    ("output_index", "content_index"),
    ("type", "sequence_number", "output_index", "content_index"),
    ("item_id", "output_index", "content_index"),  # no recording interleaves two items
)
ABOUT_PLACES = (
    "disagreement",
    "unannounced",
    "wrong-kind",
    "replaced",
    "index-reused",
    "after-done",
)


def without(entry: dict[str, Any], names: tuple[str, ...], has_output: bool) -> bytes:
    """The body of a recording whose events lack some properties, each under its `event:` line."""
    decoder = SSEDecoder(flush_incomplete=True)
    found = []
    for sse in [*decoder.feed(body_of(entry)), *decoder.close()]:
        payload = json.loads(sse.data)
        tag = payload["type"]
        if not has_output and tag in ("response.completed", "response.incomplete"):
            payload["response"]["output"] = []
        kept = {name: value for name, value in payload.items() if name not in names}
        found.append(f"event: {tag}\ndata: {json.dumps(kept)}\n\n")
    return "".join(found).encode()


def places(problems: Any) -> dict[str, int]:
    """How many problems say that something went to a wrong place."""
    return dict(Counter(each.kind for each in problems if each.kind in ABOUT_PLACES))


@pytest.mark.parametrize("dialect", ("elixir-server", None))
@pytest.mark.parametrize("has_output", (True, False))
@pytest.mark.parametrize("names", LEFT_OUT, ids=", ".join)
def test_what_is_left_out_is_put_back(
    names: tuple[str, ...], has_output: bool, dialect: str | None
) -> None:
    for entry in recordings():
        if entry["api"] != "responses":
            continue
        _, plain = accumulated(responses, without(entry, (), has_output), None)
        reader, found = accumulated(responses, without(entry, names, has_output), dialect)
        if "item_id" not in names:
            assert final_of(responses, found) == final_of(responses, plain), entry["name"]
        assert found.text() == plain.text(), entry["name"]
        assert found.arguments() == plain.arguments(), entry["name"]
        assert places(found.problems) == places(plain.problems), entry["name"]
        repairs = [each for each in found.problems if each.kind in ("repaired", "index-filled")]
        levels = {each.level for each in repairs if each.path != ".type"}
        assert levels <= {"info" if dialect else "warning"}  # a tag from the line is no fault


def test_repaired_events_are_those_that_were_sent() -> None:
    names = ("type", "sequence_number", "output_index", "content_index", "summary_index")
    for entry in recordings():
        if entry["api"] == "responses":
            sent = list(responses.read([without(entry, (), True)]))
            numbers = [event.sequence_number for event in sent if hasattr(event, "sequence_number")]
            if numbers == list(range(len(sent))):
                found = list(responses.read([without(entry, names, True)], "elixir-server"))
                known = [event for event in found if not hasattr(event, "tag")]
                assert known == [event for event in sent if not hasattr(event, "tag")]


USUAL = {
    "bedrock": {"unknown-event"},  # response.reasoning_part.added and .done
    "cerebras": {"wrong-index"},  # two calls under one index
    "chatgpt": {"filled"},  # the terminal response has an empty output
    "mistral": {"replaced"},  # padding in every chunk, as an undeclared text that changes
    "openrouter": {"unexpected-done"},  # [DONE] on Responses
    "perplexity": {"unknown-event"},  # chat.completion.done
    "snowflake": {"not-finished"},  # no finish_reason
}
"""Why no other provider has a dialect: what the default reading reports on its recorded streams. All else gives nothing."""


def test_other_providers_need_no_dialect() -> None:
    manifest = json.loads(shared("captures/manifest.json").read_text("utf-8"))
    seen: dict[str, set[str]] = {}
    for entry in manifest["entries"]:
        if entry["provider"] in ("openai", "anthropic") or entry["api"] == "transcription":
            continue
        module = import_module(f"stream_events.{entry['api']}")
        body = body_of(entry)
        if entry["format"] == "jsonl" and entry["api"] == "chat":
            body += b"data: [DONE]\n\n"  # a recording of payloads alone does not say how it ended
        reader, accumulator = accumulated(module, body, None)
        seen.setdefault(entry["provider"], set()).update(each.kind for each in accumulator.problems)
        if "error" not in entry["name"]:
            assert reader.outcome == "complete", entry["name"]
            assert isinstance(final_of(module, accumulator), dict), entry["name"]
    assert {provider: kinds for provider, kinds in seen.items() if kinds} == USUAL


def test_recorded_gateways_give_no_problem_with_their_dialect() -> None:
    manifest = json.loads(shared("captures/manifest.json").read_text("utf-8"))
    for entry in manifest["entries"]:
        if "gateway" in entry["name"]:
            module = import_module(f"stream_events.{entry['api']}")
            reader, accumulator = accumulated(module, body_of(entry), "gateway")
            assert reader.outcome == "complete"
            assert accumulator.problems == [], entry["name"]


VALUES: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    2.0,
    10**30,
    "",
    "x",
    [],
    {},
    [[]],
    {"type": "message"},
    {"id": 3},
)


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_broken_streams_of_a_dialect_raise_nothing(path: Any) -> None:
    """Properties taken out or replaced, events repeated, dropped and reordered: with every dialect, and without one."""
    _, module, case = case_of(path)
    chance = random.Random(path.stem)
    blocks = case["body"].split("\n\n")
    for _ in range(25):
        chosen = [chance.choice(blocks) if chance.random() < 0.2 else block for block in blocks]
        if chance.random() < 0.3:
            chance.shuffle(chosen)
        body = "\n\n".join(_broken(block, chance) for block in chosen) + "\n\n"
        for dialect in (None, *dialects_of(case["stream"])):
            _, accumulator = accumulated(module, body.encode(), dialect)
            accumulator.text()
            final_of(module, accumulator)


def _broken(block: str, chance: random.Random) -> str:
    """One event with some of its properties taken out or replaced, at any depth."""
    lines = block.split("\n")
    for number, line in enumerate(lines):
        if line.startswith("data: {"):
            payload = json.loads(line[6:])
            _break(payload, chance)
            lines[number] = "data: " + json.dumps(payload)
    return "\n".join(lines)


def _break(value: Any, chance: random.Random) -> None:
    for key in list(value) if isinstance(value, dict) else ():
        draw = chance.random()
        if draw < 0.08:
            del value[key]
        elif draw < 0.16:
            value[key] = chance.choice(VALUES)
        else:
            _break(value[key], chance)


def test_the_cases_are_as_the_yaml_reader_has_them() -> None:
    for path in CASES:
        assert yaml.safe_load(path.read_text("utf-8"))["why"].endswith(".")
