"""The accumulator's tree: JSON values that grow.

Reads and returns JSON values; holds text as pieces and lists by key, so that adding costs the same at the first and at the
millionth piece. Never shares a list or a dict with what it was handed or hands out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Step = str | int


class Text:
    """Text in pieces; joined when it is read."""

    __slots__ = ("parts",)

    def __init__(self, *parts: str) -> None:
        self.parts = list(parts)

    def __str__(self) -> str:
        if len(self.parts) != 1:
            self.parts = ["".join(self.parts)]
        return whole_characters(self.parts[0])


class Entries:
    """A list whose places are known by key before they are all there. Reads in the order of integer keys."""

    __slots__ = ("by_key", "found")

    def __init__(self, values: Any = ()) -> None:
        self.by_key: dict[Any, Any] = dict(enumerate(values))
        self.found: dict[Any, Any] = {}

    def ordered(self) -> list[tuple[Any, Any]]:
        """Keys and values, integer keys first and ascending, others in the order of arrival."""
        return sorted(
            self.by_key.items(), key=lambda item: (not isinstance(item[0], int), _rank(item[0]))
        )


def _rank(key: Any) -> Any:
    return key if isinstance(key, int) else 0


def whole_characters(text: str) -> str:
    """`text` with surrogates that came in two pieces joined to the character that they stand for."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return text


def plain(node: Any) -> Any:
    """The JSON value of a node, fresh at every level."""
    if isinstance(node, Text):
        return str(node)
    if isinstance(node, Entries):
        return [plain(value) for _, value in node.ordered()]
    if isinstance(node, dict):
        return {key: plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [plain(value) for value in node]
    return node


def texts(node: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], str]]:
    """Every text that was streamed, with its path; places in lists are counted from 0 as they stand."""
    if isinstance(node, Text):
        yield path, str(node)
    elif isinstance(node, Entries):
        for place, (_, value) in enumerate(node.ordered()):
            yield from texts(value, (*path, place))
    elif isinstance(node, dict):
        for name, value in node.items():
            yield from texts(value, (*path, name))


def at(value: Any, path: tuple[Step, ...]) -> Any:
    """The value at a path of a JSON value or a node; None where there is none."""
    for step in path:
        if isinstance(value, Entries):
            value = value.by_key.get(step)
        elif isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def entries_of(parent: dict[str, Any], name: str) -> Entries | None:
    """The list called `name` as entries; made where there is none; None where something else is there."""
    value = parent.get(name)
    if isinstance(value, Entries):
        return value
    if value is None or isinstance(value, list):
        parent[name] = Entries(value or ())
        return parent[name]  # type: ignore[no-any-return]
    return None
