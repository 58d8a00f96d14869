"""Whether the choices of a chunked completion come in order.

Reads chunks; reports indexes with gaps, and pieces of a choice that came after it was finished. Never looks at events of
streams whose rules do not go through a list of the event.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from codegen.catalogue import Stream
from codegen.lint.reach import Reach, Read
from codegen.lint.tell import Tell
from codegen.rules import Rule, bare, parse


class Choices:
    """The choices of one stream. `operation` gives the function for the events of a tag."""

    def __init__(self, stream: Stream, reach: Reach, tell: Tell) -> None:
        self._reach, self._tell = reach, tell
        self._rules = {
            event.tag: [rule for text in event.rules if (rule := parse(text)) is not None]
            for event in (*stream.events, *stream.unlisted)
        }
        self._unique = dict(stream.order.unique) if stream.order else {}
        self._finished: set[int] = set()
        self._owners: dict[tuple[int, str, str], int] = {}
        self._next: dict[tuple[str, int], int] = {}

    def operation(self, tag: str) -> Callable[[Any], None] | None:
        """What checks an event of this tag; None where there is nothing to check."""
        rules = self._rules.get(tag, [])
        finish = next((rule for rule in rules if rule.verb == "finish"), None)
        if finish is None:
            return None
        source = bare(finish.source)
        pieces = [bare(rule.source)[2:] for rule in rules if _is_piece(rule)]
        name, inner = str(source[0]), self._entries(rules)
        elements_of, reason_of = self._reach.reader(source[:1]), self._reach.reader(source[2:])
        index_of = self._reach.reader((str(finish.path[1][0]),))

        def run(event: Any) -> None:
            elements = elements_of(event)
            for element in elements if isinstance(elements, list) else ():
                index = index_of(element)
                if type(index) is int and index >= 0:
                    self._element(element, index, name, pieces, event)
                    inner(element, index, f".{name}[{index}]", event)
                    if reason_of(element):
                        self._finished.add(index)

        return run

    def _element(
        self, element: Any, index: int, name: str, pieces: list[tuple[Any, ...]], event: Any
    ) -> None:
        path = f".{name}[{index}]"
        self._count((name, 0), index, path, event)
        if index in self._finished and any(self._reach(element, piece) for piece in pieces):
            what = "a piece came after its finish_reason"
            self._tell("after-finish", what, event, path)
            self._finished.discard(index)  # once for all pieces until it is finished again

    def _entries(self, rules: list[Rule]) -> Callable[[Any, int, str, Any], None]:
        """What checks the entries of a list in an element, such as tool calls: from the element, its index and its path."""
        found = _inner(rules)
        if found is None:
            return lambda element, index, path, event: None
        steps, name = found[0], str(found[0][-1])
        entries_of, number_of = self._reach.reader(steps), self._reach.reader((found[1],))
        ids = {each: self._reach.reader((each,)) for each in self._unique.get(name, ())}

        def run(element: Any, index: int, path: str, event: Any) -> None:
            entries = entries_of(element)
            for entry in entries if isinstance(entries, list) else ():
                number = number_of(entry)
                if type(number) is int and number >= 0:
                    here = f"{path}.{name}[{number}]"
                    self._count((name, index), number, here, event)
                    self._alone((index, name), number, ids, entry, event, here)

        return run

    def _alone(
        self,
        place: tuple[int, str],
        number: int,
        ids: dict[str, Read],
        entry: Any,
        event: Any,
        path: str,
    ) -> None:
        """Two entries of one choice with one id."""
        for each, read in ids.items():
            value = read(entry)
            if isinstance(value, str) and value:
                owner = self._owners.setdefault((*place, f"{each} {value}"), number)
                if owner != number:
                    what = f"{each} {json.dumps(value)} is that of {place[1]}[{owner}] too"
                    self._tell("id-reused", what, event, f"{path}.{each}")
                    self._owners[*place, f"{each} {value}"] = number

    def _count(self, key: tuple[str, int], index: int, path: str, event: Any) -> None:
        expected = self._next.get(key, 0)
        if index > expected:
            self._tell("index-gap", f"index {index} came where {expected} is next", event, path)
        if index >= expected:
            self._next[key] = index + 1


def _is_piece(rule: Rule) -> bool:
    """Whether a rule takes text of an element of a list, and of no list in it."""
    return (
        rule.verb.startswith("append")
        and len(rule.source) > 2
        and rule.source[1] == "[]"
        and not any(step.startswith("[") for step in rule.source[2:])
    )


def _inner(rules: list[Rule]) -> tuple[tuple[Any, ...], str] | None:
    """The list in a list's elements whose entries have an index of their own, and the name of that."""
    for rule in rules:
        keys = [step for step in rule.path if isinstance(step, tuple)]
        if len(keys) == 2 and rule.source.count("[]") == 2:
            end = len(rule.source) - 1 - rule.source[::-1].index("[]")
            return bare(rule.source)[2:end], keys[1][0]
    return None
