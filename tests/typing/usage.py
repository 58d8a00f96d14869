"""What type checkers must accept: never run, only checked, with mypy --strict and pyright in strict mode.

Reads nothing. Each function is something that a person does with the package.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Literal, assert_never, assert_type

from stream_events import beta_responses, chat, completions, images, messages, responses, sse
from stream_events.beta_responses import websocket as beta_websocket
from stream_events.responses import websocket


def every_event_of_a_stream(event: images.Event) -> str:
    match event:
        case images.ImageEditPartialImageEvent() | images.ImageGenPartialImageEvent():
            assert_type(event.partial_image_index, int)
            return event.b64_json
        case images.ImageEditCompletedEvent() | images.ImageGenCompletedEvent():
            assert_type(event.usage, images.ImagesUsage)
            return event.b64_json
        case images.UnknownEvent():
            assert_type(event.tag, str | None)
            return ""
        case _:
            assert_never(event)


def every_event_by_its_tag(event: messages.Event) -> str:
    if event.type == "content_block_delta":
        assert_type(event, messages.ContentBlockDeltaEvent)
        if event.delta.type == "text_delta":
            assert_type(event.delta, messages.TextContentBlockDelta)
            return event.delta.text
        if event.delta.type is None:
            assert_type(event.delta, messages.UnknownObject)
        return ""
    if event.type == "message_start":
        return event.message.id
    if event.type is None:
        assert_type(event, messages.UnknownEvent)
        return event.tag or ""
    return event.type


def fields_by_pattern(event: responses.Event) -> str:
    match event:
        case responses.ResponseTextDeltaEvent(delta=text, output_index=int(place)):
            assert_type(text, str)
            assert_type(place, int)
            return text
        case responses.ResponseCompletedEvent(response=response):
            assert_type(response, responses.Response)
            return response.id
        case _:
            return ""


def payloads_by_class(response: responses.Response) -> list[str]:
    assert_type(response.output, list[responses.OutputItem])
    found: list[str] = []
    for item in response.output:
        if isinstance(item, responses.OutputMessage):
            assert_type(item.role, Literal["assistant"])
            for part in item.content:
                if isinstance(part, responses.OutputTextContent):
                    found += [part.text, *(logprob.token for logprob in part.logprobs or [])]
                elif isinstance(part, responses.RefusalContent):
                    found.append(part.refusal)
                else:
                    assert_type(part, responses.UnknownObject)
        elif isinstance(item, responses.UnknownObject):
            found.append(item.tag or "")
    return found


def payloads_by_tag(item: responses.OutputItem) -> str:
    if item.type == "function_call":
        assert_type(item, responses.FunctionToolCall)
        return item.name + item.arguments
    if item.type == "reasoning":
        return "".join(part.text for part in item.summary)
    return item.type or ""


def null_is_part_of_the_type(response: responses.Response) -> int:
    assert_type(response.usage, responses.ResponseUsage | None)
    return 0 if response.usage is None else response.usage.total_tokens


def decoding(payload: dict[str, Any]) -> None:
    assert_type(responses.decode(b"{}"), responses.Event)
    assert_type(responses.decode(bytearray()), responses.Event)
    assert_type(responses.decode("{}"), responses.Event)
    assert_type(responses.decode(payload), responses.Event)
    assert_type(websocket.decode(payload), websocket.ServerEvent)
    assert_type(websocket.decode_client(payload), websocket.ClientEvent)
    assert_type(beta_responses.decode(payload), beta_responses.Event)
    assert_type(beta_websocket.decode_client(payload), beta_websocket.ClientEvent)
    assert_type(chat.decode(payload), chat.Event)
    assert_type(completions.decode(payload), completions.Event)
    assert_type(images.decode(payload), images.Event)
    assert_type(messages.decode(payload), messages.Event)


def encoding(event: responses.Event, message: responses.OutputMessage) -> None:
    assert_type(responses.encode(event), dict[str, Any])
    assert_type(responses.encode(message), dict[str, Any])
    assert_type(responses.missing(event), list[str])
    assert_type(responses.problems(event), list[responses.Problem])
    for problem in responses.problems(event):
        assert_type(problem.level, Literal["error", "warning", "info"])
        assert_type(problem.path, str)


def building() -> list[responses.Record]:
    part = responses.OutputTextContent(text="a", annotations=[], logprobs=[])
    item = responses.OutputMessage(id="m", content=[part], status="completed")
    assert_type(item.type, Literal["message"])
    added = responses.ResponseOutputItemAddedEvent(output_index=0, sequence_number=1, item=item)
    return [added, dataclasses.replace(added, sequence_number=2)]


def changing(event: responses.ResponseTextDeltaEvent) -> None:
    event.delta = "x"
    event.obfuscation = None
    event.logprobs = [responses.ResponseLogProb(token="x", logprob=-1.0)]


def sockets(event: websocket.ServerEvent) -> websocket.ClientEvent:
    match event:
        case websocket.ResponseWsError(error=error):
            assert_type(event.status, int | None)
            return websocket.ResponseSteerEvent(previous_response_id="r", input=error.message or "")
        case websocket.ResponseTextDeltaEvent(delta=text, stream_id=lane):
            assert_type(lane, str | None)
            return websocket.ResponseSteerEvent(previous_response_id="r", input=text)
        case _:
            return websocket.ResponsesClientEventResponseCreate(model="m", input="hello")


def chunks(event: chat.Event) -> str:
    if isinstance(event, chat.UnknownEvent):
        return ""
    assert_type(event.object, Literal["chat.completion.chunk"])
    text = ""
    for choice in event.choices or []:
        text += choice.delta.content or ""
        for call in choice.delta.tool_calls or []:
            text += (call.function.arguments or "") if call.function else ""
    return text


def tables() -> None:
    for tag, cls in responses.EVENTS.items():
        assert_type(tag, str)
        assert issubclass(cls, responses.Record)


def framing(chunk: bytes) -> list[responses.Event]:
    return [responses.decode(event.data) for event in sse.SSEDecoder().feed(chunk)]
