"""The events of one output item of a response.

Reads the item in its final form; returns payloads without place and number. What an item's events say in pieces, the item
has in whole, so the two cannot disagree. Never knows its neighbours.

An item of a type without an entry in `STEPS` is announced and finished, and nothing comes between.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from codegen.scenarios.pieces import cut
from codegen.scenarios.scenario import Value

ABSENT: Any = object()
BEGUN: dict[str, Value] = {
    "code_interpreter_call": {"code": "", "outputs": None},
    "custom_tool_call": {"input": ""},
    "file_search_call": {"results": None},
    "function_call": {"arguments": ""},
    "image_generation_call": {"result": None, "revised_prompt": ABSENT},
    "mcp_call": {"arguments": "", "output": ABSENT, "error": ABSENT},
    "mcp_list_tools": {"tools": []},
    "message": {"content": []},
    "reasoning": {"summary": [], "content": []},
    "shell_call_output": {"output": []},
    "web_search_call": {"action": ABSENT},
}
"""Type of an item → what stands in it, or does not, when it is announced."""


class Plan(NamedTuple):
    """What the events of an item are made of: its final form, the size of a piece, the previews of its image."""

    item: Value
    pieces: str | int
    previews: tuple[str, ...]

    @property
    def place(self) -> Value:
        """The property that names the item in its events."""
        return {"item_id": self.item["id"]}


def item_events(item: Value, pieces: str | int, previews: tuple[str, ...] = ()) -> list[Value]:
    """Added, what the item's type has in between, done."""
    plan = Plan(item, pieces, previews)
    between = STEPS[item["type"]](plan) if item["type"] in STEPS else []
    return [
        {"type": "response.output_item.added", "item": begun(item)},
        *between,
        {"type": "response.output_item.done", "item": item},
    ]


def begun(item: Value) -> Value:
    """An item as its added event has it: what is streamed is not there yet."""
    empty = BEGUN.get(item["type"], {})
    made = {name: empty.get(name, value) for name, value in item.items()}
    if "status" in made:
        made["status"] = "in_progress"
    if item["type"] == "shell_call":
        made["action"] = {**item["action"], "commands": []}
    return {name: value for name, value in made.items() if value is not ABSENT}


def _text(plan: Plan, name: str, field: str, whole: str, place: Value) -> list[Value]:
    """Deltas and the done event of one text. `name`: what stands between `response.` and `.delta`."""
    extra: Value = {"logprobs": []} if name == "output_text" else {}
    deltas = [
        {"type": f"response.{name}.delta", **place, "delta": piece, **extra}
        for piece in cut(whole, plan.pieces)
    ]
    return [*deltas, {"type": f"response.{name}.done", **place, field: whole, **extra}]


def _message(plan: Plan) -> list[Value]:
    made = []
    for number, part in enumerate(plan.item["content"]):
        made += _part(plan, part, {**plan.place, "content_index": number})
    return made


def _part(plan: Plan, part: Value, place: Value) -> list[Value]:
    """A content part; annotations come when the text that they are about is there."""
    name, field = {
        "output_text": ("output_text", "text"),
        "refusal": ("refusal", "refusal"),
        "reasoning_text": ("reasoning_text", "text"),
    }[part["type"]]
    empty = {**part, field: ""}
    if "annotations" in part:
        empty["annotations"] = []
    *deltas, done = _text(plan, name, field, part[field], place)
    notes = [
        {
            "type": "response.output_text.annotation.added",
            **place,
            "annotation_index": number,
            "annotation": note,
        }
        for number, note in enumerate(part.get("annotations", ()))
    ]
    return [
        {"type": "response.content_part.added", **place, "part": empty},
        *deltas,
        *notes,
        done,
        {"type": "response.content_part.done", **place, "part": part},
    ]


def _reasoning(plan: Plan) -> list[Value]:
    made = []
    for number, part in enumerate(plan.item["summary"]):
        place = {**plan.place, "summary_index": number}
        name = "response.reasoning_summary_part"
        made.append({"type": f"{name}.added", **place, "part": {**part, "text": ""}})
        made += _text(plan, "reasoning_summary_text", "text", part["text"], place)
        made.append({"type": f"{name}.done", **place, "part": part})
    for number, part in enumerate(plan.item.get("content") or ()):
        made += _part(plan, part, {**plan.place, "content_index": number})
    return made


def _function_call(plan: Plan) -> list[Value]:
    made = _text(plan, "function_call_arguments", "arguments", plan.item["arguments"], plan.place)
    made[-1]["name"] = plan.item["name"]
    return made


def _custom_tool_call(plan: Plan) -> list[Value]:
    return _text(plan, "custom_tool_call_input", "input", plan.item["input"], plan.place)


def _steps(plan: Plan, *names: str) -> list[Value]:
    """One event that carries nothing for each name."""
    kind = plan.item["type"]
    return [{"type": f"response.{kind}.{name}", **plan.place} for name in names]


def _end(plan: Plan) -> str:
    """The last step of a call of a tool: whether it failed."""
    return "failed" if plan.item.get("error") else "completed"


def _mcp_call(plan: Plan) -> list[Value]:
    text = _text(plan, "mcp_call_arguments", "arguments", plan.item["arguments"], plan.place)
    return [*_steps(plan, "in_progress"), *text, *_steps(plan, _end(plan))]


def _listing(plan: Plan) -> list[Value]:
    return _steps(plan, "in_progress", _end(plan))


def _search(plan: Plan) -> list[Value]:
    return _steps(plan, "in_progress", "searching", "completed")


def _code_interpreter(plan: Plan) -> list[Value]:
    text = _text(plan, "code_interpreter_call_code", "code", plan.item["code"], plan.place)
    return [*_steps(plan, "in_progress"), *text, *_steps(plan, "interpreting", "completed")]


def _image(plan: Plan) -> list[Value]:
    name = "response.image_generation_call.partial_image"
    previews = [
        {"type": name, **plan.place, "partial_image_index": number, "partial_image_b64": image}
        for number, image in enumerate(plan.previews)
    ]
    return [*_steps(plan, "in_progress", "generating"), *previews, *_steps(plan, "completed")]


def _shell(plan: Plan) -> list[Value]:
    made: list[Value] = []
    for number, command in enumerate(plan.item["action"]["commands"]):
        place = {"command_index": number}
        name = "response.shell_call_command"
        made.append({"type": f"{name}.added", **place, "command": ""})
        made += _text(plan, "shell_call_command", "command", command, place)
    return made


def _shell_output(plan: Plan) -> list[Value]:
    made: list[Value] = []
    name = "response.shell_call_output_content"
    for number, output in enumerate(plan.item["output"]):
        place = {**plan.place, "command_index": number}
        for channel in ("stdout", "stderr"):
            pieces = cut(output[channel], plan.pieces)
            made += [
                {"type": f"{name}.delta", **place, "delta": {channel: each}} for each in pieces
            ]
        made.append({"type": f"{name}.done", **place, "output": [output]})
    return made


def _compaction(plan: Plan) -> list[Value]:
    return _steps(plan, "compacting")


STEPS: dict[str, Callable[[Plan], list[Value]]] = {
    "code_interpreter_call": _code_interpreter,
    "compaction": _compaction,
    "custom_tool_call": _custom_tool_call,
    "file_search_call": _search,
    "function_call": _function_call,
    "image_generation_call": _image,
    "mcp_call": _mcp_call,
    "mcp_list_tools": _listing,
    "message": _message,
    "reasoning": _reasoning,
    "shell_call": _shell,
    "shell_call_output": _shell_output,
    "web_search_call": _search,
}
"""Type of an item → the events between its added and its done event."""
