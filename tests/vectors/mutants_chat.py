"""Wrong accumulators of chat and of Messages.

Reads nothing; lists. Each is a mistake that someone made or could make; none is right.
"""

from __future__ import annotations

import json

from tests.vectors import wrong
from tests.vectors.mistakes import (
    every,
    first_reason_ends,
    in_open_block,
    strict_message,
    summed_usage,
    with_delta,
    with_final,
    without_call,
    without_key,
)

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
