"""Faults that were reported in public, one test each: what the package makes of them.

Reads ../shared/cases/cases.json. Every key of a case's `expected` is judged; words are judged by the function that stands
under them in `WORDS`, values by comparing with the view of the run that the key names. `READINGS` says which reading is taken
where the case has several.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest

from stream_events import responses
from stream_events.sse import SSEDecoder, ServerSentEvent, encode
from tests.shared import shared
from tests.shared_cases import Run, add, body, read, recipe, run_case

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


# --- views ------------------------------------------------------------------------------------------------------------


def view(run: Run, key: str) -> Any:
    """What a key of `expected` is about: `final` and what is below it, or one of the names in `VIEWS`."""
    key = re.sub(r"^(lenient|strict|default|recovered)\.", "", key)
    first, _, rest = key.partition(".")
    first, _, index = first.partition("[")
    if first not in VIEWS:
        first, rest, index = "final", key, ""
    node = VIEWS[first](run)
    node = node[int(index.rstrip("]"))] if index else node
    return looked_up(node, rest) if rest else node


VIEWS: dict[str, Callable[[Run], Any]] = {
    "events": lambda run: [{"event": each.event, "data": each.data} for each in run.sse],
    "sse_events": lambda run: [{"event": each.event, "data": each.data} for each in run.sse],
    "sse_event_count": lambda run: len(run.sse),
    "retry_ms": lambda run: run.decoder.retry,
    "types": lambda run: run.tags(),
    "decoded_types": lambda run: run.tags(),
    "final": lambda run: flat(run, run.final),
    "response": lambda run: flat(run, run.api.encode(run.accumulator.response)),
    "output_text": lambda run: run.accumulator.text(),
    "partial_text": lambda run: run.accumulator.text(),
    "partial_content": lambda run: run.accumulator.text(),
    "joined_text": lambda run: run.accumulator.text(),
    "error": lambda run: vars(run.accumulator.error),
    "usage": lambda run: {**run.accumulator.usage_json, "raw": run.accumulator.usage_json},
    "cursor": lambda run: run.accumulator.last_sequence_number,
    "final_status": lambda run: run.accumulator.final.status,
    "statuses": lambda run: [status for _, status in run.states],
    "output_text_after": lambda run: distinct(["", *[text for text, _ in run.states]]),
    "text_after": lambda run: distinct(["", *[text for text, _ in run.states]]),
    "responses": lambda run: [
        flat(run, run.api.encode(each))
        for each in (*run.accumulator.predecessors, run.accumulator.final)
    ],
    "steer": lambda run: run.accumulator.beside("steering"),
    "turn_1": lambda run: flat(run, run.final),
    "errors": lambda run: [{**vars(error), "lane": lane} for lane, error in run.lanes_of],
    "items": lambda run: len(run.final["output"]),
    "len": lambda run: len(run.final["output"]),
    "calls_emitted": lambda run: len(run.final["output"]),
    "unknown_types": lambda run: [each.tag for each in run.events if hasattr(each, "tag")],
    "events_seen_by_caller": lambda run: len(run.events),
    "accumulated_name": lambda run: run.accumulator.at("output", 0, "name"),
    "object_seen": lambda run: run.events[0].tag,
    "output_text_length": lambda run: len(run.accumulator.text()),
    "text": lambda run: run.accumulator.text(),
    "thinking": lambda run: run.accumulator.at("choices", 0, "message", "thinking"),
    "tool_call": lambda run: {
        "item_id": run.accumulator.at("output", 0, "id"),
        "call_id": run.accumulator.at("output", 0, "call_id"),
    },
    "unknown": lambda run: [
        {"type": each.tag, "raw": each.data} for each in run.events if hasattr(each, "tag")
    ],
    "decoded": lambda run: [decoded(run, event) for event in run.events],
}


def flat(run: Run, final: dict[str, Any]) -> dict[str, Any]:
    """A final object with what the cases name shortly: the message of the first choice, the text, the reason."""
    found = dict(final)
    if "choices" in final:
        choices = [{**choice, **choice.get("message", {})} for choice in final["choices"]]
        found = {**(choices[0] if choices else {}), **final, "choices": choices}
    elif final.get("output"):
        texts = [text_of(item) for item in final["output"] if item.get("type") == "message"]
        found["output_text"] = "".join(texts)
        found["arguments"] = final["output"][0].get("arguments")
    found["reason"] = (final.get("incomplete_details") or {}).get("reason")
    return found


def text_of(item: dict[str, Any]) -> str:
    """All text of an item's content."""
    content = item.get("content")
    return "".join(part["text"] for part in content or () if "text" in part)


def decoded(run: Run, event: Any) -> Any:
    """An event with its attributes, or what is unknown of it."""
    if hasattr(event, "tag"):
        return {"unknown_event": event.tag, **(event.data if isinstance(event.data, dict) else {})}
    found = {name: getattr(event, name) for name in event.__slots__}
    choices = getattr(event, "choices", None)
    if choices:
        found |= {"content": choices[0].delta.content, "finish_reason": choices[0].finish_reason}
    return found


def distinct(values: list[Any]) -> list[Any]:
    """Values without those that equal the one before."""
    return [value for at, value in enumerate(values) if not at or value != values[at - 1]]


def looked_up(node: Any, path: str) -> Any:
    """The value at a dotted path; what is extra or raw stands among the other properties."""
    for name, index in re.findall(r"([\w]+)|\[(\d+)\]", path):
        if index:
            node = node[int(index)] if node else None
        elif name not in ("extra", "raw") or (isinstance(node, dict) and name in node):
            node = named(node, name)
    return node


def named(node: Any, name: str) -> Any:
    """A property of a JSON object or of a record, also where the cases leave out what is between."""
    if not isinstance(node, dict):
        return getattr(node, name, None)
    inner: dict[str, Any] = {}
    for key in ("function", "image_url"):
        inner = node[key] if isinstance(node.get(key), dict) else inner
    if name in node:
        return node[name]
    if name in inner:
        return inner[name]
    if name == "text" and "content" in node:
        return text_of(node)
    data = node.get("data")
    return data.get(name) if isinstance(data, dict) else None


def fits(expected: Any, found: Any) -> bool:
    """Whether a value is as expected: every property that is named, every element of a list."""
    if isinstance(expected, dict) and isinstance(found, (dict, object)) and found is not None:
        return all(fits(value, looked_up(found, name)) for name, value in expected.items())
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(map(fits, expected, found))
    if isinstance(expected, int) and isinstance(found, list):
        return len(found) == expected
    if isinstance(expected, str) and isinstance(found, dict):
        names = ("type", "id", "content", "text")
        return (
            expected in [found.get(name) for name in names]
            or text_of({"content": [found]}) == expected
        )
    return bool(expected == found)


# --- words ------------------------------------------------------------------------------------------------------------


def kinds(run: Run, level: str = "") -> list[str]:
    return [each.kind for each in run.problems if level in ("", each.level)]


def reports(*expected: str) -> Callable[[Any, Run, Any], None]:
    """Judges that problems of these kinds are among those reported."""

    def judge(case: Any, run: Run, words: Any) -> None:
        assert set(expected) <= set(kinds(run)), (expected, run.problems)

    return judge


def raises(message: str) -> Callable[[Any, Run, Any], None]:
    """Judges that there is no final object, and why."""

    def judge(case: Any, run: Run, words: Any) -> None:
        with pytest.raises(run.api.StreamError, match=message):
            _ = run.accumulator.final

    return judge


def failure(case: Any, run: Run, words: Any) -> None:
    """The stream failed: no final object, an outcome that says so, and the error where there is one."""
    assert run.reader.outcome in ("error", "truncated")
    with pytest.raises(run.api.StreamError):
        _ = run.accumulator.final
    code = re.search(r"code (\d+)", words)
    if code:
        assert run.accumulator.error.code == int(code[1])
        assert run.accumulator.error.message


def json_delta(case: Any, run: Run, expected: str) -> None:
    assert run.events[0].delta == expected


def malformed_then_decoded(case: Any, run: Run, words: Any) -> None:
    first, second = run.events
    assert (first.tag, first.data) == (None, ": OPENROUTER PROCESSING")
    assert second.data == {"n": 1}
    assert "not-json" in kinds(run, "error")


def not_json(case: Any, run: Run, words: Any) -> None:
    """The whole text is kept in an UnknownEvent, and reported."""
    assert [event.data for event in run.events] == [each.data for each in run.sse]
    assert kinds(run, "error") == ["not-json"]


def without_end(case: Any, run: Run, expected: Any) -> None:
    """The decoder drops the unfinished event, or hands it out marked where it was asked to."""
    assert view(run, "events") == expected["events"]
    decoder = SSEDecoder(flush_incomplete=True)
    found = decoder.feed("".join(case["input"]["chunks"]).encode()) + decoder.close()
    assert [each.incomplete for each in found] == [False, True]


def delivers_tail(case: Any, run: Run, expected: Any) -> None:
    assert [run.api.encode(event) for event in run.events] == [
        json.loads(each["data"]) for each in expected["events"]
    ]
    assert "incomplete-event" in kinds(run, "warning")


def no_terminal(case: Any, run: Run, expected: Any) -> None:
    assert expected is None
    with pytest.raises(run.api.StreamError):
        _ = run.accumulator.final


def terminal(case: Any, run: Run, expected: str) -> None:
    assert run.tags()[-1] == expected
    assert run.accumulator.final is not None
    assert run.reader.outcome in ("complete", "truncated")


def done_marker(case: Any, run: Run, words: Any) -> None:
    assert run.sse[-1].data == "[DONE]"
    assert "[DONE]" not in [getattr(event, "data", "") for event in run.events]
    assert "unexpected-done" in kinds(run, "info")


def encoded(case: Any, run: Run, words: Any) -> None:
    text = encode(ServerSentEvent("message", "Hello\n", ""))
    assert text.rstrip(b" ") in (b"data: Hello\ndata: \n\n", b"data: Hello\ndata:\n\n")


def no_final_field(case: Any, run: Run, words: Any) -> None:
    """The key is null, and `missing` says that it was absent."""
    assert run.events[0].response.incomplete_details is None
    assert "incomplete_details" in run.api.missing(run.events[0].response)


def missing_logprobs(case: Any, run: Run, words: Any) -> None:
    assert run.api.missing(run.events[0]) == ["logprobs"]
    assert ".logprobs" in [each.path for each in run.api.problems(run.events[0])]
    assert "logprobs" not in run.api.encode(run.events[0])


def one_decoded(case: Any, run: Run, expected: Any) -> None:
    assert fits(expected, decoded(run, run.events[0]))


def decoded_details(case: Any, run: Run, expected: Any) -> None:
    assert fits(expected, run.events[1].response.usage.input_tokens_details)


def second_index(case: Any, run: Run, words: str) -> None:
    assert run.accumulator.text() == run.final["output"][0]["content"][0]["text"] == "ok"
    before = responses.Accumulator()
    for event in run.events[:-1]:
        before.add(event)
    assert before.text(int(words.split()[-1]), 0) == "ok"


def malformed_item(case: Any, run: Run, words: Any) -> None:
    assert run.api.encode(run.events[1]) == case["input"][1]
    found = [each for each in run.problems if each.kind == "wrong-index"]
    assert ["not an integer" in each.message for each in found] == [True]
    assert any(each.path == ".output_index" for each in run.api.problems(run.events[1]))


def all_malformed(case: Any, run: Run, words: Any) -> None:
    def kept(data: Any) -> Any:
        return data if isinstance(data, dict) else json.loads(data)

    assert [kept(event.data) for event in run.events] == case["input"]
    assert [event.tag for event in run.events] == [None] * len(case["input"])
    assert len(kinds(run, "error")) >= len(case["input"])
    for payload in case["input"]:
        with pytest.raises(responses.DecodeError):
            responses.decode(json.dumps(payload))


def both_errors(case: Any, run: Run, expected: Any) -> None:
    for payload in case["input"]:
        one = read(responses, [body([payload])])
        assert fits(expected, vars(one.accumulator.error))


def parts_kept(case: Any, run: Run, words: Any) -> None:
    contents = [chunk["choices"][0]["delta"]["content"] for chunk in case["input"]]
    parts = [part for content in contents if isinstance(content, list) for part in content]
    assert run.accumulator.at("choices", 0, "message", "content_parts") == parts


def other_kind(case: Any, run: Run, words: Any) -> None:
    assert "unknown-event" in kinds(run)
    assert [event.data for event in run.events] == case["input"]
    assert run.accumulator.text() == "Hi"
    assert run.final["choices"][0]["finish_reason"] == "stop"


def items_by_index(case: Any, run: Run, expected: Any) -> None:
    for item in expected:
        found = run.accumulator.at("output", item["output_index"])
        assert fits({**item, "output_index": None}, found), (item, found)


def parts_by_index(case: Any, run: Run, expected: Any) -> None:
    for part in expected:
        found = run.accumulator.at("output", 0, "content", part["content_index"], "text")
        assert found == part["text"]


def verbatim(case: Any, run: Run, expected: Any) -> None:
    assert run.events[-1].response.output == expected


def emitted_once(case: Any, run: Run, expected: Any) -> None:
    assert run.accumulator.arguments() == run.accumulator.arguments(0) == '{"id":1}'


def before_terminal(case: Any, run: Run, expected: Any) -> None:
    accumulator = responses.Accumulator()
    for event in run.events[:-1]:
        accumulator.add(event)
    assert accumulator.response is not None
    assert fits(expected["lenient"], responses.encode(accumulator.response)["output"])


def two_warnings(case: Any, run: Run, expected: int) -> None:
    assert kinds(run, "warning").count("wrong-kind") == expected


def unchanged(case: Any, run: Run, words: Any) -> None:
    assert all(before == after for before, after in run.copies)
    snapshot = run.accumulator.response
    shown = run.api.encode(snapshot)
    run.accumulator.add(run.events[2])
    assert run.api.encode(snapshot) == shown


def same_again(case: Any, run: Run, words: Any) -> None:
    again = responses.Accumulator()
    for event in run.events:
        again.add(event)
    assert responses.encode(again.final) == responses.encode(run.accumulator.final)


def linear(case: Any, run: Run, words: Any) -> None:
    """Twice the events are twice the calls of Python functions, also where text is read now and then."""
    counts = []
    for number in (1000, 2000, 4000):
        events = [responses.decode(json.dumps(payload)) for payload in long_stream(number)]
        counts.append(calls(events))
    assert abs((counts[2] - counts[1]) - 2 * (counts[1] - counts[0])) <= 50


def long_stream(number: int) -> list[Any]:
    return recipe({"delta": "x" * 64, "count": number})


def calls(events: list[Any]) -> int:
    """How many Python functions run while events are accumulated."""
    count = 0

    def profile(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    accumulator = responses.Accumulator()
    sys.setprofile(profile)
    try:
        for event in events:
            accumulator.add(event)
    finally:
        sys.setprofile(None)
    return count


def never_parsed(case: Any, run: Run, words: Any) -> None:
    """Arguments stay text until `parsed_arguments` is asked for, which parses once."""
    parsed = []
    run.accumulator.parsed_arguments(0, with_=lambda text: parsed.append(json.loads(text)))
    assert len(parsed) == 1


def is_json(case: Any, run: Run, expected: bool) -> None:
    assert isinstance(json.loads(run.accumulator.arguments(0)), list) is expected


def not_parsed(case: Any, run: Run, words: Any) -> None:
    with pytest.raises(responses.StreamError, match="not complete"):
        run.accumulator.parsed(json.loads)


def encodable(case: Any, run: Run, expected: bool) -> None:
    assert run.accumulator.text().encode("utf-8").decode("utf-8") == run.accumulator.text()


def deltas_as_they_are(case: Any, run: Run, words: Any) -> None:
    assert [event.delta for event in run.events] == ["ok \ud83d", "\ude00!"]


def resumed(case: Any, run: Run, expected: Any) -> None:
    """The first part was read; the second is read into the same accumulator after `resume`."""
    run.accumulator.resume(case["input"].get("resume_starting_after"))
    for event in responses.read([body(case["input"]["second_part"])]):
        add(run, event)
    assert run.accumulator.text() == "Hello"
    assert fits("Hello", flat(run, run.final)["output_text"])
    assert not [kind for kind in kinds(run) if kind.startswith("sequence")]


def fresh(case: Any, run: Run, words: Any) -> None:
    alone = read(responses, [body(case["input"]["second_part"])])
    assert flat(alone, alone.final)["output_text"] == "Hello"


def repeated_numbers(case: Any, run: Run, words: Any) -> None:
    assert kinds(run, "warning").count("sequence-repeat") == len(case["input"]) - 1


def gaps(case: Any, run: Run, expected: Any) -> None:
    found: list[Any] = []
    for problem in run.problems:
        number, last = (re.findall(r"\d+", problem.message) + ["0", "0"])[:2]
        if problem.kind == "sequence-gap":
            found.append({"gap": [int(last), int(number)]})
        elif problem.kind == "sequence-back":
            found.append({"out_of_order": int(number)})
    assert found == expected


def wire_order(case: Any, run: Run, words: Any) -> None:
    """What was streamed reads in the order of arrival, until the terminal response says otherwise."""
    assert run.states[-2][0] == "ba"
    assert "disagreement" in kinds(run)


def no_sequence_problem(case: Any, run: Run, words: Any) -> None:
    assert not [kind for kind in kinds(run) if kind.startswith("sequence")]


def final_now(case: Any, run: Run, words: Any) -> None:
    """The accumulator was not told that the stream ended."""
    assert run.accumulator.final.status == "completed"


def ended_well(case: Any, run: Run, expected: bool) -> None:
    assert (run.reader.outcome == "error") is expected
    assert (run.accumulator.error is not None) is expected


def no_error(case: Any, run: Run, expected: bool) -> None:
    assert (run.accumulator.error is not None) is expected
    assert not run.problems


def status_kept(case: Any, run: Run, expected: bool) -> None:
    assert run.final["output"][0]["status"] == case["input"][0]["item"]["status"]


def errors_reported(case: Any, run: Run, expected: int) -> None:
    assert run.accumulator.error.code == "insufficient_quota"
    assert not kinds(run, "warning") and not kinds(run, "error")


def nothing_begun(case: Any, run: Run, expected: bool) -> None:
    """No response had begun, so that the request can be sent again."""
    assert (run.accumulator.response is None) is expected


def not_an_event(case: Any, run: Run, words: Any) -> None:
    assert len(run.failures) == 1 and len(run.events) == 1


def not_raised(case: Any, run: Run, expected: bool) -> None:
    assert run.accumulator.final.choices[0].finish_reason == "length"


def created_first(case: Any, run: Run, words: Any) -> None:
    assert run.accumulator.predecessors == [] and kinds(run) == ["unknown-event"]


def passed(case: Any, run: Run, words: Any) -> None:
    """That the run came to its end is the whole of it."""


def choices_texts(case: Any, run: Run, expected: list[str]) -> None:
    assert [choice["message"]["content"] for choice in run.final["choices"]] == expected


def raw_finish_reason(case: Any, run: Run, expected: Any) -> None:
    assert run.final["choices"][0].get("finish_reason") == (expected or {}).get("raw")


def plain_input_tokens(case: Any, run: Run, expected: Any) -> None:
    assert run.accumulator.usage.input_tokens is expected["plain"]


WORDS: dict[tuple[str, str], Callable[[dict[str, Any], Run, Any], None]] = {
    ("sse-u2028-inside-data", "json_delta"): json_delta,
    ("sse-comment-reframed-as-data", "decode"): malformed_then_decoded,
    ("", "decode_strict"): not_json,
    ("dec-non-finite-number-literal", "strict"): not_json,
    ("sse-last-event-without-blank-line", "strict"): without_end,
    ("sse-last-event-without-blank-line", "lenient"): delivers_tail,
    ("", "incomplete_tail"): reports("incomplete-event"),
    ("", "terminal"): terminal,
    ("sse-cut-inside-json-at-eof", "terminal"): no_terminal,
    ("dec-terminal-event-without-response", "terminal"): no_terminal,
    ("dec-terminal-event-without-response", "final"): raises("holds no snapshot"),
    ("", "stream_result"): failure,
    ("", "end"): done_marker,
    ("sse-event-line-and-type-disagree", "warning"): reports("event-line"),
    ("", "encode_of_Hello_LF"): encoded,
    ("", "accumulator"): created_first,
    ("dec-response-field-required-but-absent", "decoded.incomplete_details"): no_final_field,
    ("dec-response-field-required-but-absent", "strict_mode"): no_final_field,
    ("dec-logprobs-missing-on-text-delta", "strict_mode"): missing_logprobs,
    ("", "second"): malformed_item,
    ("dec-logprobs-missing-on-text-delta", "decoded"): one_decoded,
    ("", "decoded.usage.input_tokens_details"): decoded_details,
    ("", "text_went_to"): second_index,
    ("", "each"): all_malformed,
    ("", "both_decode_to"): both_errors,
    ("dec-content-is-list-of-parts", "raw"): parts_kept,
    ("dec-legacy-text-completion-chunk", "result"): other_kind,
    ("", "no_crash"): passed,
    ("", "items_in_order"): items_by_index,
    ("acc-content-index-gap", "content"): parts_by_index,
    ("", "verbatim_final.output"): verbatim,
    ("", "emitted_once"): emitted_once,
    ("acc-text-done-disagrees-with-deltas", "warning"): reports("disagreement"),
    ("acc-one-output-index-for-several-items", "warning"): reports("index-reused"),
    ("", "before_terminal"): before_terminal,
    ("acc-delta-of-wrong-kind-for-item", "warning"): two_warnings,
    ("", "after_folding"): unchanged,
    ("", "second_fold_of_same_events"): same_again,
    ("", "time"): linear,
    ("", "parse_calls"): never_parsed,
    ("", "final.arguments_is_json"): is_json,
    ("", "text_done.parsed"): not_parsed,
    ("", "joined_text_is_encodable_as_utf8"): encodable,
    ("", "single_deltas"): deltas_as_they_are,
    ("life-empty-stream", "final"): raises("empty"),
    ("", "is_terminal"): final_now,
    ("life-incomplete-max-tokens", "is_terminal"): passed,
    ("", "is_error"): ended_well,
    ("", "errors_reported"): errors_reported,
    ("", "final_available_without_eof"): final_now,
    ("", "same_accumulator"): resumed,
    ("", "fresh_accumulator_on_second_part"): fresh,
    ("life-resume-replays-seen-events", "final.output_text"): resumed,
    ("", "rule"): passed,
    ("life-sequence-numbers-all-zero", "warning"): repeated_numbers,
    ("", "reported"): gaps,
    ("", "order"): wire_order,
    ("", "item_status_changed_by_accumulator"): status_kept,
    ("", "retry_safe"): nothing_begun,
    ("", "no_duplicate_warning"): no_sequence_problem,
    ("ws-close-before-terminal", "final"): raises("before its terminal event"),
    ("ws-frame-not-json", "result"): not_an_event,
    ("", "turn_1_is_error"): no_error,
    ("chat-tool-id-changes-mid-call", "warning"): reports("id-changed"),
    ("chat-tool-index-negative", "strict"): reports("wrong-index"),
    ("chat-tool-index-0-for-all-with-id-on-every-piece", "strict"): reports("wrong-index"),
    ("chat-choice-index-counts-chunks", "strict.final.choices"): choices_texts,
    ("chat-audio-pieces", "final.finish_reason"): raw_finish_reason,
    ("", "flag"): reports("not-finished"),
    ("", "raises"): not_raised,
    ("dec-usage-with-chat-names-in-response", "usage.input_tokens"): plain_input_tokens,
}
"""Case and key → who judges it; without a case, the key wherever it stands."""
