"""Reading with the chunks in hand, and how an accumulator takes over what a reader found."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from stream_events import chat, responses
from tests.shared import shared

RECORDING = "captures/responses/responses-openai-codeinterpretertoolstreamingwithfiles-1.sse"
CREATED = (
    b'data: {"type":"response.created","sequence_number":0,"response":{"id":"r","output":[]}}\n\n'
)
ERROR = b'data: {"type":"error","sequence_number":1,"code":"c","message":"m","param":null}\n\n'
FAILED = (
    b'data: {"type":"response.failed","sequence_number":1,"response":{"id":"r","output":[]}}\n\n'
)
NO_JSON = b"data: {\n\n"


@pytest.mark.parametrize("size", [1, 7, 16384])
def test_pushed_chunks_give_what_pulled_ones_give(size: int) -> None:
    body = shared(RECORDING).read_bytes()
    chunks = [body[at : at + size] for at in range(0, len(body), size)]
    pushed, pulled = responses.reader(), responses.read(chunks)
    events = [event for chunk in chunks for event in pushed.feed(chunk)] + pushed.close()
    assert events == list(pulled)
    assert (pushed.outcome, pushed.problems) == (pulled.outcome, pulled.problems)
    assert pushed.last_event_id == pulled.last_event_id


def test_an_event_comes_with_the_chunk_that_completes_it() -> None:
    reader = responses.reader()
    assert reader.feed(CREATED[:-1]) == []
    assert [type(event) for event in reader.feed(CREATED[-1:])] == [responses.ResponseCreatedEvent]
    assert reader.outcome is None
    assert reader.close() == []
    assert reader.outcome == "truncated"


def test_a_dialect_and_a_parser_go_along() -> None:
    with pytest.raises(ValueError, match="no such"):
        responses.reader("no such")
    parsed: list[str] = []
    reader = chat.reader(loads=lambda text: parsed.append(text) or {"object": "other"})
    reader.feed(b"data: {}\n\n")
    reader.feed(b"data: {}\n\n")
    assert set(parsed) == {"{}"}


def test_the_end_takes_what_the_reader_found_once() -> None:
    body = CREATED + NO_JSON + ERROR + CREATED
    by_hand, at_once = responses.Accumulator(), responses.Accumulator()
    events = responses.read([body])
    for event in events:
        by_hand.add(event)
    by_hand.end(events.outcome, events.problems)
    at_once.add_all(responses.read([body]))
    assert by_hand.problems == at_once.problems
    assert [problem.kind for problem in by_hand.problems].count("not-json") == 1


def test_an_asynchronous_reader_hands_its_problems_over_too() -> None:
    async def chunks() -> AsyncIterator[bytes]:
        yield CREATED + NO_JSON

    async def main() -> responses.Accumulator:
        accumulator, events = responses.Accumulator(), responses.aread(chunks())
        async for event in events:
            accumulator.add(event)
        accumulator.end(events.outcome, events.problems)
        return accumulator

    kinds = [problem.kind for problem in asyncio.run(main()).problems]
    assert kinds.count("not-json") == kinds.count("truncated") == 1


@pytest.mark.parametrize(
    ("body", "over"),
    [
        (b"", False),
        (CREATED, False),
        (CREATED + ERROR, True),
        (CREATED + FAILED, True),
        (CREATED + FAILED.replace(b"failed", b"incomplete"), True),
        (CREATED + FAILED.replace(b"failed", b"in_progress"), False),
    ],
)
def test_an_answer_is_over_when_there_is_nothing_to_resume(body: bytes, over: bool) -> None:
    accumulator = responses.Accumulator()
    for event in responses.read([body]):
        accumulator.add(event)
    assert accumulator.is_over is over


def test_an_answer_that_is_resumed_is_over_again_only_at_its_end() -> None:
    accumulator = responses.Accumulator()
    accumulator.add_all(responses.read([CREATED + ERROR]))
    accumulator.resume()
    assert not accumulator.is_over
    accumulator.add_all(responses.read([FAILED.replace(b":1,", b":2,")]))
    assert accumulator.is_over
