"""Faults of the Messages stream that were reported in public, one test each, and inputs of the same kinds.

Reads ../shared/cases/cases.json through the adapter of `tests.shared_cases`. Every key of a case's `expected` has its judge
in `JUDGES`. `READINGS` says which reading is taken where the case has several. Never counts a text that was found in the
snapshot alone: what `text()` gives has to agree.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from stream_events import messages
from stream_events.sse import ServerSentEvent, encode
from tests.case_views import fits, looked_up
from tests.case_words_events import kinds
from tests.shared import shared
from tests.shared_cases import Run, read

AREA = "anthropic-stream"
NUMBER = 13

READINGS = {
    "ant-delta-without-start": "lenient: text and thinking begin a block at that index; the problem names the place, and "
    "nothing raises",
    "ant-tool-input-prefilled-and-deltas": "what the deltas join to takes the place of what the start had; without deltas, "
    "or with empty or invalid ones, that stays",
    "ant-tool-input-cut-by-token-limit": "not parsed: the input stays as it was announced, the text is kept beside the "
    "message, and a problem says so",
}
"""Case → the reading of it that is taken, in a sentence."""


def cases() -> list[dict[str, Any]]:
    """The cases of the area; none where the machine does not have them."""
    try:
        found = json.loads(shared("cases/cases.json").read_text("utf-8"))["cases"]
    except pytest.skip.Exception:
        return []
    return [case for case in found if case["area"] == AREA]


CASES = cases()


def test_all_cases_are_here() -> None:
    shared("cases/cases.json")
    assert len(CASES) == NUMBER
    assert {case["id"] for case in CASES if case["debatable"]} == set(READINGS)
    assert {key for case in CASES for key in case["expected"]} == set(JUDGES)


def run_payloads(payloads: list[Any], size: int = 0) -> Run:
    """Read payloads as a server sends them, each with its event line, in chunks of a size where one is given."""
    return run_body(
        b"".join(encode(ServerSentEvent(each["type"], json.dumps(each), "")) for each in payloads),
        size,
    )


def run_body(body: bytes, size: int = 0) -> Run:
    """Read a body to its end."""
    step = size or max(len(body), 1)
    return read(messages, [body[at : at + step] for at in range(0, len(body), step)])


def final(run: Run) -> dict[str, Any]:
    """The JSON of the finished message; of the message so far where the input has no message_stop."""
    is_over = "message_stop" in run.tags()
    found = run.accumulator.final if is_over else run.accumulator.message
    return dict(messages.encode(found))


@pytest.mark.parametrize("size", [0, 1, 7])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any], size: int) -> None:
    given = case["input"]
    if isinstance(given, list):
        run = run_payloads(given, size)
    else:
        run = run_body("".join(given["chunks"]).encode(), size)
    for key, expected in case["expected"].items():
        JUDGES[key](run, key, expected)
    assert all(before == after for before, after in run.copies)


# --- judges -----------------------------------------------------------------------------------------------------------


def at_path(run: Run, key: str, expected: Any) -> None:
    """What is below `final`: every property that is named, every entry of a list."""
    found = looked_up(final(run), key.removeprefix("final."))
    assert fits(expected, found), (key, expected, found)


def tool_input(run: Run, key: str, expected: Any) -> None:
    """The input of a tool as a whole: nothing more, nothing less."""
    assert looked_up(final(run), key.removeprefix("final.")) == expected


def text(run: Run, key: str, expected: str) -> None:
    blocks = [block for block in final(run)["content"] if block["type"] == "text"]
    assert run.accumulator.text() == "".join(block["text"] for block in blocks) == expected


def blocks(run: Run, key: str, expected: int) -> None:
    assert len(final(run)["content"]) == expected


def names_place(run: Run, key: str, words: str) -> None:
    """A problem names the place, and what came is there."""
    found = [each for each in run.problems if each.kind == "unannounced"]
    assert [each.path for each in found] == [".content[0]"]
    assert final(run)["content"] == [{"type": "text", "text": "x"}]


def nothing_raised(run: Run, key: str, words: str) -> None:
    """That the run came to its end is the whole of it."""


def raw_input(run: Run, key: str, expected: str) -> None:
    assert run.accumulator.beside("partial_json", 0) == expected


def not_parsed(run: Run, key: str, words: str) -> None:
    assert final(run)["content"][0]["input"] == {}
    found = [(each.kind, each.path) for each in run.problems]
    assert found == [("not-json", ".content[0].input")]


def failed(run: Run, key: str, words: str) -> None:
    assert (run.reader.outcome, run.accumulator.status) == ("error", "failed")
    assert run.accumulator.text() == "Partial"
    with pytest.raises(messages.StreamError, match="Overloaded"):
        _ = run.accumulator.final


def error(run: Run, key: str, expected: dict[str, str]) -> None:
    assert {name: getattr(run.accumulator.error, name) for name in expected} == expected


def complete(run: Run, key: str, expected: bool) -> None:
    """Whether the answer counts as complete: `parsed` works on complete answers alone."""
    assert _is_complete(run) is expected


def _is_complete(run: Run) -> bool:
    try:
        run.accumulator.parsed(str)
    except messages.StreamError:
        return False
    return True


def closed_twice(run: Run, key: str, words: str) -> None:
    assert kinds(run) == ["closed-twice"]


JUDGES: dict[str, Callable[[Run, str, Any], None]] = {
    "final.usage": at_path,
    "final.text": text,
    "final.content": at_path,
    "final.content[0].input": tool_input,
    "stop_reason": at_path,
    "content_length": blocks,
    "blocks": blocks,
    "strict": names_place,
    "never": nothing_raised,
    "raw_input": raw_input,
    "input": not_parsed,
    "stream_result": failed,
    "error": error,
    "looks_like_end_turn": complete,
    "warning": closed_twice,
}
"""Key of `expected` → who judges it."""


# --- inputs of the same kinds -----------------------------------------------------------------------------------------


def start(**fields: Any) -> dict[str, Any]:
    usage = {"input_tokens": 25, "output_tokens": 1}
    message = {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "x"}
    return {"type": "message_start", "message": {**message, "usage": usage, **fields}}


def block(index: Any, kind: str, **fields: Any) -> dict[str, Any]:
    return {
        "type": "content_block_start",
        "index": index,
        "content_block": {"type": kind, **fields},
    }


def tool(identity: str, index: int = 0, value: Any = None) -> dict[str, Any]:
    return block(index, "tool_use", id=identity, name="f", input=value or {})


def piece(index: Any, name: str, value: Any) -> dict[str, Any]:
    types = {"partial_json": "input_json_delta"}
    delta = {"type": types.get(name, f"{name}_delta"), name: value}
    return {"type": "content_block_delta", "index": index, "delta": delta}


def stop(index: Any = 0) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def changed(usage: Any, reason: str | None = "end_turn") -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}


END = {"type": "message_stop"}
PING = {"type": "ping"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([{"output_tokens": 3, "input_tokens": None}], {"input_tokens": 25, "output_tokens": 3}),
        ([{"output_tokens": 9}, {"output_tokens": 9}], {"input_tokens": 25, "output_tokens": 9}),
        ([None], {"input_tokens": 25, "output_tokens": 1}),
        ([{"output_tokens": 2, "input_tokens": 30}], {"input_tokens": 30, "output_tokens": 2}),
        (
            [{"output_tokens": 2, "a": 1}, {"output_tokens": 3, "a": 1}],
            {"input_tokens": 25, "output_tokens": 3, "a": 1},
        ),
    ],
)
def test_usage_is_replaced_count_by_count(given: list[Any], expected: Any) -> None:
    run = run_payloads([start(), *map(changed, given), END])
    assert final(run)["usage"] == expected and run.accumulator.usage_json == expected


@pytest.mark.parametrize("content", [None, "", []])
def test_content_that_is_no_list_is_an_empty_one(content: Any) -> None:
    assert final(run_payloads([start(content=content), END]))["content"] == []
    run = run_payloads([start(content=content), block(0, "text", text=""), END])
    assert len(final(run)["content"]) == 1


@pytest.mark.parametrize(
    ("announced", "pieces", "expected"),
    [
        ({"a": 1}, [""], {"a": 1}),
        ({"a": 1}, [], {"a": 1}),
        ({"a": 1}, ['{"b": 2}'], {"b": 2}),
        ({"a": 1}, ["{}"], {}),
        ({"a": 1}, ['{"b"'], {"a": 1}),
        ({}, list('{"a": "\\ud83d\\ude00"}'), {"a": "\U0001f600"}),
    ],
)
def test_deltas_take_the_place_of_what_was_announced(
    announced: Any, pieces: list[str], expected: Any
) -> None:
    deltas = [piece(0, "partial_json", each) for each in pieces]
    run = run_payloads([start(), tool("t", 0, announced), *deltas, stop(), END])
    assert final(run)["content"][0]["input"] == expected


def test_an_index_that_is_used_again_begins_a_new_input() -> None:
    first = [tool("a"), piece(0, "partial_json", '{"a": 1}'), stop()]
    second = [tool("b"), piece(0, "partial_json", '{"b": 1}'), stop()]
    run = run_payloads([start(), *first, *second, END])
    assert [each["input"] for each in final(run)["content"]] == [{"a": 1}, {"b": 1}]
    assert kinds(run) == ["index-reused"]


def test_two_inputs_grow_side_by_side() -> None:
    pieces = [(0, '{"a":'), (1, '{"b":'), (1, "2}"), (0, "1}")]
    deltas = [piece(index, "partial_json", text) for index, text in pieces]
    run = run_payloads([start(), tool("a", 0), tool("b", 1), *deltas, stop(1), stop(0), END])
    assert [each["input"] for each in final(run)["content"]] == [{"a": 1}, {"b": 2}]
    assert not run.problems


def test_an_input_that_comes_as_an_object_is_taken_and_reported() -> None:
    run = run_payloads([start(), tool("a"), piece(0, "partial_json", {"a": 1}), stop(), END])
    assert final(run)["content"][0]["input"] == {"a": 1}
    assert kinds(run) == ["wrong-type"]


@pytest.mark.parametrize("kind", ["mcp_tool_use", "server_tool_use", "future_tool_use"])
def test_the_input_of_every_kind_of_tool_is_parsed(kind: str) -> None:
    begin = block(0, kind, id="i", name="n", input={}, server="s")
    pieces = [piece(0, "partial_json", each) for each in ('{"a"', ": 1}")]
    run = run_payloads([start(), begin, *pieces, stop(), END])
    assert final(run)["content"] == [{**begin["content_block"], "input": {"a": 1}}]


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        ({"type": "error", "error": {"type": "future_error", "message": "boom"}}, "boom"),
        ({"type": "error", "error": "boom"}, "boom"),
        ({"type": "error", "message": "boom"}, "boom"),
        ({"type": "error", "error": None}, ""),
        ({"type": "error"}, ""),
    ],
)
def test_an_error_of_any_form_fails_the_stream(payload: Any, message: str) -> None:
    run = run_payloads([start(), block(0, "text", text="a"), payload])
    assert (run.reader.outcome, run.accumulator.status) == ("error", "failed")
    assert run.accumulator.error.message == message
    with pytest.raises(messages.StreamError, match="failed"):
        _ = run.accumulator.final
    assert run.accumulator.text() == "a"


def test_pings_change_nothing_wherever_they_come() -> None:
    plain = [start(), block(0, "text", text=""), piece(0, "text", "a"), stop(), END]
    pings = [PING, {**PING, "data": {}}]
    run = run_payloads([*pings, *[each for event in plain[:-1] for each in (event, *pings)], END])
    assert final(run) == final(run_payloads(plain)) and not run.problems


@pytest.mark.parametrize("content", [{"type": "text", "text": "He"}, {"type": "tool_use", "id": "t", "name": "f", "input": {}}])  # fmt: skip
def test_what_message_start_holds_can_go_on(content: Any) -> None:
    delta = piece(0, "text", "y") if "text" in content else piece(0, "partial_json", '{"a": 1}')
    run = run_payloads([start(content=[content]), delta, stop(), END])
    goes_on = {"text": "Hey"} if "text" in content else {"input": {"a": 1}}
    assert final(run)["content"] == [{**content, **goes_on}] and not run.problems


@pytest.mark.parametrize("reason", ["pause_turn", "refusal", "max_tokens", "of_tomorrow", None])
def test_only_known_ends_are_complete_answers(reason: str | None) -> None:
    said = [block(0, "text", text="Hi"), stop(), changed({}, reason)]
    run = run_payloads([start(), *said, END])
    assert final(run).get("stop_reason") == reason
    assert not _is_complete(run)


def test_a_block_that_is_finished_stays_as_it_is() -> None:
    said = [block(0, "text", text=""), piece(0, "text", "a"), stop(), piece(0, "text", "b")]
    run = run_payloads([start(), *said, END])
    assert run.accumulator.text() == "a" and kinds(run) == ["after-done"]
    once = [tool("t"), piece(0, "partial_json", '{"a": 1}'), stop()]
    run = run_payloads([start(), *once, stop(), END])
    assert final(run)["content"][0]["input"] == {"a": 1} and kinds(run) == ["closed-twice"]


def test_an_input_without_an_index_is_that_of_the_last_block() -> None:
    delta = piece(0, "partial_json", '{"a": 1}')
    del delta["index"]
    run = run_payloads([start(), block(0, "text", text="a"), tool("t", 1), delta, stop(1), END])
    assert [each.get("input") for each in final(run)["content"]] == [None, {"a": 1}]
    assert kinds(run) == ["index-filled"]


def test_an_input_whose_end_is_never_told_is_parsed_all_the_same() -> None:
    run = run_payloads([start(), tool("t"), piece(0, "partial_json", '{"a": 1}'), END])
    assert final(run)["content"][0]["input"] == {"a": 1}
    run = run_payloads([start(), tool("t"), piece(0, "partial_json", '{"a"'), END])
    assert final(run)["content"][0]["input"] == {} and "not-json" in kinds(run)


@pytest.mark.parametrize("name", ["text", "thinking"])
def test_a_block_of_an_unknown_type_is_never_lost(name: str) -> None:
    run = run_payloads([start(), block(0, "future", x=1), piece(0, name, "a"), stop(), END])
    found = final(run)["content"]
    assert found[0]["type"] == "future" and found[0]["x"] == 1
    assert "a" in [each.get(name) for each in found]
