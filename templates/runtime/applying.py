"""What verbs of every kind need: the value of a rule's source, and the place of its path.

Reads rules and events; returns values, copied, and places. Never changes the tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .places import Place
from .rules import Rule, dotted
from .tree import plain

if TYPE_CHECKING:
    from .engine import Engine


class Applying:
    """Works on one engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.report = engine.report

    def _value(self, rule: Rule, item: Any, event: Any) -> Any:
        if rule.literal:
            return plain(rule.literal[0])
        return self.engine.json(self.engine.get(item, rule.source, event))

    def _place(self, rule: Rule, event: Any, item: Any, node: Any) -> Place | None:
        is_beside = rule.path and rule.path[0][0] == "@"
        return self.engine.places.find(rule, event, item, self.engine.beside if is_beside else node)

    def _lacks(self, rule: Rule, event: Any) -> None:
        what = "the event does not hold what it announces"
        self.report("missing-source", "warning", what, event, dotted(rule.source))

    def _wrong(self, rule: Rule, expected: str, value: Any, event: Any) -> None:
        self.engine.wrong_type(expected, value, event, dotted(rule.source))
