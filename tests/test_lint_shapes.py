"""What the linter finds quickly is what the package's own check finds.

Reads small streams, with each value in turn replaced by others; compares the two, event by event, with one memory of shapes
for all of them. Never looks at what a problem says.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from codegen.lint.shapes import Shapes
from tests.lint import streams
from tests.lint.streams import PACKAGE, Event

VALUES: tuple[Any, ...] = (None, 7, 1.0, 1.5, True, "", "other", [], {}, [1], {"a": 1}, "assistant")
STREAMS = {
    "responses": streams.responses(),
    "chat": streams.chat(),
    "completions": streams.completions(),
    "messages": streams.messages(),
    "images-generations": streams.images(),
}


def changed(event: Event) -> Iterator[Event]:
    """The event, with each value replaced, removed, and with one more property in each object."""
    yield event
    for path in paths(event):
        for value in VALUES:
            other = deepcopy(event)
            holder = at(other, path[:-1])
            holder[path[-1]] = value
            yield other
        other = deepcopy(event)
        del at(other, path[:-1])[path[-1]]
        yield other
        if isinstance(at(event, path), dict):
            other = deepcopy(event)
            at(other, path)["new_property"] = 1
            yield other


def paths(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    steps = (
        node.items()
        if isinstance(node, dict)
        else enumerate(node) if isinstance(node, list) else ()
    )
    for step, value in steps:
        yield (*path, step)
        yield from paths(value, (*path, step))


def at(node: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        node = node[step]
    return node


@pytest.mark.parametrize("name", STREAMS)
def test_shapes_give_the_problems_of_the_check(name: str) -> None:
    checked = PACKAGE.checked(name)
    shapes = Shapes(checked.framing.stream, checked.problems)
    decode, count = checked.framing.stream.decode, 0
    for event in STREAMS[name]:
        for payload in changed(event):
            try:
                decoded = decode(payload)
            except checked.runtime.errors.DecodeError:
                continue
            count += 1
            for _ in range(2):  # anew, and by its shape
                assert shapes.problems(decoded) == checked.problems(decoded), payload
    assert count > 200
