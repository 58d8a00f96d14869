"""Wrong implementations, each with the flags of the cases that find it.

Reads nothing; a list. Each is a mistake that someone made or could make; none is right.
"""

from __future__ import annotations

import json
import re
from typing import Any

from tests.vectors import wrong
from tests.vectors.mistakes import (
    blocks_without_data_dispatched,
    every,
    first_name_only,
    first_reason_ends,
    in_open_block,
    last_id_line,
    name_kept,
    names_for_types,
    number_once,
    only_from_created,
    own_id_only,
    sorted_by_number,
    strict_message,
    summed_usage,
    until,
    with_delta,
    with_final,
    without_call,
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

RESPONSES: list[tuple[str, tuple[str, ...], wrong.Wrong]] = [
    ("deltas are not joined", ("Deltas", "Unannounced", "ChatText"), wrong.without_verb("append")),
    (
        "the terminal output counts as it is",
        ("EmptyOutput",),
        wrong.on_output(with_final(lambda final: {**final, "output": []})),
    ),
    (
        "items come twice",
        ("NotTwice",),
        wrong.on_output(with_final(lambda final: {**final, "output": final["output"] * 2})),
    ),
    (
        "there is one place",
        ("IndexGaps",),
        wrong.on_payloads(
            lambda each: {
                **each,
                **{key: 0 for key in ("output_index", "content_index") if key in each},
            }
        ),
    ),
    (
        "what is done is not looked at",
        ("DoneWins", "ArgumentsOnlyWhole", "ItemReplaced", "ProvisionalValue"),
        wrong.without_tags(".done"),
    ),
    ("the terminal response is not compared", ("DoneWins",), wrong.silent("disagreement")),
    (
        "items are known by their ids",
        ("IdsRotate",),
        wrong.on_payloads(without_key("output_index")),
    ),
    (
        "an index has one item",
        ("IndexReused",),
        wrong.on_output(with_final(lambda final: {**final, "output": final["output"][-1:]})),
    ),
    ("announcing again is nothing", ("AnnouncedTwice",), wrong.silent("announced-twice")),
    ("nobody tells of late deltas", ("AfterDone",), wrong.silent("after-done")),
    ("nobody tells of deltas of another kind", ("WrongKind",), wrong.silent("wrong-kind")),
    (
        "events without an item are dropped",
        ("NullItem",),
        wrong.on_payloads(lambda each: None if each.get("item", 0) is None else each),
    ),
    (
        "events with a bad index are dropped",
        ("WrongIndex",),
        wrong.on_payloads(lambda each: None if isinstance(each.get("output_index"), str) else each),
    ),
    (
        "deltas without an index are dropped",
        ("IndexAbsent",),
        wrong.on_payloads(
            lambda each: None if "delta" in each and "output_index" not in each else each
        ),
    ),
    ("reasoning is not read", ("Reasoning", "ReasoningPart"), wrong.without_tags("reasoning")),
    ("refusals are not read", ("Refusal",), wrong.without_tags("refusal", "content_part.done")),
    (
        "an error is a text",
        ("McpError",),
        wrong.on_payloads(
            lambda each: (
                {**each, "item": {**each["item"], "error": str(each["item"]["error"])}}
                if "item" in each
                else each
            )
        ),
    ),
    ("usage has known names only", ("UsageNames",), wrong.on_output(without_key("prompt_tokens"))),
    ("diffs are not read", ("PatchDiff",), wrong.without_tags("operation_diff")),
    ("annotations are not read", ("Annotations",), wrong.without_tags("annotation")),
    (
        "tools are not read",
        ("ToolDeltas",),
        wrong.without_tags("code_interpreter_call_code", "mcp_call", "custom_tool"),
    ),
    (
        "statuses are not read",
        ("StatusInTag",),
        wrong.without_tags("searching", "search_call.completed", "generating"),
    ),
    ("stderr is lost", ("ShellDeltas",), wrong.on_payloads(without_key("stderr"))),
    ("base64 is text", ("PaddedBase64",), wrong.other_verb("append64", "append")),
    (
        "a call has one id",
        ("CallId",),
        wrong.on_payloads(
            lambda each: (
                {**each, "item": {**each["item"], "call_id": each["item"]["id"]}}
                if "item" in each
                else each
            )
        ),
    ),
    (
        "unknown items are dropped",
        ("UnknownItem",),
        wrong.on_payloads(
            lambda each: None if ":" in str(each.get("item")).split("'type': ")[-1][:12] else each
        ),
    ),
    (
        "every delta is a text",
        ("DeltaNoText",),
        wrong.on_payloads(
            lambda each: {**each, "delta": str(each["delta"])} if "delta" in each else each
        ),
    ),
    ("a queue is the end", ("Queued",), wrong.on_list(until("response.queued"))),
    ("an incomplete response is none", ("Incomplete",), wrong.without_tags("response.incomplete")),
    (
        "a status is made up",
        ("MinimalTerminal",),
        wrong.on_output(
            with_final(
                lambda final: {
                    **final,
                    "output": [{**item, "status": "completed"} for item in final["output"]],
                }
            )
        ),
    ),
    (
        "a response must be announced",
        ("TerminalOnly", "BeforeCreated"),
        wrong.on_list(only_from_created),
    ),
    (
        "the state is final",
        ("TerminalEmpty", "NotEnded", "ClosedEarly"),
        wrong.on_output(every("lanes", lambda lane: {"final": {}, **lane}, also=True)),
    ),
    ("response.done is unknown", ("ResponseDone",), wrong.without_tags("response.done")),
    (
        "numbers are 0 where there is none",
        ("NumbersAbsent",),
        wrong.on_payloads(lambda each: {"sequence_number": 0, **each}),
    ),
    ("a number comes once", ("NumbersRepeat",), wrong.on_list(number_once)),
    ("events are sorted", ("NumbersGap",), wrong.on_list(sorted_by_number)),
    (
        "nothing is resumed",
        ("Resume",),
        wrong.on_given(lambda given: {**given, "resumed": given["resumed"][-1:]}),
    ),
    (
        "what is repeated counts",
        ("ResumeReplay",),
        wrong.patched(
            "stream_events._runtime.numbering:Numbering", "counts", lambda self, event, ended: True
        ),
    ),
    (
        "the cursor is that of the last event",
        ("Cursor",),
        wrong.on_output(lambda output: {**output, "cursor": None}),
    ),
]

CHAT: list[tuple[str, tuple[str, ...], wrong.Wrong]] = [
    (
        "there is one choice",
        ("ChoicesInterleaved",),
        with_delta(lambda choice: {**choice, "index": 0}),
    ),
    (
        "the first reason is the end",
        ("FinishEmpty", "FinishEarly"),
        wrong.on_list(first_reason_ends),
    ),
    ("the end needs no reason", ("FinishMissing",), wrong.silent("not-finished")),
    (
        "a chunk with an empty usage is dropped",
        ("UsageEmpty",),
        wrong.on_payloads(lambda each: None if each.get("usage") == {} else each),
    ),
    ("usage is added up", ("UsageSoFar",), wrong.on_list(summed_usage)),
    (
        "chunks without an id are dropped",
        ("LateChunk",),
        wrong.on_payloads(lambda each: each if each["id"] else None),
    ),
    ("messages are not read", ("MessageForDelta",), with_delta(without_key("message"))),
    ("reasoning is not read", ("ReasoningProperty",), with_delta(without_key("reasoning_content"))),
    (
        "lists are no content",
        ("ContentParts",),
        with_delta(
            lambda choice: (
                {**choice, "delta": {}} if isinstance(choice["delta"]["content"], list) else choice
            )
        ),
    ),
    (
        "null is an empty text",
        ("NullContent",),
        wrong.on_payloads(
            lambda each: json.loads(json.dumps(each).replace('"content": null', '"content": ""'))
        ),
    ),
    ("the last list counts", ("ListsGrow",), wrong.other_verb("extend", "last")),
    ("refusals are not read", ("ChatRefusal",), with_delta(without_key("refusal"))),
    (
        "chunks of another API are dropped",
        ("OtherApi",),
        wrong.on_payloads(
            lambda each: (
                None if each["object"] in ("text_completion", "chat.completion.done") else each
            )
        ),
    ),
    (
        "calls are the reason of the end",
        ("FinishAsIs",),
        wrong.on_output(
            lambda output: json.loads(json.dumps(output).replace('"stop"', '"tool_calls"'))
        ),
    ),
    ("the last piece is all of it", ("ContentSoFar",), wrong.other_verb("append", "last")),
    ("a chunk has known names only", ("ChunkMore",), wrong.on_payloads(without_key("x_server"))),
    ("there is one call", ("ToolCalls",), without_call(lambda call: {**call, "index": 0})),
    (
        "calls without an index are dropped",
        ("ToolNoIndex",),
        without_call(lambda call: call if "index" in call else None),
    ),
    (
        "negative indexes are dropped",
        ("ToolIndexNegative",),
        without_call(lambda call: None if call["index"] < 0 else call),
    ),
    ("nobody tells of another id", ("ToolIdChanges",), wrong.silent("id-changed")),
    (
        "the index says it all",
        ("ToolIndexShared",),
        wrong.on_rules(
            lambda rule: rule._replace(
                path=tuple(step[:1] if isinstance(step, tuple) else step for step in rule.path)
            )
        ),
    ),
    (
        "a call without arguments is none",
        ("ToolArgumentsNull",),
        without_call(lambda call: None if call["function"]["arguments"] is None else call),
    ),
    ("arguments are text", ("ToolArgumentsObject",), wrong.other_verb("appendjson", "append")),
    (
        "an empty list stays",
        ("ToolEmptyList",),
        wrong.on_output(
            with_final(
                lambda final: json.loads(
                    json.dumps(final).replace('"role"', '"tool_calls": [], "role"')
                )
            )
        ),
    ),
    (
        "empty types are dropped",
        ("ToolTypeEmpty",),
        without_call(lambda call: None if call.get("type") == "" else call),
    ),
    ("what is not known is lost", ("ToolMore", "RestOfDelta"), wrong.without_verb("rest")),
    ("the legacy form is not read", ("ToolLegacy",), with_delta(without_key("function_call"))),
]

MESSAGES: list[tuple[str, tuple[str, ...], wrong.Wrong]] = [
    (
        "deltas go to the block that began last",
        ("BlocksInterleaved",),
        wrong.on_list(in_open_block),
    ),
    ("input stays text", ("InputPieces",), wrong.without_verb("parse")),
    (
        "an empty input is null",
        ("InputEmpty",),
        wrong.on_output(
            with_final(
                lambda final: json.loads(json.dumps(final).replace('"input": {}', '"input": null'))
            )
        ),
    ),
    ("half an input is fine", ("InputCut",), wrong.silent("not-json")),
    (
        "signatures are not read",
        ("ThinkingSignature",),
        wrong.on_payloads(
            lambda each: None if "signature_delta" in str(each.get("delta")) else each
        ),
    ),
    ("citations are not added", ("Citations",), wrong.without_verb("add")),
    ("unknown deltas are lost", ("UnknownDelta",), wrong.without_verb("unfold")),
    ("the last usage counts", ("UsageMerged",), wrong.other_verb("merge", "last")),
    ("closing again is nothing", ("ClosedTwice",), wrong.silent("closed-twice")),
    (
        "what came before is lost",
        ("SeveralResponses",),
        wrong.on_output(every("lanes", without_key("predecessors"), also=True)),
    ),
    ("there is one lane", ("Lanes", "LaneError"), wrong.on_payloads(without_key("stream_id"))),
    (
        "what has no lane is dropped",
        ("NoLane",),
        wrong.on_payloads(lambda each: each if "stream_id" in each else None),
    ),
    ("steering is not read", ("Steering",), wrong.without_tags("steer")),
    ("a message that is none ends the connection", ("MessageNotJson",), strict_message),
    (
        "every change is fine",
        ("Diff",),
        wrong.on_output(every("changes", lambda each: {**each, "level": "info"})),
    ),
    (
        "spelling is a change",
        ("NoDiff",),
        wrong.on_output(lambda output: {"changes": [{"kind": "type-changed"}]}),
    ),
]

MUTANTS: list[Any] = [*FRAMING, *PAYLOADS, *STREAMS, *RESPONSES, *CHAT, *MESSAGES]
