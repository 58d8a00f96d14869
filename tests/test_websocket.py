"""Lanes, steering, errors and injected input over a real WebSocket: `websockets` on both ends, the package on both.

Reads nothing from outside. The server decodes what clients send and encodes its events, the client the other way round.
Expected are the texts and objects that the server was told to send. Never looks inside an accumulator.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from stream_events.beta_responses import websocket as beta
from stream_events.responses import websocket as ga
from tests.websocket_server import Value, conversation, create, in_lane, response, turn

EITHER = pytest.mark.parametrize("module", [ga, beta], ids=["ga", "beta"])


@EITHER
def test_two_lanes_interleaved(module: ModuleType) -> None:
    asked: list[str | None] = []
    texts = {"a": "first lane", "b": "the other lane, which is longer"}

    def answer(event: Any) -> list[Value]:
        asked.append(event.stream_id)
        if len(asked) < 2:
            return []
        one, two = (in_lane(lane, turn(f"resp_{lane}", text)) for lane, text in texts.items())
        short, rest = min(len(one), len(two)), max(one, two, key=len)
        return [event for pair in zip(one, two) for event in pair] + rest[short:]

    count = sum(len(turn("x", text)) for text in texts.values())
    lanes, events = conversation(
        module, answer, [create("a", input="x"), create("b", input="y")], count
    )
    assert asked == ["a", "b"]
    assert [lane for lane, _ in events[:6]] == ["a", "b"] * 3
    assert lanes.lanes == ["a", "b"]
    for lane, text in texts.items():
        assert lanes[lane].text() == text
        assert module.encode(lanes[lane].final) == response(f"resp_{lane}", "completed", text)
        assert lanes[lane].problems == []


@EITHER
def test_a_message_without_a_lane_has_a_lane_of_its_own(module: ModuleType) -> None:
    both = turn("plain", "no lane") + in_lane("a", turn("named", "a lane"))
    lanes, _ = conversation(module, lambda event: both, [create(input="x")], len(both))
    assert (lanes[None].text(), lanes["a"].text()) == ("no lane", "a lane")


def steered() -> tuple[list[Value], list[Value]]:
    """What comes before a steer and after it: the first response ends as steered, and its successor follows."""
    details = {"incomplete_details": {"reason": "steered"}}
    end = {
        "type": "response.incomplete",
        "response": response("resp_1", "incomplete", "going wr", **details),
    }
    events = turn("resp_1", "going wr", end=end)
    steer = {"id": "steer_1", "previous_response_id": "resp_1"}
    number = len(events) - 1
    pending = {
        "reason": "waiting_for_required_input",
        "required_input": [{"type": "function_call_output", "call_id": "call_1"}],
    }
    after = [
        {"type": "response.steer.accepted", "steer": steer, "sequence_number": number},
        {
            "type": "response.steer.pending",
            "steer": steer,
            **pending,
            "sequence_number": number + 1,
        },
        {**events[-1], "sequence_number": number + 2},
        *turn("resp_2", "right", first=number + 3),
    ]
    return events[:-1], after


@EITHER
def test_a_steer_and_the_response_that_follows_it(module: ModuleType) -> None:
    before, after = steered()

    def answer(event: Any) -> list[Value]:
        if isinstance(event, (ga.ResponseSteerEvent, beta.BetaResponseSteerEvent)):
            assert (event.previous_response_id, event.input) == ("resp_1", "the other way")
            return after
        return before

    steer = {"type": "response.steer", "previous_response_id": "resp_1", "input": "the other way"}
    lanes, events = conversation(module, answer, [create(input="x"), steer], len(before + after))
    state = lanes[None]
    assert module.encode(state.final) == response("resp_2", "completed", "right")
    assert [module.encode(earlier)["id"] for earlier in state.predecessors] == ["resp_1"]
    assert state.predecessors[0].incomplete_details.reason == "steered"
    assert state.predecessors[0].output[0].content[0].text == "going wr"
    assert state.problems == []
    pending = [event for _, event in events if event.type == "response.steer.pending"]
    assert [entry.call_id for event in pending for entry in event.required_input] == ["call_1"]


@EITHER
def test_a_steer_that_is_refused_changes_nothing(module: ModuleType) -> None:
    failed = {
        "type": "response.steer.failed",
        "error": {
            "code": "response_not_found",
            "message": "it is over",
            "type": "invalid_request_error",
        },
        "steer": {"input": "too late", "previous_response_id": "resp_1"},
    }
    events = turn("resp_1", "done")
    events.append({**failed, "sequence_number": len(events)})
    lanes, got = conversation(module, lambda event: events, [create(input="x")], len(events))
    assert got[-1][1].error.code == "response_not_found"
    assert module.encode(lanes[None].final) == response("resp_1", "completed", "done")
    assert lanes[None].status == "completed"


@EITHER
def test_a_connection_error_with_its_status(module: ModuleType) -> None:
    error = {
        "type": "invalid_request_error",
        "code": "invalid_value",
        "param": "input",
        "message": "bad input",
    }
    frame = {"type": "error", "status": 400, "error": error}
    lanes, events = conversation(module, lambda event: [frame], [create(input=3)], 1)
    assert events[0][1].status == 400
    assert module.encode(events[0][1]) == frame
    failure = lanes[None].error
    assert (failure.code, failure.message, failure.param) == ("invalid_value", "bad input", "input")
    assert lanes[None].status == "failed"
    with pytest.raises(module.StreamError, match="bad input"):
        lanes[None].final


@EITHER
def test_an_error_in_one_lane_leaves_the_other_alone(module: ModuleType) -> None:
    error = {"type": "server_error", "code": None, "param": None, "message": "oops"}
    good = in_lane("b", turn("resp_b", "fine"))
    events = [
        good[0],
        {"type": "error", "stream_id": "a", "status": 500, "error": error},
        *good[1:],
    ]
    lanes, _ = conversation(module, lambda event: events, [create("b")], len(events))
    assert lanes["b"].text() == "fine" and lanes["b"].error is None
    assert lanes["b"].problems == []
    assert lanes["a"].error.message == "oops"


@EITHER
def test_a_connection_that_closes_early_leaves_no_final_response(module: ModuleType) -> None:
    events = turn("resp_1", "cut")[:-1]
    lanes, _ = conversation(module, lambda event: events, [create(input="x")], len(events))
    assert lanes[None].text() == "cut"
    with pytest.raises(module.StreamError, match="before its terminal event"):
        lanes[None].final


@EITHER
def test_a_second_turn_in_the_same_lane_starts_anew(module: ModuleType) -> None:
    events = turn("resp_1", "one") + turn("resp_2", "two")
    lanes, _ = conversation(module, lambda event: events, [create(input="x")], len(events))
    assert lanes[None].text() == "two"
    assert [earlier.id for earlier in lanes[None].predecessors] == ["resp_1"]
    assert lanes[None].problems == []


def test_injected_input_in_the_beta() -> None:
    injected = [{"type": "message", "role": "user", "content": "one more thing"}]
    refusal = {
        "code": "response_not_active",
        "message": "it is over",
        "type": "invalid_request_error",
    }
    events = turn("resp_1", "with it")

    def answer(event: Any) -> list[Value]:
        if not isinstance(event, beta.BetaResponseInjectEvent):
            return events[:4]
        known = {"response_id": event.response_id, "sequence_number": 4}
        if event.response_id == "resp_1":
            rest = [
                {**later, "sequence_number": later["sequence_number"] + 1} for later in events[4:]
            ]
            return [{"type": "response.inject.created", **known}, *rest]
        back = beta.encode(event)["input"]
        known["sequence_number"] = len(events) + 1
        return [{"type": "response.inject.failed", **known, "input": back, "error": refusal}]

    inject = {"type": "response.inject", "input": injected}
    sent = [create(input="x"), *({**inject, "response_id": name} for name in ("resp_1", "resp_0"))]
    lanes, got = conversation(beta, answer, sent, len(events) + 2)
    assert isinstance(got[4][1], beta.BetaResponseInjectCreatedEvent)
    failed = got[-1][1]
    assert isinstance(failed, beta.BetaResponseInjectFailedEvent)
    assert failed.error.message == "it is over"
    assert beta.encode(failed)["input"] == injected
    assert lanes[None].text() == "with it"
    assert lanes[None].final.id == "resp_1"


@EITHER
def test_a_message_that_is_no_event_is_a_decode_error(module: ModuleType) -> None:
    for message in ("{", "[1]", "3", '{"stream_id": "a"}', b"\xff"):
        with pytest.raises(module.DecodeError):
            module.Lanes().add(message)
