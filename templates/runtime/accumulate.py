"""From the events of a stream to its final object, by the stream's rules.

Reads events; grows the tree that `answers` reads. Never changes an event, keeps no part of one, and raises nothing on what a
server sent: everything that the stream did wrong is a `Problem`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

from .answers import Answers
from .dialect import Dialect, Fixes, chosen, repaired
from .engine import Engine
from .numbering import Numbering
from .problems import Problems
from .quick import Appending, Repeating, quick_way
from .records import Level, Problem, UnknownEvent
from .rules import reached, value_of


class Accumulation(Answers):
    """The state of one stream. It belongs to one thread.

    problems   what the stream did that it should not have, in order
    """

    def __init__(self, dialect: str | None = None) -> None:
        plan = self.PLAN
        self._dialect: Dialect | None = None
        self._fixes: Fixes | None = None
        self._mended: Callable[[Any], Any] | None = None
        self.problems = Problems()
        if dialect is not None:
            self._dialect = chosen(plan.departures, dialect, plan.stream.name)
            self._fixes = self._fixing(self._dialect.repairs)
            self._mended = self._fixes.fixed if self._dialect.repairs else None
        self._engine = Engine(plan.stream.wire, self._report, plan.streamed)
        self._numbering = Numbering(plan.sequence, self._report) if plan.sequence else None
        self._terminal: str | None = None
        self._ended = False
        self._is_cut = False
        self._is_empty = True
        self._operations: dict[Any, Callable[[Any], None]] = {}
        self._ways: dict[Any, Appending | Repeating] = {}
        self._quick: dict[type[Any], Callable[[Any], bool]] = {}

    def add(self, event: Any) -> None:
        """Take one event into the snapshot. Never raises on what a server sent; TypeError for what is no event of this
        stream."""
        quick = self._quick.get(type(event))
        if quick is None or not quick(event):
            self._add(event)

    def _add(self, event: Any) -> None:
        """As `add`, by the rules."""
        if self._mended is not None:
            event = self._mended(event)
        key = ("", event.tag) if type(event) is UnknownEvent else type(event)
        operation = self._operations.get(key)
        if operation is None:  # before anything of a wrong one counts
            operation = self._operations[key] = self._prepare(event)
        self._is_empty = False
        if self._numbering is not None:
            if not self._numbering.counts(event, self._terminal is not None):
                return
        known = self.problems.seen
        try:
            operation(event)
        except RecursionError:
            self._report("too-deep", "error", "the event is nested too deep", event)
        for each, way in self._ways.items():
            if each == key and self.problems.seen == known:
                way.learn(event)
            else:
                way.forget()

    def add_all(self, events: Iterable[Any]) -> None:
        """Take all events, and where `events` is a reader its problems too; then the stream counts as ended."""
        for event in events:
            self.add(event)
        self.end(getattr(events, "outcome", None), getattr(events, "problems", ()))

    def end(self, outcome: str | None = None, problems: Iterable[Problem] = ()) -> None:
        """Say that nothing more will come, so that a stream without a terminal event has its final object; unless
        `outcome` is "truncated" and the answer was not finished. Outcome and problems are a reader's; its problems join
        those here."""
        for problem in problems if problems is not self.problems else ():
            if problem.kind != "after-terminal":  # which was told here too
                self.problems.keep(problem)
        was_ended, self._ended = self._ended, True
        self._is_cut = outcome == "truncated"
        if was_ended or self.PLAN.terminal or self._has_finished():
            return
        if self._engine.tree is not None:
            self.problems.keep(
                Problem(
                    "not-finished", "warning", "the stream ended before its answer was finished"
                )
            )

    def resume(self, starting_after: int | None = None) -> None:
        """Say that the stream goes on in another body, after the event `starting_after` (by default the last one).

        Events up to that number are dropped, until the first with a higher one.
        """
        if self._numbering is not None:
            self._numbering.resume(starting_after)
        self._ended = self._is_cut = False
        if not self._engine.closed:
            self._terminal, self._engine.failure = None, None

    def _prepare(self, event: Any) -> Callable[[Any], None]:
        """The function for events of this class or unknown tag."""
        tag = event.tag if type(event) is UnknownEvent else self._tag_of(event)
        if tag is None and type(event) is not UnknownEvent:
            name, stream = type(event).__name__, self.PLAN.stream.name
            raise TypeError(f"{name} is not an event of {stream}: decode a payload first")
        rules = self.PLAN.rules.get(tag or "", ())
        apply = self._engine.operation(rules, self.PLAN.units(tag or ""))
        starts = any(rule.verb == "start" for rule in rules)
        brings = any(rule.verb in ("start", "replace") for rule in rules)
        fails = any(rule.verb == "fail" for rule in rules)
        terminal = tag in self.PLAN.terminal
        unknown = type(event) is UnknownEvent
        own = self._dialect is not None and self._dialect.knows(tag)
        is_aside = bool(rules) and all(rule.verb == "collect" for rule in rules)
        spread = next((rule.source for rule in rules if rule.verb in ("start", "replace")), ())

        def run(event: Any) -> None:
            if spread and reached(event, spread) is None:
                event = self._gathered(event)
            if unknown and not own:
                self._report("unknown-event", "info", f"unknown event {event.tag!r}", event)
            if self._is_late(tag) and not starts and not is_aside:
                self._report_late(event)
                if self._engine.closed and not terminal:
                    return
            finished = len(self._engine.finished)
            apply(event)
            if starts:
                self._terminal = None
            if len(self._engine.finished) > finished and self._numbering is not None:
                self._numbering.restart(value_of(event, self._numbering.name))
            if terminal:
                self._terminal = tag
                self._engine.moved()  # so that no quick way passes by what comes late
                if brings or (self._engine.failure is None and not fails):
                    self._engine.closed = True

        way = quick_way(self._engine, rules, self._numbering) if self._mended is None else None
        if way is not None and not unknown:
            self._ways[type(event)] = way
            self._quick[type(event)] = way.add
        is_plain = not (unknown or spread or starts or terminal or is_aside)
        return self._unless_over(apply, tag) if is_plain else run

    def _is_late(self, tag: str | None) -> bool:
        """Whether a response ended and such an event should not follow."""
        if self._terminal is None:
            return False
        follow = self.PLAN.follow if self._dialect is None else self._dialect.follow
        return not {tag, "*"} & {*follow.get(self._terminal, ())}

    def _report_late(self, event: Any) -> None:
        what = f"an event came after {self._terminal!r}"
        self._report("after-terminal", "warning", what, event)

    def _fixing(self, only: tuple[str, ...]) -> Fixes:
        """What fills in properties, and reports it."""
        level = "warning" if self._dialect is None else "info"

        def report(name: str, what: str, tag: str, data: Any) -> None:
            self.problems.keep(repaired(number, level, name, what, tag, data))

        number = self.PLAN.sequence[0] if self.PLAN.sequence else ""
        repairs = self.PLAN.departures().repairs
        return Fixes(self.PLAN.stream, repairs, only, report, self._tag_of)

    def _gathered(self, event: Any) -> Any:
        """The event with the object that it should hold and that stands at its top level; the same event otherwise."""
        if self._fixes is None:
            methods = self.PLAN.departures().repairs.methods
            only = tuple(name for name, method in methods.items() if method == "wrap")
            self._fixes = self._fixing(only)
        return event if self._dialect is not None else self._fixes.fixed(event)

    def _unless_over(self, apply: Callable[[Any], None], tag: str | None) -> Callable[[Any], None]:
        """As `apply`, but for events that come after the response is complete; after a mere error they count."""

        def run(event: Any) -> None:
            if self._terminal is not None and self._is_late(tag):
                self._report_late(event)
                if self._engine.closed:
                    return
            apply(event)

        return run

    def _tag_of(self, event: Any) -> str | None:
        tag = value_of(event, self.PLAN.stream.tag)
        if isinstance(tag, str) and self.PLAN.stream.events.get(tag) is type(event):
            return tag
        return next(
            (tag for tag, cls in self.PLAN.stream.events.items() if cls is type(event)), None
        )

    def _report(self, kind: str, level: str, message: str, event: Any, path: str = "") -> None:
        sequence = self.PLAN.sequence
        number = value_of(event, sequence[0]) if sequence else None
        tag = event.tag if type(event) is UnknownEvent else self._tag_of(event)
        at_number = number if type(number) is int else None
        if self._dialect is not None and self._dialect.is_usual(kind, tag, path):
            level = "info"
        self.problems.keep(Problem(kind, cast(Level, level), message, path, tag, at_number))
