"""What goes wrong in real life, on purpose.

Reads the header `X-Fault` and the frames of a stream; returns other frames, and how the body is cut and ended. Never does
I/O and never waits: a stall is said, not slept.

    X-Fault: cut=3, crlf      faults with the number that they take, in any order; events count from 1
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from codegen.serve.frame import Frame, Framing, text_of
from codegen.scenarios.scenario import Value

Frames = tuple[Frame, ...]


class Fault(NamedTuple):
    """One fault of a request: its name, and the number that it takes."""

    name: str
    number: int


class Delivery(NamedTuple):
    """The body: chunks, and how it ends: whole (as HTTP has it), dropped (the connection breaks) or stalled."""

    chunks: list[bytes]
    end: str


class BadFault(ValueError):
    """The header names no fault that there is."""


@dataclass(frozen=True)
class Kind:
    """A fault that there is: what it does, its number where the header gives none, and what changes the frames."""

    about: str
    default: int | None = None
    change: Callable[[Frames, int, Framing], Frames] | None = None


def read_faults(header: str) -> tuple[Fault, ...]:
    """The faults of a header; BadFault where it names another."""
    found = []
    for part in filter(None, (each.strip() for each in header.split(","))):
        name, equals, number = (each.strip() for each in part.partition("="))
        if name not in FAULTS:
            raise BadFault(f"there is no fault {name!r}; there are {', '.join(FAULTS)}")
        default = FAULTS[name].default
        if (equals and default is None) or not re.fullmatch(r"\d{0,9}", number, re.ASCII):
            raise BadFault(f"{part!r}: write {usage(name)}")
        found.append(Fault(name, int(number) if number else default or 0))
    return tuple(found)


def require_possible(faults: tuple[Fault, ...], frames: int, is_stream: bool) -> None:
    """BadFault where one of the faults cannot happen to an answer of so many frames, or to one that is no stream."""
    for name, number in faults:
        if name in OF_HTTP:
            continue
        if not is_stream:
            raise BadFault(f"{name} is a fault of streams; ask with stream: true")
        if FAULTS[name].default is not None and number > frames:
            raise BadFault(f"{name}={number}: the stream has {frames} events")
        if number == 0 and name in OF_ONE_EVENT:
            raise BadFault(f"{name}=0: events count from 1")


def require_messages(faults: tuple[Fault, ...]) -> None:
    """BadFault where one of the faults is of the bytes of a body or of HTTP, and cannot happen to messages of a WebSocket."""
    for name, _ in faults:
        if name in OF_HTTP or name in OF_BODY:
            raise BadFault(f"{name} is a fault of HTTP, which a WebSocket cannot have")


def usage(name: str) -> str:
    """A fault as the header has it."""
    default = FAULTS[name].default
    return name if default is None else f"{name}={default}"


def changed(frames: Frames, faults: tuple[Fault, ...], framing: Framing) -> Frames:
    """The frames with all faults that change frames; those that change bytes come last, as they would be lost."""
    for fault in sorted(faults, key=lambda each: OF_BYTES.get(each.name, 0)):
        change = FAULTS[fault.name].change
        if change is not None:
            frames = change(frames, fault.number, framing)
    return frames


def delivered(frames: Frames, faults: tuple[Fault, ...]) -> Delivery:
    """How the frames go out: up to where they are cut, in the pieces that the faults ask for."""
    numbers = dict(faults)
    end = next((ends for name, ends in ENDS.items() if name in numbers), "whole")
    stop = next((numbers[name] for name in ENDS if name in numbers), len(frames))
    chunks = [frame.data for frame in frames[:stop]]
    if "tear" in numbers and stop and stop <= len(frames):
        chunks[-1] = chunks[-1][: len(chunks[-1]) // 2]
    if "split" in numbers:
        chunks = [piece for chunk in chunks for piece in _inside_characters(chunk)]
    if "bytewise" in numbers:
        chunks = [bytes([byte]) for chunk in chunks for byte in chunk]
    return Delivery(chunks, end)


def _inside_characters(chunk: bytes) -> list[bytes]:
    """The chunk, cut after the first byte of each character that has several."""
    places = [at + 1 for at, byte in enumerate(chunk) if byte >= 0xC0]
    return [chunk[a:b] for a, b in zip([0, *places], [*places, len(chunk)])]


def _duplicate(frames: Frames, number: int, framing: Framing) -> Frames:
    return (*frames[:number], *frames[number - 1 : number], *frames[number:])


def _gap(frames: Frames, number: int, framing: Framing) -> Frames:
    return (*frames[: number - 1], *frames[number:])


def _unknown_event(frames: Frames, number: int, framing: Framing) -> Frames:
    """An event of an unknown kind after the event; the numbers of those behind it go up by one."""
    known = frames[number - 1].event if 0 < number <= len(frames) else None
    made = {framing.tag: "telepathy.delta", "delta": "…", **_next_number(known, framing)}
    later = tuple(_renumbered(frame, framing) for frame in frames[number:])
    return (*frames[:number], framing.frame(made), *later)


def _next_number(event: Value | None, framing: Framing) -> Value:
    """The property with the number after that of an event; nothing where it has none."""
    number = (event or {}).get(framing.number)
    return {framing.number: number + 1} if isinstance(number, int) else {}


def _renumbered(frame: Frame, framing: Framing) -> Frame:
    """The frame with the next number; the same one where it has none."""
    number = _next_number(frame.event, framing)
    return framing.frame({**(frame.event or {}), **number}) if number else frame


def _unknown_field(frames: Frames, number: int, framing: Framing) -> Frames:
    if not 0 < number <= len(frames) or frames[number - 1].event is None:
        return frames
    event = {**(frames[number - 1].event or {}), "x_unknown": {"depth": [1, None]}}
    return (*frames[: number - 1], framing.frame(event), *frames[number:])


def _error(frames: Frames, number: int, framing: Framing) -> Frames:
    """The stream's own error in place of what comes after the event."""
    made = error_event(framing, number)
    return (*frames[:number], framing.frame(made))


def error_event(framing: Framing, number: int) -> Value:
    """The event with which the stream says that it failed."""
    message = "The server broke off, as X-Fault asked."
    if framing.stream == "responses":
        flat = {"type": "error", "code": "server_error", "message": message, "param": None}
        return {**flat, framing.number: number}
    if framing.stream == SOCKET:
        inner = {"type": "server_error", "code": "server_error", "message": message, "param": None}
        return {"type": "error", "status": 500, "error": inner}
    if framing.stream == "messages":
        return {"type": "error", "error": {"type": "overloaded_error", "message": message}}
    error = {"message": message, "type": "server_error", "param": None, "code": None}
    return {"error": error} if not framing.named else {"type": "error", "error": error}


def _after_terminal(frames: Frames, number: int, framing: Framing) -> Frames:
    """The event before the last one again, behind the end."""
    events = [frame.event for frame in frames if frame.event is not None]
    if len(events) < 2:
        return (*frames, *frames[-1:])
    late = {**events[-2], **_next_number(events[-1], framing)}
    return (*frames, framing.frame(late))


def _crlf(frames: Frames, number: int, framing: Framing) -> Frames:
    return tuple(
        Frame(re.sub(rb"\r\n|\r|\n", b"\r\n", frame.data), frame.event) for frame in frames
    )


def _comments(frames: Frames, number: int, framing: Framing) -> Frames:
    """A comment before each block, every second one as a block of its own."""
    notes = (b": keep-alive\n\n", b": keep-alive\n")
    return tuple(Frame(notes[at % 2] + frame.data, frame.event) for at, frame in enumerate(frames))


ENDS = {"cut": "whole", "tear": "whole", "drop": "dropped", "stall": "stalled"}
"""Fault that stops the body → how the body ends."""

SOCKET = "responses-websocket-server"
"""The stream that a WebSocket carries, whose errors are nested."""

OF_HTTP = ("rate-limit", "error-body")
"""Faults that come in place of the answer, whether or not it is a stream."""

OF_BODY = ("bytewise", "split", "crlf", "comments")
"""Faults of a body's bytes."""

OF_ONE_EVENT = ("tear", "duplicate", "gap", "unknown-field")
"""Faults that happen to event N itself, and not after it."""

OF_BYTES = {"comments": 1, "crlf": 2}
"""Faults that change bytes and no payload → their rank."""

FAULTS: dict[str, Kind] = {
    "cut": Kind("The body ends after event N, as if it were whole.", 3),
    "tear": Kind("The body ends in the middle of event N.", 3),
    "drop": Kind("The connection breaks after event N.", 3),
    "stall": Kind("Nothing more comes after event N, until the client leaves.", 3),
    "bytewise": Kind("One byte at a time."),
    "split": Kind("A chunk ends inside each character of several bytes."),
    "crlf": Kind("Lines end with CR LF.", change=_crlf),
    "comments": Kind("Comments between and before the events.", change=_comments),
    "duplicate": Kind("Event N comes twice.", 3, _duplicate),
    "gap": Kind("Event N is missing.", 3, _gap),
    "unknown-event": Kind("An event of an unknown kind comes after event N.", 3, _unknown_event),
    "unknown-field": Kind("Event N has a property that nobody knows.", 3, _unknown_field),
    "error": Kind("After event N the stream says that it failed, and ends.", 3, _error),
    "after-terminal": Kind("An event comes after the end.", change=_after_terminal),
    "rate-limit": Kind("HTTP 429 with Retry-After: N.", 1),
    "error-body": Kind("HTTP 200 whose body is a JSON error object."),
}
"""The faults that there are, in the order in which they are shown."""


def error_text(framing: Framing) -> str:
    """The body of an error that comes in place of a stream."""
    event = error_event(framing, 0)
    if framing.stream == "responses":
        inner = {"message": event["message"], "type": "server_error", "param": None}
        event = {"error": {**inner, "code": event["code"]}}
    elif framing.stream != "messages":
        event = {"error": event["error"]}
    return text_of(event)
