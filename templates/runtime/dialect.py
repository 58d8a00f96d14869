"""Dialects: how servers depart from a stream, and what a reader or an accumulator makes of it.

Reads events and payloads; returns them repaired as the dialect says. Never repairs anything that the dialect does not name,
and never without a report.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple, cast

from .records import Level, Problem, UnknownEvent
from .repair import Repair, Repairs, Report
from .stream import Stream


class Dialect(NamedTuple):
    """How one server departs from the stream, as its fragment says it.

    done        whether the stream ends with [DONE]
    terminal    tags of which one must have come before the end
    follow      tag → tags that may come after it though it is terminal
    own         tags that the stream does not have
    prefix      regular expression for the begin of further tags of its own; "" for none
    repairs     properties that are filled in
    leaves_out  tag → properties that the server leaves out
    expects     kinds of problems that are usual
    """

    name: str
    done: bool
    terminal: tuple[str, ...]
    follow: dict[str, tuple[str, ...]] = {}
    own: tuple[str, ...] = ()
    prefix: str = ""
    repairs: tuple[str, ...] = ()
    leaves_out: dict[str, tuple[str, ...]] = {}
    expects: tuple[str, ...] = ()

    def knows(self, tag: str | None) -> bool:
        """Whether a tag that the stream does not have is one of the dialect's own."""
        if not isinstance(tag, str):
            return False
        return tag in self.own or bool(self.prefix and re.match(self.prefix, tag))

    def is_usual(self, kind: str, tag: str | None, path: str) -> bool:
        """Whether a problem of this kind is what the server always does."""
        left_out = self.leaves_out.get(tag or "", ())
        return kind in self.expects or (
            kind in ("missing-source", "missing-snapshot")
            and any(path.startswith(f".{name}") for name in left_out)
        )


class Departures(NamedTuple):
    """The dialects of a stream, and what can be repaired in it."""

    dialects: dict[str, Dialect]
    repairs: Repairs


Source = Callable[[], Departures]
"""Gives the departures; called when a dialect is asked for or a repair is needed, not before."""


def chosen(source: Source, name: str, stream: str) -> Dialect:
    """The dialect called `name`. Raises ValueError naming those that exist."""
    dialects = source().dialects
    if name not in dialects:
        known = ", ".join(map(repr, sorted(dialects))) or "none"
        raise ValueError(f"{stream} has no dialect {name!r}; there is {known}")
    return dialects[name]


def repaired(
    sequence: str, level: str, name: str, what: str, tag: str, data: dict[str, Any]
) -> Problem:
    """The problem of a repair. `sequence` is the property of the sequence number; "" where there is none."""
    number = data.get(sequence)
    at_number = number if type(number) is int else None
    return Problem("repaired", cast(Level, level), what, f".{name}", tag, at_number)


class Fixes:
    """Repairs of events that are decoded already.

    only  the properties that are filled in
    """

    def __init__(
        self,
        stream: Stream,
        repairs: Repairs,
        only: tuple[str, ...],
        report: Report,
        tag_of: Callable[[Any], str | None],
    ) -> None:
        self._stream = stream
        self._repair = Repair(repairs, only, report)
        self._tag_of = tag_of

    def fixed(self, event: Any) -> Any:
        """The event with what was missing, decoded anew; the same object where nothing was."""
        is_unknown = type(event) is UnknownEvent
        tag = event.tag if is_unknown else self._tag_of(event)
        if tag is None or (is_unknown and not isinstance(event.data, dict)):
            return event
        if not self._repair.lacks(tag, event):
            self._repair.note(tag, event)
            return event
        data = event.data if is_unknown else self._stream.wire.encode(event)
        fixed = self._repair.repaired(tag, data)
        if fixed is data:
            return event
        if isinstance(fixed.get(self._stream.tag), str):
            return self._stream.decode(fixed)
        return self._stream.decode_as(tag, fixed)
