"""Wrong accumulators of Responses.

Reads nothing; lists. Each is a mistake that someone made or could make; none is right.
"""

from __future__ import annotations

from tests.vectors import wrong
from tests.vectors.mistakes import (
    every,
    number_once,
    only_from_created,
    sorted_by_number,
    until,
    with_final,
    without_key,
)

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
