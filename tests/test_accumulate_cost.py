"""That adding costs the same at the first and at the last event, as a count of calls. Never reads a clock."""

from __future__ import annotations
import sys
from typing import Any
import pytest
from stream_events import beta_responses, chat, responses
from tests.small_streams import (
    ADDED,
    ARGUMENTS,
    CALL,
    CREATED,
    Event,
    PART_ADDED,
    call,
    chunk,
    delta,
    item,
    numbered,
    run,
    without,
)


def test_beta_responses_have_the_same_rules() -> None:
    """Dialects add rules of their own, behind those of the stream."""
    ours, theirs = responses.accumulator.RULES, beta_responses.accumulator.RULES
    assert theirs.keys() <= ours.keys()
    assert [tag for tag in theirs if ours[tag][: len(theirs[tag])] != theirs[tag]] == []


def calls_for(api: Any, events: list[Any]) -> list[int]:
    """How many functions run for each event."""
    count = 0

    def profile(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    accumulator, counts = api.Accumulator(), []
    for event in events:
        count = 0
        sys.setprofile(profile)
        try:
            accumulator.add(event)
        finally:
            sys.setprofile(None)
        counts.append(count)
    return counts


@pytest.mark.parametrize(
    ("api", "begin", "piece"),
    [
        (responses, [CREATED, ADDED, PART_ADDED], delta("x")),
        (responses, [CREATED, item("added", 1, CALL)], {**ARGUMENTS, "delta": "x"}),
        (responses, [CREATED], delta("x")),
        (responses, [CREATED, ADDED, PART_ADDED], without(delta("x"), "output_index")),
        (chat, [], chunk({"content": "x"})),
        (
            chat,
            [chunk({"tool_calls": [call(0, "a", "f")]})],
            chunk({"tool_calls": [call(0, arguments="x")]}),
        ),
        (chat, [], chunk({"my_text": "x", "label": "l"})),
    ],
)
def test_a_delta_costs_the_same_at_any_time(api: Any, begin: list[Event], piece: Event) -> None:
    events = [api.decode(event) for event in numbered(*begin, *[piece] * 3000)]
    counts = calls_for(api, events)
    assert counts[len(begin) + 10] == counts[1500] == counts[-1]


def test_many_tool_calls_cost_the_same_each() -> None:
    deltas = [chunk({"tool_calls": [call(at, f"id{at}", "f", "{}")]}) for at in range(3000)]
    counts = calls_for(chat, [chat.decode(each) for each in deltas])
    assert counts[10] == counts[-1]
