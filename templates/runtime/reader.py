"""From bytes to the events of a stream: framing on top of the decoders, without I/O of its own.

Reads chunks of bytes; returns events, keeps problems and how the stream ended. Never crashes on what a server sent:
data that is no event is an `UnknownEvent` with a `Problem`.
"""

from __future__ import annotations

from typing import Any, Generic, Literal, NamedTuple, TypeVar

from .blocks import Blocks, whole_blocks
from .bodies import Body
from .dialect import Source
from .errors import DecodeError, StreamError
from .json_text import Loads, loads
from .mending import Mending
from .problems import Problems
from .records import Level, Problem, UnknownEvent
from .rules import Signs, fails
from .sse import ServerSentEvent, SSEDecoder
from .stream import Stream

Event = TypeVar("Event")
Outcome = Literal["complete", "truncated", "error"]
DONE = "[DONE]"
ERROR = (("error", "errors"), "")
"""The signs of an error that stands in place of a stream, and those of one whose own properties say what failed."""
FLAT_ERROR = (("message", "detail"), "")


class Framing(NamedTuple):
    """How a stream is framed, as its fragment says.

    named      whether each event has an `event:` line that equals its tag
    done       whether the stream ends with [DONE]
    terminal   tags of which one must have come before the end; none where [DONE] ends the stream
    errors     tags of events that say that the stream failed
    fails      the signs by which any other event says so
    known      tags of events that the stream knows or that some servers send
    follow     tag → tags that may come after it though it is terminal
    error_tag  the tag of the event that stands for a body that is one JSON error object
    departures  gives the stream's dialects and what can be repaired
    """

    stream: Stream
    named: bool
    done: bool
    terminal: tuple[str, ...]
    errors: tuple[str, ...]
    fails: tuple[Signs, ...]
    known: frozenset[str]
    follow: dict[str, tuple[str, ...]]
    error_tag: str
    departures: Source


class EventReader(Generic[Event]):
    """The events of one body, sans-IO: `feed` bytes, `close` at the end. It belongs to one thread.

    problems       what the stream did that it should not have
    outcome        complete, truncated or error; None before the end
    last_event_id  the last event ID of the event stream (WHATWG HTML 9.2.6), for reconnecting
    """

    def __init__(
        self,
        framing: Framing,
        dialect: str | None = None,
        problems: Problems | None = None,
        loads: Loads | None = None,
    ) -> None:
        self.problems = Problems() if problems is None else problems
        self.outcome: Outcome | None = None
        self._framing = framing
        self._loads = loads
        self._mending: Mending | None = None
        if dialect is not None:
            self._mending = Mending(framing, dialect, self.problems)
            self._framing = self._mending.framing
        self._decoder = SSEDecoder(flush_incomplete=True)
        self._ended_by: str | None = None
        self._done = False
        self._done_id: str | None = None
        self._failed = False
        self._told_line = False
        self._body: Body | None = Body()  # until the first event
        self._blocks = blocks_of(self._framing, loads) if self._mending is None else None

    @property
    def last_event_id(self) -> str:
        """The last event ID that the stream gave; "" before one."""
        return self._decoder.last_event_id if self._done_id is None else self._done_id

    def feed(self, chunk: bytes) -> list[Event]:
        """The events that this chunk completes. Raises StreamError where one is larger than the decoder's limit."""
        if self._done:
            return []
        if self._body is not None:
            self._body.feed(chunk)
        elif self._blocks is not None and self._ended_by is None and type(chunk) is bytes:
            if len(chunk) <= self._decoder.max_event_bytes:
                return self._plainly(chunk)
        return self._events_of(self._decoder.feed(chunk))

    def _plainly(self, chunk: bytes) -> list[Any]:
        """As `feed`, by plain blocks as far as these go. What a limit refuses comes after the events before it."""
        events: list[Any] = []
        blocks, is_between = self._blocks, self._decoder.is_between
        if not is_between:
            end = chunk.find(b"\n\n") + 2
            begin, chunk = (chunk[:end], chunk[end:]) if end > 1 else (chunk, b"")
            events += self._events_of(self._decoder.feed(begin))
            is_between = self._decoder.is_between
        text, rest = whole_blocks(chunk) if is_between else ("", chunk)
        position = 0
        while position < len(text) and not self._done:
            end = len(text)
            if self._ended_by is None and blocks is not None:
                position = blocks.take(text, position, events)
                end = text.find("\n\n", position) + 2
                end = end if end > 1 else len(text)
            if position < end:
                events += self._events_of(self._decoder.feed(text[position:end].encode()))
            position = end
        if rest and not self._done:
            try:
                events += self._events_of(self._decoder.feed(rest))
            except StreamError:
                if not events:
                    raise
        return events

    def close(self) -> list[Event]:
        """The end of the body: what is left, and the outcome. A second call gives nothing. Raises StreamError where an event
        was larger than the limit, so that there is no outcome."""
        if self.outcome is not None:
            return []
        events: list[Any] = []
        for sse in [] if self._done else self._decoder.close():
            if sse.incomplete:
                self._report("incomplete-event", "warning", "the body ended inside an event", None)
            if not sse.incomplete or _is_whole(sse.data):
                events += self._events_of([sse])
        if self._body is not None and self._done:
            self._report("empty", "error", "the stream has no event before [DONE]", None)
        elif self._body is not None:
            events += self._error_body(self._body)
        self.outcome = self._judged()
        return events

    def _events_of(self, found: list[ServerSentEvent]) -> list[Any]:
        events = []
        for sse in found:
            if self._done:
                break
            if sse.data == DONE:
                self._done, self._done_id = (
                    True,
                    sse.id,
                )  # what follows in the same chunk is not read
                if not self._framing.done:
                    self._report("unexpected-done", "info", "the stream ends with [DONE]", None)
                break
            if not sse.data.strip(" \t\n") and sse.event not in self._framing.stream.events:
                continue  # a sign of life: an event without a payload
            self._body = None
            events.append(self._event(sse))
        return events

    def _event(self, sse: ServerSentEvent) -> Any:
        stream = self._framing.stream
        line = None if sse.event == "message" else sse.event
        try:
            data = loads(sse.data, self._loads)
        except DecodeError as error:
            self._report("not-json", "error", str(error), line)
            self._failed = self._failed or line in self._framing.errors
            return UnknownEvent(line, sse.data)
        if not isinstance(data, dict):
            self._report("not-an-object", "error", f"the data is {_short(sse.data)}", line)
            self._failed = self._failed or line in self._framing.errors
            return UnknownEvent(line, sse.data)
        if self._mending is not None:
            data = self._mending.mended(line, data)
        tag = data.get(stream.tag)
        try:
            if isinstance(tag, str) and (tag or not stream.untagged):
                if line is not None and line != tag:
                    what = f"the event line says {line!r}, the payload {tag!r}"
                    self._report("event-line", "warning", what, tag)
                event = stream.decode(data)
            elif line is not None:
                if tag:
                    what = f"the payload's {stream.tag} is {_short(repr(tag))}; the event line is taken"
                    self._report("event-line", "warning", what, line)
                elif not stream.untagged and line in stream.events and not self._told_line:
                    self._told_line = True
                    what = f"{stream.tag} is missing; the event line is taken, here and in what follows"
                    self.problems.keep(Problem("repaired", "info", what, f".{stream.tag}", line))
                event, tag = stream.decode_as(line, data), line
            elif stream.untagged and not tag:
                event, tag = stream.decode(data), stream.untagged
            else:
                self._report("no-tag", "error", f"the payload has no usable {stream.tag!r}", None)
                tag = self._framing.error_tag
                if not tag or not fails(data, ERROR):
                    return UnknownEvent(None, data)
                event = stream.decode_as(tag, data)
        except DecodeError as error:
            self._report("not-decodable", "error", str(error), line)
            return UnknownEvent(line, data)
        self._note(str(tag), data)
        return event

    def _note(self, tag: str, data: dict[str, Any]) -> None:
        """Take note of ends and errors."""
        framing = self._framing
        follow = framing.follow.get(self._ended_by, ()) if self._ended_by is not None else ()
        if self._ended_by is not None and tag not in follow and "*" not in follow:
            what = f"an event came after {self._ended_by!r}"
            self._report("after-terminal", "warning", what, tag)
        if tag in framing.errors or any(fails(data, signs) for signs in framing.fails):
            self._failed = True
        if tag in framing.terminal:
            self._ended_by = tag

    def _error_body(self, body: Body) -> list[Any]:
        """The event that a body is which is one JSON object, or a list of one: the stream's error event, or one of which it
        has the tag."""
        data = body.value
        if data is None:
            self._report("empty", "error", f"the stream has no event; {body}", None)
            return []
        stream, own = self._framing.stream, self._framing.error_tag
        tag = data.get(stream.tag)
        is_known = isinstance(tag, str) and tag in self._framing.known
        if fails(data, ERROR) or (not is_known and fails(data, FLAT_ERROR)):
            self._failed = True
            what = "the body is a JSON error in place of an event stream"
            self._report("error-body", "error", what, None)
            return [stream.decode_as(own, data) if own else UnknownEvent(None, data)]
        what = "the body is a JSON object in place of an event stream"
        self._report("json-body", "warning", what, None)
        if not is_known:
            return [UnknownEvent(tag if isinstance(tag, str) else None, data)]
        self._note(str(tag), data)
        return [stream.decode(data)]

    def _judged(self) -> Outcome:
        if self._failed:
            return "error"
        if self._ended_by is not None or (self._done and not self._framing.terminal):
            return "complete"
        what = (
            "the stream ended without [DONE]"
            if not self._framing.terminal
            else ("the stream ended without its terminal event")
        )
        self._report("truncated", "warning", what, None)
        return "truncated"

    def _report(self, kind: str, level: Level, message: str, tag: str | None) -> None:
        self.problems.keep(Problem(kind, level, message, tag=tag))


def blocks_of(framing: Framing, loads: Loads | None = None) -> Blocks:
    """The plain blocks of a stream that is framed so."""
    watched = frozenset({*framing.terminal, *framing.errors})
    signs = frozenset(name for names, _ in framing.fails for name in names)
    return Blocks(framing.stream, framing.known, watched, signs, loads)


def _is_whole(data: str) -> bool:
    """Whether the data of an event that was cut is all of it: one JSON object, or the end."""
    try:
        return data == DONE or isinstance(loads(data), dict)
    except DecodeError:
        return False


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"
