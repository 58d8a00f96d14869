"""That an accumulator's quick ways do what the rules do, whatever comes.

Makes short streams out of few values, so that events repeat, nearly repeat and undo one another; expected is what an
accumulator gives that takes every event by the rules. Never looks at what a quick way knows.
"""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stream_events import beta_responses, chat, completions, messages, responses
from stream_events._runtime.records import Record
from tests.small_streams import Event

ODD: tuple[Any, ...] = (None, "", 0, 1, 1.0, True, [], {}, "w", [1], {"a": 1})
SEEDS = st.integers(0, 2**32).map(random.Random)
DELTAS: list[Event] = [
    {"content": "a"},
    {"content": "b", "refusal": None},
    {"reasoning_content": "r"},
    {"refusal": "no"},
    {"role": "assistant", "content": ""},
    {"content": [{"type": "text", "text": "p"}]},
    {"tool_calls": [{"index": 0, "function": {"arguments": "{"}}]},
    {"tool_calls": [{"index": 1, "function": {"arguments": "}"}}]},
    {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "f", "arguments": ""}}]},
    {"tool_calls": [{"index": 0, "id": "d", "function": {"name": "g"}}, {"index": 1}]},
    {"tool_calls": [{"id": "e", "function": {"arguments": "x"}}]},
    {"function_call": {"arguments": "q"}},
    {"audio": {"data": "QQ=="}},
]
BLOCKS: list[Event] = [
    {"type": "text_delta", "text": "a"},
    {"type": "text_delta", "text": "b", "encrypted_content": "e"},
    {"type": "thinking_delta", "thinking": "t"},
    {"type": "signature_delta", "signature": "s"},
    {"type": "input_json_delta", "partial_json": "{"},
    {"type": "input_json_delta", "partial_json": "}"},
    {"type": "citations_delta", "citation": {"type": "x"}},
    {"type": "new", "text": "n"},
]
OTHERS: list[Event] = [
    {"type": "content_block_start", "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_start", "content_block": {"type": "tool_use", "id": "t", "input": {}}},
    {"type": "content_block_stop"},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}},
    {"type": "message_start", "message": {"id": "m", "type": "message", "content": []}},
    {"type": "message_stop"},
]
RESPONSES: list[Event] = [
    *[{"type": "response.output_text.delta", "delta": "a"}] * 12,
    *[{"type": "response.function_call_arguments.delta", "delta": "q"}] * 3,
    *[{"type": "response.reasoning_summary_text.delta", "summary_index": 0, "delta": "s"}] * 2,
    {"type": "response.refusal.delta", "delta": "r"},
    {"type": "response.output_text.done", "text": "aa"},
    {"type": "response.output_item.added", "item": {"type": "message", "id": "m", "content": []}},
    {"type": "response.output_item.done", "item": {"type": "function_call", "id": "f"}},
    {"type": "response.content_part.added", "part": {"type": "output_text", "text": ""}},
    {"type": "response.completed", "response": {"id": "r", "output": []}},
    {"type": "response.created", "response": {"id": "s", "output": []}},
    {"type": "error", "message": "x"},
]


def index(chance: random.Random) -> Any:
    return chance.choice((0, 0, 0, 0, 1, 1, 1, True, 0.0, None, "0"))


def chat_event(chance: random.Random) -> Event:
    choice = {"index": index(chance), "delta": copy.deepcopy(chance.choice(DELTAS))}
    spoilt(choice["delta"], ("new", "content", "role", "my_text", "tool_calls"), chance)
    spoilt(choice, ("new", "logprobs", "finish_reason"), chance)
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return spoilt({**head, "choices": [choice]}, ("new", "usage", "created", "error"), chance)


def completion_event(chance: random.Random) -> Event:
    choice = {"index": index(chance), "text": chance.choice("ab")}
    spoilt(choice, ("new", "text", "logprobs", "finish_reason"), chance)
    head = {"id": "c", "object": "text_completion", "created": 1, "model": "m"}
    return spoilt({**head, "choices": [choice]}, ("new", "usage", "created", "error"), chance)


def messages_event(chance: random.Random) -> Event:
    if chance.random() < 0.15:
        return {"index": index(chance), **copy.deepcopy(chance.choice(OTHERS))}
    delta = spoilt(copy.deepcopy(chance.choice(BLOCKS)), ("new", "text", "type"), chance)
    event = {"type": "content_block_delta", "index": index(chance), "delta": delta}
    return spoilt(event, ("new", "delta"), chance)


def responses_event(chance: random.Random) -> Event:
    event: Event = {"output_index": index(chance), "content_index": index(chance)}
    event |= copy.deepcopy(chance.choice(RESPONSES))
    return spoilt(event, ("new", "output_index", "content_index", "delta", "item_id"), chance)


def spoilt(value: Event, names: tuple[str, ...], chance: random.Random) -> Event:
    """An object in which now and then a value is another one."""
    if chance.random() < 0.1:
        value[chance.choice(names)] = copy.deepcopy(chance.choice(ODD))
    return value


def retyped(value: Any, chance: random.Random) -> Any:
    """A value in which some of 0, 1 and their equals have another type."""
    if isinstance(value, dict):
        return {name: retyped(each, chance) for name, each in value.items()}
    if isinstance(value, list):
        return [retyped(each, chance) for each in value]
    if isinstance(value, (int, float)) and chance.randrange(2):
        return chance.choice((int, float, bool))(value)
    return value


def stream(make: Any, chance: random.Random) -> list[Event]:
    """Events of which many come again, some with numbers of another type, and most are numbered."""
    events = [make(chance) for _ in range(chance.randrange(2, 12))]
    events = [copy.deepcopy(each) for each in events for _ in range(chance.choice((1, 1, 2, 3)))]
    for _ in range(chance.randrange(8)):
        events.insert(chance.randrange(len(events)), copy.deepcopy(chance.choice(events)))
    events = [retyped(each, chance) if chance.random() < 0.12 else each for each in events]
    for number, event in enumerate(events):
        if make is responses_event and chance.random() < 0.95:
            event["sequence_number"] = number
    return events


def told(value: Any) -> Any:
    """A value in a form in which 1, 1.0 and true differ."""
    if isinstance(value, dict):
        return {name: told(each) for name, each in value.items()}
    return [told(each) for each in value] if isinstance(value, list) else repr(value)


def state(module: Any, accumulator: Any) -> tuple[Any, ...]:
    """Everything that an accumulator tells."""
    snapshot = accumulator._snapshot()
    try:
        final = told(module.encode(accumulator.final))
    except module.StreamError as error:
        final = str(error)
    shown = told(module.encode(snapshot)) if isinstance(snapshot, Record) else None
    problems = list(accumulator.problems), accumulator.last_sequence_number, accumulator.is_over
    return shown, final, problems, accumulator.text(), told(accumulator.beside("partial_json"))


@pytest.mark.parametrize(
    "module, make",
    [
        (chat, chat_event),
        (completions, completion_event),
        (messages, messages_event),
        (responses, responses_event),
        (beta_responses, responses_event),
    ],
    ids=lambda each: getattr(each, "__name__", "").rpartition(".")[2],
)
@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(SEEDS)
def test_quick_ways_do_what_the_rules_do(module: Any, make: Any, chance: random.Random) -> None:
    quick, by_rules = module.Accumulator(), module.Accumulator()
    for payload in stream(make, chance):
        event = module.decode(payload)
        quick.add(event)
        by_rules._add(event)
        for accumulator in (quick, by_rules) if chance.random() < 0.05 else ():
            accumulator.resume()
    assert state(module, quick) == state(module, by_rules)
