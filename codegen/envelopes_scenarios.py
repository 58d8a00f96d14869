"""Test vectors of whole streams: one for each scenario of `spec/scenarios/`.

Reads scenarios; returns envelopes, one for each stream. What is expected is the scenario's own final object: nothing is
accumulated here.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from codegen.catalogue import Envelope
from codegen.scenarios.compose import compose
from codegen.scenarios.scenario import Scenario, read_scenarios

LIKE = {"responses": ("beta-responses",)}
"""Stream → streams with the same events."""
SOCKETS = {"responses": ("responses-websocket-server", "beta-responses-websocket-server")}
"""Stream → streams of messages with the same events, each of which says its lane."""
LANE = "lane-1"
TAGS = {"chat": "object", "completions": "object"}
"""Stream → the property that holds an event's tag, where it is not `type`."""


def scenario_envelopes(folder: Path) -> tuple[Envelope, ...]:
    """The envelopes in the order of their streams; none where there is no folder. SpecError as `read_scenarios` raises it."""
    if not folder.is_dir():
        return ()
    cases: dict[str, list[dict[str, Any]]] = {}
    for scenario in read_scenarios(folder):
        cases.setdefault(scenario.stream, []).append(_case(scenario))
    found = []
    for stream, each in cases.items():
        source = f"spec/scenarios/{stream}/"
        for name in (stream, *LIKE.get(stream, ())):
            text = json.dumps(_renamed(each, stream, name), ensure_ascii=True)
            found.append(Envelope(f"stream/{name}/scenarios", "stream", name, source, text))
        for name in SOCKETS.get(stream, ()):
            messages = [_messages(case) for case in _renamed(each, stream, name)]
            text = json.dumps(messages, ensure_ascii=True)
            found.append(Envelope(f"websocket/{name}-scenarios", "websocket", name, source, text))
    return tuple(found)


def _renamed(cases: list[dict[str, Any]], stream: str, name: str) -> list[dict[str, Any]]:
    """The cases as those of another stream with the same events."""
    old, new = f"scenario-{stream}-", f"scenario-{name}-"
    return [{**case, "id": case["id"].replace(old, new)} for case in cases]


def _messages(case: dict[str, Any]) -> dict[str, Any]:
    """The case as messages of one lane."""
    events = [{**event, "stream_id": LANE} for event in case["given"]["events"]]
    expect = {name: value for name, value in case["expect"].items() if name != "outcome"}
    return {
        **case,
        "given": {"messages": [json.dumps(event, ensure_ascii=False) for event in events]},
        "expect": {"lanes": [{"lane": LANE, **expect}]},
    }


def _case(scenario: Scenario) -> dict[str, Any]:
    events = compose(scenario)
    tag = TAGS.get(scenario.stream, "type")
    expect: dict[str, Any] = {
        "tags": [event[tag] for event in events],
        "final": scenario.final,
        "text": TEXTS.get(scenario.stream, _no_text)(scenario.final),
        **_beside(scenario),
        **_failure(scenario),
        "problems": [],
        "outcome": "complete",
    }
    case = {
        "id": f"scenario-{scenario.stream}-{scenario.name}",
        "comment": scenario.about,
        "flags": ["Scenario"],
        "spec": {"document": "scenario", "section": f"{scenario.stream}/{scenario.name}"},
        "given": {"events": events},
    }
    without = _without_null(scenario.final)
    if scenario.stream not in TAGS or without == scenario.final:
        return {**case, "expect": expect}
    # Chunks say what is added; whether null in them adds a property is nowhere said.
    alternatives = [
        {"label": "null adds nothing", "expect": {**expect, "final": without}},
        {"label": "null is kept", "expect": expect},
    ]
    return {**case, "verdict": "acceptable", "expect": {"alternatives": alternatives}}


def _without_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_null(item) for name, item in value.items() if item is not None}
    return [_without_null(item) for item in value] if isinstance(value, list) else value


def _beside(scenario: Scenario) -> dict[str, Any]:
    """Previews of images, which no final object holds."""
    previews = [list(images) for _, images in sorted(scenario.streaming.previews.items())]
    if not previews:
        return {}
    is_image = scenario.stream.startswith("images-")
    return {"beside": {"partial_images": previews[0] if is_image else previews}}


def _failure(scenario: Scenario) -> dict[str, Any]:
    error = scenario.final.get("error")
    if not isinstance(error, dict):
        return {}
    return {"failure": {"message": error["message"], "code": error.get("code")}}


def _responses_text(final: dict[str, Any]) -> str:
    items = [item for item in final["output"] if item["type"] == "message"]
    parts = [part for item in items for part in item["content"]]
    return "".join(part["text"] for part in parts if part["type"] == "output_text")


def _messages_text(final: dict[str, Any]) -> str:
    return "".join(block["text"] for block in final["content"] if block["type"] == "text")


def _chat_text(final: dict[str, Any]) -> str:
    return final["choices"][0]["message"].get("content") or ""


def _completions_text(final: dict[str, Any]) -> str:
    return str(final["choices"][0]["text"])


def _no_text(final: dict[str, Any]) -> str:
    return ""


TEXTS: dict[str, Callable[[dict[str, Any]], str]] = {
    "chat": _chat_text,
    "completions": _completions_text,
    "messages": _messages_text,
    "responses": _responses_text,
}
"""Stream → all text of the answer, as its readers see it."""
