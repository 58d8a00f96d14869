"""Whether entries are the same from begin to end, in the finished snapshot too.

Reads events by the rules of identity that the fragment has as data; reports properties that differ, ids of two entries,
statuses that are not final, entries in another order than they were streamed in. Never looks at texts.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from codegen.catalogue import Stream
from codegen.errors import reason
from codegen.lint.places import Act, acts_of, starts_of
from codegen.lint.reach import Reach
from codegen.lint.tell import Tell

Facts = dict[str, str | None]
"""What is known of an entry, by property: texts that are not empty."""

_TOLD = "\0"
"""Stands for a value that differed; it is told once."""


class Identities:
    """The entries of one snapshot. `operation` gives the function for the events of a tag."""

    def __init__(self, stream: Stream, reach: Reach, tell: Tell) -> None:
        self._reach, self._tell = reach, tell
        order = stream.order
        self._same = dict(order.identities) if order else {}
        self._unique = dict(order.unique) if order else {}
        self._json = dict(order.json) if order else {}
        statuses = order.statuses if order else ()
        self._open = {name: {s for each in groups[:-1] for s in each} for name, groups in statuses}
        self._finished_by = order.finished_by if order else ()
        unlisted = {event.tag for event in stream.unlisted if event.terminal}
        terminal = {*stream.terminal, *unlisted}
        self._snapshots = {tag: at for tag, at in starts_of(stream).items() if tag in terminal}
        self._names = {*self._same, *self._unique}
        self._acts = {
            tag: [act for act in acts if len(act.lists) == 1 and act.lists[0] in self._names]
            for tag, acts in acts_of(stream).items()
        }
        self.restart()

    def restart(self) -> None:
        """Begin a new snapshot."""
        self._entries: dict[str, dict[int, Facts]] = {}
        self._owners: dict[tuple[str, str | None, str, str], int] = {}

    def operation(self, tag: str) -> Callable[[Any], None] | None:
        """What checks an event of this tag; None where there is nothing to check."""
        steps: list[Callable[[Any], None]] = []
        for act in self._acts.get(tag, ()):
            if act.verb in ("open", "put"):
                steps.append(partial(self._entry, act))
            elif act.verb == "text" and act.lists[0] in self._same:
                steps.append(partial(self._beside, act))
        if tag in self._snapshots and self._same:
            steps.append(lambda event: self._end(tag, event))
        if not steps:
            return None

        def run(event: Any) -> None:
            for step in steps:
                step(event)

        return run

    def _index(self, act: Act, event: Any) -> int | None:
        index = self._reach(event, (act.keys[0][0],))
        return index if type(index) is int and index >= 0 else None

    def _entry(self, act: Act, event: Any) -> None:
        """An entry begins, or is finished."""
        name, index = act.lists[0], self._index(act, event)
        entry = self._reach(event, act.source)
        if index is None or entry is None:
            return
        path = f".{name}[{index}]"
        known = self._entries.setdefault(name, {})
        facts = self._facts(name, entry)
        self._alone(name, index, facts, event, path)
        if act.verb == "open" or index not in known:
            known[index] = facts
        if act.verb == "put":
            self._compare(known[index], facts, self._same.get(name, ())[1:], event, path)
            self._final(name, facts, event, path)
            self._texts(name, entry, event, path)

    def _facts(self, name: str, entry: Any) -> Facts:
        wanted = ("type", "status", *self._same.get(name, ()), *self._unique.get(name, ()))
        return {each: self._text(entry, each) for each in wanted}

    def _text(self, node: Any, name: str) -> str | None:
        """A property that is text; None for any other."""
        value = self._reach(node, (name,))
        return value if isinstance(value, str) else None

    def _beside(self, act: Act, event: Any) -> None:
        """An event that is about an entry, and has one of its properties beside the text."""
        name, index = act.lists[0], self._index(act, event)
        known = self._entries.get(name, {}).get(-1 if index is None else index)
        if known is not None:
            names = self._same[name][1:]
            facts = {each: self._text(event, each) for each in names}
            self._compare(known, facts, names, event, f".{name}[{index}]")

    def _alone(self, name: str, index: int, facts: Facts, event: Any, path: str) -> None:
        for each in self._unique.get(name, ()):
            value = facts[each]
            if not value:
                continue
            owner = self._owners.setdefault((name, facts["type"], each, value), index)
            if owner != index:
                what = f"{each} {_shown(value)} is that of {name}[{owner}] too"
                self._tell("id-reused", what, event, f"{path}.{each}")
                self._owners[name, facts["type"], each, value] = index  # once for both

    def _compare(
        self, known: Facts, facts: Facts, names: tuple[str, ...], event: Any, path: str
    ) -> None:
        for each in names:
            before, value = known.get(each), facts[each]
            if before and before != _TOLD and value and before != value:
                what = f"{each} is {_shown(value)}, it was {_shown(before)} before"
                self._tell("identity-differs", what, event, f"{path}.{each}")
                known[each] = _TOLD
            known[each] = known.get(each) or value

    def _final(self, name: str, facts: Facts, event: Any, path: str) -> None:
        status = facts["status"]
        if status in self._open.get(name, ()):
            what = f"the entry is finished, and its status is {_shown(status)}"
            self._tell("status-open", what, event, f"{path}.status")

    def _texts(self, name: str, entry: Any, event: Any, path: str) -> None:
        """Texts of a finished entry that are JSON; one that ended early may have half of it."""
        if self._reach(entry, ("status",)) not in (None, "completed"):
            return
        for each in self._json.get(name, ()):
            fault = json_fault(self._reach(entry, tuple(each.split("."))))
            if fault:
                self._tell("input-not-json", fault, event, f"{path}.{each}")

    def _end(self, tag: str, event: Any) -> None:
        """The finished snapshot against what was streamed."""
        at = self._snapshots[tag]
        for name in self._same:
            entries = self._reach(event, (*at, name))
            if isinstance(entries, list) and entries:
                path = "".join(f".{step}" for step in (*at, name))
                facts = [self._facts(name, entry) for entry in entries]
                self._ended(name, facts, event, path)
                if tag in self._finished_by and self._entries.get(name):
                    for number, each in enumerate(facts):
                        self._final(name, each, event, f"{path}[{number}]")

    def _ended(self, name: str, entries: list[Facts], event: Any, path: str) -> None:
        known, names = self._entries.get(name, {}), self._same[name]
        if not known:
            what = f"{len(entries)} in {name}, and nothing of it was streamed"
            self._tell("never-streamed", what, event, path)
            return
        streamed = sorted(known)
        places = {known[index][names[0]]: index for index in streamed if known[index][names[0]]}
        found = [places.get(entry[names[0]]) for entry in entries]
        order = [index for index in found if index is not None]
        if order != sorted(order):
            what = f"the entries come in the order {_numbers(order)} of those streamed"
            self._tell("output-order", what, event, path)
        for number, (entry, index) in enumerate(zip(entries, found, strict=True)):
            here = f"{path}[{number}]"
            if index is None and len(entries) == len(streamed) and streamed[number] not in found:
                index = streamed[number]
                before, given = known[index][names[0]], entry[names[0]]
                if before and given:
                    what = f"{names[0]} is {_shown(given)}, the entry here is {_shown(before)}"
                    self._tell("id-differs", what, event, f"{here}.{names[0]}")
            if index is not None:
                self._compare(known[index], entry, names[1:], event, here)


def json_fault(text: Any) -> str:
    """Why a text is not JSON; "" where it is, is empty, or is no text."""
    if not isinstance(text, str) or not text.strip():
        return ""
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        return f"the text is not usable JSON: {reason(error)}"
    return ""


def _numbers(order: list[int]) -> str:
    return ", ".join(str(index) for index in order[:8]) + (", …" if len(order) > 8 else "")


def _shown(value: Any) -> str:
    """A value as JSON has it."""
    return json.dumps(value, ensure_ascii=False, default=str)
