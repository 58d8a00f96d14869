"""How rules reach into events: a path at once, or a function for a path that is read of every event.

Reads events and names; returns values. Never gives another value one way than the other.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

Step = str | tuple[str, ...]
"""A name, or several of which the first that is there counts."""
Read = Callable[[Any], Any]


class Reach:
    """Reaches into the records of one package.

    reached  from an object and a path of steps to the value there; None where there is none
    record   class of all records, whose `__slots__` are their properties
    """

    def __init__(self, reached: Callable[[Any, tuple[Any, ...]], Any], record: type[Any]) -> None:
        self._reached, self.record = reached, record

    def __call__(self, node: Any, names: tuple[Any, ...]) -> Any:
        """The value at a path; None where there is none."""
        return self._reached(node, names)

    def reader(self, names: tuple[Any, ...]) -> Read:
        """The function from an object to the value at a path. It costs a third of a call for a path of one step."""
        steps = [self._step(name) for name in names]
        if len(steps) == 1:
            return steps[0]

        def read(node: Any) -> Any:
            for step in steps:
                if node is None:
                    return None
                node = step(node)
            return node

        return read

    def _step(self, step: Step) -> Read:
        known: dict[type[Any], Read] = {}

        def read(node: Any) -> Any:
            kind = type(node)
            try:
                return known[kind](node)
            except KeyError:
                known[kind] = self._of_kind(kind, step)
                return known[kind](node)

        return read

    def _of_kind(self, kind: type[Any], step: Step) -> Read:
        """What reads a step of objects of a class."""
        reached, path = self._reached, (step,)
        names = (step,) if isinstance(step, str) else step
        own = [name for name in names if issubclass(kind, self.record) and name in kind.__slots__]
        if len(own) != 1:
            return lambda node: reached(node, path)
        get = attrgetter(own[0])
        if len(names) == 1:
            return get

        def alone(node: Any) -> Any:
            """The only one of several names that is a field, unless another is there undeclared."""
            kept = node._wire
            return get(node) if kept is None or not kept.unknown else reached(node, path)

        return alone
