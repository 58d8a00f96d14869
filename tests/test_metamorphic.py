"""What may not matter, and what has to come out: random streams cut, split, resumed and told in another order.

Reads nothing from outside. The streams and the objects that they stand for are made by `tests.consistent`, object first;
no expected value comes from the package. Never looks inside an accumulator.
"""

from __future__ import annotations

import json
import random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stream_events import beta_responses, chat, responses
from tests import consistent, consistent_chat, mangling

BOUNDED = settings(max_examples=150, deadline=None, derandomize=True, database=None)
SEEDS = st.integers(0, 2**32).map(random.Random)
EITHER = st.sampled_from([responses, beta_responses])
UNKNOWN = {"unknown-event"}
"""Problems of streams that do nothing wrong but have an event that is new."""


def accumulated(module: ModuleType, payloads: list[Any]) -> Any:
    """An accumulator after these events."""
    accumulator = module.Accumulator()
    for payload in payloads:
        accumulator.add(module.decode(payload))
    return accumulator


def kinds(problems: list[Any]) -> set[str]:
    """The problems besides those that are expected, by kind."""
    return {problem.kind for problem in problems} - UNKNOWN


def body_of(payloads: list[Any], chance: random.Random) -> bytes:
    """A body with these events, with line ends, comments and event lines as a server may choose them."""
    end = chance.choice(("\n", "\r", "\r\n"))
    blocks = []
    for payload in payloads:
        lines = [f"event: {payload['type']}"] if "type" in payload and chance.randrange(2) else []
        lines += [": keep-alive"] if chance.randrange(6) == 0 else []
        lines += [f"id: {chance.randrange(9)}"] if chance.randrange(6) == 0 else []
        lines += json.dumps(payload, ensure_ascii=False, indent=chance.choice((None, 1))).split(
            "\n"
        )
        blocks.append(
            end.join(
                line if line[:1] in "ei:" and ":" in line[:6] else f"data: {line}" for line in lines
            )
        )
    blocks += ["data: [DONE]"] if chance.randrange(3) == 0 else []
    return "".join(block + end * 2 for block in blocks).encode("utf-8", "surrogatepass")


def read(module: ModuleType, chunks: list[bytes]) -> tuple[Any, ...]:
    """Everything that a reader gives."""
    reader = module.read(chunks)
    events = list(reader)
    return events, reader.problems, reader.outcome, reader.last_event_id


def pieces(body: bytes, chance: random.Random) -> list[bytes]:
    """A body cut at random places; sometimes into single bytes, sometimes with empty chunks."""
    if chance.randrange(4) == 0:
        return [body[at : at + 1] for at in range(len(body))]
    places = sorted(chance.randrange(len(body) + 1) for _ in range(chance.randrange(1, 30)))
    return [body[a:b] for a, b in zip([0, *places], [*places, len(body)])]


@BOUNDED
@given(SEEDS, EITHER)
def test_cutting_the_bytes_changes_nothing(chance: random.Random, module: ModuleType) -> None:
    payloads = consistent.response_stream(chance).events
    if chance.randrange(2):
        module, payloads = chat, consistent_chat.chat_stream(chance).chunks
    body = body_of(payloads, chance)[:20_000]
    body = mangling.mangled(body, chance) if chance.randrange(2) else body
    assert read(module, pieces(body, chance)) == read(module, [body])


@BOUNDED
@given(SEEDS, EITHER)
def test_plain_blocks_read_as_all_others(chance: random.Random, module: ModuleType) -> None:
    """A bytearray goes through the line machine alone, which the WHATWG standard's tests judge."""
    payloads = consistent.response_stream(chance).events
    if chance.randrange(2):
        module, payloads = chat, consistent_chat.chat_stream(chance).chunks
    end = "\n\n"
    body = "".join(
        (
            f"event: {each['type']}\ndata: {json.dumps(each)}{end}"
            if "type" in each
            else f"data: {json.dumps(each)}{end}"
        )
        for each in payloads
    ).encode()
    body = mangling.mangled(body[:20_000], chance) if chance.randrange(2) else body
    cut = pieces(body, chance) if chance.randrange(2) else body.split(b"\n\n")
    assert read(module, cut) == read(module, [bytearray(piece) for piece in cut])


@BOUNDED
@given(SEEDS, EITHER)
def test_the_quick_ways_do_what_the_rules_do(chance: random.Random, module: ModuleType) -> None:
    payloads = consistent.response_stream(chance).events
    if chance.randrange(2):
        module, payloads = chat, consistent_chat.chat_stream(chance).chunks
    events = [module.decode(payload) for payload in payloads]
    for _ in range(chance.randrange(4)):  # repeated and out of place
        events.insert(chance.randrange(len(events)), chance.choice(events))
    quick, by_rules = module.Accumulator(), module.Accumulator()
    for event in events:
        quick.add(event)
        by_rules._add(event)
        if chance.randrange(5) == 0:
            assert quick.text() == by_rules.text()
    assert quick.problems == by_rules.problems
    assert quick.last_sequence_number == by_rules.last_sequence_number
    assert quick._snapshot() == by_rules._snapshot()


def test_what_follows_done_counts_for_nothing() -> None:
    body = b"id: 1\ndata: [DONE]\n\nid: 2\ndata: {}\n\n"
    assert read(chat, [body]) == read(chat, [body[at : at + 1] for at in range(len(body))])
    assert read(chat, [body])[3] == "1"


ODD_BODIES = [
    b'{"error": {"message": "no quota", "code": "insufficient_quota"}}',
    b'\xef\xbb\xbf \n {"error": "text"}',
    b" " * 70 + b'{"error": {}}',
    b'{"a": 1}\n\ndata: {"type": "error", "message": "m"}\n\n',
    b"<html>gateway</html>", b"", b"\n\n\n", b'data: {"type": "response.created"', b"\xef\xbb\xbfdata: {}\n\n", b"[1, 2]",
]  # fmt: skip


@pytest.mark.parametrize("body", ODD_BODIES)
@pytest.mark.parametrize("module", [responses, chat])
def test_cutting_a_body_that_is_no_stream_changes_nothing(module: ModuleType, body: bytes) -> None:
    whole = read(module, [body])
    for size in (1, 2, 7, 64):
        assert read(module, [body[at : at + size] for at in range(0, len(body), size)]) == whole


@BOUNDED
@given(SEEDS, EITHER)
def test_a_consistent_stream_gives_its_terminal_response(
    chance: random.Random, module: ModuleType
) -> None:
    stream = consistent.response_stream(chance)
    accumulator = accumulated(module, stream.events)
    assert module.encode(accumulator.final) == stream.events[-1]["response"] == stream.final
    assert accumulator.response == accumulator.final
    assert kinds(accumulator.problems) == set()


@BOUNDED
@given(SEEDS, EITHER, st.sampled_from([None, []]))
def test_items_stand_in_for_an_empty_terminal_output(
    chance: random.Random, module: ModuleType, output: list[Any] | None
) -> None:
    stream = consistent.without_items(consistent.response_stream(chance), output)
    final = {**stream.final, "output": stream.final["output"] or output}
    assert module.encode(accumulated(module, stream.events).final) == final


@BOUNDED
@given(SEEDS, EITHER)
def test_deltas_alone_give_the_items(chance: random.Random, module: ModuleType) -> None:
    stream = consistent.without_done(consistent.response_stream(chance))
    accumulator = accumulated(module, stream.events)
    assert module.encode(accumulator.final) == stream.final
    assert kinds(accumulator.problems) <= {"filled"}


@BOUNDED
@given(SEEDS, EITHER)
def test_text_so_far_is_the_deltas_so_far(chance: random.Random, module: ModuleType) -> None:
    stream = consistent.response_stream(chance)
    shown = stream.events[: chance.randrange(len(stream.events)) + 1]
    accumulator = accumulated(module, shown)
    if shown[-1] is stream.events[-1]:
        expected = stream.texts
    else:
        expected = {place: "" for place in stream.texts}
        for event in shown:
            if event["type"] == "response.output_text.delta":
                expected[event["output_index"], event["content_index"]] += event["delta"]
    assert {place: accumulator.text(*place) for place in stream.texts} == expected
    assert accumulator.text() == "".join(expected[place] for place in sorted(expected))


@BOUNDED
@given(SEEDS, EITHER)
def test_resuming_gives_what_an_uninterrupted_stream_gives(
    chance: random.Random, module: ModuleType
) -> None:
    """The second part begins anywhere up to the cut: with response.created, with an overlap, or right after it."""
    stream = consistent.response_stream(chance)
    if chance.randrange(2):
        stream = consistent.without_items(stream, [])
    cut = chance.randrange(1, len(stream.events))
    begin = chance.choice((0, cut, chance.randrange(cut + 1)))
    accumulator = accumulated(module, stream.events[:cut])
    assert accumulator.last_sequence_number == cut - 1
    accumulator.resume(*((begin - 1,) if begin and chance.randrange(2) else ()))
    for payload in stream.events[begin:]:
        accumulator.add(module.decode(payload))
    whole = accumulated(module, stream.events)
    assert module.encode(accumulator.final) == module.encode(whole.final)
    assert accumulator.problems == whole.problems
    assert accumulator.last_sequence_number == len(stream.events) - 1


@BOUNDED
@given(SEEDS, EITHER)
def test_nothing_handed_in_or_out_is_changed(chance: random.Random, module: ModuleType) -> None:
    stream = consistent.response_stream(chance)
    events = [module.decode(payload) for payload in stream.events]
    accumulator, snapshots = module.Accumulator(), []
    for event in events:
        accumulator.add(event)
        snapshot = accumulator.response
        snapshots.append((snapshot, snapshot and module.encode(snapshot)))
    assert [module.encode(event) for event in events] == stream.events
    for snapshot, encoded in snapshots:
        assert (snapshot and module.encode(snapshot)) == encoded


def without_null(value: Any) -> Any:
    """A JSON value in which absent and null are the same."""
    if isinstance(value, list):
        return [without_null(item) for item in value]
    if isinstance(value, dict):
        return {name: without_null(item) for name, item in value.items() if item is not None}
    return value


@BOUNDED
@given(SEEDS)
def test_chunks_of_a_chat_completion_add_up_to_it(chance: random.Random) -> None:
    stream = consistent_chat.chat_stream(chance)
    accumulator = accumulated(chat, stream.chunks)
    accumulator.end()
    assert without_null(chat.encode(accumulator.final)) == without_null(stream.completion)
    assert kinds(accumulator.problems) == set()
    assert accumulator.text() == (stream.completion["choices"][0]["message"]["content"] or "")


@BOUNDED
@given(SEEDS)
def test_chunks_that_are_taken_together_add_up_to_the_same(chance: random.Random) -> None:
    """Several choices in one chunk are worth as many chunks of one choice."""
    stream = consistent_chat.chat_stream(chance)
    joined: list[Any] = []
    for chunk in stream.chunks:
        taken = {choice["index"] for choice in joined[-1]["choices"]} if joined else set()
        fits = (
            {choice["index"] for choice in chunk["choices"]}.isdisjoint(taken)
            and taken
            and chunk["choices"]
        )
        if fits and chance.randrange(2):
            joined[-1] = {**joined[-1], "choices": joined[-1]["choices"] + chunk["choices"]}
        else:
            joined.append(chunk)
    apart, together = accumulated(chat, stream.chunks), accumulated(chat, joined)
    assert chat.encode(together.completion) == chat.encode(apart.completion)
