"""Faults that were reported in public, one test each: what the package makes of them.

Reads ../shared/cases/cases.json. Every key of a case's `expected` is judged; words are judged by the function that stands
under them in `tests.case_words`, values by comparing with the view of the run that the key names. `READINGS` says which reading is taken
where the case has several.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.case_views import fits, view
from tests.case_words import WORDS
from tests.shared import shared
from tests.shared_cases import run_case

AREAS = {
    "sse-framing": 27,
    "decode-dispatch": 26,
    "accumulate-responses": 25,
    "accumulate-chat": 27,
    "lifecycle": 16,
    "websocket": 7,
}


READINGS = {
    "sse-invalid-utf8-byte": "replaced, as the WHATWG standard decodes",
    "sse-comment-reframed-as-data": "lenient: an UnknownEvent with a problem, and the stream goes on",
    "sse-last-event-without-blank-line": "the decoder is strict unless asked; a reader delivers an unfinished event whose data "
    "is one whole JSON object, and says so, because that loses least",
    "sse-two-json-values-no-blank-line-between": "strict: data that is no JSON is an UnknownEvent with all of it",
    "sse-frame-cut-and-next-glued-on": "strict: nothing is guessed inside data that is no JSON; the text is kept",
    "sse-raw-json-error-body-in-200-stream": "the body is the stream's error event",
    "sse-event-line-and-type-disagree": "the payload wins",
    "sse-foreign-named-events-in-chat-stream": "a payload without a tag takes that of the event line",
    "dec-unknown-future-event-and-fields": "the accumulator reports what it does not know, at level info",
    "dec-logprobs-missing-on-text-delta": "absent reads as None, and `missing` names it; encoding invents nothing",
    "dec-non-finite-number-literal": "strict: not JSON (RFC 8259)",
    "dec-content-is-list-of-parts": "text and thinking are joined as text, the parts are kept as an undeclared property",
    "dec-usage-with-chat-names-in-response": "plain: names are not translated",
    "dec-legacy-text-completion-chunk": "an unknown event of its own tag, whose text and finish reason are taken",
    "acc-completed-output-empty-list": "accumulated items stand in; the event itself has the empty list",
    "acc-one-output-index-for-several-items": "lenient: another item at the same index stands behind the first one",
    "acc-content-index-gap": "places are known by index, whatever was announced",
    "acc-delta-of-wrong-kind-for-item": "nothing is changed, and both are reported",
    "acc-surrogate-pair-split-over-deltas": "deltas are handed on as they are; text that is read has whole characters",
    "life-error-then-failed": "the error is kept, and response.failed gives the final response",
    "life-failed-only-no-created": "response.created is not needed",
    "life-response-done-as-terminal": "response.done ends the response",
    "life-connection-stays-open-after-terminal": "`final` is there after the terminal event; when to stop is the caller's",
    "life-sequence-gap": "reported, applied in the order of arrival",
    "life-incomplete-unknown-reason-minimal-response": "absent output is filled from the items",
    "life-item-left-open-at-terminal": "no status is invented",
    "ws-warm-up-response-is-empty": "an empty output is no error",
    "chat-tool-id-changes-mid-call": "the first id stays",
    "chat-tool-index-negative": "both: the call is taken, and the index reported",
    "chat-tool-calls-empty-list": "none, not an empty list",
    "chat-choice-index-counts-chunks": "strict: the index names the choice",
    "chat-audio-pieces": "raw: no finish reason is inferred",
    "chat-finish-reason-never-sent": "null and a problem",
    "chat-finish-reason-stop-with-tool-calls": "the wire's value",
    "chat-finish-reason-before-the-end": "the last one that is not empty",
    "chat-content-sent-cumulatively": "default: pieces are joined; no normaliser is offered",
    "chat-tool-new-id-on-each-piece": "a piece without a name goes on with the call of its index",
    "chat-tool-index-0-for-all-with-id-on-every-piece": "lenient: two calls, and a problem",
    "chat-images-in-delta": "lists are extended",
}
"""Case → the reading of it that is taken, in a sentence."""


EXCEPTIONS = {
    ("dec-annotations-missing-in-final-only", "final.output[0].content[0].annotations"): (
        None,
        "what the terminal response leaves out reads as None, as every absent property does",
    ),
    ("dec-logprobs-missing-on-text-delta", "decoded"): (
        {"type": "response.output_text.delta", "delta": "hi", "logprobs": None},
        "absent reads as None",
    ),
    ("chat-content-sent-cumulatively", "opt_in_normaliser"): (..., "there is none"),
    ("chat-choice-index-counts-chunks", "lenient_with_n_1"): (..., "the other reading is taken"),
    ("sse-two-json-values-no-blank-line-between", "decode_lenient"): (
        ...,
        "the other reading is taken",
    ),
    ("sse-frame-cut-and-next-glued-on", "decode_lenient"): (..., "the other reading is taken"),
    ("dec-non-finite-number-literal", "lenient"): (..., "the other reading is taken"),
    ("dec-usage-lacks-newly-required-subfield", "strict_mode"): (
        ...,
        "an overlay says that the field may be absent, since recorded servers leave it out",
    ),
    ("ws-close-before-terminal", "close_code"): (..., "the transport has it, not the package"),
}
"""Case and key → what is expected in place of the case's value (... for nothing) and why."""


def cases() -> list[dict[str, Any]]:
    """The cases of the areas in this file; none where the machine does not have them."""
    try:
        found = json.loads(shared("cases/cases.json").read_text("utf-8"))["cases"]
    except pytest.skip.Exception:
        return []
    return [case for case in found if case["area"] in AREAS]


CASES = cases()


def test_all_cases_are_here() -> None:
    shared("cases/cases.json")
    counted = {area: sum(case["area"] == area for case in CASES) for area in AREAS}
    assert counted == AREAS
    debatable = {case["id"] for case in CASES if case["debatable"]}
    assert debatable <= READINGS.keys() <= {case["id"] for case in CASES}
    assert {name for name, _ in EXCEPTIONS} <= {case["id"] for case in CASES}


def cuttings() -> list[Any]:
    """Every case whole; and byte by byte and in pieces of 7, where there are bytes to cut and not too many of them."""
    return [
        pytest.param(case, chunk_size, id=f"{case['id']}-{chunk_size}")
        for case in CASES
        for chunk_size in (0, 1, 7)
        if not chunk_size or not (case["input_kind"] == "websocket" or "recipe" in case["input"])
    ]


@pytest.mark.parametrize(("case", "chunk_size"), cuttings())
def test_case(case: dict[str, Any], chunk_size: int) -> None:
    run = run_case(case, chunk_size)
    for key, expected in case["expected"].items():
        expected = EXCEPTIONS.get((case["id"], key), (expected, ""))[0]
        if expected is ...:
            continue
        judge = WORDS.get((case["id"], key)) or WORDS.get(("", key))
        if judge is not None:
            judge(case, run, expected)
        else:
            assert fits(expected, view(run, key)), (key, expected, view(run, key))
