"""Random output items of a response, and the events that they are streamed as.

Reads a seeded generator; returns items, each made whole first and then cut into events. Nothing here accumulates, and
nothing looks at the package.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

Value = dict[str, Any]
LETTERS = ("a", "bc ", "漢字", "\n", '{"k":1}', "é", "🎈", " ", "\u2028", "[DONE]", "data: x\n\n")


class Item(NamedTuple):
    """One output item of a response.

    events    what it is streamed as, without its place in the output
    streamed  what has to stand there before the item's own done event
    final     the item as its done event and the terminal event have it
    """

    events: list[Value]
    streamed: Value
    final: Value


def text(chance: random.Random) -> str:
    """Some text, also none."""
    return "".join(chance.choices(LETTERS, k=chance.randrange(8)))


def cut(whole: str, chance: random.Random) -> list[str]:
    """A text in pieces, empty ones among them."""
    places = sorted(chance.randrange(len(whole) + 1) for _ in range(chance.randrange(5)))
    return [whole[a:b] for a, b in zip([0, *places], [*places, len(whole)])]


def maybe(event: Value, chance: random.Random) -> list[Value]:
    """An event that a server may leave out, as far as the result goes."""
    return [event] if chance.randrange(4) else []


def _streamed_text(
    name: str, field: str, whole: str, place: Value, chance: random.Random
) -> list[Value]:
    """Deltas and the done event of one text."""
    extra: Value = {"logprobs": []} if name == "output_text" else {}
    deltas = [
        {"type": f"response.{name}.delta", **place, "delta": piece, **extra}
        for piece in cut(whole, chance)
    ]
    return deltas + maybe({"type": f"response.{name}.done", **place, field: whole, **extra}, chance)


def message(identity: str, chance: random.Random) -> Item:
    """Text parts with annotations, and refusals."""
    parts, events = [], []
    for number in range(chance.randrange(4)):
        place: Value = {"item_id": identity, "content_index": number}
        whole = text(chance)
        if chance.randrange(4) == 0:
            part: Value = {"type": "refusal", "refusal": whole}
            inner = _streamed_text("refusal", "refusal", whole, place, chance)
            empty: Value = {**part, "refusal": ""}
        else:
            notes = [
                {"type": "file_path", "file_id": f"f{n}", "index": n}
                for n in range(chance.randrange(3))
            ]
            part = {"type": "output_text", "text": whole, "annotations": notes, "logprobs": []}
            inner = _with_annotations(
                _streamed_text("output_text", "text", whole, place, chance), notes, place
            )
            empty = {**part, "text": "", "annotations": []}
        added = {"type": "response.content_part.added", **place, "part": empty}
        events += [
            added,
            *inner,
            *maybe({"type": "response.content_part.done", **place, "part": part}, chance),
        ]
        parts.append(part)
    begun = {
        "type": "message",
        "id": identity,
        "role": "assistant",
        "status": "in_progress",
        "content": parts,
    }
    return Item(events, begun, {**begun, "status": "completed"})


def _with_annotations(events: list[Value], notes: list[Value], place: Value) -> list[Value]:
    added = "response.output_text.annotation.added"
    extra = [
        {"type": added, **place, "annotation_index": n, "annotation": note}
        for n, note in enumerate(notes)
    ]
    return events[:1] + extra + events[1:]


def reasoning(identity: str, chance: random.Random) -> Item:
    """Summary parts and reasoning texts; the encrypted form is another one at the end."""
    events, summary, content = [], [], []
    for number in range(chance.randrange(3)):
        place: Value = {"item_id": identity, "summary_index": number}
        part = {"type": "summary_text", "text": text(chance)}
        name = "response.reasoning_summary_part"
        events.append({"type": f"{name}.added", **place, "part": {**part, "text": ""}})
        events += _streamed_text("reasoning_summary_text", "text", part["text"], place, chance)
        events += maybe({"type": f"{name}.done", **place, "part": part}, chance)
        summary.append(part)
    for number in range(chance.randrange(3)):
        place = {"item_id": identity, "content_index": number}
        part = {"type": "reasoning_text", "text": text(chance)}
        events.append(
            {"type": "response.content_part.added", **place, "part": {**part, "text": ""}}
        )
        events += _streamed_text("reasoning_text", "text", part["text"], place, chance)
        content.append(part)
    begun: Value = {"type": "reasoning", "id": identity, "encrypted_content": "begun"}
    begun = {**begun, "summary": summary, "content": content}
    return Item(events, begun, {**begun, "encrypted_content": "whole"})


def call(kind: str, field: str, name: str, more: Value) -> Callable[[str, random.Random], Item]:
    """Makes calls whose arguments, input or code come in pieces."""

    def made(identity: str, chance: random.Random) -> Item:
        whole = text(chance)
        events = _streamed_text(name, field, whole, {"item_id": identity}, chance)
        begun = {"type": kind, "id": identity, "status": "in_progress", **more, field: whole}
        return Item(events, begun, {**begun, "status": "completed"})

    return made


def steps(
    kind: str, names: tuple[str, ...], more: Value, last: Value
) -> Callable[[str, random.Random], Item]:
    """Makes calls of which only statuses come; `last` is what the done event adds."""

    def made(identity: str, chance: random.Random) -> Item:
        reached = names[: chance.randrange(1, len(names) + 1)]
        events = [{"type": f"response.{kind}.{name}", "item_id": identity} for name in reached]
        begun = {"type": kind, "id": identity, "status": reached[-1], **more}
        return Item(events, begun, {**begun, "status": "completed", **last})

    return made


def image(identity: str, chance: random.Random) -> Item:
    """An image with previews, which have no place in the item."""
    made = steps(
        "image_generation_call", ("in_progress", "generating"), {"result": None}, {"result": "QUJD"}
    )
    events, begun, final = made(identity, chance)
    name = "response.image_generation_call.partial_image"
    for number in range(chance.randrange(3)):
        events.append(
            {
                "type": name,
                "item_id": identity,
                "partial_image_index": number,
                "partial_image_b64": f"QUI{number}",
            }
        )
    return Item(events, begun, final)


def shell(identity: str, chance: random.Random) -> Item:
    """Commands in pieces."""
    commands = [text(chance) for _ in range(chance.randrange(1, 4))]
    events: list[Value] = []
    for number, command in enumerate(commands):
        place: Value = {"command_index": number}
        events.append({"type": "response.shell_call_command.added", **place, "command": ""})
        pieces = cut(command, chance)
        events += [
            {"type": "response.shell_call_command.delta", **place, "delta": piece}
            for piece in pieces
        ]
        events += maybe(
            {"type": "response.shell_call_command.done", **place, "command": command}, chance
        )
    action = {"commands": commands, "timeout_ms": None, "max_output_length": None}
    begun = {
        "type": "shell_call",
        "id": identity,
        "call_id": "c",
        "action": action,
        "status": "in_progress",
    }
    return Item(events, begun, {**begun, "status": "completed"})


def listing(identity: str, chance: random.Random) -> Item:
    """The tools of a server, which its events only announce."""
    events = [
        {"type": f"response.mcp_list_tools.{name}", "item_id": identity}
        for name in ("in_progress", "completed")
    ]
    begun = {"type": "mcp_list_tools", "id": identity, "server_label": "s", "tools": []}
    return Item(
        events, begun, {**begun, "tools": [{"name": "t", "input_schema": {}, "annotations": None}]}
    )


def new_kind(identity: str, chance: random.Random) -> Item:
    """An item that no specification knows yet."""
    begun = {"type": "telepathy_call", "id": identity, "depth": {"a": [1.0, None]}}
    return Item(
        [{"type": "response.telepathy_call.thinking", "item_id": identity}],
        begun,
        {**begun, "sent": True},
    )


KINDS: tuple[Callable[[str, random.Random], Item], ...] = (
    message, message, message, reasoning, reasoning,
    call("function_call", "arguments", "function_call_arguments", {"call_id": "c", "name": "f"}),
    call("custom_tool_call", "input", "custom_tool_call_input", {"call_id": "c", "name": "f"}),
    call("mcp_call", "arguments", "mcp_call_arguments", {"server_label": "s", "name": "f"}),
    call("code_interpreter_call", "code", "code_interpreter_call_code", {"container_id": "c", "outputs": None}),
    steps("web_search_call", ("in_progress", "searching", "completed"), {"action": {"type": "search", "query": ""}}, {}),
    steps("file_search_call", ("in_progress", "searching"), {"queries": ["q"], "results": None}, {"results": []}),
    image, shell, listing, new_kind,
)  # fmt: skip
