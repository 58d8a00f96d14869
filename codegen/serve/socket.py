"""The WebSocket of the Responses API: lanes, their limits, steering.

Reads client events; hands them to lanes. Never ends a connection over a bad request: the client gets an error and goes on.

Lanes, first in first out, the limits and the codes are those of the API's guide to its WebSocket mode.
"""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass

from starlette.websockets import WebSocket

from codegen.serve.faults import BadFault, read_faults, require_messages, require_possible
from codegen.serve.frame import text_of
from codegen.serve.lane import Lane, Turn
from codegen.serve.library import Library, NoPlay, Play
from codegen.serve.replies import played_name
from codegen.scenarios.scenario import Value

STREAM = "responses"
_LANE = re.compile(r"[A-Za-z0-9_.-]{1,256}")
LIMIT = "websocket_stream_limit_reached"


@dataclass(frozen=True)
class Limits:
    """What one connection may do. `seconds`: how long it lasts; `waiting`: responses that wait in one lane."""

    in_flight: int = 16
    lanes: int = 32
    seconds: float = 60 * 60
    waiting: int = 64


class BadRequest(Exception):
    """A client event that gets an error."""

    def __init__(self, code: str | None, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.code, self.param = code, param


class Socket:
    """One connection. `known`: ids of responses that were played, here or over HTTP before."""

    def __init__(
        self,
        websocket: WebSocket,
        library: Library,
        limits: Limits,
        known: set[str],
        pace: float = 0.0,
    ) -> None:
        self._websocket, self._library, self._limits, self._known = (
            websocket,
            library,
            limits,
            known,
        )
        self._pace = pace
        self._lanes: dict[str | None, Lane] = {}
        self._own: dict[str, Lane] = {}
        self._steers = 0

    async def run(self) -> None:
        """Serve the connection until the client leaves or its time is over."""
        await self._websocket.accept()
        try:
            self._faults = read_faults(self._websocket.headers.get("X-Fault", ""))
            require_messages(self._faults)
            await self._read()
        except BadFault as error:
            await self._error(BadRequest(None, f"X-Fault: {error}"))
            await self._close(1008)
        finally:
            for lane in self._lanes.values():
                if lane.task is not None:
                    lane.task.cancel()

    async def _read(self) -> None:
        clock = asyncio.get_running_loop().time
        end = clock() + self._limits.seconds
        while True:
            try:
                message = await asyncio.wait_for(self._websocket.receive(), end - clock())
            except TimeoutError:
                over = "The connection has reached its time limit; open another one."
                await self._error(BadRequest("websocket_connection_limit_reached", over))
                return await self._close(1000)
            if message["type"] == "websocket.disconnect":
                return
            await self._taken(message.get("text") or message.get("bytes") or "")

    async def _taken(self, message: str | bytes) -> None:
        """Do what one client event asks for; an error is answered in the lane that the event names, if it names one."""
        lane: str | None = None
        try:
            event = _event(message)
            if event["type"] == "response.create":
                lane = _lane(event)
                self._create(lane, event)
            elif event["type"] == "response.steer":
                await self._steer(event)
            else:
                raise BadRequest(None, f"There is no client event {event['type']!r}.", "type")
        except BadRequest as error:
            await self._error(error, lane)

    def _create(self, name: str | None, event: Value) -> None:
        previous = event.get("previous_response_id")
        is_known = isinstance(previous, str) and previous in self._known
        if previous is not None and not is_known:
            message = f"Previous response with id '{previous}' not found."
            raise BadRequest("previous_response_not_found", message, "previous_response_id")
        if event.get("background"):
            raise BadRequest(None, "A WebSocket has no responses in the background.", "background")
        lane = self._open(name)
        play = self._play(event)
        try:
            require_possible(self._faults, len(play.frames), True)
        except BadFault as error:
            raise BadRequest(None, f"X-Fault: {error}") from None
        if play.answer is not None:
            self._known.add(play.identity)
            self._own[play.identity] = lane
        lane.add(Turn(play))

    def _open(self, name: str | None) -> Lane:
        """The lane of that name, where the limits allow one more response in it."""
        limits, lane = self._limits, self._lanes.get(name)
        if lane is None and len(self._lanes) >= limits.lanes:
            raise BadRequest(LIMIT, f"A connection has at most {limits.lanes} lanes.", "stream_id")
        in_flight = sum(each.now is not None for each in self._lanes.values())
        is_idle = lane is None or lane.now is None
        if is_idle and in_flight >= limits.in_flight:
            message = f"A connection has at most {limits.in_flight} responses in flight."
            raise BadRequest(LIMIT, message, "stream_id")
        if lane is not None and len(lane.waiting) >= limits.waiting:
            raise BadRequest(LIMIT, "Too many responses wait in this lane.", "stream_id")
        if lane is None:
            lane = Lane(name, self._send, self._drop, self._successor, self._faults, self._pace)
            self._lanes[name] = lane
        return lane

    def _play(self, event: Value) -> Play:
        """The play that the handshake's X-Play or the model chooses, with an id that is new on this connection."""
        library, model = self._library, event.get("model")
        is_known = isinstance(model, str) and library.has(STREAM, model)
        try:
            chosen = str(model) if is_known else library.default(STREAM)
            name = played_name(self._websocket.headers) or chosen
            play = library.find(STREAM, name)
        except NoPlay as error:
            raise BadRequest("play_not_found", str(error), "model") from None
        return self._renamed(play)

    def _renamed(self, play: Play) -> Play:
        if play.identity not in self._own or not self._library.has(STREAM, play.name):
            return play
        number = 2
        while f"{play.identity}_{number}" in self._own:
            number += 1
        return self._library.find(STREAM, play.name, f"{play.identity}_{number}")

    def _successor(self, turn: Turn) -> Play:
        """The response that follows one that was steered."""
        play = self._renamed(self._library.find(STREAM, self._library.default(STREAM)))
        self._known.add(play.identity)
        self._own[play.identity] = self._own[turn.play.identity]
        return play

    async def _steer(self, event: Value) -> None:
        target = event.get("previous_response_id")
        lane = self._own.get(target) if isinstance(target, str) else None
        turn = lane.now if lane is not None else None
        if lane is None:
            return await self._unsteered(
                event, "response_not_found", "It is not on this connection."
            )
        if not event.get("input") or not isinstance(event["input"], (str, list)):
            return await self._unsteered(event, "invalid_input", "There is no input.", lane)
        if turn is None or turn.play.identity != target:
            what = "The response takes no more input."
            return await self._unsteered(event, "response_already_completed", what, lane)
        self._steers += 1
        await lane.accept(turn, f"steer_{self._steers}")

    async def _unsteered(
        self, event: Value, code: str, message: str, lane: Lane | None = None
    ) -> None:
        """Give steering input back."""
        steer = {
            "input": event.get("input", ""),
            "previous_response_id": str(event.get("previous_response_id", "")),
        }
        error = {"type": "invalid_request_error", "code": code, "message": message}
        failed = {"type": "response.steer.failed", "error": error, "steer": steer}
        if lane is None:
            await self._send({**failed, "sequence_number": 0})
        else:
            await lane.tell(failed)

    async def _error(self, error: BadRequest, lane: str | None = None) -> None:
        inner = {
            "type": "invalid_request_error",
            "code": error.code,
            "message": str(error),
            "param": error.param,
        }
        event: Value = {"type": "error", "status": 400, "error": inner}
        await self._send(event if lane is None else {**event, "stream_id": lane})

    async def _send(self, event: Value) -> None:
        try:
            await self._websocket.send_text(text_of(event))
        except (RuntimeError, OSError):  # the client has left; `_read` finds out
            await asyncio.Event().wait()

    async def _drop(self) -> None:
        """End the connection in the middle of a response, as a fault asks."""
        await self._close(1011)
        await asyncio.Event().wait()

    async def _close(self, code: int) -> None:
        try:
            await self._websocket.close(code)
        except (RuntimeError, OSError):
            pass  # it is closed already


def _event(message: str | bytes) -> Value:
    try:
        value = json.loads(message)
    except (ValueError, RecursionError):
        raise BadRequest(None, "The message is not JSON.") from None
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        raise BadRequest(None, "The message is not an object with a type.", "type")
    return value


def _lane(event: Value) -> str | None:
    """The lane that an event names; None for none."""
    name = event.get("stream_id")
    if name is None:
        return None
    if not isinstance(name, str) or not _LANE.fullmatch(name):
        message = "stream_id is 1 to 256 of the characters A-Z a-z 0-9 _ . -"
        raise BadRequest("invalid_stream_id", message, "stream_id")
    return name
