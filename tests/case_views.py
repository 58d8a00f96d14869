"""What a key of a reported fault looks at in a run, and whether it is what was expected.

Reads runs; returns values. Never knows a case by its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.shared_cases import Run


def view(run: Run, key: str) -> Any:
    """What a key of `expected` is about: `final` and what is below it, or one of the names in `VIEWS`."""
    key = re.sub(r"^(lenient|strict|default|recovered)\.", "", key)
    first, _, rest = key.partition(".")
    first, _, index = first.partition("[")
    if first not in VIEWS:
        first, rest, index = "final", key, ""
    node = VIEWS[first](run)
    node = node[int(index.rstrip("]"))] if index else node
    return looked_up(node, rest) if rest else node


VIEWS: dict[str, Callable[[Run], Any]] = {
    "events": lambda run: [{"event": each.event, "data": each.data} for each in run.sse],
    "sse_events": lambda run: [{"event": each.event, "data": each.data} for each in run.sse],
    "sse_event_count": lambda run: len(run.sse),
    "retry_ms": lambda run: run.decoder.retry,
    "types": lambda run: run.tags(),
    "decoded_types": lambda run: run.tags(),
    "final": lambda run: flat(run, run.final),
    "response": lambda run: flat(run, run.api.encode(run.accumulator.response)),
    "output_text": lambda run: run.accumulator.text(),
    "partial_text": lambda run: run.accumulator.text(),
    "partial_content": lambda run: run.accumulator.text(),
    "joined_text": lambda run: run.accumulator.text(),
    "error": lambda run: vars(run.accumulator.error),
    "usage": lambda run: {**run.accumulator.usage_json, "raw": run.accumulator.usage_json},
    "cursor": lambda run: run.accumulator.last_sequence_number,
    "final_status": lambda run: run.accumulator.final.status,
    "statuses": lambda run: [status for _, status in run.states],
    "output_text_after": lambda run: distinct(["", *[text for text, _ in run.states]]),
    "text_after": lambda run: distinct(["", *[text for text, _ in run.states]]),
    "responses": lambda run: [
        flat(run, run.api.encode(each))
        for each in (*run.accumulator.predecessors, run.accumulator.final)
    ],
    "steer": lambda run: run.accumulator.beside("steering"),
    "turn_1": lambda run: flat(run, run.final),
    "errors": lambda run: [{**vars(error), "lane": lane} for lane, error in run.lanes_of],
    "items": lambda run: len(run.final["output"]),
    "len": lambda run: len(run.final["output"]),
    "calls_emitted": lambda run: len(run.final["output"]),
    "unknown_types": lambda run: [each.tag for each in run.events if hasattr(each, "tag")],
    "events_seen_by_caller": lambda run: len(run.events),
    "accumulated_name": lambda run: run.accumulator.at("output", 0, "name"),
    "object_seen": lambda run: run.events[0].tag,
    "output_text_length": lambda run: len(run.accumulator.text()),
    "text": lambda run: run.accumulator.text(),
    "thinking": lambda run: run.accumulator.at("choices", 0, "message", "thinking"),
    "tool_call": lambda run: {
        "item_id": run.accumulator.at("output", 0, "id"),
        "call_id": run.accumulator.at("output", 0, "call_id"),
    },
    "unknown": lambda run: [
        {"type": each.tag, "raw": each.data} for each in run.events if hasattr(each, "tag")
    ],
    "decoded": lambda run: [decoded(run, event) for event in run.events],
}


def flat(run: Run, final: dict[str, Any]) -> dict[str, Any]:
    """A final object with what the cases name shortly: the message of the first choice, the text, the reason."""
    found = dict(final)
    if "choices" in final:
        choices = [{**choice, **choice.get("message", {})} for choice in final["choices"]]
        found = {**(choices[0] if choices else {}), **final, "choices": choices}
    elif final.get("output"):
        texts = [text_of(item) for item in final["output"] if item.get("type") == "message"]
        found["output_text"] = "".join(texts)
        found["arguments"] = final["output"][0].get("arguments")
    found["reason"] = (final.get("incomplete_details") or {}).get("reason")
    return found


def text_of(item: dict[str, Any]) -> str:
    """All text of an item's content."""
    content = item.get("content")
    return "".join(part["text"] for part in content or () if "text" in part)


def decoded(run: Run, event: Any) -> Any:
    """An event with its attributes, or what is unknown of it."""
    if hasattr(event, "tag"):
        return {"unknown_event": event.tag, **(event.data if isinstance(event.data, dict) else {})}
    found = {name: getattr(event, name) for name in event.__slots__}
    choices = getattr(event, "choices", None)
    if choices:
        found |= {"content": choices[0].delta.content, "finish_reason": choices[0].finish_reason}
    return found


def distinct(values: list[Any]) -> list[Any]:
    """Values without those that equal the one before."""
    return [value for at, value in enumerate(values) if not at or value != values[at - 1]]


def looked_up(node: Any, path: str) -> Any:
    """The value at a dotted path; what is extra or raw stands among the other properties."""
    for name, index in re.findall(r"([\w]+)|\[(\d+)\]", path):
        if index:
            node = node[int(index)] if node else None
        elif name not in ("extra", "raw") or (isinstance(node, dict) and name in node):
            node = named(node, name)
    return node


def named(node: Any, name: str) -> Any:
    """A property of a JSON object or of a record, also where the cases leave out what is between."""
    if not isinstance(node, dict):
        return getattr(node, name, None)
    inner: dict[str, Any] = {}
    for key in ("function", "image_url"):
        inner = node[key] if isinstance(node.get(key), dict) else inner
    if name in node:
        return node[name]
    if name in inner:
        return inner[name]
    if name == "text" and "content" in node:
        return text_of(node)
    data = node.get("data")
    return data.get(name) if isinstance(data, dict) else None


def fits(expected: Any, found: Any) -> bool:
    """Whether a value is as expected: every property that is named, every element of a list."""
    if isinstance(expected, dict) and isinstance(found, (dict, object)) and found is not None:
        return all(fits(value, looked_up(found, name)) for name, value in expected.items())
    if isinstance(expected, list) and isinstance(found, list):
        return len(expected) == len(found) and all(map(fits, expected, found))
    if isinstance(expected, int) and isinstance(found, list):
        return len(found) == expected
    if isinstance(expected, str) and isinstance(found, dict):
        names = ("type", "id", "content", "text")
        return (
            expected in [found.get(name) for name in names]
            or text_of({"content": [found]}) == expected
        )
    return bool(expected == found)
