"""The accumulator of Messages: blocks, tool input as JSON text, citations, usage, and what streams do wrong.

Reads small streams written here; expected is what the protocol's streaming description says. Never looks at recordings.
"""

from __future__ import annotations

from typing import Any

import pytest

from stream_events import messages
from tests.shared_cases import Run, body, read
from tests.small_streams import Event, kinds

USAGE = {"input_tokens": 3, "output_tokens": 1, "cache_read_input_tokens": 2}
MESSAGE = {
    "id": "m",
    "type": "message",
    "role": "assistant",
    "model": "x",
    "content": [],
    "stop_reason": None,
    "stop_sequence": None,
    "usage": USAGE,
}
START = {"type": "message_start", "message": MESSAGE}
STOP = {"type": "message_stop"}


def begin(block: Event, index: int = 0) -> Event:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(kind: str, index: int = 0, **more: Any) -> Event:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **more}}


def end(index: int = 0) -> Event:
    return {"type": "content_block_stop", "index": index}


def ending(reason: str | None = "end_turn", usage: Any = None) -> Event:
    change = {"stop_reason": reason, "stop_sequence": None}
    return {"type": "message_delta", "delta": change, "usage": usage or {"output_tokens": 9}}


def talk(*events: Event, begins: tuple[Event, ...] = (START,)) -> Run:
    return read(messages, [body([*begins, *events, ending(), STOP])])


def content(found: Run) -> Any:
    return messages.encode(found.accumulator.final)["content"]


TEXT = {"type": "text", "text": ""}
TOOL = {"type": "tool_use", "id": "t", "name": "f", "input": {}}


def test_tool_input_is_parsed_at_the_stop() -> None:
    found = talk(
        begin(TOOL),
        *[delta("input_json_delta", partial_json=piece) for piece in ("", '{"a": [1', ", 1.0]}")],
        end(),
    )
    assert content(found) == [{**TOOL, "input": {"a": [1, 1.0]}}]
    assert kinds(found) == []


def test_tool_input_while_it_runs_is_text() -> None:
    accumulator = messages.Accumulator()
    for event in (START, begin(TOOL), delta("input_json_delta", partial_json='{"a": ')):
        accumulator.add(messages.decode(event))
    assert accumulator.beside("partial_json", 0) == '{"a": '
    assert messages.encode(accumulator.message)["content"] == [TOOL]


@pytest.mark.parametrize("text", ['{"a": ', "nonsense", '{"a": NaN}'])
def test_tool_input_that_is_no_json_is_a_problem_and_kept(text: str) -> None:
    found = talk(begin(TOOL), delta("input_json_delta", partial_json=text), end())
    assert content(found) == [TOOL]
    assert found.accumulator.beside("partial_json", 0) == text
    assert kinds(found) == ["not-json"]


def test_a_tool_without_input_keeps_what_it_began_with() -> None:
    assert content(talk(begin(TOOL), delta("input_json_delta", partial_json=""), end())) == [TOOL]


def test_tools_side_by_side() -> None:
    found = talk(
        begin(TOOL),
        begin({**TOOL, "id": "u"}, 1),
        delta("input_json_delta", 1, partial_json='{"b": '),
        delta("input_json_delta", 0, partial_json='{"a": 1}'),
        delta("input_json_delta", 1, partial_json="2}"),
        end(1),
        end(0),
    )
    assert [(each["id"], each["input"]) for each in content(found)] == [
        ("t", {"a": 1}),
        ("u", {"b": 2}),
    ]


def test_citations_are_added_one_by_one() -> None:
    cited = [
        {
            "type": "char_location",
            "cited_text": text,
            "document_index": 0,
            "document_title": None,
            "file_id": None,
            "start_char_index": 0,
            "end_char_index": 1,
        }
        for text in "ab"
    ]
    found = talk(
        begin(TEXT),
        *[delta("citations_delta", citation=each) for each in cited],
        delta("text_delta", text="yes"),
        end(),
    )
    assert content(found) == [{**TEXT, "text": "yes", "citations": cited}]


def test_a_delta_of_an_unknown_type_is_kept_and_told() -> None:
    found = talk(begin(TEXT), delta("new_delta", much="more"), end())
    assert content(found) == [{**TEXT, "unfolded_deltas": [{"type": "new_delta", "much": "more"}]}]
    assert [each.kind for each in found.problems] == ["unknown-member"]


@pytest.mark.parametrize(
    ("events", "problems"),
    [
        ([begin(TEXT), end(), end()], ["closed-twice"]),
        ([end(3)], ["unannounced"]),
        ([begin(TEXT), end(), delta("text_delta", text="late")], ["after-done"]),
        ([delta("text_delta", text="early")], ["unannounced"]),
        ([begin(TEXT), begin(TEXT), end()], ["announced-twice"]),
    ],
)
def test_blocks_out_of_order(events: list[Event], problems: list[str]) -> None:
    assert kinds(talk(*events)) == problems


def test_usage_is_taken_property_by_property() -> None:
    """Null and absent leave what was there."""
    accumulator = messages.Accumulator()
    for event in (START, ending(usage={"output_tokens": 9, "cache_read_input_tokens": None}), STOP):
        accumulator.add(messages.decode(event))
    assert messages.encode(accumulator.final)["usage"] == {**USAGE, "output_tokens": 9}


@pytest.mark.parametrize("reason", ["refusal", "pause_turn", "max_tokens", "new_reason"])
def test_stop_reasons(reason: str) -> None:
    found = read(messages, [body([START, ending(reason), STOP])])
    assert found.accumulator.final.stop_reason == reason


def test_an_error_after_some_content() -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}
    found = read(messages, [body([START, begin(TEXT), delta("text_delta", text="so far"), error])])
    assert found.reader.outcome == "error"
    assert (found.accumulator.error.code, found.accumulator.text()) == (None, "so far")
    assert found.accumulator.error.message == "busy"
    with pytest.raises(messages.StreamError, match="busy"):
        found.accumulator.final


def test_input_for_a_block_that_has_none_is_not_made_up() -> None:
    found = talk(
        begin(TEXT),
        delta("text_delta", text="hi"),
        delta("input_json_delta", partial_json='{"a":1}'),
        end(),
    )
    assert content(found) == [{**TEXT, "text": "hi"}]
    assert kinds(found) == ["wrong-kind"]


@pytest.mark.parametrize(
    "wrong", [delta("signature_delta", signature="S"), delta("thinking_delta", thinking="T")]
)
def test_a_delta_of_another_kind_leaves_a_block_whole(wrong: Event) -> None:
    found = talk(
        begin(TEXT), delta("text_delta", text="a"), wrong, delta("text_delta", text="b"), end()
    )
    assert content(found) == [{**TEXT, "text": "ab"}]
    assert kinds(found) == ["wrong-kind"]


def test_a_message_that_begins_again_is_reported() -> None:
    found = talk(begin(TEXT), delta("text_delta", text="a"), START, end())
    assert kinds(found) == ["announced-twice"]
    assert content(found) == [{**TEXT, "text": "a"}]


def test_input_of_a_block_whose_index_is_used_again_before_its_end() -> None:
    piece = delta("input_json_delta", partial_json='{"a":1}')
    found = talk(begin(TOOL), piece, begin({**TOOL, "id": "u"}), piece, end())
    assert [each["input"] for each in content(found)] == [{"a": 1}, {"a": 1}]
    assert kinds(found) == ["index-reused"]
