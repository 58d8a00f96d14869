"""On which line of a text the places of its value lie.

Reads YAML or JSON text; returns lines by JSON pointer (RFC 6901, as a fragment: `#/a/0/b`); never fails: of a text that
cannot be read to its end it knows the lines up to there.
"""

from __future__ import annotations

from typing import Any

from ruamel.yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from codegen.errors import SpecError
from codegen.limits import limit
from codegen.yaml_text import events

_STARTS = (MappingStartEvent, SequenceStartEvent)
_ENDS = (MappingEndEvent, SequenceEndEvent)


def escape(name: str) -> str:
    """A name as one step of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def unescape(step: str) -> str:
    """The name that one step of a JSON pointer stands for."""
    return step.replace("~1", "/").replace("~0", "~")


def index(data: bytes) -> dict[str, int]:
    """Pointer to line, from 1. The line of a member is that of its key; what lies behind an alias is not there."""
    lines: dict[str, int] = {}
    try:
        _fill(lines, data.decode("utf-8-sig", "replace"))
    except SpecError:
        pass  # the text has an error further down, which is reported by whoever parses it
    return lines


def nearest(lines: dict[str, int], pointer: str) -> int | None:
    """The line of the pointer or of the nearest place above it that has one."""
    while pointer and pointer not in lines:
        pointer = pointer.rpartition("/")[0]
    return lines.get(pointer)


class _Place:
    """A collection that is open: its pointer, and the key or number of its next member."""

    __slots__ = ("pointer", "key", "number")

    def __init__(self, pointer: str, number: int | None) -> None:
        self.pointer = pointer
        self.key: str | None = None
        self.number = number

    def member(self) -> str:
        return f"{self.pointer}/{self.key if self.number is None else self.number}"

    def step(self) -> None:
        self.key = None
        if self.number is not None:
            self.number += 1


def _fill(lines: dict[str, int], text: str) -> None:
    stack: list[_Place] = []
    deepest = limit("MAX_DEPTH")
    for event in events(text, ""):
        kind = type(event)
        if kind in _ENDS:
            stack.pop()
            if stack:
                stack[-1].step()
        elif kind in _STARTS or kind is ScalarEvent or kind is AliasEvent:
            _enter(lines, stack, event)
        if len(stack) > deepest:
            return


def _enter(lines: dict[str, int], stack: list[_Place], event: Any) -> None:
    """Note the line of one node, or take it as the key of the member to come."""
    kind = type(event)
    line = event.start_mark.line + 1
    top = stack[-1] if stack else None
    if top is not None and top.number is None and top.key is None:
        top.key = escape(event.value) if kind is ScalarEvent else ""
        lines.setdefault(top.member(), line)
        return
    pointer = "#" if top is None else top.member()
    lines.setdefault(pointer, line)
    if kind in _STARTS:
        stack.append(_Place(pointer, 0 if kind is SequenceStartEvent else None))
    elif top is not None:
        top.step()
