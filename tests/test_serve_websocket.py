"""The WebSocket of `codegen serve`: lanes, limits, codes, steering; `websockets` as the client, our lanes as the reader.

Reads a running server. Never waits for time to pass: what has to last is stalled, and what has to be over has no time.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.applications import Starlette
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from codegen.serve.app import Settings, create_app
from codegen.serve.library import read_library
from codegen.serve.running import address, listen, server
from codegen.serve.socket import Limits
from stream_events.responses import websocket as ws
from tests.serving import TIMEOUT, ask
from tests.test_serve_scenarios import SCENARIOS, SPEC

Value = dict[str, Any]
NAMES = [each.name for each in SCENARIOS if each.stream == "responses"]
FINALS = {each.name: each.final for each in SCENARIOS if each.stream == "responses"}


@contextmanager
def running(app: Starlette) -> Iterator[str]:
    """The address of a server in a thread of this process."""
    made = listen("127.0.0.1", 0)
    serving = server(app)
    thread = threading.Thread(target=serving.run, kwargs={"sockets": [made]})
    thread.start()
    try:
        yield address(made)
    finally:
        serving.should_exit = True
        thread.join(TIMEOUT)
        assert not thread.is_alive()


@pytest.fixture(scope="module")
def here() -> Iterator[str]:
    """A server with the documented limits."""
    with running(create_app(read_library(SPEC))) as found:
        yield found


def opened(here: str, **headers: str) -> ClientConnection:
    """A connection; `X_Fault` and `X_Play` become headers of its handshake."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    url = "ws" + here.removeprefix("http") + "/v1/responses"
    return connect(url, additional_headers=given, proxy=None, max_size=None)


def send(socket: ClientConnection, kind: str = "response.create", **values: Any) -> None:
    """Send a client event, checked against the catalogue where it is a right one."""
    socket.send(json.dumps({"type": kind, **values}))


def create(socket: ClientConnection, model: str, lane: str | None = None, **more: Any) -> None:
    """Ask for a response."""
    send(socket, model=model, input="x", **({"stream_id": lane} if lane else {}), **more)


def receive(socket: ClientConnection) -> Value:
    """The next message, which is one of the catalogue's."""
    event = ws.decode(socket.recv(timeout=TIMEOUT))
    assert [str(each) for each in ws.problems(event) if each.level != "info"] == []
    return dict(ws.encode(event))


ENDS = ("response.completed", "response.incomplete", "response.failed")


def until(socket: ClientConnection, count: int, ends: tuple[str, ...] = ENDS) -> list[Value]:
    """Messages up to the one that is the last of `count` ends."""
    found: list[Value] = []
    while sum(event["type"] in ends for event in found) < count:
        found.append(receive(socket))
    return found


def lanes_of(events: list[Value]) -> Any:
    """Our reading of messages."""
    lanes = ws.Lanes()
    for event in events:
        lanes.add(json.dumps(event))
    lanes.close()
    return lanes


def error_of(socket: ClientConnection) -> tuple[str | None, str | None, str | None]:
    """Code, parameter and lane of the error that is next."""
    event = receive(socket)
    assert (event["type"], event["status"]) == ("error", 400)
    return event["error"]["code"], event["error"]["param"], event.get("stream_id")


@pytest.mark.parametrize("name", NAMES)
def test_every_scenario_without_a_lane(here: str, name: str) -> None:
    with opened(here) as socket:
        create(socket, name)
        lanes = lanes_of(until(socket, 1))
    assert lanes.lanes == [None]
    assert ws.encode(lanes[None].final) == FINALS[name]
    assert lanes[None].problems == []


def test_lanes_run_side_by_side(here: str) -> None:
    names = ["text", "mcp", "reasoning", "shell"]
    with opened(here) as socket:
        for name in names:
            create(socket, name, f"lane.{name}")
        events = until(socket, len(names))
    order = [event["stream_id"] for event in events]
    assert len(set(order[: order.index("lane.shell") + 1])) == 4
    assert order != sorted(order, key=order.index)  # they come in turn, not one after the other
    lanes = lanes_of(events)
    for name in names:
        assert ws.encode(lanes[f"lane.{name}"].final) == FINALS[name]
        assert lanes[f"lane.{name}"].problems == []


def test_a_lane_is_first_in_first_out(here: str) -> None:
    names = ["reasoning", "text", "text", "refusal"]
    with opened(here) as socket:
        for name in names:
            create(socket, name, "a")
        events = until(socket, len(names))
    begun = [event["response"]["id"] for event in events if event["type"] == "response.created"]
    ended = [event["response"]["id"] for event in events if event["type"] == "response.completed"]
    assert begun == ended == ["resp_reasoning", "resp_text", "resp_text_2", "resp_refusal"]
    numbers = [event["sequence_number"] for event in events]
    assert numbers.count(0) == len(names)
    assert lanes_of(events)["a"].problems == []


@pytest.mark.parametrize("previous", [["x"], {"a": 1}, 3, "\ud800"])
def test_a_previous_response_may_be_anything(here: str, previous: object) -> None:
    with opened(here) as socket:
        create(socket, "text", previous_response_id=previous)
        assert error_of(socket)[0] == "previous_response_not_found"
        create(socket, "text")
        assert receive(socket)["type"] == "response.created"


def test_a_response_follows_another_one(here: str) -> None:
    with opened(here) as socket:
        create(socket, "text", previous_response_id="resp_never")
        assert error_of(socket) == ("previous_response_not_found", "previous_response_id", None)
        create(socket, "text", "a", previous_response_id="resp_never")
        assert error_of(socket) == ("previous_response_not_found", "previous_response_id", "a")
        create(socket, "parallel-tool-calls")
        until(socket, 1)
        create(socket, "text", "b", previous_response_id="resp_parallel_tool_calls")
        assert until(socket, 1)[-1]["stream_id"] == "b"
    assert ask(here, "/v1/responses", {"model": "refusal"}).status == 200
    with opened(here) as socket:  # what was played over HTTP is known too
        create(socket, "text", previous_response_id="resp_refusal")
        until(socket, 1)


@pytest.mark.parametrize("lane", ["", "a b", "é", "x" * 257, 7, "a\n", ["a"]])
def test_a_lane_has_a_name_of_256_characters(here: str, lane: Any) -> None:
    with opened(here) as socket:
        send(socket, model="text", input="x", stream_id=lane)
        assert error_of(socket) == ("invalid_stream_id", "stream_id", None)
        create(socket, "text", "Az09_.-" + "x" * 249)
        until(socket, 1)


def test_a_connection_has_32_lanes(here: str) -> None:
    with opened(here) as socket:
        for number in range(32):
            create(socket, "refusal", f"lane_{number}")
            until(socket, 1)
        create(socket, "refusal", "one-more")
        assert error_of(socket) == ("websocket_stream_limit_reached", "stream_id", "one-more")
        create(socket, "text", "lane_31")
        until(socket, 1)


def test_a_connection_has_16_responses_in_flight(here: str) -> None:
    with opened(here, X_Fault="stall=1") as socket:
        for number in range(16):
            create(socket, "text", f"lane_{number}")
        begun = [receive(socket) for _ in range(16)]
        assert {event["type"] for event in begun} == {"response.created"}
        create(socket, "text", "lane_16")
        assert error_of(socket) == ("websocket_stream_limit_reached", "stream_id", "lane_16")
        create(socket, "text", "lane_3")  # waits in its lane, and is not in flight
        steer(
            socket, "resp_text_4"
        )  # ends that of lane_3, and its successor; then the waiting one begins
        events = until(socket, 2)
        assert receive(socket)["response"]["id"] == "resp_text_17"
    assert {event["stream_id"] for event in events} == {"lane_3"}


def test_a_connection_ends_when_its_time_is_over() -> None:
    settings = Settings(limits=Limits(seconds=0))
    with running(create_app(read_library(SPEC), settings)) as short, opened(short) as socket:
        assert error_of(socket) == ("websocket_connection_limit_reached", None, None)
        with pytest.raises(ConnectionClosed) as caught:
            socket.recv(timeout=TIMEOUT)
        assert caught.value.rcvd is not None and caught.value.rcvd.code == 1000
    assert Limits() == Limits(in_flight=16, lanes=32, seconds=3600)


@pytest.mark.parametrize(
    "message", ["", "{", "[]", "{}", '{"type": 7}', b"\xff", '{"type": "response.cancel"}', "[" * 9000]
)  # fmt: skip
def test_a_message_that_is_no_client_event(here: str, message: str | bytes) -> None:
    with opened(here) as socket:
        socket.send(message)
        assert error_of(socket)[0] is None
        create(socket, "text")
        until(socket, 1)


def test_what_a_websocket_does_not_do(here: str) -> None:
    with opened(here) as socket:
        create(socket, "text", background=True)
        assert error_of(socket) == (None, "background", None)
    with opened(here, X_Play="nothing") as socket:
        create(socket, "text", "a")
        assert error_of(socket) == ("play_not_found", "model", "a")
    with opened(here, X_Fault="melt") as socket:
        assert error_of(socket)[0] is None
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=TIMEOUT)


def steer(socket: ClientConnection, identity: str, given: Any = "the other way") -> None:
    """Send steering input."""
    send(socket, "response.steer", previous_response_id=identity, input=given)


def test_a_steered_response_has_a_successor(here: str) -> None:
    with opened(here, X_Fault="stall=4") as socket:
        create(socket, "text", "a")
        before = [receive(socket) for _ in range(4)]
        steer(socket, "resp_text")
        events = before + until(socket, 2)
    lanes = lanes_of(events)
    state = lanes["a"]
    assert state.problems == []
    assert state.predecessors[0].incomplete_details.reason == "steered"
    assert ws.encode(state.final) == {**FINALS["text"], "id": "resp_text_2"}
    first = ws.encode(state.predecessors[0])
    assert first["output"] == FINALS["text"]["output"]  # it ends behind the item that was begun
    types = [event["type"] for event in events]
    assert types[4] == "response.steer.accepted"
    at = types.index("response.incomplete")
    assert types[at - 1 : at + 2] == [
        "response.output_item.done", "response.incomplete", "response.created",
    ]  # fmt: skip


def test_steering_waits_for_the_results_of_calls(here: str) -> None:
    with opened(here, X_Fault="stall=5") as socket:
        create(socket, "parallel-tool-calls")
        before = [receive(socket) for _ in range(5)]
        steer(socket, "resp_parallel_tool_calls")
        events = before + until(socket, 1, ("response.steer.pending",))
    assert [event["type"] for event in events[-2:]] == [
        "response.completed", "response.steer.pending",
    ]  # fmt: skip
    assert events[-1]["required_input"] == [
        {"type": "function_call_output", "call_id": f"call_tide_{n}", "name": "get_tide"}
        for n in (1, 2)
    ]
    state = lanes_of(events)[None]
    assert ws.encode(state.final) == FINALS["parallel-tool-calls"]
    assert state.problems == []


def test_steering_that_comes_too_late_comes_back(here: str) -> None:
    with opened(here) as socket:
        steer(socket, "resp_never")
        failed = receive(socket)
        assert failed["error"]["code"] == "response_not_found"
        assert failed["steer"] == {
            "input": "the other way", "previous_response_id": "resp_never",
        }  # fmt: skip
        create(socket, "text", "a")
        until(socket, 1)
        steer(socket, "resp_text")
        late = receive(socket)
        assert (late["error"]["code"], late["stream_id"]) == ("response_already_completed", "a")
        steer(socket, "resp_text", "")
        assert receive(socket)["error"]["code"] == "invalid_input"


@pytest.mark.parametrize("fault", ["cut=3", "drop=3", "tear=3"])
def test_a_connection_that_breaks(here: str, fault: str) -> None:
    with opened(here, X_Fault=fault) as socket:
        create(socket, "text")
        events = [receive(socket) for _ in range(3)]
        with pytest.raises(ConnectionClosed) as caught:
            socket.recv(timeout=TIMEOUT)
    assert caught.value.rcvd is not None and caught.value.rcvd.code == 1011
    lanes = lanes_of(events)
    with pytest.raises(ws.StreamError):
        lanes[None].final


def test_faults_of_events_come_over_the_websocket_too(here: str) -> None:
    for fault, kind in (
        ("duplicate=6", "sequence-repeat"),
        ("gap=6", "sequence-gap"),
        ("unknown-event=4", "unknown-event"),
    ):
        with opened(here, X_Fault=fault) as socket:
            create(socket, "text")
            events = []
            while not events or events[-1]["type"] not in ENDS:
                events.append(json.loads(socket.recv(timeout=TIMEOUT)))
        assert kind in [problem.kind for problem in lanes_of(events)[None].problems]


def test_each_client_has_its_own_connection(here: str) -> None:
    with opened(here, X_Fault="stall=2") as one, opened(here) as other:
        create(one, "text")
        receive(one)
        steer(other, "resp_text")
        assert receive(other)["error"]["code"] == "response_not_found"
        create(other, "text")
        assert until(other, 1)[-1]["response"]["id"] == "resp_text"


@pytest.mark.parametrize("fault", ["crlf", "rate-limit=3", "bytewise"])
def test_faults_of_http_are_refused_over_the_websocket(here: str, fault: str) -> None:
    with opened(here, X_Fault=fault) as socket:
        failed = receive(socket)
    assert failed["type"] == "error"
    assert "which a WebSocket cannot have" in failed["error"]["message"]


def test_a_fault_after_the_end_is_refused_over_the_websocket(here: str) -> None:
    with opened(here, X_Fault="cut=999") as socket:
        create(socket, "text")
        assert "cut=999: the stream has" in receive(socket)["error"]["message"]


def test_the_error_of_a_websocket_is_nested(here: str) -> None:
    with opened(here, X_Fault="error=2") as socket:
        create(socket, "text")
        event = [receive(socket) for _ in range(3)][-1]
    assert (event["type"], event["error"]["code"]) == ("error", "server_error")
    assert not [each for each in ws.problems(ws.decode(event)) if each.level != "info"]
