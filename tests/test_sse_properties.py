"""The event stream decoder against a second one, on random streams cut at random places.

Reads nothing. The judge is written from the HTML standard 9.2.5 and 9.2.6 and the Encoding standard
alone: it decodes the whole text, splits it with one regular expression and interprets line by line.
It never shares code with the decoder under test, not even Python's UTF-8.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st

from templates.runtime.errors import StreamError
from templates.runtime.sse import ServerSentEvent, SSEDecoder, encode

BOM = b"\xef\xbb\xbf"


def utf8(body: bytes) -> str:
    """The UTF-8 decoder of the Encoding standard, with replacement; leaves the mark alone."""
    out: list[str] = []
    code, needed, seen, lower, upper = 0, 0, 0, 0x80, 0xBF
    at = 0
    while at < len(body):
        byte = body[at]
        at += 1
        if needed == 0:
            if byte <= 0x7F:
                out.append(chr(byte))
            elif 0xC2 <= byte <= 0xDF:
                needed, code = 1, byte & 0x1F
            elif 0xE0 <= byte <= 0xEF:
                lower, upper = 0xA0 if byte == 0xE0 else 0x80, 0x9F if byte == 0xED else 0xBF
                needed, code = 2, byte & 0xF
            elif 0xF0 <= byte <= 0xF4:
                lower, upper = 0x90 if byte == 0xF0 else 0x80, 0x8F if byte == 0xF4 else 0xBF
                needed, code = 3, byte & 0x7
            else:
                out.append("\ufffd")
            continue
        if not lower <= byte <= upper:
            code, needed, seen, lower, upper = 0, 0, 0, 0x80, 0xBF
            at -= 1  # the byte is read again, as the start of something else
            out.append("\ufffd")
            continue
        lower, upper = 0x80, 0xBF
        code = code << 6 | byte & 0x3F
        seen += 1
        if seen == needed:
            out.append(chr(code))
            code, needed, seen = 0, 0, 0
    return "".join(out) + ("\ufffd" if needed else "")


def judge(body: bytes) -> tuple[list[ServerSentEvent], str, int | None]:
    """The events of a whole stream, the last event ID and the reconnection time."""
    text = utf8(body)
    lines = re.split("\r\n|\n|\r", text[1:] if text.startswith("\ufeff") else text)
    events: list[ServerSentEvent] = []
    data, event_type, id_buffer, last_id = "", "", "", ""
    retry: int | None = None
    for line in lines[:-1]:
        if line == "":
            last_id = id_buffer
            if data != "":
                data = data[:-1] if data.endswith("\n") else data
                events.append(ServerSentEvent(event_type or "message", data, last_id))
            data, event_type = "", ""
            continue
        match = re.fullmatch("([^:]*)(?:: ?(.*))?", line, re.DOTALL)
        assert match
        field, value = match[1], match[2] or ""
        if field == "event":
            event_type = value
        elif field == "data":
            data += value + "\n"
        elif field == "id" and "\0" not in value:
            id_buffer = value
        elif field == "retry" and re.fullmatch("0*[0-9]{1,18}", value):
            retry = int(value)
    return events, last_id, retry


def judge_limit(body: bytes, limit: int) -> tuple[list[ServerSentEvent], bool]:
    """The events before the first line that does not fit beside the data held; was there one?"""
    body = body.removeprefix(BOM)
    held = 0
    for match in re.finditer(rb"([^\r\n]*)(\r\n|\n|\r|\Z)", body):
        line = match[1]
        if held + len(line) > limit:
            return judge(BOM + body[: match.start()])[0], True
        if line == b"":
            held = 0
        elif data := re.fullmatch(rb"data(?:: ?(.*))?", line, re.DOTALL):
            held += len(data[1] or b"") + 1
    return judge(BOM + body)[0], False


NAMES = st.sampled_from(
    [b"data", b"event", b"id", b"retry", b"", b"x", b"dat", b"datas", BOM + b"id"]
)
COLONS = st.sampled_from([b": ", b": ", b":", b":  ", b""])
VALUES = st.sampled_from(
    [
        b"",
        b"a",
        b"b",
        b"message",
        b"12",
        b"1\0",
        b"a: b",
        b"\xe6\xbc",
        b"\xff",
        BOM,
        b"+1",
        b"0" * 9,
    ]
    + ["漢".encode(), "٣".encode(), "\u2028\x85".encode()]
)
ENDS = st.sampled_from(
    [b"\n", b"\n", b"\r", b"\r\n", b"\n\n", b"\n\n", b"\r\r", b"\r\n\r\n", b"\n\r"]
)
LINES = st.tuples(NAMES, COLONS, VALUES, ENDS).map(b"".join)
PIECES = st.sampled_from(
    [b"\n", b"\r", b"\r\n", b"\n\n", b":", b" ", b": ", b"data", b"data:", b"data: ", b"event"]
    + [b"event: ", b"event:a", b"id", b"id: ", b"id:1", b"retry", b"retry: ", b"12", b"\0", BOM]
    + [b"\xef\xbb", b"\xe6\xbc", b"\xa2", b"\xf0\x9f", b"\x9a\x80", b"\x80", b"\xff", b"\xc2\x85"]
    + ["\u2028é漢🚀٣".encode(), b"\x0b\x0c\x1c", b"x", b'{"a": 1}', b"[DONE]"]
)
STARTS = st.sampled_from([b"", b"", BOM, BOM + BOM, BOM[:2]])
INSIDES = st.lists(PIECES | LINES | LINES | st.binary(max_size=3), max_size=25).map(b"".join)
BODIES = st.tuples(STARTS, INSIDES).map(b"".join)
CUTS = st.lists(st.integers(0, 200), max_size=12)


def cut(body: bytes, cuts: list[int]) -> list[bytes]:
    places = [0, *sorted(at % (len(body) + 1) for at in cuts), len(body)]
    return [body[a:b] for a, b in itertools.pairwise(places)]


def single_bytes(body: bytes) -> list[bytes]:
    return [body[i : i + 1] for i in range(len(body))]


def fed(decoder: SSEDecoder, chunks: list[bytes]) -> list[ServerSentEvent]:
    return [event for chunk in chunks for event in decoder.feed(chunk)]


@settings(max_examples=600, deadline=None)
@given(BODIES, CUTS)
@example(BOM + b"data: a\r\n\r\n", [1, 2, 11])
@example(b"data: \xf0\x9f\n\n", [7, 8])
def test_any_cutting_gives_what_the_standard_gives(body: bytes, cuts: list[int]) -> None:
    expected = judge(body)
    for chunks in ([body], single_bytes(body), cut(body, cuts)):
        decoder = SSEDecoder()
        events = fed(decoder, chunks)
        assert decoder.close() == []
        assert (events, decoder.last_event_id, decoder.retry) == expected


@settings(max_examples=300, deadline=None)
@given(BODIES, CUTS)
def test_flushing_is_a_blank_line_at_the_end_and_a_mark(body: bytes, cuts: list[int]) -> None:
    before = judge(body)[0]
    after = judge(body + b"\n\n")[0][len(before) :]
    for chunks in ([body], single_bytes(body), cut(body, cuts)):
        decoder = SSEDecoder(flush_incomplete=True)
        assert fed(decoder, chunks) == before
        assert decoder.close() == [replace(event, incomplete=True) for event in after]


@settings(max_examples=400, deadline=None)
@given(BODIES, CUTS, st.integers(3, 30))
def test_the_limit_falls_at_the_same_place_in_any_cutting(
    body: bytes, cuts: list[int], limit: int
) -> None:
    for chunks in ([body], single_bytes(body), cut(body, cuts)):
        decoder = SSEDecoder(max_event_bytes=limit)
        events: list[ServerSentEvent] = []
        failed = False
        try:
            for chunk in chunks:
                events += decoder.feed(chunk)
            decoder.close()
        except StreamError:
            failed = True
        assert (events, failed) == judge_limit(body, limit)


@settings(max_examples=300, deadline=None)
@given(BODIES)
def test_encode_gives_back_every_event_that_is_delivered(body: bytes) -> None:
    events = fed(SSEDecoder(), [body])
    for event in events:
        assert fed(SSEDecoder(), [encode(event)]) == [event]
    again = [(b"" if event.id else b"id\n") + encode(event) for event in events]
    assert fed(SSEDecoder(), again) == events


TEXT = st.text(alphabet="ab: \n\r\0\ufeff\u2028\x85é🚀\ud800\udfff", max_size=5)


@settings(max_examples=600, deadline=None)
@given(TEXT | st.just("message"), TEXT, TEXT, st.booleans())
def test_encode_refuses_exactly_what_is_not_read_back(
    event_type: str, data: str, id: str, incomplete: bool
) -> None:
    event = ServerSentEvent(event_type, data, id, incomplete)
    possible = not (
        incomplete
        or event_type == ""
        or re.search("[\r\n]", event_type)
        or re.search("[\r\n\0]", id)
        or "\r" in data
        or re.search("[\ud800-\udfff]", event_type + data + id)
    )
    try:
        block = encode(event)
    except ValueError:
        assert not possible
    else:
        assert possible
        assert judge(block)[0] == fed(SSEDecoder(), [block]) == [event]


def test_python_replaces_as_the_encoding_standard_does() -> None:
    edges = [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF]
    edges += [0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF]
    pairs = itertools.product(range(256), repeat=2)
    threes = itertools.product(edges, repeat=3)
    fours = itertools.product([b for b in edges if b >= 0xE0], edges, edges, [0x41, 0x80, 0xBF])
    for sequence in itertools.chain(pairs, threes, fours):
        body = bytes(sequence)
        assert body.decode("utf-8", "replace") == utf8(body), body
