"""What a person meets who holds an event: a dataclass that remembers how it came.

Reads the generated package only. Expected values are payloads written here, or recorded facts of JSON (RFC 8259).
"""

from __future__ import annotations

import copy
import dataclasses
import importlib
import json
import pickle
import typing
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from stream_events import chat, responses
from stream_events.responses import websocket
from tests.json_values import package, same_text
from tests.payloads import DELTA, MESSAGE, completed, delta, response

MODULES = [
    importlib.import_module(f"stream_events.{name}")
    for name in (
        "beta_responses",
        "beta_responses.websocket",
        "chat",
        "completions",
        "images",
        "messages",
        "responses",
        "responses.websocket",
    )
]

# Dataclasses


def classes(module: ModuleType) -> list[Any]:
    """Every class of a module, payloads included."""
    found = [getattr(module, name) for name in dir(module)]
    return [each for each in found if dataclasses.is_dataclass(each) and hasattr(each, "_wire")]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_classes_are_slotted_dataclasses_with_hints(module: ModuleType) -> None:
    found = [cls for cls in classes(module) if cls is not module.Record]
    dotted = module.__name__.partition(".")[2]
    models = package(dotted.partition(".")[0]).models
    assert {cls.__name__ for cls in found} >= {m.name for m in models if m.module in ("", dotted)}
    for cls in found:
        names = [field.name for field in dataclasses.fields(cls)]
        hints = typing.get_type_hints(cls)
        assert [name for name in hints if name in names] == names, cls
        assert "_wire" not in names and "_wire" not in hints
        assert tuple(names) == cls.__match_args__ == cls.__slots__
        assert not hasattr(cls.__new__(cls), "__dict__")
        assert cls.__doc__ and not cls.__doc__.startswith(f"{cls.__name__}(")


def test_fields_asdict_replace_and_match() -> None:
    event = delta()
    assert [field.name for field in dataclasses.fields(event)] == list(
        "item_id output_index content_index delta sequence_number logprobs obfuscation stream_id "
        "type".split()
    )
    assert dataclasses.asdict(event) == {**DELTA, "stream_id": None}
    assert dataclasses.replace(event, delta="x").delta == "x"
    match responses.decode(DELTA):
        case responses.ResponseTextDeltaEvent(delta=text, item_id="msg_1"):
            assert text == "Hello"
        case _:
            raise AssertionError("did not match")


def test_asdict_goes_into_payloads() -> None:
    found = dataclasses.asdict(response(id="r", output=[MESSAGE]))
    assert found["output"][0] == {**MESSAGE, "phase": None}
    assert "_wire" not in found


def test_repr_shows_what_is_there_and_is_short() -> None:
    event = delta(x_unknown=1, obfuscation=None)
    assert repr(event) == (
        "ResponseTextDeltaEvent(item_id='msg_1', output_index=0, content_index=0, delta='Hello', "
        "sequence_number=4, logprobs=[], type='response.output_text.delta')"
    )
    assert len(repr(delta(delta="x" * 100_000))) < 500
    assert len(repr(response(output=[MESSAGE] * 1000))) < 500


def test_records_are_mutable_and_so_not_hashable() -> None:
    with pytest.raises(TypeError):
        hash(delta())


def test_no_other_attribute_can_be_set() -> None:
    with pytest.raises(AttributeError):
        delta().detla = "x"  # type: ignore[attr-defined]


# Absent, null and unknown


@pytest.mark.parametrize(
    "properties",
    [
        {},
        {"error": None},
        {"usage": None, "id": None},
        {"id": "r", "x_unknown": {"a": [1, 1.0, None]}},
        {"status": "x-new", "output": [{"type": "x-new", "b": 1.0}, 3, None]},
        {"output": None, "created_at": 1.0, "model": 3},
        {"tool_choice": "auto", "tools": [{"type": "function", "name": "f", "strict": None}]},
        {
            "metadata": {"a": "b"},
            "text": {"format": {"type": "json_schema", "schema": {"type": 3}}},
        },
    ],
)
def test_absent_null_and_unknown_come_out_as_they_went_in(properties: dict[str, Any]) -> None:
    payload = completed(**properties)
    text = json.dumps(payload)
    for _ in range(3):
        assert same_text(responses.encode(responses.decode(text))) == same_text(payload)
        assert same_text(responses.encode(responses.decode(payload))) == same_text(payload)
    assert json.dumps(payload) == text


def test_absent_and_null_both_read_as_none() -> None:
    assert response().usage is None and response(usage=None).usage is None
    assert response() != response(usage=None)


def test_what_is_set_after_decoding_wins() -> None:
    event = delta(obfuscation=None, logprobs=None, x_unknown=1)
    event.obfuscation = "new"
    event.logprobs = []
    event.delta = "Bye"
    assert responses.encode(event) == {
        **DELTA,
        "delta": "Bye",
        "obfuscation": "new",
        "x_unknown": 1,
    }


def test_a_field_set_to_none_is_left_out() -> None:
    event = delta()
    event.obfuscation = None
    assert responses.encode(event) == {name: DELTA[name] for name in DELTA if name != "obfuscation"}


def test_what_encode_gives_is_not_shared() -> None:
    event = responses.decode(completed(output=[MESSAGE], x_unknown=[[]], metadata={"a": "b"}))
    first = responses.encode(event)
    before = same_text(first)
    first["response"]["output"][0]["content"].append(1)
    first["response"]["x_unknown"][0].append(1)
    first["response"]["metadata"]["c"] = "d"
    assert same_text(responses.encode(event)) == before


def test_an_event_built_by_hand() -> None:
    event = responses.ResponseTextDeltaEvent(
        item_id="msg_1",
        output_index=0,
        content_index=0,
        delta="Hello",
        sequence_number=4,
        logprobs=[],
        obfuscation="abc",
    )
    assert responses.encode(event) == DELTA
    assert event == responses.decode(DELTA)
    assert responses.problems(event) == [] and responses.missing(event) == []


def test_none_by_hand_is_null_where_required_and_nullable_and_absent_elsewhere() -> None:
    logprob = chat.ChatCompletionTokenLogprobTopLogprob(token="x", logprob=-1.0, bytes=None)
    assert chat.encode(logprob) == {"token": "x", "logprob": -1.0, "bytes": None}
    choice = chat.CreateChatCompletionStreamResponseChoice(
        delta=chat.ChatCompletionStreamResponseDelta(), index=0, finish_reason=None
    )
    assert chat.encode(choice) == {"delta": {}, "index": 0}
    broken = delta()
    broken.item_id = None  # type: ignore[assignment]
    assert "item_id" not in responses.encode(broken)


def test_missing_names_required_properties_that_were_left_out() -> None:
    payload = {name: DELTA[name] for name in DELTA if name not in ("logprobs", "item_id")}
    event = responses.decode(payload)
    assert isinstance(event, responses.ResponseTextDeltaEvent)
    assert event.logprobs is None and event.item_id is None
    assert responses.missing(event) == ["item_id", "logprobs"]
    assert responses.encode(event) == payload
    assert responses.missing(responses.decode({"type": "x-new"})) == []


def test_problems_have_paths() -> None:
    payload = completed(output=[{**MESSAGE, "content": [{"type": "output_text", "text": 3}]}])
    found = [str(problem) for problem in responses.problems(responses.decode(payload))]
    assert ".response.output[0].content[0].text: expected string, got 3" in found
    assert ".response.id: required property 'id' is missing" in found


def test_numbers_are_those_of_json_schema() -> None:
    assert responses.problems(delta(output_index=1.0)) == []
    assert [str(each) for each in responses.problems(delta(output_index=1.5))] == [
        ".output_index: expected integer, got 1.5"
    ]
    assert [str(each) for each in responses.problems(delta(output_index=True))] == [
        ".output_index: expected integer, got true"
    ]


# Copies and comparison


COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "replace": dataclasses.replace,
    "pickle": lambda event: pickle.loads(pickle.dumps(event)),
    "oldest pickle with slots": lambda event: pickle.loads(pickle.dumps(event, 2)),
}


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize(
    "payload",
    [
        DELTA,
        {**DELTA, "obfuscation": None, "x_unknown": {"a": 1.0}},
        {"type": "response.output_text.delta"},
        completed(output=[MESSAGE, {"type": "x-new"}], usage=None),
        {"type": "x-new", "a": [None]},
    ],
)
def test_copies_keep_what_was_kept(how: str, payload: dict[str, Any]) -> None:
    event = responses.decode(payload)
    made = COPIES[how](event)
    assert made == event and type(made) is type(event)
    assert same_text(responses.encode(made)) == same_text(payload)


def test_equal_is_what_encodes_to_equal() -> None:
    assert delta() == delta() and delta() != delta(delta="x")
    assert delta(x=1) != delta() and delta(x=1) == delta(x=1)
    assert delta(logprobs=None) != delta(logprobs=[])
    event = delta(obfuscation=None)
    event.obfuscation = "abc"
    assert event == delta()
    assert delta() != DELTA and delta() != websocket.decode({**DELTA, "type": "x-new"})
    assert websocket.decode(DELTA) == responses.decode(DELTA)
