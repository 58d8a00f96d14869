"""Whatever a stream sends, the linter ends with findings and not with an exception.

Reads small streams, mangled by a seeded generator; runs the linter with a timeline on each. Never asks what is found.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from codegen.lint.captures import captures_in
from codegen.lint.findings import shortened
from codegen.lint.linter import Linter
from codegen.lint.result import Result
from codegen.lint.package import Checked
from codegen.lint.report_data import as_github, as_json, as_junit
from codegen.lint.report_text import heading, lines
from codegen.lint.timeline import Timeline
from tests.lint import streams
from tests.lint.streams import PACKAGE, Event, jsonl, sse

VALUES: tuple[Any, ...] = (
    None, 0, 1, -1, 2**70, 1.0, 1.5, True, "", "a\x00b", "\ud800", "completed", [], [None], {}, {"type": "x"}, [[1]], [{"index": 0}],
)  # fmt: skip
STREAMS = {
    "responses": streams.responses(),
    "chat": streams.chat(),
    "completions": streams.completions(),
    "messages": streams.messages(),
    "images-generations": streams.images(),
    "responses-websocket-server": streams.socket(),
    "responses-websocket-client": [{"type": "response.create", "model": "m"}],
}


def mangled(node: Any, chance: random.Random) -> Any:
    """A value in which some values are others, some are gone, and some are elsewhere."""
    if chance.random() < 0.04:
        return chance.choice(VALUES)
    if isinstance(node, dict):
        return {
            key: mangled(value, chance) for key, value in node.items() if chance.random() > 0.02
        }
    if isinstance(node, list):
        return [mangled(value, chance) for value in node]
    return node


def events_of(name: str, chance: random.Random) -> list[Event]:
    events = list(STREAMS[name])
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(events))
        events[at:at] = [chance.choice(events)]
        events.insert(chance.randrange(len(events)), events.pop(chance.randrange(len(events))))
    return [mangled(event, chance) for event in events]


@pytest.mark.parametrize("name", STREAMS)
def test_no_stream_makes_the_linter_fail(name: str, tmp_path: Path) -> None:
    chance, path = random.Random(7), tmp_path / "capture"
    checked = PACKAGE.checked(name)
    dialects = [None, *(dialect.name for dialect in checked.stream.dialects)]
    for turn in range(60):
        payloads = [
            event if isinstance(event, dict) else {"type": event}
            for event in events_of(name, chance)
        ]
        data = (
            jsonl(payloads)
            if turn % 2 or "websocket" in name
            else sse(payloads, done=turn % 3 == 0)
        )
        if turn % 5 == 0:
            at = chance.randrange(len(data))
            data = data[:at] + bytes([chance.randrange(256)]) + data[at + chance.randrange(3) :]
        path.write_bytes(data)
        for capture in captures_in(str(path)):
            result = Result(capture, name, "test", dialects[turn % len(dialects)])
            shown = run(checked, result, is_folding=bool(turn % 2))
            shown.encode("utf-8")  # nothing that a terminal cannot show
            report = json.loads(as_json([result], []))
            assert report["captures"][0]["events"] == result.events


def run(checked: Checked, result: Result, is_folding: bool) -> str:
    """Everything that is printed of a capture for people and for programs."""
    shown: list[str] = []
    timeline = Timeline(checked, shown.append, is_folding)
    Linter(checked, result, timeline.watch, lambda count: None).run()
    timeline.end()
    shown += [heading(result), *lines(result)]
    as_github([result], [])
    as_junit([result], [], "error")
    return "\n".join(shown)


def test_a_message_keeps_its_begin_and_its_end() -> None:
    text = shortened("a" + "b" * 1000 + "c")
    assert text[0] == "a" and text[-1] == "c" and len(text) < 250
