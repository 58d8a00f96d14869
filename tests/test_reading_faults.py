"""What goes wrong while a stream is read, and what its accumulator then answers: one test for each kind.

Reads small streams written here; expected is what the protocols say, and that nothing is lost or guessed without a problem.
"""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from stream_events import beta_responses, chat, completions, images, messages, responses
from stream_events.responses import websocket
from tests.shared_cases import body, read
from tests.small_streams import (
    ADDED,
    CREATED,
    END,
    MODULES,
    PART_ADDED,
    Event,
    call,
    chunk,
    delta,
    kinds,
    numbered,
    output,
    response,
    run,
    without,
)


def test_a_tag_that_is_null_stays_null() -> None:
    text = b'event: response.output_text.delta\ndata: {"type":null,"delta":"x"}\n\n'
    (event,) = responses.read([text])
    assert responses.encode(event) == {"type": None, "delta": "x"}


def test_a_tag_of_a_wrong_type_beside_an_event_line_is_reported() -> None:
    text = b'event: response.output_text.delta\ndata: {"type":3,"delta":"x"}\n\n'
    reader = responses.read([text])
    (event,) = reader
    assert isinstance(event, responses.ResponseTextDeltaEvent)
    assert [each.kind for each in reader.problems] == ["event-line", "truncated"]


@pytest.mark.parametrize("data", [b"", "\u00a0".encode()])
def test_an_event_of_a_known_name_without_data_is_not_passed_over(data: bytes) -> None:
    reader = messages.read([b"event: message_stop\ndata: " + data + b"\n\n"])
    assert [event.tag for event in reader] == ["message_stop"]
    assert reader.problems[0].kind == "not-json"


def test_a_sign_of_life_is_passed_over() -> None:
    reader = messages.read([b"event: alive\ndata:\n\ndata: \n\n"])
    assert [*reader] == []


def test_lanes_take_any_mapping() -> None:
    from types import MappingProxyType

    lanes = websocket.Lanes()
    lane, event = lanes.add(MappingProxyType(CREATED))
    assert isinstance(event, responses.ResponseCreatedEvent)
    assert lanes[lane].status == "in_progress"


def test_parsed_without_any_text() -> None:
    found = read(
        chat, [body([chunk({"tool_calls": [call(0, "a", "f", "{}")]}, reason="tool_calls")])]
    )
    with pytest.raises(chat.StreamError, match="no text"):
        found.accumulator.parsed(with_=json.loads)


@pytest.mark.parametrize("name", MODULES)
def test_an_error_without_a_tag_fails_the_stream(name: str) -> None:
    found = read(MODULES[name], [b'data: {"error":{"message":"boom"}}\n\n'])
    assert (found.reader.outcome, found.accumulator.error.message) == ("error", "boom")


def test_a_body_that_is_no_event_stream_says_how_it_begins() -> None:
    reader = responses.read([b"\n<html><body>Bad gateway</body></html>"])
    assert [*reader] == []
    assert "<html>" in reader.problems[0].message


def test_what_is_no_event_of_the_stream_is_the_callers_fault() -> None:
    for wrong in (chat.decode(chunk({})), "x", CREATED, None):
        with pytest.raises(TypeError, match="not an event of responses"):
            responses.Accumulator().add(wrong)  # type: ignore[arg-type]
    for chunks in (b"data: {}", ["data: {}"]):
        with pytest.raises(TypeError, match="chunks are bytes"):
            next(responses.read(chunks))  # type: ignore[arg-type]


def test_a_stream_error_carries_what_the_stream_failed_with() -> None:
    with pytest.raises(responses.StreamError) as caught:
        responses.final([b'{"error":{"message":"busy","code":"rate_limit"}}'])
    assert caught.value.error is not None and caught.value.error.code == "rate_limit"


def test_what_failed_is_told_before_what_is_missing() -> None:
    bare = {"type": "response.in_progress"}
    error = {"type": "error", "message": "slow down", "code": "rate_limit", "param": None}
    with pytest.raises(responses.StreamError, match="slow down") as caught:
        responses.final([body(numbered(CREATED, bare, error))])
    assert caught.value.error is not None and caught.value.error.code == "rate_limit"


def test_a_tag_from_the_event_line_is_told_once() -> None:
    text = b'event: response.output_text.delta\ndata: {"delta":"x"}\n\n'
    reader = responses.read([text * 3])
    assert len([*reader]) == 3
    assert [each.path for each in reader.problems if each.kind == "repaired"] == [".type"]


def test_deltas_without_index_and_id_go_to_an_entry_of_their_kind() -> None:
    call_ = {"type": "function_call", "id": "f", "call_id": "c", "name": "n", "arguments": ""}
    added = {"type": "response.output_item.added", "output_index": 1, "item": call_}
    bare = without(delta("hi"), "output_index", "item_id")
    found = run(ADDED, PART_ADDED, added, bare)
    assert output(found)[0]["content"][0]["text"] == "hi"


def test_images_are_decoded_when_asked_for() -> None:
    partial = {
        "type": "image_generation.partial_image",
        "partial_image_index": 0,
        "b64_json": "cGFydA==",
    }
    done = {"type": "image_generation.completed", "b64_json": "d2hvbGU="}
    accumulator = read(images, [body([partial, done])]).accumulator
    assert accumulator.data("b64_json") == b"whole"
    assert accumulator.data("@partial_images", 0) == b"part"
    with pytest.raises(images.StreamError, match="no base64"):
        accumulator.data("nothing")


def test_an_image_that_comes_twice_is_reported() -> None:
    done = {"type": "image_generation.completed", "b64_json": "d2hvbGU="}
    assert "announced-twice" in kinds(read(images, [body([done, done])]))
