"""The events of one response after another: one lane of a socket, or all of an HTTP body.

Reads events; adds them to the accumulator and lets the rules of order look at them. Never mixes lanes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from codegen.lint.choices import Choices
from codegen.lint.course import Course
from codegen.lint.endings import Endings
from codegen.lint.identity import Identities
from codegen.lint.package import Checked
from codegen.lint.stages import Stages
from codegen.lint.tell import Tell


class Lane:
    """The state of one lane. `problems` are those of the accumulator that nobody has taken yet."""

    def __init__(
        self, checked: Checked, dialect: str | None, problems: list[Any], tell: Tell
    ) -> None:
        self.accumulator: Any = None
        self.problems = problems
        if checked.accumulator is not None:
            self.accumulator = checked.accumulator(dialect)
            self.accumulator.problems = problems
        stream, reach = checked.stream, checked.reached
        self._course = Course(stream, reach, tell)
        self._identities = Identities(stream, reach, tell)
        self._endings = Endings(stream, reach, tell)
        kept = (self._course, self._identities, self._endings, self)
        self._stages = Stages(stream, reach, tell, kept)
        self._choices = Choices(stream, reach, tell)
        self._checks: dict[Any, tuple[Callable[[Any], None], ...]] = {}
        self._tag_of = checked.stream.tag
        self._value_of = checked.value_of
        self._unknown = checked.runtime.records.UnknownEvent
        self._untagged = stream.untagged

    def add(self, event: Any) -> None:
        """Take one event into the accumulator."""
        if self.accumulator is not None:
            self.accumulator.add(event)

    def restart(self) -> None:
        """Let the accumulator forget the responses before the one that begins: nothing asks for them here, and a capture may
        have many."""
        if self.accumulator is not None:
            self.accumulator._engine.finished.clear()

    def join(self) -> None:
        """Let the accumulator join the pieces of the visible text, of which each takes ten times the memory of its letters."""
        if self.accumulator is not None:
            self.accumulator.text()

    def check(self, event: Any) -> None:
        """Let the rules look at an event."""
        kind = type(event)
        checks = self._checks.get(kind if kind is not self._unknown else event.tag)
        if checks is None:
            checks = self._prepared(event)
        for check in checks:
            check(event)

    def _prepared(self, event: Any) -> tuple[Callable[[Any], None], ...]:
        is_unknown = type(event) is self._unknown
        tag = event.tag if is_unknown else self._value_of(event, self._tag_of)
        tag = str(tag or self._untagged)
        rules = (self._stages, self._course, self._choices, self._identities, self._endings)
        found = [each.operation(tag) for each in rules]
        checks = tuple(check for check in found if check is not None)
        self._checks[event.tag if is_unknown else type(event)] = checks
        return checks

    def fail(self) -> None:
        """Take note that the stream said that it failed."""
        self._stages.has_failed = True

    def end(self, events: int, outcome: str | None) -> None:
        """The end, after so many events, and how the reader says that the body ended."""
        self._stages.end(events)
        if self.accumulator is not None:
            self.accumulator.end(outcome)
            if self._endings.reads_snapshot and self.accumulator.status == "completed":
                self._endings.end(self.accumulator.at())
