"""Events by which a stream says that it failed, or by which it is another stream.

Reads events; tells which of them say so, and what; keeps whether any is known. Never takes a response that ended as failed for one: its terminal event is
as good as any other.
"""

from __future__ import annotations

import re
from typing import Any

from codegen.lint.package import Checked


class Failures:
    """The events of one stream that say so: by their tag, or by properties that no other event has.

    dialect  the server's; what it has of its own is of the stream
    """

    def __init__(self, checked: Checked, dialect: str | None) -> None:
        stream, self._value_of = checked.stream, checked.value_of
        self._tag = stream.tag
        self._unknown = checked.runtime.records.UnknownEvent
        self._tags = {*checked.framing.errors, stream.error} - {stream.untagged, ""}
        self._signs, self._fails = checked.framing.fails, checked.runtime.rules.fails
        self._names = frozenset(name for names, _ in self._signs for name in names)
        self._of: dict[type[Any], bool] = {}
        spoken = next((each for each in stream.dialects if each.name == dialect), None)
        self._listed = checked.framing.known.union(spoken.own if spoken else ())
        self._prefix = spoken.prefix if spoken else ""
        self._is_known = self._is_other = False

    def look(self, event: Any) -> str:
        """How an event says that the stream failed: "by signs", "by tag"; "" where it does not."""
        how = "by signs" if self._by_signs(event) else "by tag" if self._by_tag(event) else ""
        if how or type(event) is not self._unknown or self._knows(event.tag):
            self._is_known = True
        elif event.tag is not None:
            self._is_other = True
        return how

    @property
    def is_foreign(self) -> bool:
        """Whether there were events, and none of them is one that the stream knows."""
        return self._is_other and not self._is_known

    def _knows(self, tag: str | None) -> bool:
        """Whether a tag that no class stands for is known all the same."""
        if tag in self._listed:
            return True
        return bool(self._prefix and tag is not None and re.match(self._prefix, tag))

    def _by_tag(self, event: Any) -> bool:
        """Whether its tag says so."""
        kind = type(event)
        if kind is self._unknown:
            return event.tag in self._tags
        known = self._of.get(kind)
        if known is None:
            tag = self._value_of(event, self._tag)
            if not isinstance(tag, str):  # it was taken by its event line
                return False
            known = self._of[kind] = tag in self._tags
        return known

    def _by_signs(self, event: Any) -> bool:
        """Whether what it has says so; such an event is none of the stream's, and has nothing else that they have."""
        kind, kept = type(event), event._wire
        if not self._signs:
            return False
        if kind is not self._unknown and (kept is None or not kept.unknown):
            # Signs are properties that hardly a class declares.
            if kept is None or self._names.isdisjoint(kind.__slots__):
                return False
        return any(self._fails(event, signs) for signs in self._signs)

    def message(self, event: Any) -> str:
        """What failed, in the server's words; "" where it says nothing."""
        error = self._value_of(event, "error")
        for node in (event, error):
            text = node if isinstance(node, str) else self._text(node)
            if text:
                return text
        return ""

    def _text(self, node: Any) -> str:
        text = None if node is None else self._value_of(node, "message")
        return text if isinstance(text, str) else ""


def remaining(problems: list[Any]) -> list[Any]:
    """What a schema does not allow in an event that is an error by its signs: it lacks what others have, and has an error."""
    return [
        each
        for each in problems
        if each.kind != "missing-property"
        and not each.path.startswith((".error", ".message", ".detail"))
    ]
