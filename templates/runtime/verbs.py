"""The verbs of accumulation rules; `codegen/rules.py` says what each means.

Reads rules; returns the operation of each. Never keeps a part of an event: what is taken from one is copied.
"""

from __future__ import annotations

from typing import Any

from .agreeing import agree
from .compiling import Operation
from .entries_verbs import EntryVerbs
from .rules import Rule, dotted, fails, reached
from .values_verbs import ValueVerbs

_METHODS = {"start": "_whole", "replace": "_whole", "fill": "_first"} | {
    verb: f"_{verb}"
    for verb in (
        *("put", "open", "set", "last", "first", "merge", "add", "rest", "collect"),
        *("agree", "finish", "fail", "unfold", "parse", "close"),
    )
}
"""Verb → the method that makes its operation."""


class Verbs(EntryVerbs, ValueVerbs):
    """Makes operations that work on one engine."""

    def operation(self, rule: Rule, is_shared: bool) -> Operation:
        """What a rule does; `is_shared` says that a list in place of text, or text in place of a list, is the affair of
        other rules."""
        if rule.verb.startswith("append"):
            return self._append(rule, is_shared)
        if rule.verb == "extend":
            return self._extend(rule, is_shared)
        made: Operation = getattr(self, _METHODS[rule.verb])(rule)
        return made

    def _whole(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            value = self._value(rule, item, event)
            if not isinstance(value, dict):
                self.engine.hollow = True
                what = "the event holds no snapshot"
                self.report("missing-snapshot", "error", what, event, dotted(rule.source))
            elif rule.verb == "start":
                self.engine.start(value, rule.keep, event)
            else:
                self.engine.replace(value, rule.keep, event)

        return run

    def _collect(self, rule: Rule) -> Operation:
        name = rule.path[0].lstrip("@")

        def run(event: Any, item: Any, node: Any) -> None:
            self.engine.is_repeatable = False
            self.engine.gathered.setdefault(name, []).append(self._value(rule, item, event))

        return run

    def _agree(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            agree(rule, event, node, self.report)
            self.engine.moved()

        return run

    def _finish(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            flags = self.engine.flags
            flags[id(node)] = bool(reached(item, rule.source)) or flags.get(id(node), False)

        return run

    def _fail(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            if rule.path and not fails(item, (rule.path, rule.keep)):
                return
            value = self._value(rule, item, event)
            if value:
                self.engine.failure = value
                # What failed may be the whole event, with its piece.
                self.engine.is_repeatable = False

        return run
