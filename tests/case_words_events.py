"""What the words of reported faults mean for event streams, payloads and single events.

Reads a case and its run; asserts. Each function is for the words that `case_words` has it under.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from stream_events import responses
from stream_events.sse import ServerSentEvent, SSEDecoder, encode
from tests.case_views import decoded, fits, view
from tests.shared_cases import Run, body, read


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
