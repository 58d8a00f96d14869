"""The accumulators of chunks: chat completions, text completions, images.

Reads small streams written here; expected is what the fragments' rules say. Never looks at recordings.
"""

from __future__ import annotations
import json
from typing import Any
import pytest
from stream_events import chat, completions, images
from tests.shared_cases import Run, body, read
from tests.small_streams import Event, call, chunk, delta, kinds, message, without


def talk(*chunks: Event) -> Run:
    return read(chat, [body([*chunks]) + b"data: [DONE]\n\n"])


def choices(found: Run) -> list[Any]:
    return [
        (each["index"], each["message"])
        for each in chat.encode(found.accumulator.completion)["choices"]
    ]


STOP = chunk({}, reason="stop")


CHAT: list[tuple[str, list[Event], str, list[str]]] = [
    ("no choices", [without(STOP, "choices"), chunk({"content": "a"}), STOP], "a", []),
    ("null choices", [{**STOP, "choices": None}, chunk({"content": "a"}), STOP], "a", []),
    (
        "choices that are an object",
        [{**STOP, "choices": chunk({"content": "a"})["choices"][0]}, STOP],
        "a",
        ["wrong-type"],
    ),
    (
        "choices that are text",
        [{**STOP, "choices": "x"}, chunk({"content": "a"}), STOP],
        "a",
        ["wrong-type"],
    ),
    (
        "a choice that is null",
        [{**STOP, "choices": [None]}, chunk({"content": "a"}), STOP],
        "a",
        ["wrong-type"],
    ),
    ("a null delta", [chunk(None), chunk({"content": "a"}), STOP], "a", []),
    ("a delta that is text", [chunk("x"), chunk({"content": "a"}), STOP], "a", ["wrong-type"]),
    ("a delta that is a list", [chunk(["x"]), chunk({"content": "a"}), STOP], "a", ["wrong-type"]),
    (
        "content that is a number",
        [chunk({"content": 7}), chunk({"content": "a"}), STOP],
        "a",
        ["wrong-type"],
    ),
    (
        "no index",
        [chunk({"content": "a"}, None), chunk({"content": "b"}), STOP],
        "ab",
        ["index-filled"],
    ),
    ("an index that is a boolean", [chunk({"content": "a"}, False), STOP], "a", ["wrong-index"]),
    ("an index that is 0.0", [chunk({"content": "a"}, 0.0), STOP], "a", []),
    (
        "a null error",
        [chunk({"content": "a"}, error=None), chunk({}, reason="stop", error={})],
        "a",
        [],
    ),
    ("tool calls that are null", [chunk({"content": "a", "tool_calls": None}), STOP], "a", []),
    (
        "tool calls that are text",
        [chunk({"content": "a", "tool_calls": "x"}), STOP],
        "a",
        ["wrong-type"],
    ),
    ("usage that is text", [chunk({"content": "a"}, usage="x"), STOP], "a", ["wrong-type"]),
    (
        "logprobs that are text",
        [
            {
                **STOP,
                "choices": [
                    {
                        "index": 0,
                        "delta": {"content": "a"},
                        "logprobs": "x",
                        "finish_reason": "stop",
                    }
                ],
            }
        ],
        "a",
        ["wrong-type"],
    ),
    (
        "only a message",
        [{**STOP, "choices": [{"index": 0, "message": {"content": "a"}, "finish_reason": "stop"}]}],
        "a",
        [],
    ),
    (
        "a message beside the delta",
        [
            {
                **STOP,
                "choices": [
                    {
                        "index": 0,
                        "delta": {"content": "a"},
                        "message": {"content": "b"},
                        "finish_reason": "stop",
                    }
                ],
            }
        ],
        "a",
        [],
    ),
    (
        "a piece of content in a list",
        [chunk({"content": [{"type": "text", "text": "a"}]}), chunk({"content": "b"}), STOP],
        "ab",
        [],
    ),
    ("no finish reason", [chunk({"content": "a"})], "a", ["not-finished"]),
]


@pytest.mark.parametrize(("name", "chunks", "text", "problems"), CHAT, ids=[row[0] for row in CHAT])
def test_chat(name: str, chunks: list[Event], text: str, problems: list[str]) -> None:
    found = talk(*chunks)
    assert found.accumulator.final is not None
    assert found.accumulator.text() == text
    assert kinds(found) == problems


def test_choices_by_index() -> None:
    found = talk(
        *(chunk({"content": text}, at, "stop") for at, text in ((7, "b"), (-1, "z"), (0, "a")))
    )
    assert choices(found) == [(-1, {"content": "z"}), (0, {"content": "a"}), (7, {"content": "b"})]
    assert found.accumulator.text(7) == "b" and kinds(found) == ["wrong-index"]


@pytest.mark.parametrize("error", [{"message": "bad", "code": 1}, "bad"])
def test_an_error_beside_choices_fails_the_stream(error: Any) -> None:
    found = talk(chunk({"content": "a"}, error=error))
    assert found.reader.outcome == "error" and found.accumulator.status == "failed"
    with pytest.raises(chat.StreamError, match="the stream failed: bad"):
        _ = found.accumulator.final
    assert found.accumulator.text() == "a"


CALLS: list[tuple[str, list[Event], list[tuple[Any, Any, Any]]]] = [
    ("one", [call(0, "a", "f", ""), call(0, arguments="{}")], [("a", "f", "{}")]),
    (
        "a repeated id and name",
        [call(0, "a", "f", "{"), call(0, "a", "f", "}")],
        [("a", "f", "{}")],
    ),
    ("an empty id and name", [call(0, "a", "f", "{"), call(0, "", "", "}")], [("a", "f", "{}")]),
    ("another id alone", [call(0, "a", "f", "{"), call(0, "b", arguments="}")], [("a", "f", "{}")]),
    (
        "another name alone",
        [call(0, "a", "f", "{"), call(0, name="g", arguments="}")],
        [("a", "f", "{}")],
    ),
    (
        "another id and name",
        [call(0, "a", "f", "1"), call(0, "b", "g", "2")],
        [("a", "f", "1"), ("b", "g", "2")],
    ),
    (
        "two calls of one index, by turns",
        [
            call(0, "a", "f"),
            call(0, "b", "g"),
            call(0, "a", arguments="1"),
            call(0, "b", arguments="2"),
        ],
        [("a", "f", "1"), ("b", "g", "2")],
    ),
    (
        "no index",
        [
            call(id="a", name="f", arguments="1"),
            call(arguments="2"),
            call(id="b", name="g", arguments="3"),
        ],
        [("a", "f", "12"), ("b", "g", "3")],
    ),
    (
        "no index, by id",
        [call(id="a", name="f"), call(id="b", name="g"), call(id="a", arguments="1")],
        [("a", "f", "1"), ("b", "g", None)],
    ),
    (
        "any order",
        [call(1, "b", "g", "2"), call(0, "a", "f", "1")],
        [("a", "f", "1"), ("b", "g", "2")],
    ),
    ("gaps", [call(9, "b", "g", "2"), call(4, "a", "f", "1")], [("a", "f", "1"), ("b", "g", "2")]),
    (
        "an index that is a boolean",
        [call(0, "a", "f", "1"), call(True, arguments="2")],
        [("a", "f", "12")],
    ),
    (
        "an id that came later",
        [call(0, name="f", arguments="1"), call(0, "a", arguments="2")],
        [("a", "f", "12")],
    ),
    (
        "an id that is a list",
        [call(0, ["a"], "f", "1"), call(0, arguments="2")],
        [(["a"], "f", "12")],
    ),
    ("null arguments", [call(0, "a", "f", None), call(0, arguments="1")], [("a", "f", "1")]),
    (
        "a null function",
        [call(0, "a", "f", "1"), {"index": 0, "function": None}],
        [("a", "f", "1")],
    ),
    (
        "a function that is text",
        [call(0, "a", "f", "1"), {"index": 0, "function": "x"}],
        [("a", "f", "1")],
    ),
]


@pytest.mark.parametrize(("name", "pieces", "expected"), CALLS, ids=[row[0] for row in CALLS])
@pytest.mark.parametrize("together", [False, True])
def test_tool_calls(name: str, pieces: list[Event], expected: list[Any], together: bool) -> None:
    deltas = [pieces] if together else [[piece] for piece in pieces]
    found = talk(*(chunk({"tool_calls": each}) for each in deltas), chunk({}, reason="tool_calls"))
    made = choices(found)[0][1]["tool_calls"]
    assert [
        (each.get("id"), each["function"].get("name"), each["function"].get("arguments"))
        for each in made
    ] == expected


def test_a_lone_tool_call_is_no_list() -> None:
    found = talk(chunk({"tool_calls": call(0, "a", "f", "{}")}, reason="tool_calls"))
    assert found.accumulator.arguments(0) == found.accumulator.arguments(0, 0) == "{}"
    assert kinds(found) == ["wrong-type"]


def test_unknown_properties() -> None:
    found = talk(
        chunk({"reasoning_content": "a", "my_text": "x", "label": "l"}, x_one={"n": 1}),
        chunk(
            {"reasoning_content": "b", "my_text": "y", "label": "l"}, reason="stop", x_one={"n": 2}
        ),
    )
    assert choices(found)[0][1] == {"reasoning_content": "ab", "my_text": "xy", "label": "l"}
    assert chat.encode(found.accumulator.final)["x_one"] == {"n": 2}


def test_usage_is_taken_property_by_property() -> None:
    first = {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4}
    found = talk(
        chunk({"content": "a"}, usage=first), chunk({}, reason="stop", usage={"total_tokens": 5})
    )
    found_empty = talk(
        chunk({}, usage=first),
        chunk({}, reason="stop", usage={}),
        {**STOP, "choices": [], "usage": None},
    )
    assert found.accumulator.usage_json == {**first, "total_tokens": 5}
    assert found_empty.accumulator.usage_json == first


def test_first_chunk_of_azure_and_moderation() -> None:
    filtered = {
        "id": "",
        "object": "",
        "created": 0,
        "model": "",
        "choices": [],
        "prompt_filter_results": [1],
    }
    found = talk(
        filtered,
        chunk({"content": "a"}, reason="stop"),
        {**STOP, "choices": [], "moderation": {"x": 1}},
    )
    final = chat.encode(found.accumulator.final)
    assert (final["id"], final["created"], final["prompt_filter_results"]) == ("c", 1, [1])
    assert final["moderation"] == {"x": 1} and kinds(found) == []


def test_a_completion_that_was_not_streamed() -> None:
    whole = {
        "id": "i",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"content": "a"}, "finish_reason": "stop"}],
    }
    for chunks in ([body([whole])], [json.dumps(whole).encode()]):
        assert read(chat, chunks).accumulator.final.choices[0].message.content == "a"


def test_text_completions() -> None:
    def piece(text: str, reason: Any = None) -> Event:
        logprobs = {
            "tokens": [text],
            "token_logprobs": [0],
            "top_logprobs": [{}],
            "text_offset": [0],
        }
        return {
            "id": "c",
            "object": "text_completion",
            "choices": [{"index": 0, "text": text, "logprobs": logprobs, "finish_reason": reason}],
        }

    found = read(completions, [body([piece("a"), piece("b", "stop"), chunk({"content": "c"})])])
    assert found.accumulator.text() == "abc"  # the last is a chunk of the other API
    assert found.accumulator.at("choices", 0, "logprobs", "tokens") == ["a", "b"]


def test_images() -> None:
    partial = {"type": "image_generation.partial_image", "partial_image_index": 1, "b64_json": "p"}
    done = {"type": "image_generation.completed", "b64_json": "whole", "usage": {"total_tokens": 3}}
    found = read(images, [body([partial, done])])
    assert found.accumulator.final.b64_json == "whole"
    assert found.accumulator.beside("partial_images", 1) == "p"
    assert found.accumulator.usage.total_tokens == 3


def test_an_object_in_place_of_json_text_is_kept_as_its_text() -> None:
    """Some servers send the arguments of a call as the object that they are the text of."""
    found = talk(
        chunk({"tool_calls": [call(0, "a", "f", {"city": "Köln"})]}),
        chunk({"function_call": {"name": "g", "arguments": [1]}}, 1, "stop"),
        STOP,
    )
    first, second = choices(found)
    assert json.loads(first[1]["tool_calls"][0]["function"]["arguments"]) == {"city": "Köln"}
    assert second[1]["function_call"]["arguments"] == "[1]"
    assert kinds(found) == ["wrong-type", "wrong-type"]


def test_undeclared_objects_are_merged() -> None:
    found = talk(
        chunk({}, x_own={"id": "q", "seed": 1}), {**STOP, "x_own": {"usage": {}, "seed": 2}}
    )
    completion = chat.encode(found.accumulator.completion)
    assert completion["x_own"] == {"id": "q", "seed": 2, "usage": {}}
