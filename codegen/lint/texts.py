"""Texts below an object, at several paths at once.

Reads paths and objects; returns the texts, in the order of the paths. Never walks the same step twice for paths that share
it, and asks a record for no property that its class does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any

from codegen.lint.reach import Reach, Step

Found = list[tuple[int, str]]
"""Texts, each with the number of its path."""
_Plan = tuple[Callable[[Any], tuple[Any, ...]], list["Texts"], list[tuple[Step, "Texts"]]]
"""What reads values of an object, what goes on from each, and the steps that have to be looked for one by one."""


class Texts:
    """Paths that share a begin. `of` gives the texts of an object.

    paths  each with its number; a step is "[]" or "[name=value]" for elements of a list
    """

    def __init__(self, paths: Iterable[tuple[int, tuple[Step, ...]]], reach: Reach) -> None:
        self._reach = reach
        self._ends: list[int] = []
        below: dict[Step, list[tuple[int, tuple[Step, ...]]]] = {}
        for number, path in paths:
            if path:
                below.setdefault(path[0], []).append((number, path[1:]))
            else:
                self._ends.append(number)
        made = {step: Texts(rest, reach) for step, rest in below.items()}
        self._lists = [(step, sub) for step, sub in made.items() if str(step)[:1] == "["]
        self._names = [(step, sub) for step, sub in made.items() if str(step)[:1] != "["]
        self._plans: dict[type[Any], tuple[_Plan, _Plan] | None] = {}

    def of(self, node: Any) -> list[str]:
        """The texts below an object."""
        found: Found = []
        self._gather(node, found)
        if len(found) > 1:
            found.sort(key=lambda each: each[0])
        return [text for _, text in found]

    def _gather(self, node: Any, found: Found) -> None:
        if type(node) is str:
            for number in self._ends:
                found.append((number, node))
            return
        for step, sub in self._lists:
            for each in self._elements(step, node):
                sub._gather(each, found)
        if not self._names:
            return
        plans = self._plans.get(type(node))
        if plans is None and type(node) not in self._plans:
            plans = self._plans[type(node)] = self._planned(type(node))
        rest = self._names
        if plans is not None:
            read, subs, rest = plans[bool(node._wire is not None and node._wire.unknown)]
            for value, sub in zip(read(node), subs, strict=True):
                if value is not None:
                    sub._gather(value, found)
        for name, sub in rest:
            value = self._reach(node, (name,))
            if value is not None:
                sub._gather(value, found)

    def _elements(self, step: Step, node: Any) -> list[Any]:
        if not isinstance(node, list):
            return []
        if step == "[]":
            return node
        name, _, value = str(step)[1:-1].partition("=")
        return [each for each in node if self._reach(each, (name,)) == value]

    def _planned(self, kind: type[Any]) -> tuple[_Plan, _Plan] | None:
        """How to read an object of a class, without undeclared properties and with some; None for what is no record."""
        if not issubclass(kind, self._reach.record):
            return None
        alone: dict[str, Texts] = {}
        single: dict[str, Texts] = {}
        several: list[tuple[Step, Texts]] = []
        for step, sub in self._names:
            names = (step,) if isinstance(step, str) else step
            own = [name for name in names if name in kind.__slots__]
            if own and len(names) == 1:
                single[own[0]] = sub
            elif len(own) == 1:
                alone[own[0]] = sub
            elif own:
                several.append((step, sub))
        others = [(step, sub) for step, sub in self._names if step not in single]
        if alone.keys() & single.keys():  # one name at two steps
            return _plan({}, list(self._names)), _plan({}, list(self._names))
        return _plan({**single, **alone}, several), _plan(single, others)


def _plan(own: dict[str, Texts], others: list[tuple[Step, Texts]]) -> _Plan:
    if len(own) > 1:
        return attrgetter(*own), list(own.values()), others
    (name,) = own or ("",)
    read = attrgetter(name) if name else None
    return (lambda node: (read(node),) if read is not None else ()), list(own.values()), others
