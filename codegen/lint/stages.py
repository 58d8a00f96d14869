"""Whether events come in the order of the stream's stages, once where they come once, with steady values and usage.

Reads events; reports by the rules of order and usage that the fragment has as data. Never looks at entries or texts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from codegen.catalogue import Stream
from codegen.lint.course import Course
from codegen.lint.places import begins, starts_of
from codegen.lint.reach import Reach
from codegen.lint.tell import Tell
from codegen.order import OTHERS

FREE = ("error", "keep_alive", "steering", "inject")
"""Families of events that may come at any time."""


class Restarting(Protocol):
    """What begins anew with each snapshot."""

    def restart(self) -> None:
        """Begin a new snapshot."""


Kept = tuple[Course, *tuple[Restarting, ...]]
"""The entries, and what else begins anew with each snapshot."""


class Stages:
    """How far a stream is. `operation` gives the function for the events of a tag, `end` is for its end."""

    def __init__(self, stream: Stream, reach: Reach, tell: Tell, kept: Kept) -> None:
        self._stream, self._reach, self._tell = stream, reach, tell
        self._course, self._kept = kept[0], kept
        order, usage = stream.order, stream.usage
        self._stages = order.stages if order else ()
        self._stage_of = {tag: at for at, group in enumerate(self._stages) for tag in group}
        self._once = order.once if order else ()
        self._finished_by = order.finished_by if order else ()
        steady = [tuple(path.split(".")) for path in (order.steady if order else ())]
        self._steady = [(path, reach.reader(path)) for path in steady]
        self._usage = tuple(usage.at.split(".")) if usage else ()
        self._read_usage = reach.reader(self._usage)
        self._usage_tags = usage.tags if usage else ()
        self._total = usage.total if usage else ()
        self._terminal = {*stream.terminal, *(e.tag for e in stream.unlisted if e.terminal)}
        self._snapshot_at = starts_of(stream)
        self._begins = begins(stream)
        self._families = {event.tag: event.family for event in stream.events}
        unlisted = (event.tag for event in stream.unlisted)
        self._known = {*self._families, *unlisted}
        self._is_first_needed = bool(self._stages) and OTHERS not in self._stages[0]
        self._number = (stream.sequence.field,) if stream.sequence else ()
        self._events = 0
        self._id: Any = None
        self.has_failed = False  # an error has ended it, and what it lacks is no wonder
        self._restart()

    def _restart(self) -> None:
        self._at, self._last = -1, ""
        self._seen: set[str] = set()
        self._values: dict[tuple[str, ...], Any] = {}
        self.ended_by = ""
        self._has_usage = False

    def operation(self, tag: str) -> Callable[[Any], None] | None:
        """What checks an event of this tag."""
        steps: list[Callable[[str, Any], None]] = [self._begin]
        is_staged = tag in self._known and self._families.get(tag, "") not in FREE
        if self._stages and is_staged:
            steps.append(self._stage)
        if tag in self._once:
            steps.append(self._repeat)
        if self._steady and (tag in self._snapshot_at or not self._stream.terminal):
            steps.append(self._steadiness)
        if tag in self._snapshot_at:
            steps.append(self._status)
        if self._usage and (tag in self._usage_tags or not self._usage_tags):
            steps.append(self._usage_of)
        if tag in self._finished_by:
            steps.append(lambda _, event: self._course.finish(event))
        if tag in self._terminal:
            steps.append(self._end_by)
        is_other = steps == [self._begin, self._stage] and tag not in self._stage_of
        return self._quick(tag, steps) if is_other else self._slow(tag, steps)

    def _slow(self, tag: str, steps: list[Callable[[str, Any], None]]) -> Callable[[Any], None]:
        def run(event: Any) -> None:
            for step in steps:
                step(tag, event)
            self._events += 1

        return run

    def _quick(self, tag: str, steps: list[Callable[[str, Any], None]]) -> Callable[[Any], None]:
        """For a tag that no rule names: there is nothing to do once the stream is among such events."""
        slow = self._slow(tag, steps)
        others = self._stage_of.get(OTHERS, -2)

        def run(event: Any) -> None:
            if self._at != others:
                slow(event)

        return run

    def _begin(self, tag: str, event: Any) -> None:
        """A new snapshot, where the one before has ended or is of another response."""
        if tag not in self._begins:
            return
        id = self._reach(event, (*self._snapshot_at[tag], "id"))
        is_other = isinstance(id, str) and isinstance(self._id, str) and id != self._id
        self._id = id
        if self.ended_by or is_other:
            self._restart()
            for each in self._kept:
                each.restart()
            self._events = 0

    def _stage(self, tag: str, event: Any) -> None:
        stage = self._stage_of.get(tag, self._stage_of.get(OTHERS, 0))
        if self._at < 0 < stage and self._is_first_needed and not self._continues(event):
            expected = " or ".join(self._stages[0])
            self._tell("not-first", f"the stream begins with {tag}, not {expected}", event)
        elif stage < self._at:
            self._tell("stage-order", f"{tag} came after {self._last}", event)
        if stage >= self._at:
            self._at, self._last = stage, tag

    def _continues(self, event: Any) -> bool:
        """Whether an event's number says that the stream began in another body."""
        number = self._reach(event, self._number) if self._number else None
        first = self._stream.sequence.first if self._stream.sequence else 0
        return type(number) is int and number > first and not self._events

    def _repeat(self, tag: str, event: Any) -> None:
        if tag in self._seen:
            self._tell("repeated", f"{tag} came again", event)
        self._seen.add(tag)

    def _steadiness(self, tag: str, event: Any) -> None:
        for path, read in self._steady:
            value = read(event)
            if not value:
                continue
            before = self._values.get(path, value)
            self._values[path] = value
            if before != value:
                name = ".".join(path)
                what = f"{name} is {value!r}, it was {before!r} before"
                self._tell("changed", what, event, f".{name}")

    def _status(self, tag: str, event: Any) -> None:
        status = self._reach(event, (*self._snapshot_at[tag], "status"))
        self._course.forward("$", None, status, event)

    def _usage_of(self, tag: str, event: Any) -> None:
        usage = self._read_usage(event)
        if usage is None and not self._usage_tags:
            return
        path = "".join(f".{name}" for name in self._usage)
        if usage is None:
            if tag in self._usage_tags:
                self._tell("no-usage", f"{tag} has no usage", event, path)
            return
        self._has_usage = True
        for name, parts in self._total:
            total = self._reach(usage, (name,))
            numbers = [self._reach(usage, (part,)) for part in parts]
            if all(type(number) is int for number in (total, *numbers)) and total != sum(numbers):
                shown = " + ".join(f"{part} {n}" for part, n in zip(parts, numbers, strict=True))
                self._tell("usage-sum", f"{name} is {total}, {shown}", event, f"{path}.{name}")

    def _end_by(self, tag: str, event: Any) -> None:
        self.ended_by = tag  # a second one is a problem of the reader or of the accumulator

    def end(self, events: int) -> None:
        """The end of the stream, after so many events."""
        if self._terminal and not self.ended_by and not self.has_failed and events:
            self._tell("no-terminal", "the stream ended without its terminal event", None)
        is_asked = self._usage and not self._usage_tags and not self.has_failed
        if is_asked and not self._has_usage and events:
            self._tell("usage-unsent", "no event has the usage", None)
