"""Whether entries stay the same to the end, and whether the end says what it has to.

Reads streams that the tests spoil; runs the linter on them. Never repeats what `test_lint_findings.py` has for each kind.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lint import streams
from tests.lint.spoiled import CALL, CALL_DONE, CALL_ITEM, END, chat, each, insert
from tests.lint.spoiled import messages, put, responses, without
from tests.lint.streams import Event, check, chunk, choice, sse


def found(tmp_path: Path, data: bytes) -> list[tuple[str, str, int]]:
    path = tmp_path / "capture.sse"
    path.write_bytes(data)
    (result,) = check(path)
    return [(each.id, each.level, each.event) for each in result.findings.kept]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            responses(put(CALL_DONE, "name", value="x")),
            [("identity-differs", "error", CALL_DONE + 1)],
        ),
        (
            responses(put(END, "response", "output", 1, value={**streams.CALL, "name": "x"})),
            [("identity-differs", "error", END + 1)],
        ),
        (
            responses(put(END, "response", "output", 1, value={**streams.CALL, "id": "fc_9"})),
            [("id-differs", "warning", END + 1)],
        ),
        (
            responses(
                put(END, "response", "output", 2, value={**streams.SEARCH, "status": "searching"})
            ),
            [("status-open", "warning", END + 1)],
        ),
    ],
)
def test_entries_stay_the_same(data: bytes, expected: list[Any], tmp_path: Path) -> None:
    assert found(tmp_path, data) == expected


def ended(name: str, **more: Any) -> bytes:
    """A Responses stream that fails, or ends early, without any output."""
    events = [streams.lifecycle("created"), streams.lifecycle(name)]
    events[1]["response"].update(more)
    return sse(streams.numbered(events))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (ended("failed"), ["not-given"]),
        (ended("failed", error={"code": "server_error", "message": "no"}), []),
        (ended("incomplete"), ["not-given"]),
        (ended("incomplete", incomplete_details={"reason": "max_output_tokens"}), []),
        (ended("failed", status="completed", error={"code": "server_error", "message": "no"}), ["status-misfit"]),
    ],
)  # fmt: skip
def test_a_response_says_why_it_ended(data: bytes, expected: list[str], tmp_path: Path) -> None:
    assert [each[0] for each in found(tmp_path, data)] == expected


def second(reason: str | None) -> bytes:
    delta = {"stop_reason": reason, "stop_sequence": None}
    event: Event = {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 6}}
    return messages(insert(9, event))


def test_two_stop_reasons_are_told_and_one_that_comes_twice_is_not(tmp_path: Path) -> None:
    assert found(tmp_path, second("max_tokens")) == [("changed", "warning", 10)]
    assert found(tmp_path, second("end_turn")) == []
    assert found(tmp_path, second(None)) == []


def test_a_message_that_begins_finished_needs_no_delta(tmp_path: Path) -> None:
    whole = put(0, "message", "stop_reason", value="tool_use")
    assert found(tmp_path, messages(each(without(*range(1, 9)), whole))) == []


def test_a_signature_signs_thinking(tmp_path: Path) -> None:
    block = {"type": "thinking", "thinking": "", "signature": ""}
    events = [
        {"type": "content_block_start", "index": 2, "content_block": block},
        {"type": "content_block_delta", "index": 2, "delta": {"type": "signature_delta", "signature": "s"}},
        {"type": "content_block_stop", "index": 2},
    ]  # fmt: skip
    assert found(tmp_path, messages(insert(8, *events))) == []


def arguments(text: str) -> bytes:
    """A Responses stream whose function call has other arguments."""
    spoils = (
        put(CALL + 1, "delta", value=text),
        put(CALL_DONE, "arguments", value=text),
        put(CALL_ITEM, "item", "arguments", value=text),
        put(END, "response", "output", 1, "arguments", value=text),
    )
    return responses(each(*spoils))


def test_arguments_are_json(tmp_path: Path) -> None:
    assert found(tmp_path, arguments('{"a":')) == [("input-not-json", "warning", CALL_ITEM + 1)]
    assert found(tmp_path, arguments("{}")) == []


def called(text: str, finish: str) -> bytes:
    spoils = (
        put(3, "choices", 0, "delta", "tool_calls", 0, "function", "arguments", value=text),
        put(4, "choices", 0, "finish_reason", value=finish),
    )
    return chat(each(*spoils))


def test_arguments_of_a_chat_are_json_unless_they_are_cut(tmp_path: Path) -> None:
    assert found(tmp_path, called('{"a"', "tool_calls")) == [("input-not-json", "warning", 0)]
    assert found(tmp_path, called('{"a"', "length")) == []
    assert found(tmp_path, called("", "tool_calls")) == []


def test_a_call_and_its_output_share_a_call_id(tmp_path: Path) -> None:
    """Their types differ, and so a client can tell them apart."""
    call = {
        "id": "sh_1",
        "type": "shell_call",
        "call_id": "c",
        "status": "completed",
        "environment": None,
    }
    call["action"] = {"commands": ["ls"], "timeout_ms": None, "max_output_length": None}  # type: ignore[assignment]
    output = {"id": "so_1", "type": "shell_call_output", "call_id": "c", "status": "completed", "output": [], "max_output_length": None}  # fmt: skip
    new = [
        event
        for at, value in ((3, call), (4, output))
        for event in (
            streams.item("added", at, {**value, "status": "in_progress"}),
            streams.item("done", at, value),
        )
    ]
    items = [streams.MESSAGE, streams.CALL, streams.SEARCH, call, output]
    data = responses(each(put(END, "response", "output", value=items), insert(END, *new)))
    assert "id-reused" not in {each[0] for each in found(tmp_path, data)}


def test_calls_of_two_choices_may_have_one_id(tmp_path: Path) -> None:
    call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}  # fmt: skip
    more = [chunk([choice({"tool_calls": [call]}, at=1)]), chunk([choice({}, "tool_calls", at=1)])]
    assert found(tmp_path, chat(insert(4, *more))) == []
