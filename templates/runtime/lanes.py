"""Several streams over one connection: the lanes of a WebSocket.

Reads messages; hands each event out with its lane and adds it to that lane's accumulator. Never mixes two lanes.
"""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar, cast

from .accumulate import Accumulation
from .engine import value_of
from .stream import Payload, Stream

Event = TypeVar("Event")
State = TypeVar("State", bound=Accumulation)


class Lanes(Generic[Event, State]):
    """Accumulators by lane. `add` takes a text message or an event; `self[lane]` is the accumulator of a lane."""

    LANE: ClassVar[str]
    STREAM: ClassVar[Stream]
    ACCUMULATOR: ClassVar[type[Accumulation]]

    def __init__(self) -> None:
        self._lanes: dict[str | None, State] = {}

    def add(self, message: Payload | Event) -> tuple[str | None, Event]:
        """The lane and the event of a message, which its lane's accumulator has then taken.

        Raises DecodeError for a message that is no event.
        """
        event: Any = message
        if isinstance(message, (str, bytes, bytearray, memoryview, dict)):
            event = self.STREAM.decode(message)
        lane = value_of(event, self.LANE)
        lane = lane if isinstance(lane, str) else None
        self[lane].add(event)
        return lane, cast(Event, event)

    def __getitem__(self, lane: str | None) -> State:
        if lane not in self._lanes:
            self._lanes[lane] = cast(State, self.ACCUMULATOR())
        return self._lanes[lane]

    @property
    def lanes(self) -> list[str | None]:
        """The lanes seen so far, in the order of their first event."""
        return list(self._lanes)

    def close(self) -> None:
        """Say that the connection is closed: a lane without its terminal event has no final object."""
        for state in self._lanes.values():
            state.end()
