"""From the events of a stream to its final object, by the stream's rules.

Reads events, never changes them and keeps no part of them; returns snapshots that nothing changes later. Raises
`StreamError` where the caller asks for what is not there; everything that the stream did wrong is a `Problem`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar, cast

from .dialect import Dialect, Fixes, Source, chosen, repaired
from .engine import Engine, streamed_names
from .errors import StreamError
from .numbering import Numbering
from .problems import Problems
from .quick import Appending, Repeating, quick_way
from .reads import selected
from .records import ErrorInfo, Level, Problem, UnknownEvent
from .rules import Rule, reached, value_of
from .stream import Stream
from .tree import at, plain

T = TypeVar("T")


class Plan(NamedTuple):
    """What is known of a stream's accumulation, as its fragment says it.

    snapshot   class of the snapshot; "" where it is an event of the stream
    terminal   tags that end a response; none where the end of the stream does
    follow     tag → tags that may come after it though it is terminal
    rules      tag → rules; a tag without any changes nothing
    sequence   property, first value and step of the sequence number; None where events are not numbered
    reads      name → path of a text: names, and (property, value) for every entry of a list with that value, () for all
    complete   name of the property, and the values with which the answer counts as complete
    departures  gives the stream's dialects and what can be repaired
    """

    stream: Stream
    snapshot: str
    terminal: tuple[str, ...]
    follow: dict[str, tuple[str, ...]]
    rules: dict[str, tuple[Rule, ...]]
    sequence: tuple[str, int, int] | None
    reads: dict[str, tuple[Any, ...]]
    complete: tuple[tuple[Any, ...], tuple[Any, ...]]
    departures: Source


class Accumulation:
    """The state of one stream. It belongs to one thread.

    problems   what the stream did that it should not have, in order
    """

    PLAN: Plan

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
        self._engine = Engine(plan.stream.wire, self._report, streamed_names(plan.rules))
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
        self._is_empty = False
        for way in self._ways.values():
            way.forget()
        if self._mended is not None:
            event = self._mended(event)
        if self._numbering is not None:
            if not self._numbering.counts(event, self._terminal is not None):
                return
        key = ("", event.tag) if type(event) is UnknownEvent else type(event)
        operation = self._operations.get(key)
        if operation is None:
            operation = self._operations[key] = self._prepare(event)
        known = self.problems.seen
        try:
            operation(event)
        except RecursionError:
            self._report("too-deep", "error", "the event is nested too deep", event)
        if key in self._ways and self.problems.seen == known:
            self._ways[key].learn(event)

    def add_all(self, events: Iterable[Any]) -> None:
        """Take all events, and where `events` is a reader its problems too; then the stream counts as ended."""
        for event in events:
            self.add(event)
        for problem in getattr(events, "problems", ()):
            if problem.kind != "after-terminal":
                self.problems.keep(problem)
        self.end(getattr(events, "outcome", None))

    def end(self, outcome: str | None = None) -> None:
        """Say that nothing more will come, so that a stream without a terminal event has its final object; unless
        `outcome`, as readers tell it, is "truncated" and the answer was not finished."""
        self._ended = True
        self._is_cut = outcome == "truncated"
        if not self.PLAN.terminal and not self._has_finished() and self._engine.tree is not None:
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

    @property
    def last_sequence_number(self) -> int | None:
        """The highest number of an event so far, for resuming; None before the first."""
        return self._numbering.last if self._numbering is not None else None

    def text(self, *keys: int) -> str:
        """All text of the answer so far; with keys, of that one place (`output_index, content_index` on Responses)."""
        return self._read("text", keys)

    def at(self, *path: str | int) -> Any:
        """The value so far at a path of the snapshot, lists by the stream's own keys; None where there is none."""
        return _plain(at(self._engine.tree, path))

    def beside(self, name: str, *path: str | int) -> Any:
        """What the snapshot has no place for, such as audio, partial images and steering: the JSON value, or what stands at
        a path in it; None where there is none."""
        engine = self._engine
        return _plain(at(engine.beside.get(name, engine.gathered.get(name)), path))

    @property
    def status(self) -> str | None:
        """The snapshot's status; where it has none: in_progress, completed or failed; None before the first event."""
        tree = self._engine.tree
        if self._engine.failure is not None and not self._is_final():
            return "failed"
        if tree is not None and isinstance(tree.get("status"), str):
            return str(plain(tree["status"]))
        if tree is None:
            return None
        return "completed" if self._is_final() else "in_progress"

    @property
    def error(self) -> ErrorInfo | None:
        """What the stream or its response failed with; None while neither did."""
        inside = at(self._engine.tree, ("error",))
        return ErrorInfo.of(_plain(self._engine.failure if inside is None else inside))

    @property
    def usage_json(self) -> Any:
        """The usage so far as a JSON value; None before there is one."""
        return _plain(at(self._engine.tree, ("usage",)))

    def _read(self, name: str, keys: tuple[int, ...]) -> str:
        return "".join(selected(self._engine.tree, self.PLAN.reads.get(name, ("",)), keys))

    def _usage(self) -> Any:
        """The usage alone, typed, without building the rest of the snapshot."""
        found = self.usage_json
        return None if found is None else getattr(self._decoded({"usage": found}), "usage", None)

    def _snapshot(self) -> Any:
        tree = self._engine.tree
        return None if tree is None else self._decoded(tree)

    def _predecessors(self) -> list[Any]:
        return [self._decoded(tree) for tree in self._engine.finished]

    def _final(self) -> Any:
        self._require_final()
        snapshot = self._snapshot()
        if snapshot is None:
            raise StreamError("the terminal event holds no snapshot")
        return snapshot

    def _decoded(self, tree: dict[str, Any]) -> Any:
        """The typed object of a tree; None where it should be an event and has no tag of one. Raises StreamError where it
        is nested too deep for the caller's stack."""
        stream = self.PLAN.stream
        try:
            data = _plain(tree)
            if self.PLAN.snapshot:
                return stream.wire.decoder(self.PLAN.snapshot)(data)
            tag = data.get(stream.tag) or self._terminal
            if not isinstance(tag, str) or tag not in stream.events:
                return None
            return stream.decode_as(tag, data)
        except RecursionError:
            raise StreamError("the snapshot is nested too deep") from None

    def _is_final(self) -> bool:
        engine = self._engine
        if engine.tree is None or engine.hollow:
            return False
        if self.PLAN.terminal:
            return self._terminal is not None and engine.closed
        return engine.failure is None and (
            self._has_finished() or (self._ended and not self._is_cut)
        )

    def _has_finished(self) -> bool:
        """Whether every entry of a stream without terminal events is finished."""
        flags = self._engine.flags
        return bool(flags) and all(flags.values())

    def _require_final(self) -> None:
        if self._is_final():
            return
        info = ErrorInfo.of(self._engine.failure)
        if self._engine.hollow and self._terminal is not None:
            raise StreamError("the terminal event holds no snapshot")
        if info is not None:
            what = info.message or info.code or info.data
            raise StreamError(f"the stream failed: {what}", info)
        if self._is_empty:
            raise StreamError("the stream was empty")
        if not self._ended:
            raise StreamError("the stream has not ended yet")
        missing = "its terminal event" if self.PLAN.terminal else "its answer was finished"
        raise StreamError(f"the stream ended before {missing}")

    def _require_complete(self) -> None:
        """StreamError where the answer is not complete."""
        self._require_final()
        path, values = self.PLAN.complete
        found = next(iter(selected(self._engine.tree, path)), None)
        if values and found not in values:
            raise StreamError(f"the answer is not complete: it ended with {found!r}")

    def _finished_text(self) -> str:
        """The text of the last message of a complete answer; StreamError on a refusal or an incomplete one."""
        self._require_final()
        refusal = self._read("refusal", ())
        if refusal:
            raise StreamError(f"the model refused: {refusal}")
        self._require_complete()
        found = selected(self._engine.tree, self.PLAN.reads["answer"])
        if not found:
            raise StreamError("the answer has no text")
        return "".join(found)

    def _finished_arguments(self, keys: tuple[int, ...]) -> str:
        """The arguments of one tool call of a complete answer; StreamError where there is none or several."""
        self._require_complete()
        found = selected(self._engine.tree, self.PLAN.reads["arguments"], keys)
        if len(found) != 1:
            where = f" at {', '.join(map(str, keys))}" if keys else ""
            number = "several tool calls" if found else "no tool call"
            raise StreamError(
                f"there are {number}{where}" if found else f"there is {number}{where}"
            )
        return found[0]

    def _prepare(self, event: Any) -> Callable[[Any], None]:
        """The function for events of this class or unknown tag."""
        tag = event.tag if type(event) is UnknownEvent else self._tag_of(event)
        if tag is None and type(event) is not UnknownEvent:
            name, stream = type(event).__name__, self.PLAN.stream.name
            raise TypeError(f"{name} is not an event of {stream}: decode a payload first")
        rules = self.PLAN.rules.get(tag or "", ())
        apply = self._engine.operation(rules)
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


def _plain(node: Any) -> Any:
    """The JSON value of a node; StreamError where it is nested too deep for the caller's stack."""
    try:
        return plain(node)
    except RecursionError:
        raise StreamError("the value is nested too deep") from None
