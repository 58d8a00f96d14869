"""What type checkers must accept where streams are read and accumulated: never run, only checked, as usage.py is.

Reads nothing. Each function is something that a person does with the package.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from typing import Literal, TypeAlias, assert_never, assert_type

from stream_events import STREAMS, chat, completions, images, messages, responses
from stream_events.responses import websocket

Ending: TypeAlias = Literal["response.completed", "response.failed", "response.incomplete"]


def reading(chunks: Iterable[bytes]) -> str:
    reader = responses.read(chunks, dialect=None)
    assert_type(reader, responses.Reader[responses.Event])
    text = ""
    for event in reader:
        assert_type(event, responses.Event)
        if isinstance(event, responses.ResponseTextDeltaEvent):
            text += event.delta
    assert_type(reader.outcome, Literal["complete", "truncated", "error"] | None)
    assert_type(reader.problems, list[responses.Problem])
    return text


async def reading_later(chunks: AsyncIterable[bytes]) -> chat.CreateChatCompletionResponse:
    async for event in chat.aread(chunks):
        assert_type(event, chat.Event)
    return await chat.afinal(chunks)


def accumulating(chunks: Iterable[bytes], event: responses.Event) -> responses.Response:
    accumulator = responses.Accumulator()
    accumulator.add(event)
    accumulator.add_all(responses.read(chunks))
    assert_type(accumulator.response, responses.Response | None)
    assert_type(accumulator.text(), str)
    assert_type(accumulator.usage, responses.ResponseUsage | None)
    assert_type(accumulator.parsed(int), int)
    return accumulator.final


def finished(chunks: Iterable[bytes]) -> None:
    assert_type(messages.final(chunks), messages.Message)
    assert_type(completions.final(chunks), completions.CreateCompletionResponse)
    assert_type(
        images.final(chunks), images.ImageEditCompletedEvent | images.ImageGenCompletedEvent
    )


def lanes(events: Iterable[websocket.ServerEvent]) -> None:
    found = websocket.Lanes()
    for event in events:
        found.add(event)


def every_member_of_a_payload(block: messages.ContentBlockDeltaEventDelta) -> str:
    match block:
        case messages.TextContentBlockDelta(text=text):
            return text
        case messages.InputJsonContentBlockDelta(partial_json=text):
            return text
        case messages.ThinkingContentBlockDelta(thinking=text):
            return text
        case messages.SignatureContentBlockDelta(signature=text):
            return text
        case messages.CitationsDelta() | messages.BetaCompactionContentBlockDelta():
            return ""
        case messages.UnknownObject(tag=tag):
            assert_type(tag, str | None)
            return ""
        case _:
            assert_never(block)


def literal_tags(event: responses.Event) -> Ending | None:
    if event.type == "response.completed" or event.type == "response.incomplete":
        assert_type(event.response, responses.Response)
        return event.type
    if isinstance(event, responses.ResponseFailedEvent):
        assert_type(event.type, Literal["response.failed"])
        return event.type
    return None


def every_part(part: responses.OutputTextContent | responses.RefusalContent) -> str:
    if part.type == "output_text":
        assert_type(part, responses.OutputTextContent)
        return part.text
    assert_type(part, responses.RefusalContent)
    return part.refusal


def what_there_is() -> list[str]:
    return [f"{stream.name}: {stream.events} events" for stream in STREAMS]
