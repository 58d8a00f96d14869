"""Iterators over the events of chunks of bytes, for what is read in one thread and for what is awaited.

Reads chunks; hands events out as soon as a chunk completes them. Never opens, reads or closes a transport.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from typing import Any, Generic, TypeVar, cast

from .json_text import Loads as Loads
from .reader import EventReader as EventReader, Framing as Framing, Outcome
from .records import Problem

Event = TypeVar("Event")


class _Reading:
    """What sync and async readers share: how the stream stands."""

    def __init__(self, framing: Framing, dialect: str | None, loads: Loads | None) -> None:
        self._reader: EventReader[Any] = EventReader(framing, dialect, loads=loads)

    @property
    def problems(self) -> list[Problem]:
        """What the stream did that it should not have, so far."""
        return self._reader.problems

    @property
    def outcome(self) -> Outcome | None:
        """complete, truncated or error; None before the end."""
        return self._reader.outcome

    @property
    def last_event_id(self) -> str:
        """The last event ID that the stream gave; "" before one."""
        return self._reader.last_event_id


class Reader(_Reading, Generic[Event]):
    """An iterator over the events of chunks of bytes. It ends with [DONE] or with the chunks."""

    def __init__(
        self,
        framing: Framing,
        chunks: Iterable[bytes],
        dialect: str | None = None,
        loads: Loads | None = None,
    ) -> None:
        super().__init__(framing, dialect, loads)
        self._events = self._read(chunks)

    def __iter__(self) -> Iterator[Event]:
        return self._events  # not self, so that a loop does not call __next__ for each event

    def __next__(self) -> Event:
        return next(self._events)

    def _read(self, chunks: Iterable[bytes]) -> Iterator[Event]:
        for chunk in chunks:
            yield from cast("list[Event]", self._reader.feed(chunk))
            if self._reader._done:
                break
        yield from cast("list[Event]", self._reader.close())


class AsyncReader(_Reading, Generic[Event]):
    """As `Reader`, over an asynchronous iterable."""

    def __init__(
        self,
        framing: Framing,
        chunks: AsyncIterable[bytes],
        dialect: str | None = None,
        loads: Loads | None = None,
    ) -> None:
        super().__init__(framing, dialect, loads)
        self._events = self._read(chunks)

    def __aiter__(self) -> AsyncIterator[Event]:
        return self._events

    async def __anext__(self) -> Event:
        return await self._events.__anext__()

    async def _read(self, chunks: AsyncIterable[bytes]) -> AsyncIterator[Event]:
        async for chunk in chunks:
            for event in self._reader.feed(chunk):
                yield event
            if self._reader._done:
                break
        for event in self._reader.close():
            yield event
