"""Several streams over one connection: the lanes of a WebSocket.

Reads messages; hands each event out with its lane and adds it to that lane's accumulator. Never mixes two lanes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, TypeVar, cast

from .accumulate import Accumulation
from .dialect import chosen
from .rules import value_of
from .stream import Payload, Stream

Event = TypeVar("Event")
State = TypeVar("State", bound=Accumulation)


class Lanes(Generic[Event, State]):
    """Accumulators by lane. `add` takes a text message or an event; `self[lane]` is the accumulator of a lane."""

    LANE: ClassVar[str]
    STREAM: ClassVar[Stream]
    ACCUMULATOR: ClassVar[type[Accumulation]]

    def __init__(self, dialect: str | None = None) -> None:
        if dialect is not None:
            chosen(self.ACCUMULATOR.PLAN.departures, dialect, self.STREAM.name)
        self._dialect = dialect
        self._lanes: dict[str | None, State] = {}

    def add(self, message: Payload | Event) -> tuple[str | None, Event]:
        """The lane and the event of a message, which its lane's accumulator has then taken.

        A lane that is a number or a boolean goes by its JSON text, and one that is a list or an object by None. Raises
        DecodeError for a message that is no event.
        """
        event: Any = message
        if isinstance(message, (str, bytes, bytearray, memoryview, Mapping)):
            event = self.STREAM.decode(message)
        lane = value_of(event, self.LANE)
        if lane is not None and not isinstance(lane, str):
            lane = json.dumps(lane) if isinstance(lane, (bool, int, float)) else None
        self[lane].add(event)
        return lane, cast(Event, event)

    def __getitem__(self, lane: str | None) -> State:
        """The accumulator of a lane; of None, that of events without one. A lane that was not seen gets a new one."""
        if lane not in self._lanes:
            self._lanes[lane] = cast(State, self.ACCUMULATOR(self._dialect))
        return self._lanes[lane]

    @property
    def lanes(self) -> list[str | None]:
        """The lanes so far, of events and those that were asked for, in the order in which they were first."""
        return list(self._lanes)

    def close(self) -> None:
        """Say that the connection is closed: a lane without its terminal event has no final object."""
        for state in self._lanes.values():
            state.end()
