"""Server-sent events: bytes in, `ServerSentEvent`s out, and back.

Reads the bytes of one event stream in pieces of any size and returns lists of events, by the HTML
standard 9.2.5 (parsing) and 9.2.6 (interpreting). Never does I/O, never looks into the data of an
event, and never lets the place where the bytes were cut change the result.
"""

from __future__ import annotations

from dataclasses import dataclass

from .errors import StreamError

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_RETRY_DIGITS = 18  # 10**18 ms are 30 million years; int() of more than 4,300 digits raises
_CR = ord(b"\r")
_WINDOW = 64 * 1024  # bytes split into lines at once, so that the list of lines stays small
_SHOWN = 80  # characters of data that a repr shows


@dataclass(slots=True, repr=False)
class ServerSentEvent:
    """One dispatched event of an event stream (HTML standard 9.2.6).

    event: the event type; "message" where the stream names none.
    data: the data lines, joined by LF; may be empty (a block with a single empty `data` line).
    id: the last event ID when the event was dispatched; it stays from one event to the next until
        the stream changes it, and is "" before it sets one.
    incomplete: the stream ended before the event's blank line; only from
        `SSEDecoder(flush_incomplete=True)`.
    """

    event: str = "message"
    data: str = ""
    id: str = ""
    incomplete: bool = False

    def __repr__(self) -> str:
        data = repr(self.data)
        if len(self.data) > _SHOWN:
            data = f"{self.data[:_SHOWN]!r}... ({len(self.data)} characters)"
        incomplete = ", incomplete=True" if self.incomplete else ""
        return f"ServerSentEvent(event={self.event!r}, data={data}, id={self.id!r}{incomplete})"


class SSEDecoder:
    """Decodes one event stream; sans-IO, linear in the bytes however they are cut.

    flush_incomplete: the standard discards an event whose blank line never came. With True, `close`
        delivers it, as if the blank line were there, with `incomplete` true.
    max_event_bytes: the most bytes held for one event: its data so far together with the line that
        is being read (without its line end). Comments count while their line is being read, and
        not after.

    last_event_id: the id to resume from, as of the last blank line (an `id` line counts from the
        blank line on, also where that block has no data). An event flushed by `close` does not
        change it: it may have been cut.
    retry: the reconnection time in milliseconds, or None before the stream sets one. A number of
        more than 18 digits is ignored.

    A passed limit is a `StreamError` that names the limit. Events decoded before it in the same
    call are returned first, and the next call raises; where there are none it is raised at once.
    The decoder then stays failed.
    """

    __slots__ = (
        "last_event_id",
        "retry",
        "_flush_incomplete",
        "_limit",
        "_data",
        "_type",
        "_id",
        "_type_line",
        "_type_read",
        "_room",
        "_line",
        "_head",
        "_after_cr",
        "_closed",
        "_refusal",
    )

    def __init__(
        self, *, flush_incomplete: bool = False, max_event_bytes: int = 64 * 1024 * 1024
    ) -> None:
        if max_event_bytes < 1:
            raise ValueError(f"max_event_bytes is at least 1, got {max_event_bytes}")
        self.last_event_id = ""
        self.retry: int | None = None
        self._flush_incomplete = flush_incomplete
        self._limit = max_event_bytes
        # The standard's three buffers. The data buffer is kept without its last LF: None is the
        # empty buffer, b"" is one empty data line. It is bytes: decoding before or after the split
        # into lines is the same, because no ASCII byte is ever part of a longer UTF-8 sequence.
        self._data: bytes | bytearray | None = None
        self._type = ""
        self._id = ""
        self._type_line = b""  # the last `event` line, and
        self._type_read = ""  # the event type it gave
        self._room = max_event_bytes  # the limit less the data held: the longest line allowed
        self._line = bytearray()  # the line whose end has not come
        self._head: bytes | None = b""  # a possible byte order mark; None once that is decided
        self._after_cr = False
        self._closed = False
        self._refusal = ""  # why no further bytes are taken

    @property
    def is_between(self) -> bool:
        """Whether the bytes so far end with a whole event, by LF, and more may follow."""
        return not (
            self._line
            or self._data is not None
            or self._type
            or self._after_cr
            or self._head is not None
            or self._refusal
        )

    @property
    def max_event_bytes(self) -> int:
        """The most bytes held for one event."""
        return self._limit

    def feed(self, chunk: bytes | bytearray | memoryview) -> list[ServerSentEvent]:
        """The events that these bytes complete, in order; often none.

        `StreamError` after the limit was passed, and after `close`: one decoder is for one stream,
        and a new connection starts with a new decoder (with no half line, no id and a byte order
        mark of its own).
        """
        if self._refusal:
            raise StreamError(self._refusal)
        text = chunk if isinstance(chunk, bytes) else bytes(memoryview(chunk))
        if _CR in text or self._after_cr or self._head is not None:
            text = self._with_lf_only(text)
        events = self._take(text) if len(text) <= _WINDOW else self._take_windows(text)
        if self._refusal and not events:
            raise StreamError(self._refusal)
        return events

    def close(self) -> list[ServerSentEvent]:
        """Ends the stream; with `flush_incomplete` returns the event that was under way, if any.

        A second call returns nothing. `StreamError` where the limit was passed.
        """
        if self._closed:
            return []
        if self._refusal:
            raise StreamError(self._refusal)
        self._closed = True
        self._refusal = "the decoder is closed; a new stream needs a new SSEDecoder"
        if not self._flush_incomplete:
            return []
        resume_from = self.last_event_id
        events = self._take(b"\n\n")  # ends the line that is under way, and then the event
        for event in events:
            event.incomplete = True
        self.last_event_id = resume_from
        return events

    def _with_lf_only(self, text: bytes) -> bytes:
        """`text` without the stream's byte order mark and with every line end as LF (9.2.5).

        A CR at the end of a chunk is a line end at once; an LF that opens the next chunk is its.
        """
        if self._head is not None:
            text = self._head + text
            if _BYTE_ORDER_MARK.startswith(text):
                self._head = text
                return b""
            self._head = None
            text = text.removeprefix(_BYTE_ORDER_MARK)
        if self._after_cr and text:
            self._after_cr = False
            text = text.removeprefix(b"\n")
        if b"\r" in text:
            self._after_cr = text.endswith(b"\r")
            text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return text

    def _take_windows(self, text: bytes) -> list[ServerSentEvent]:
        events: list[ServerSentEvent] = []
        for start in range(0, len(text), _WINDOW):
            if self._refusal:
                break
            events += self._take(text[start : start + _WINDOW])
        return events

    def _take(self, text: bytes) -> list[ServerSentEvent]:
        """Interprets the lines that `text` completes, and keeps the last, unfinished one (9.2.6).

        Written out for speed: a method call for each line and dispatch cost a third of the time,
        reading the same `event` line again for every delta a sixth.
        """
        events: list[ServerSentEvent] = []
        for line in self._split(text):
            if not line:
                self.last_event_id = self._id
                if self._data is not None:
                    data = self._data.decode("utf-8", "replace")
                    events.append(ServerSentEvent(self._type or "message", data, self._id))
                    self._data = None
                    self._room = self._limit
                self._type = ""
            elif len(line) > self._room:
                self._fail()
                return events
            elif line.startswith(b"data: ") and self._data is None:
                self._data = line[6:]
                self._room = self._limit - len(line) + 5
            elif line == self._type_line:
                self._type = self._type_read
            else:
                self._take_field(line)
        if len(self._line) > self._room:
            self._fail()
        return events

    def _split(self, text: bytes) -> list[bytes]:
        """The lines that `text` completes, the first with what was kept of it; keeps the rest."""
        lines = text.split(b"\n")
        rest = lines.pop()
        if lines and self._line:
            self._line += lines[0]
            lines[0] = bytes(self._line)
            self._line = bytearray()
        if rest:
            self._line += rest
        return lines

    def _take_field(self, line: bytes) -> None:
        # A comment (": …") has the empty field name, and like every unknown name does nothing.
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"event":
            self._type = value.decode("utf-8", "replace")
            self._type_line, self._type_read = line, self._type
        elif name == b"data":
            self._add_data(value)
        elif name == b"id":
            if b"\0" not in value:
                self._id = value.decode("utf-8", "replace")
        elif name == b"retry" and value.isdigit():
            digits = value.lstrip(b"0")
            if len(digits) <= _RETRY_DIGITS:
                self.retry = int(digits or b"0")

    def _add_data(self, value: bytes) -> None:
        if self._data is None:
            self._data = value
        else:
            if isinstance(self._data, bytes):
                self._data = bytearray(self._data)
            self._data += b"\n"
            self._data += value
        self._room = self._limit - len(self._data) - 1

    def _fail(self) -> None:
        self._refusal = f"an event is larger than max_event_bytes ({self._limit} bytes)"
        self._data = None
        self._line = bytearray()


def encode(event: ServerSentEvent) -> bytes:
    """The block that a fresh decoder reads as exactly `event`: its fields and the blank line.

    `ValueError` for what no decoder delivers with `incomplete` false: an incomplete event, an empty
    event type, CR or LF in the event type or the id, NUL in the id, CR in the data, a lone
    surrogate anywhere. Empty data is one empty `data` line.

    "message" writes no `event` line and an empty id writes no `id` line. So after an event with an
    id, one with the id "" does not take the id back (a stream's id persists); a sender who means
    that writes b"id\\n" before this block.
    """
    _check(event)
    lines = []
    if event.event != "message":
        lines.append("event: " + event.event)
    if event.id:
        lines.append("id: " + event.id)
    lines += ["data: " + line for line in event.data.split("\n")]
    return ("\n".join(lines) + "\n\n").encode("utf-8")  # UnicodeEncodeError is a ValueError


def _check(event: ServerSentEvent) -> None:
    if not all(isinstance(text, str) for text in (event.event, event.data, event.id)):
        raise ValueError("the event type, the data and the id are text")
    if event.incomplete:
        raise ValueError("an incomplete event has no encoding")
    if not event.event:
        raise ValueError('the event type is empty; an event without a name is "message"')
    if "\r" in event.event or "\n" in event.event:
        raise ValueError("the event type holds a line end")
    if "\r" in event.id or "\n" in event.id or "\0" in event.id:
        raise ValueError("the id holds a line end or NUL")
    if "\r" in event.data:
        raise ValueError("the data holds CR, which a stream can only carry as a line end")
