"""Wrong implementations of event streams, payloads and the ends of streams.

Reads nothing; lists. Each is a mistake that someone made or could make; none is right.
"""

from __future__ import annotations

import json
import re

from tests.vectors import wrong
from tests.vectors.mistakes import (
    blocks_without_data_dispatched,
    every,
    first_name_only,
    last_id_line,
    name_kept,
    names_for_types,
    own_id_only,
    until,
    without_first_key_lost,
    without_key,
    without_null,
)

BOM = b"\xef\xbb\xbf"

FRAMING: list[tuple[str, tuple[str, ...], wrong.Wrong]] = [
    ("CR is no line end", ("LineEnds",), wrong.on_bytes(lambda body: body.replace(b"\r", b""))),
    (
        "line ends are replaced chunk by chunk",
        ("CrLfSplit",),
        wrong.on_chunks(lambda chunks: [re.sub(rb"\r\n?", b"\n", each) for each in chunks]),
    ),
    (
        "each chunk is a whole event",
        ("Chunks",),
        wrong.on_chunks(lambda chunks: [each + b"\n\n" for each in chunks]),
    ),
    (
        "each chunk is decoded alone",
        ("Utf8Split",),
        wrong.on_chunks(
            lambda chunks: [each.decode("utf-8", "replace").encode() for each in chunks]
        ),
    ),
    (
        "bytes that are no UTF-8 are dropped",
        ("InvalidUtf8",),
        wrong.on_bytes(lambda body: body.decode("utf-8", "ignore").encode()),
    ),
    (
        "lines as str.splitlines has them",
        ("LineSeparators",),
        wrong.on_bytes(lambda body: "\n".join([*body.decode().splitlines(), "", ""]).encode()),
    ),
    (
        "the byte order mark stays",
        ("ByteOrderMark",),
        wrong.patched("stream_events._runtime.sse", "_BYTE_ORDER_MARK", b"\0\0\0\0"),
    ),
    (
        "every byte order mark goes",
        ("OneByteOrderMark",),
        wrong.on_bytes(lambda body: body.replace(BOM, b"")),
    ),
    ("there is no limit", ("Limit",), wrong.without_options("max_event_bytes")),
    (
        "empty lines of data are lost",
        ("DataLines",),
        wrong.on_output(
            every(
                "events",
                lambda each: {**each, "data": each["data"].replace("\n\n", "\n").rstrip("\n")},
            )
        ),
    ),
    (
        "empty data is no event",
        ("EmptyData",),
        wrong.on_output(every("events", lambda each: each if each["data"] else None)),
    ),
    (
        "data is trimmed",
        ("OneSpace",),
        wrong.on_output(every("events", lambda each: {**each, "data": each["data"].strip()})),
    ),
    (
        "a line is split at each colon",
        ("FirstColon",),
        wrong.on_output(
            every("events", lambda each: {**each, "data": each["data"].split(": ")[0]})
        ),
    ),
    (
        "a line without colon is no field",
        ("NoColon",),
        wrong.on_bytes(lambda body: re.sub(rb"(?m)^[^:\n]+$", b": none", body)),
    ),
    (
        "names of fields are trimmed and in any letters",
        ("UnknownField",),
        wrong.on_bytes(lambda body: re.sub(rb"(?im)^ ?data ?:", b"data:", body)),
    ),
    (
        "comments are data",
        ("Comment",),
        wrong.on_bytes(lambda body: re.sub(rb"(?m)^:", b"data:", body)),
    ),
    (
        "a block without data is an event",
        ("NoDataNoEvent",),
        wrong.on_blocks(blocks_without_data_dispatched),
    ),
    ("the name stays", ("NameReset",), wrong.on_output(name_kept)),
    ("the first name wins", ("LastNameWins",), wrong.on_blocks(first_name_only)),
    ("an id is for one event", ("IdPersists",), wrong.on_output(own_id_only)),
    (
        "NUL in an id is dropped",
        ("IdWithNul",),
        wrong.on_bytes(lambda body: body.replace(b"\0", b"")),
    ),
    ("an id counts at once", ("IdOfUnfinished",), last_id_line),
    (
        "digits of a retry are picked out",
        ("Retry",),
        wrong.on_bytes(lambda body: re.sub(rb"retry: (\d+)s", rb"retry: \1", body)),
    ),
    (
        "the unfinished is handed out",
        ("UnfinishedDropped",),
        wrong.with_options(flush_incomplete=True),
    ),
    ("nothing is flushed", ("UnfinishedFlushed",), wrong.without_options("flush_incomplete")),
    (
        "the decoder knows [DONE]",
        ("DoneIsData",),
        wrong.on_output(every("events", lambda each: None if each["data"] == "[DONE]" else each)),
    ),
    (
        "the name is data",
        ("EventLine",),
        wrong.on_bytes(lambda body: body.replace(b"event: ", b"data: ")),
    ),
    (
        "events without a name are dropped",
        ("NoEventLines",),
        wrong.on_blocks(lambda block: block if block.startswith(b"event:") else b""),
    ),
    ("the name wins over the payload", ("EventLineDisagrees",), wrong.on_blocks(names_for_types)),
    (
        "names are not looked at",
        ("TagFromEventLine",),
        wrong.on_bytes(lambda body: re.sub(rb"(?m)^event: .*\n", b"", body)),
    ),
    (
        "[DONE] is parsed",
        ("DoneMarker",),
        wrong.on_bytes(lambda body: body.replace(b"[DONE]", b"[DONE] ")),
    ),
    (
        "nothing is parsed",
        ("SignsOfLife",),
        wrong.on_bytes(lambda body: body.replace(b"data: \n", b"data: null\n")),
    ),
    (
        "[DONE] is nothing",
        ("MissingDone",),
        wrong.on_output(lambda output: {**output, "outcome": "complete"}),
    ),
    (
        "what has no blank line is dropped",
        ("UnfinishedWhole", "UnfinishedHalf"),
        wrong.on_bytes(lambda body: body[: body.rfind(b"\n\n") + 2]),
    ),
    (
        "a body without events is empty",
        ("ErrorBody", "JsonBody"),
        wrong.on_bytes(lambda body: b"" if body.startswith(b"{") else body),
    ),
    (
        "the first of equal keys wins",
        ("DuplicateKeys",),
        wrong.on_blocks(without_first_key_lost),
    ),
    (
        "NaN and Infinity are null",
        ("NonFinite",),
        wrong.on_bytes(lambda body: re.sub(rb"-?Infinity|NaN", b"null", body)),
    ),
    ("nobody tells of what is no JSON", ("NotJson",), wrong.silent("not-json")),
    ("nobody tells of what is no object", ("DataNoObject",), wrong.silent("not-an-object")),
    ("nobody tells of a payload without tag", ("DataNoTag",), wrong.silent("no-tag")),
    ("nobody tells of an empty stream", ("EmptyStream",), wrong.silent("empty")),
    (
        "the end of the body is the end of the answer",
        ("Truncated",),
        wrong.on_output(lambda output: {**output, "outcome": "complete"}),
    ),
]

PAYLOADS: list[tuple[str, tuple[str, ...], wrong.Wrong]] = [
    (
        "what is absent is null",
        ("RequiredOnly",),
        wrong.on_output(every("payload", lambda data: {**data, "absent": None})),
    ),
    (
        "a property is lost",
        ("Everything",),
        wrong.on_output(every("payload", lambda data: dict(list(data.items())[:-1]))),
    ),
    ("null is absent", ("NullKept",), wrong.on_output(every("payload", without_null))),
    (
        "unknown properties are lost",
        ("UnknownProperty",),
        wrong.on_output(every("payload", without_key("vector_property"))),
    ),
    ("types are not checked", ("WrongType", "NullNotAllowed"), wrong.silent("wrong-type")),
    (
        "enums and unions are closed",
        ("UnknownValue", "UnknownMember"),
        wrong.refusing("vector_value"),
    ),
    (
        "what is missing has a default",
        ("MissingProperty",),
        wrong.on_output(lambda output: {**output, "missing": []}),
    ),
    (
        "every tag is known",
        ("UnknownTag",),
        wrong.on_output(lambda output: {**output, "known": True}),
    ),
    (
        "anything is an event",
        ("NoTag", "NotAnObject"),
        wrong.on_given(lambda given: {"text": json.dumps({"type": "any", "object": "any"})}),
    ),
]

STREAMS: list[tuple[str, tuple[str, ...], wrong.Wrong]] = [
    (
        "the last event is lost",
        ("Scenario",),
        wrong.on_output(lambda output: {**output, "tags": output["tags"][:-1]}),
    ),
    ("what is nested deep ends the program", ("Deep",), wrong.refusing("[" * 200)),
    ("unknown events stop the stream", ("UnknownEvent",), wrong.refusing("keep_alive")),
    ("errors are not told", ("ErrorEvent", "ErrorInChat"), wrong.on_output(without_key("failure"))),
    ("an error is the end", ("ErrorThenFailed",), wrong.on_list(until("error"))),
    (
        "what comes late counts",
        ("AfterTerminal",),
        wrong.patched(
            "stream_events._runtime.accumulate:Accumulation",
            "_unless_over",
            lambda self, apply, *more: apply,
        ),
    ),
    ("there are no dialects", ("Repair",), wrong.without_options("dialect")),
    (
        "tags of a dialect are lost",
        ("OwnTags",),
        wrong.without_tags("response.reasoning.", "error"),
    ),
    ("a rewritten answer is not looked at", ("Rewritten",), wrong.without_verb("agree")),
    (
        "a chunk without object is none",
        ("Untagged",),
        wrong.on_payloads(lambda each: each if each.get("object") else None),
    ),
    (
        "a chunk without choices is empty",
        ("UsageChunk",),
        wrong.on_payloads(lambda each: each if each.get("choices") else None),
    ),
    ("a ping is the end", ("Ping",), wrong.on_list(until("ping"))),
    ("previews are lost", ("PartialImages",), wrong.without_tags("partial_image")),
    (
        "half characters are replaced",
        ("SurrogateHalves",),
        wrong.on_payloads(lambda each: json.loads(re.sub(r"\\ud[89a-f]..", "?", json.dumps(each)))),
    ),
]
