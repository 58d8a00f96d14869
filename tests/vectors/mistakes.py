"""Longer mistakes, which the mutants name.

Reads payloads, blocks of bytes and outputs; returns them changed. Never right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.vectors import wrong
from tests.vectors.wrong import Json, Run


def every(key: str, change: Callable[[Any], Any], also: bool = False) -> Callable[[Json], Json]:
    """Change each element of a list in the output, or the value of a payload's text; with `also` the output itself, where it
    has no such list."""

    def changed(output: Json) -> Json:
        if key == "payload":
            return {**output, key: json.dumps(change(json.loads(output[key])))}
        if key not in output and also:
            return dict(change(output))
        return {**output, key: [new for each in output[key] if (new := change(each)) is not None]}

    return changed


def with_final(change: Callable[[Json], Json]) -> Callable[[Json], Json]:
    """Change the final object, where there is one."""
    return lambda output: (
        {**output, "final": change(output["final"])} if "final" in output else output
    )


def without_key(name: str) -> Callable[[Any], Any]:
    """Lose a property, wherever it stands."""

    def change(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: change(item) for key, item in value.items() if key != name}
        return [change(item) for item in value] if isinstance(value, list) else value

    return change


def without_null(data: Json) -> Json:
    return {name: value for name, value in data.items() if value is not None}


def with_delta(change: Callable[[Json], Json]) -> wrong.Wrong:
    """Change each choice of a chunk."""
    return wrong.on_payloads(
        lambda each: (
            {**each, "choices": [change(choice) for choice in each["choices"]]}
            if "choices" in each
            else each
        )
    )


def without_call(change: Callable[[Json], Json | None]) -> wrong.Wrong:
    """Change each piece of a call; None drops it."""

    def choice(one: Json) -> Json:
        delta = one["delta"]
        if "tool_calls" not in delta:
            return one
        calls = [new for call in delta["tool_calls"] if (new := change(call)) is not None]
        return {**one, "delta": {**delta, "tool_calls": calls}}

    return with_delta(choice)


def until(tag: str) -> Callable[[list[Any]], list[Any]]:
    """Stop after the first event with a tag."""

    def cut(payloads: list[Any]) -> list[Any]:
        tags = [each["type"] for each in payloads]
        return payloads[: tags.index(tag) + 1]

    return cut


def only_from_created(payloads: list[Any]) -> list[Any]:
    """Take nothing where the first event is not response.created."""
    return payloads if payloads[0]["type"] == "response.created" else []


def number_once(payloads: list[Any]) -> list[Any]:
    return list({each["sequence_number"]: each for each in reversed(payloads)}.values())[::-1]


def sorted_by_number(payloads: list[Any]) -> list[Any]:
    return sorted(payloads, key=lambda each: each.get("sequence_number", len(payloads)))


def first_reason_ends(payloads: list[Any]) -> list[Any]:
    """Stop after the first chunk whose reason is not null."""
    for count, each in enumerate(payloads):
        if any(choice["finish_reason"] is not None for choice in each["choices"]):
            return payloads[: count + 1]
    return payloads


def summed_usage(payloads: list[Any]) -> list[Any]:
    """Add each usage to those before it."""
    total: dict[str, int] = {}
    for each in payloads:
        for name, value in (each.get("usage") or {}).items():
            total[name] = total.get(name, 0) + value
        if each.get("usage"):
            each["usage"] = dict(total)
    return payloads


def in_open_block(payloads: list[Any]) -> list[Any]:
    """Give every delta the index of the block that began last."""
    index = 0
    for each in payloads:
        if each["type"] == "content_block_start":
            index = each["index"]
        elif each["type"] == "content_block_delta":
            each["index"] = index
    return payloads


def blocks_without_data_dispatched(block: bytes) -> bytes:
    return block if b"data" in block or not block else block + b"\ndata"


def first_name_only(block: bytes) -> bytes:
    """Keep the first event line alone."""
    lines = block.split(b"\n")
    names = [line for line in lines if line.startswith(b"event")]
    return b"\n".join(line for line in lines if line not in names[1:])


def name_kept(output: Json) -> Json:
    """Give an event without a name that of the one before."""
    name = "message"
    for each in output["events"]:
        name = each["event"] = name if each["event"] == "message" else each["event"]
    return output


def own_id_only(output: Json) -> Json:
    """Take away an id that the event before had."""
    before = ""
    for each in output["events"]:
        own = each.get("id", "")
        if own and own == before:
            del each["id"]
        before = own
    return output


def last_id_line(run: Run, patch: pytest.MonkeyPatch) -> Run:
    """The last event id is that of the last id line, whatever came of its event."""

    def counted(operation: str, stream: str, given: Json, options: Json) -> Json:
        found = re.findall(r"(?m)^id: ?(.*)$", given["text"])
        output = run(operation, stream, given, options)
        return {**output, "last_event_id": found[-1] if found else ""}

    return counted


def names_for_types(block: bytes) -> bytes:
    """Put the name of a block for the type of its payload."""
    match = re.match(rb"event: (\S+)\ndata: (.*)", block)
    if not match:
        return block
    data = {**json.loads(match[2]), "type": match[1].decode()}
    return b"event: " + match[1] + b"\ndata: " + json.dumps(data).encode()


def without_first_key_lost(block: bytes) -> bytes:
    """Read JSON so that the first of equal keys wins."""
    if not block.startswith(b"data: {"):
        return block
    data = json.loads(block[6:], object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    return b"data: " + json.dumps(data).encode()


def strict_message(run: Run, patch: pytest.MonkeyPatch) -> Run:
    """Raise at a message that is no JSON."""

    def strict(operation: str, stream: str, given: Json, options: Json) -> Json:
        for text in given["messages"]:
            if not text.endswith("}"):
                raise wrong.Refused("this is no JSON object")
        return run(operation, stream, given, options)

    return strict
