"""Responses over a WebSocket: lanes, steering, errors of a connection. Never opens one."""

from __future__ import annotations
import json
from typing import Any
import pytest
from stream_events import responses
from stream_events.beta_responses import websocket as beta_websocket
from stream_events.responses import websocket
from tests.small_streams import (
    ADDED,
    CREATED,
    END,
    ERROR,
    Event,
    PART_ADDED,
    delta,
    message,
    numbered,
    response,
)


def lane(event: Event, name: Any) -> Event:
    return {**event, "stream_id": name}


def test_lanes_do_not_mix() -> None:
    lanes = websocket.Lanes()
    for event in (CREATED, ADDED, PART_ADDED):
        for name in ("a", "b"):
            lanes.add(json.dumps(lane(event, name)))
    lanes.add(lane(delta("x"), "a"))
    lanes.add(lane(delta("y"), "b"))
    lanes.add(lane(END, "a"))
    assert (lanes["a"].text(), lanes["b"].text()) == ("x", "y")
    assert lanes["a"].final.status == "completed"
    lanes.close()
    with pytest.raises(websocket.StreamError, match="before its terminal event"):
        _ = lanes["b"].final


def test_lanes_of_any_json_value() -> None:
    lanes = websocket.Lanes()
    values: list[Any] = [None, 7, "7a", True, ["x"], {}]
    assert [lanes.add(lane(CREATED, value))[0] for value in values] == [
        *(None, "7", "7a", "true"),
        *(None, None),
    ]


def test_steering() -> None:
    steered = response("incomplete", [], incomplete_details={"reason": "steered"})
    successor = {**CREATED, "response": {**response("in_progress", []), "id": "r2"}}
    pending = {"type": "response.steer.pending", "steer_id": "s", "required_input": []}
    lanes = websocket.Lanes()
    for event in (
        CREATED,
        {"type": "response.steer.accepted", "steer_id": "s"},
        {"type": "response.incomplete", "response": steered},
        pending,
        successor,
        {"type": "response.steer.failed", "steer_id": "s", "error": {"code": "late"}},
        {**END, "response": {**response("completed", []), "id": "r2"}},
    ):
        lanes.add(event)
    accumulator = lanes[None]
    assert [each.id for each in accumulator.predecessors] == ["r"]
    reason = accumulator.predecessors[0].incomplete_details
    assert reason is not None and reason.reason == "steered"
    assert accumulator.final.id == "r2"
    told = [each["type"].split(".")[-1] for each in accumulator.beside("steering")]
    assert told == ["accepted", "pending", "failed"]
    assert [each.kind for each in accumulator.problems if each.level != "info"] == []


def test_injections() -> None:
    lanes = beta_websocket.Lanes()
    lanes.add({"type": "response.inject.created", "response_id": "r"})
    assert lanes[None].beside("injections") == [
        {"type": "response.inject.created", "response_id": "r"}
    ]
    assert lanes[None].response is None


@pytest.mark.parametrize(
    "error", [ERROR, {"type": "error", "error": {"code": "c", "message": "bad"}}]
)
@pytest.mark.parametrize("status", [None, 400])
def test_errors_of_a_connection(error: Event, status: int | None) -> None:
    lanes = websocket.Lanes()
    lanes.add({**error, "status": status} if status else error)
    found = lanes[None].error
    assert found is not None and (found.code, found.message, found.status) == ("c", "bad", status)
    lanes.add(CREATED)  # the next request may well be answered
    lanes.add(END)
    lanes.add(ERROR)
    assert lanes[None].final.status == "completed"
    assert [each.kind for each in lanes[None].problems if each.level != "info"] == []


def test_another_response_before_the_end_of_the_first() -> None:
    other = {
        **CREATED,
        "sequence_number": 0,
        "response": {**response("in_progress", []), "id": "r2"},
    }
    accumulator = responses.Accumulator()
    for event in (*numbered(CREATED, ADDED, PART_ADDED, delta("a")), other):
        accumulator.add(responses.decode(event))
    assert [each.id for each in accumulator.predecessors] == ["r"] and accumulator.text() == ""
    assert "unfinished" in [each.kind for each in accumulator.problems]
    assert accumulator.last_sequence_number == 0
