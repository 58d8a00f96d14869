"""From payloads to events: what is taken, what is refused, and what odd JSON becomes.

Reads the generated package only. What is JSON and what is not says RFC 8259.
"""

from __future__ import annotations

import json
from collections import OrderedDict, UserDict, defaultdict
from typing import Any

import pytest

from stream_events import chat, completions, messages, responses
from stream_events.responses import websocket
from tests.json_values import same_text
from tests.payloads import DELTA, completed, delta, response


@pytest.mark.parametrize(
    "form", [dict, OrderedDict, UserDict, json.dumps, bytes, bytearray, memoryview]
)
def test_decode_takes_text_and_mappings(form: Any) -> None:
    text = json.dumps(DELTA)
    payload = form(text.encode()) if form in (bytes, bytearray, memoryview) else form(DELTA)
    assert responses.decode(payload) == delta()
    assert responses.decode(b"\xef\xbb\xbf " + text.encode() + b"\r\n") == delta()


def test_a_mapping_that_makes_up_values_is_not_changed() -> None:
    payload = defaultdict(str, {**DELTA, "x": 1})
    del payload["delta"]
    responses.decode(DELTA)
    event = responses.decode(payload)
    assert "delta" not in payload and responses.missing(event) == ["delta"]


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        "",
        "[DONE]",
        "{",
        '{"type": "error"} x',
        "{'type': 'error'}",
        b'{"type": "\xff"}',
        '{"type": "error", "code": NaN}',
        '{"type": "error", "code": 1E400}',
        '{"type": "error", "code": Infinity}',
        '{"type": "error", "code": -Infinity}',
        "[" * 200_000,
        '{"type": "error", "a": ' + "[" * 200_000 + "]" * 200_000 + "}",
        "[]",
        "null",
        '"text"',
        "3",
        "{}",
        {},
        {"type": None},
        {"type": 3},
        {"type": ["error"]},
        {"Type": "error"},
    ],
    ids=lambda payload: repr(payload)[:40],
)
def test_what_is_no_event(payload: Any) -> None:
    for module in (responses, websocket, messages):
        with pytest.raises(module.DecodeError) as caught:
            module.decode(payload)
        assert isinstance(caught.value, ValueError) and len(str(caught.value)) < 200


def test_payloads_nested_too_deep_for_their_type() -> None:
    filters: Any = {"type": "eq", "key": "a", "value": "b"}
    for _ in range(50_000):
        filters = {"type": "and", "filters": [filters]}
    tool = {"type": "file_search", "vector_store_ids": [], "filters": filters}
    with pytest.raises(responses.DecodeError, match="too deep"):
        responses.decode(completed(tools=[tool]))


def test_deep_values_without_a_type_come_out_again() -> None:
    depth = 20_000
    value: Any = []
    for _ in range(depth):
        value = [value]
    event = responses.decode({**DELTA, "x_unknown": value})
    found = responses.encode(event)["x_unknown"]
    for _ in range(depth):
        (found,) = found
    assert found == []


def test_the_last_of_duplicate_keys_wins() -> None:
    event = responses.decode(
        '{"type": "x", "type": "response.queued", "response": 1, "response": {}}'
    )
    assert isinstance(event, responses.ResponseQueuedEvent)
    assert responses.encode(event) == {"type": "response.queued", "response": {}}


@pytest.mark.parametrize(
    "text", ['"\\ud83d"', '"\\udfff\\u0000"', "123456789012345678901234567890", "-0.0"]
)
def test_odd_values_pass(text: str) -> None:
    payload = f'{{"type": "response.output_text.delta", "delta": {text}, "x": {text}}}'
    event = responses.decode(payload)
    assert same_text(responses.encode(event)) == same_text(json.loads(payload))


def test_unknown_events() -> None:
    event = responses.decode({"type": "x-new", "a": 1})
    assert isinstance(event, responses.UnknownEvent)
    assert (event.type, event.tag, event.data) == (None, "x-new", {"type": "x-new", "a": 1})
    assert responses.encode(event) == event.data
    assert [problem.level for problem in responses.problems(event)] == ["info"]
    with pytest.raises(responses.StreamError, match="not a JSON object"):
        responses.encode(responses.UnknownEvent(None, "[DONE"))


def test_unknown_members_of_unions() -> None:
    (item,) = response(output=[{"type": "x-new", "a": [1]}]).output
    assert isinstance(item, responses.UnknownObject)
    assert (item.type, item.tag, item.data) == (None, "x-new", {"type": "x-new", "a": [1]})


TEXT = [{"type": "input_text", "text": "a"}]


@pytest.mark.parametrize(
    "item, expected",
    [
        ({"role": "user", "content": "a"}, "EasyInputMessage"),
        ({"role": "assistant", "content": "a", "phase": "commentary"}, "EasyInputMessage"),
        (
            {"type": "message", "role": "user", "content": TEXT, "status": "completed"},
            "InputMessage",
        ),
        (
            {
                "type": "message",
                "role": "assistant",
                "id": "m",
                "content": [],
                "status": "completed",
            },
            "OutputMessage",
        ),
        ({"id": "m"}, "ItemReferenceParam"),
        ({"type": "item_reference", "id": "m"}, "ItemReferenceParam"),
        ({"type": None, "id": "m"}, "ItemReferenceParam"),
        ({"x": 1}, "UnknownObject"),
        ({"type": 3, "id": "m"}, "UnknownObject"),
    ],
)
def test_members_that_share_a_tag_or_lack_it_are_told_apart_by_their_properties(
    item: dict[str, Any], expected: str
) -> None:
    event = websocket.decode_client({"type": "response.create", "input": [item, "text"]})
    assert isinstance(event, websocket.ResponsesClientEventResponseCreate)
    assert isinstance(event.input, list)
    assert [type(each).__name__ for each in event.input] == [expected, "str"]


def test_streams_whose_tag_may_be_absent() -> None:
    for module, name in (
        (chat, "CreateChatCompletionStreamResponse"),
        (completions, "CreateCompletionResponse"),
    ):
        for payload in ({}, {"object": ""}, {"object": None, "id": "a"}):
            event = module.decode(payload)
            assert type(event).__name__ == name and module.encode(event) == payload


def test_each_stream_has_its_own_shape_of_a_tag() -> None:
    flat = {"type": "error", "code": "a", "message": "b", "param": None, "sequence_number": 1}
    nested = {"type": "error", "status": 400, "error": {"type": "x", "message": "b"}}
    assert isinstance(responses.decode(flat), responses.ResponseErrorEvent)
    assert isinstance(websocket.decode(nested), websocket.ResponseWsError)
    assert isinstance(
        websocket.decode_client({"type": "response.create"}),
        websocket.ResponsesClientEventResponseCreate,
    )
    assert isinstance(websocket.decode({"type": "response.create"}), websocket.UnknownEvent)


def test_null_where_it_may_be_decides_between_members_of_one_tag() -> None:
    """`phase` is null on an input message whose content is text, which of three kinds of message only one may be."""
    item = {"role": "user", "content": "text", "phase": None, "type": "message"}
    payload = {"type": "response.create", "input": [item]}
    event = websocket.decode_client(payload)
    assert websocket.problems(event) == []
    assert type(event.input[0]).__name__ == "EasyInputMessage"


def test_records_of_another_package_are_refused() -> None:
    with pytest.raises(TypeError, match="not a class of this package"):
        chat.encode(delta())
