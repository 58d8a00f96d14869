"""One lane of a WebSocket: its responses one after the other, and what steers them.

Reads turns; sends their events in order, with the lane's name on each. Never touches another lane.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from codegen.serve.faults import ENDS, SOCKET, Fault, changed
from codegen.serve.frame import Frame
from codegen.serve.library import Play
from codegen.scenarios.scenario import Value

STUBS = {
    "function_call": ("function_call_output", ("call_id", "name")),
    "custom_tool_call": ("custom_tool_call_output", ("call_id",)),
    "mcp_approval_request": ("mcp_approval_response", ()),
}
"""Type of an item that waits for the caller → the input that answers it, and what it takes from the item."""


@dataclass
class Turn:
    """One response that was asked for. `steers`: ids of steering input that was accepted and is not applied yet."""

    play: Play
    steers: list[str] = field(default_factory=list)
    steered: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def required(self) -> list[Value]:
        """Stubs of the input that the response waits for at its end."""
        found = []
        for item in (self.play.answer or {}).get("output", ()):
            if item.get("type") in STUBS:
                kind, names = STUBS[item["type"]]
                found.append({"type": kind, **{name: item[name] for name in names}})
                if not names:
                    found[-1]["approval_request_id"] = item["id"]
        return found


class Lane:
    """A lane. `now`: the turn that is being played; None while the lane is idle."""

    def __init__(
        self,
        name: str | None,
        send: Callable[[Value], Awaitable[None]],
        close: Callable[[], Awaitable[None]],
        successor: Callable[[Turn], Play],
        faults: tuple[Fault, ...],
        pace: float,
    ) -> None:
        self.name = name
        self.now: Turn | None = None
        self.waiting: deque[Turn] = deque()
        self.task: asyncio.Task[None] | None = None
        self._send, self._close, self._successor = send, close, successor
        self._faults, self._pace = faults, pace
        self._next = self._ahead = 0

    def add(self, turn: Turn) -> None:
        """Play a turn when those before it are over."""
        self.waiting.append(turn)
        if self.now is None:
            self.now = self.waiting[0]
            self.task = asyncio.ensure_future(self._run())

    async def tell(self, event: Value) -> None:
        """Send an event that the play does not have, with the next number; those behind it count on from there."""
        number, self._next, self._ahead = self._next, self._next + 1, self._ahead + 1
        await self._out({**event, "sequence_number": number})

    async def _run(self) -> None:
        while self.waiting:
            self.now = self.waiting.popleft()
            self._next = self._ahead = 0
            await self._turn(self.now)
        self.now = None

    async def _turn(self, turn: Turn) -> None:
        """The events of one response, up to where the faults end it; as steered, its successor follows."""
        numbers = dict(self._faults)
        stop = next((numbers[name] for name in ENDS if name in numbers), None)
        framing = turn.play.framing._replace(stream=SOCKET)
        frames = changed(turn.play.frames, self._faults, framing)
        output = _Output()
        for count, frame in enumerate(frames):
            if count == stop:
                await self._stopped(turn)
            if turn.steered.is_set() and not turn.required and output.is_between:
                await self._succeed(turn, output.done)
                return
            await self._play(frame)
            output.take(frame.event or {})
        for steer in turn.steers:
            pending = {"steer": self._named(turn, steer), "required_input": turn.required}
            reason = {"reason": "waiting_for_required_input"}
            await self.tell({"type": "response.steer.pending", **reason, **pending})

    async def _play(self, frame: Frame) -> None:
        """Send an event of a play, its number put on by what was told in between."""
        if frame.event is None:
            return
        number = frame.event.get("sequence_number")
        if not isinstance(number, int):
            return await self._out(frame.event)
        self._next = number + self._ahead + 1
        await self._out({**frame.event, "sequence_number": self._next - 1})

    async def _stopped(self, turn: Turn) -> None:
        """A stall waits for steering input; any other stop ends the connection."""
        if "stall" in dict(self._faults):
            await turn.steered.wait()
        else:
            await self._close()

    async def _succeed(self, turn: Turn, done: list[Value]) -> None:
        """End a response that was steered, with the items that are finished, and play its successor."""
        details = {"status": "incomplete", "incomplete_details": {"reason": "steered"}}
        final = {**(turn.play.answer or {}), **details, "output": done, "completed_at": None}
        await self.tell({"type": "response.incomplete", "response": final})
        self.now = Turn(self._successor(turn))
        self._ahead = self._next
        for frame in self.now.play.frames:
            await self._play(frame)

    async def accept(self, turn: Turn, steer: str) -> None:
        """Take steering input for the turn that is being played."""
        await self.tell({"type": "response.steer.accepted", "steer": self._named(turn, steer)})
        if turn.required:
            turn.steers.append(steer)
        turn.steered.set()

    def _named(self, turn: Turn, steer: str) -> Value:
        return {"id": steer, "previous_response_id": turn.play.identity}

    async def _out(self, event: Value) -> None:
        await asyncio.sleep(self._pace)  # also the other lanes' turn
        await self._send(event if self.name is None else {**event, "stream_id": self.name})


class _Output:
    """The items of a response that is being played: where it may end as steered is between two of them."""

    def __init__(self) -> None:
        self.done: list[Value] = []
        self._open = 0

    @property
    def is_between(self) -> bool:
        """Whether no item is begun and not finished."""
        return self._open == 0

    def take(self, event: Value) -> None:
        """Look at an event that was sent."""
        if event.get("type") == "response.output_item.added":
            self._open += 1
        elif event.get("type") == "response.output_item.done":
            self._open -= 1
            self.done.append(event["item"])
