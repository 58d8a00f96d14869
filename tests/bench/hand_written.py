"""The limit in C: msgspec with structs written by hand for exactly the events that the workloads have.

Reads chunks of a body; returns the last event's object, the text of all deltas joined. Never checks anything, and stops at
a tag that it does not have: this is how far speed goes, not a reader to use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Union

from msgspec import UNSET, Struct, UnsetType, json

Lines = list[dict[str, Any]]


class Response(Struct):
    """The object that lifecycle events carry; its parts stay dicts."""

    id: str
    output: Lines
    status: str | None = None
    model: str | None = None
    tools: Lines = []
    usage: dict[str, Any] | None = None


class _Tagged(Struct, tag_field="type"):
    sequence_number: int


class _Lifecycle(_Tagged):
    response: Response


class _OfItem(_Tagged):
    item_id: str
    output_index: int


Created = type("Created", (_Lifecycle,), {}, tag="response.created")
InProgress = type("InProgress", (_Lifecycle,), {}, tag="response.in_progress")
Completed = type("Completed", (_Lifecycle,), {}, tag="response.completed")


class TextDelta(_OfItem, tag="response.output_text.delta"):
    """A piece of a message."""

    content_index: int
    delta: str
    logprobs: Lines = []


class ArgumentsDelta(_OfItem, tag="response.function_call_arguments.delta"):
    """A piece of a call's arguments."""

    delta: str


class McpDelta(_OfItem, tag="response.mcp_call_arguments.delta"):
    """A piece of an MCP call's arguments."""

    delta: str


class SummaryDelta(_OfItem, tag="response.reasoning_summary_text.delta"):
    """A piece of a reasoning summary."""

    summary_index: int
    delta: str


class Partial(_OfItem, tag="response.image_generation_call.partial_image"):
    """A preview of an image."""

    partial_image_index: int
    partial_image_b64: str


class ItemAdded(_Tagged, tag="response.output_item.added"):
    """A new item."""

    output_index: int
    item: dict[str, Any]


class ItemDone(_Tagged, tag="response.output_item.done"):
    """A whole item."""

    output_index: int
    item: dict[str, Any]


class _Rest(_OfItem):
    text: str | None = None
    arguments: str | None = None
    part: dict[str, Any] | None = None


REST = (
    "content_part.added content_part.done output_text.done reasoning_summary_part.added reasoning_summary_part.done "
    "reasoning_summary_text.done function_call_arguments.done mcp_call_arguments.done mcp_call.in_progress "
    "mcp_call.completed web_search_call.in_progress web_search_call.searching web_search_call.completed "
    "image_generation_call.in_progress image_generation_call.generating image_generation_call.completed"
).split()
_REST = [type(name.replace(".", "_"), (_Rest,), {}, tag=f"response.{name}") for name in REST]
_TYPED = (TextDelta, ArgumentsDelta, McpDelta, SummaryDelta, Partial, ItemAdded, ItemDone)
RESPONSES = json.Decoder(Union[(Created, InProgress, Completed, *_TYPED, *_REST)])


class Function(Struct):
    """A piece of a call."""

    name: str | None = None
    arguments: str | None = None


class ToolCall(Struct):
    """A piece of a tool call."""

    index: int
    id: str | None = None
    type: str | None = None
    function: Function | None = None


class ChoiceDelta(Struct):
    """What a chunk adds to a choice."""

    role: str | None = None
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[ToolCall] | UnsetType = UNSET


class Choice(Struct):
    """One choice of a chunk."""

    index: int
    delta: ChoiceDelta
    finish_reason: str | None = None
    logprobs: dict[str, Any] | None = None


class Chunk(Struct):
    """One chunk of a chat completion."""

    id: str
    created: int
    model: str
    choices: list[Choice]
    service_tier: str | None = None
    system_fingerprint: str | None = None
    object: str = ""
    usage: dict[str, Any] | None = None


CHAT = json.Decoder(Chunk)


class Piece(Struct):
    """What a delta of Messages adds."""

    type: str = ""
    text: str | None = None
    thinking: str | None = None
    partial_json: str | None = None
    signature: str | None = None


class Message(Struct):
    """Any event of Messages: its seven kinds have few properties."""

    type: str
    index: int = 0
    delta: Piece | None = None
    message: dict[str, Any] | None = None
    content_block: dict[str, Any] | None = None
    usage: dict[str, Any] | None = None


MESSAGES = json.Decoder(Message)


def limit(stream: str, chunks: list[bytes]) -> Callable[[], object]:
    """A run over chunks of a body; see LIMITS for the streams."""
    decode, add = LIMITS[stream]

    def run() -> object:
        texts: dict[Any, list[str]] = {}
        last: Any = None
        for payload in payloads(chunks):
            last = decode(payload)
            add(texts, last)
        return last, {key: "".join(pieces) for key, pieces in texts.items()}

    return run


def payloads(chunks: list[bytes]) -> Iterator[bytes]:
    """What follows `data: ` in each block; a block that is cut is joined once."""
    held: list[bytes] = []
    for chunk in chunks:
        if b"\n\n" not in chunk and not chunk.startswith(b"\n"):
            held.append(chunk)
            continue
        blocks = b"".join((*held, chunk)).split(b"\n\n")
        held = [blocks.pop()]
        for block in blocks:
            payload = block[block.find(b"data: ") + 6 :]
            if payload != b"[DONE]":
                yield payload


def _add_response(texts: dict[Any, list[str]], event: Any) -> None:
    delta = getattr(event, "delta", None)
    if delta is not None:
        key = event.output_index
        if key in texts:
            texts[key].append(delta)
        else:
            texts[key] = [delta]


def _add_chunk(texts: dict[Any, list[str]], event: Chunk) -> None:
    for choice in event.choices:
        if choice.delta.content:
            texts.setdefault(choice.index, []).append(choice.delta.content)
        if choice.delta.tool_calls:
            for call in choice.delta.tool_calls:
                if call.function is not None and call.function.arguments:
                    key = (choice.index, call.index)
                    texts.setdefault(key, []).append(call.function.arguments)


def _add_message(texts: dict[Any, list[str]], event: Message) -> None:
    delta = event.delta
    if delta is not None:
        piece = delta.text or delta.thinking or delta.partial_json
        if piece:
            texts.setdefault(event.index, []).append(piece)


LIMITS: dict[str, tuple[Callable[[bytes], Any], Callable[[dict[Any, list[str]], Any], None]]] = {
    "responses": (RESPONSES.decode, _add_response),
    "chat": (CHAT.decode, _add_chunk),
    "messages": (MESSAGES.decode, _add_message),
}
