"""What the words of reported faults mean for whole streams: places, cost, resuming, numbers, ends.

Reads a case and its run; asserts. Each function is for the words that `case_words` has it under.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import pytest

from stream_events import responses
from tests.case_views import fits, flat
from tests.case_words_events import kinds
from tests.shared_cases import Run, add, body, read, recipe


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
