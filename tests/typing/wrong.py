"""What type checkers must refuse: every line that ends in `# error`, and no other. Never run, only checked.

Reads nothing. Each function is a mistake that a person makes with the package.
"""

from __future__ import annotations

from typing import Literal, assert_never

from stream_events import chat, images, messages, responses
from stream_events.responses import websocket


def a_field_that_does_not_exist(event: responses.ResponseTextDeltaEvent) -> None:
    print(event.text)  # error
    event.detla = "x"  # error


def a_field_of_another_event(event: responses.Event) -> None:
    print(event.delta)  # error
    if event.type == "response.completed":
        print(event.delta)  # error
        print(event.response.id)


def a_tag_that_does_not_exist(event: responses.Event) -> None:
    if event.type == "response.output_text.detla":  # error
        print("never")


def the_tag_of_an_unknown_event(event: responses.Event) -> str:
    return event.type  # error


def a_member_forgotten(event: images.Event) -> None:
    match event:
        case images.ImageEditPartialImageEvent() | images.ImageGenPartialImageEvent():
            print(event.partial_image_index)
        case images.ImageEditCompletedEvent() | images.ImageGenCompletedEvent():
            print(event.usage)
        case _:
            assert_never(event)  # error


def null_forgotten(response: responses.Response) -> int:
    return response.usage.total_tokens  # error


def an_unknown_member_forgotten(item: responses.OutputItem) -> str:
    return item.type  # error


def a_union_not_narrowed(event: messages.ContentBlockDeltaEvent) -> str:
    return event.delta.text  # error


def wrong_arguments() -> None:
    responses.decode(3)  # error
    responses.encode({})  # error
    responses.problems("x")  # error
    responses.RefusalContent(refusal=1)  # error
    responses.RefusalContent()  # error
    responses.RefusalContent(refusal="no", type="text")  # error
    responses.RefusalContent(refusal="no", typo=1)  # error
    responses.RefusalContent(refusal="no")


def a_value_that_is_not_known(message: responses.OutputMessage) -> None:
    message.status = "done"  # error
    message.status = "completed"
    message.role = "user"  # error


def a_class_that_does_not_exist() -> None:
    print(responses.ResponseTextDeltaEvents)  # error
    print(chat.ResponseTextDeltaEvent)  # error


def the_streams_differ(event: websocket.ServerEvent) -> responses.Event:
    return event  # error


def a_payload_member_forgotten(delta: messages.ContentBlockDeltaEventDelta) -> str:
    match delta:
        case messages.TextContentBlockDelta(text=text):
            return text
        case messages.UnknownObject():
            return ""
        case _:
            assert_never(delta)  # error


def a_tag_that_is_another(event: responses.ResponseFailedEvent) -> Literal["response.completed"]:
    return event.type  # error


def another_stream_is_accumulated(event: chat.Event) -> None:
    responses.Accumulator().add(event)  # error
    chat.Accumulator().add(event)


def text_for_bytes(chunks: list[str]) -> None:
    responses.read(chunks)  # error


def what_may_not_be_there_yet(accumulator: responses.Accumulator) -> str:
    print(accumulator.response.id)  # error
    return accumulator.final.id


def a_field_of_another_snapshot(chunks: list[bytes]) -> None:
    print(chat.final(chunks).output)  # error
