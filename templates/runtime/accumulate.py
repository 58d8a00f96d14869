"""From the events of a stream to its final object, by the stream's rules.

Reads events, never changes them and keeps no part of them; returns snapshots that nothing changes later. Raises
`StreamError` where the caller asks for what is not there; everything that the stream did wrong is a `Problem`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar, cast

from .engine import Engine, Rule, value_of
from .errors import StreamError
from .records import ErrorInfo, Level, Problem, UnknownEvent
from .stream import Stream
from .tree import Entries, at, plain

T = TypeVar("T")
MAX_PROBLEMS = 1000
"""How many problems are kept; the last one then says that there were more."""


class Plan(NamedTuple):
    """What is known of a stream's accumulation, as its fragment says it.

    snapshot   class of the snapshot; "" where it is an event of the stream
    terminal   tags that end a response; none where the end of the stream does
    rules      tag → rules; a tag without any changes nothing
    sequence   property, first value and step of the sequence number; None where events are not numbered
    reads      name → path of a text: names, and (property, value) for every entry of a list with that value, () for all
    complete   name of the property, and the values with which the answer counts as complete
    """

    stream: Stream
    snapshot: str
    terminal: tuple[str, ...]
    rules: dict[str, tuple[Rule, ...]]
    sequence: tuple[str, int, int] | None
    reads: dict[str, tuple[Any, ...]]
    complete: tuple[tuple[Any, ...], tuple[Any, ...]]


class Accumulation:
    """The state of one stream. It belongs to one thread.

    problems   what the stream did that it should not have, in order
    last_sequence_number   the number of the last numbered event, for resuming; None before the first
    """

    PLAN: Plan

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.last_sequence_number: int | None = None
        self._engine = Engine(self.PLAN.stream.wire, self._report)
        self._expected: int | None = None
        self._resuming: int | None = None
        self._terminal: str | None = None
        self._ended = False
        self._events = 0
        self._operations: dict[Any, Callable[[Any], None]] = {}

    def add(self, event: Any) -> None:
        """Take one event into the snapshot. Never raises on what a server sent."""
        self._events += 1
        if self.PLAN.sequence is not None:
            number = value_of(event, self.PLAN.sequence[0])
            if number != self._expected or number is None or self._resuming is not None:
                if not self._numbered(event, number):
                    return
            else:
                self.last_sequence_number = number
                self._expected = number + self.PLAN.sequence[2]
        key = ("", event.tag) if type(event) is UnknownEvent else type(event)
        operation = self._operations.get(key)
        if operation is None:
            operation = self._operations[key] = self._prepare(event)
        operation(event)

    def add_all(self, events: Iterable[Any]) -> None:
        """Take all events, and where `events` is a reader its problems too; then the stream counts as ended."""
        for event in events:
            self.add(event)
        for problem in getattr(events, "problems", ()):
            if problem.kind != "after-terminal":
                self._keep(problem)
        self.end()

    def end(self) -> None:
        """Say that nothing more will come, so that a stream without a terminal event has its final object."""
        self._ended = True
        if not self.PLAN.terminal and self._engine.flags and not all(self._engine.flags.values()):
            self._keep(
                Problem(
                    "not-finished", "warning", "the stream ended before its answer was finished"
                )
            )

    def resume(self, starting_after: int | None = None) -> None:
        """Say that the stream goes on in another body, after the event `starting_after` (by default the last one).

        Events up to that number are dropped, until the first with a higher one.
        """
        self._resuming = self.last_sequence_number if starting_after is None else starting_after
        self._ended = False

    def text(self, *keys: int) -> str:
        """All text of the answer so far; with keys, of that one place (`output_index, content_index` on Responses)."""
        return self._read("text", keys)

    def at(self, *path: str | int) -> Any:
        """The value so far at a path of the snapshot, lists by the stream's own keys; None where there is none."""
        return plain(at(self._engine.tree, path))

    def beside(self, name: str) -> Any:
        """What the snapshot has no place for, such as audio and partial images: the JSON value; None where there is none."""
        return plain(self._engine.beside.get(name))

    @property
    def status(self) -> str | None:
        """The snapshot's status; where it has none: in_progress, completed or failed; None before the first event."""
        tree = self._engine.tree
        if tree is not None and isinstance(tree.get("status"), str):
            return str(plain(tree["status"]))
        if self._engine.failure is not None:
            return "failed"
        if tree is None:
            return None
        return "completed" if self._is_final() else "in_progress"

    @property
    def error(self) -> ErrorInfo | None:
        """What the stream or its response failed with; None while neither did."""
        inside = plain(at(self._engine.tree, ("error",)))
        return ErrorInfo.of(self._engine.failure if inside is None else inside)

    @property
    def usage_json(self) -> Any:
        """The usage so far as a JSON value; None before there is one."""
        return plain(at(self._engine.tree, ("usage",)))

    def _read(self, name: str, keys: tuple[int, ...]) -> str:
        return "".join(selected(self._engine.tree, self.PLAN.reads.get(name, ("",)), keys))

    def _usage(self) -> Any:
        """The usage alone, typed, without building the rest of the snapshot."""
        found = self.usage_json
        return None if found is None else getattr(self._decoded({"usage": found}), "usage", None)

    def _snapshot(self) -> Any:
        tree = self._engine.tree
        return None if tree is None else self._decoded(plain(tree))

    def _predecessors(self) -> list[Any]:
        return [self._decoded(plain(tree)) for tree in self._engine.finished]

    def _final(self) -> Any:
        self._require_final()
        return self._snapshot()

    def _decoded(self, data: dict[str, Any]) -> Any:
        stream = self.PLAN.stream
        if self.PLAN.snapshot:
            return stream.wire.decoder(self.PLAN.snapshot)(data)
        return stream.decode({stream.tag: plain(at(self._engine.tree, (stream.tag,))), **data})

    def _is_final(self) -> bool:
        engine = self._engine
        if engine.tree is None or engine.hollow:
            return False
        if self.PLAN.terminal:
            return self._terminal is not None and engine.closed
        finished = bool(engine.flags) and all(engine.flags.values())
        return engine.failure is None and (self._ended or finished)

    def _require_final(self) -> None:
        if self._is_final():
            return
        info = ErrorInfo.of(self._engine.failure)
        if self._engine.hollow:
            raise StreamError("the terminal event holds no snapshot")
        if info is not None:
            raise StreamError(f"the stream failed: {info.message or info.code or info.data}")
        if not self._events:
            raise StreamError("the stream was empty")
        raise StreamError(
            "the stream ended before its terminal event"
            if self._ended
            else "the stream has not ended yet"
        )

    def _finished_text(self) -> str:
        """The text of the last message of a complete answer; StreamError on a refusal or an incomplete one."""
        self._require_final()
        path, values = self.PLAN.complete
        found = next(iter(selected(self._engine.tree, path, ())), None)
        refusal = self._read("refusal", ())
        if refusal:
            raise StreamError(f"the model refused: {refusal}")
        if values and found not in values:
            raise StreamError(f"the answer is not complete: it ended with {found!r}")
        return "".join(selected(self._engine.tree, self.PLAN.reads["answer"], ()))

    def _prepare(self, event: Any) -> Callable[[Any], None]:
        """The function for events of this class or unknown tag."""
        tag = event.tag if type(event) is UnknownEvent else self._tag_of(event)
        rules = self.PLAN.rules.get(tag or "", ())
        apply = self._engine.operation(rules)
        starts = any(rule.verb == "start" for rule in rules)
        terminal = tag in self.PLAN.terminal
        unknown = type(event) is UnknownEvent

        def run(event: Any) -> None:
            if unknown:
                self._report("unknown-event", "info", f"unknown event {event.tag!r}", event)
            if self._terminal is not None and not starts and not terminal:
                self._report(
                    "after-terminal", "warning", "an event came after the terminal one", event
                )
                return
            apply(event)
            if starts:
                self._terminal = None
            if terminal:
                self._terminal = tag
                self._engine.closed = any(rule.verb in ("start", "replace") for rule in rules)

        return run if unknown or starts or terminal else self._unless_over(apply)

    def _unless_over(self, apply: Callable[[Any], None]) -> Callable[[Any], None]:
        def run(event: Any) -> None:
            if self._terminal is None:
                apply(event)
            else:
                self._report(
                    "after-terminal", "warning", "an event came after the terminal one", event
                )

        return run

    def _tag_of(self, event: Any) -> str | None:
        tag = value_of(event, self.PLAN.stream.tag)
        if isinstance(tag, str) and tag in self.PLAN.stream.events:
            return tag
        return next(
            (tag for tag, cls in self.PLAN.stream.events.items() if cls is type(event)), None
        )

    def _numbered(self, event: Any, number: Any) -> bool:
        """Take note of a sequence number that is not the one expected; whether the event counts."""
        if type(number) is not int:
            if number is not None:
                self._report("wrong-type", "error", f"the sequence number is {number!r}", event)
            return True
        assert self.PLAN.sequence is not None
        _, first, step = self.PLAN.sequence
        last = self.last_sequence_number
        if self._resuming is not None:
            if number <= self._resuming:
                return False
            last, self._resuming = self._resuming, None
        restarts = self._terminal is not None and number == first
        if last is not None and not restarts and number != last + step:
            if number == last:
                self._report("sequence-repeat", "warning", f"the number {number} came again", event)
            elif number < last:
                self._report(
                    "sequence-back", "warning", f"the number {number} came after {last}", event
                )
            else:
                self._report(
                    "sequence-gap", "warning", f"the number {number} came after {last}", event
                )
        elif last is None and number != first:
            self._report(
                "sequence-gap", "warning", f"the stream begins with the number {number}", event
            )
        self.last_sequence_number = number
        self._expected = number + step
        return True

    def _report(self, kind: str, level: str, message: str, event: Any, path: str = "") -> None:
        sequence = self.PLAN.sequence
        number = value_of(event, sequence[0]) if sequence else None
        tag = event.tag if type(event) is UnknownEvent else self._tag_of(event)
        at_number = number if type(number) is int else None
        self._keep(Problem(kind, cast(Level, level), message, path, tag, at_number))

    def _keep(self, problem: Problem) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)
        elif len(self.problems) == MAX_PROBLEMS:
            self.problems.append(
                Problem("more-problems", "warning", "further problems are not kept")
            )


def selected(node: Any, path: tuple[Any, ...], keys: tuple[int, ...]) -> list[str]:
    """The texts that a path leads to.

    A step is a name, () for all entries of a list or (property, value) for those that have it, with "first" or "last" in
    front for one of these. `keys` name entries in place of the first such steps.
    """
    if not path:
        value = plain(node)
        return [value] if isinstance(value, str) else []
    step, rest = path[0], path[1:]
    if isinstance(step, str):
        return selected(node.get(step) if isinstance(node, dict) else None, rest, keys)
    entries = node if isinstance(node, Entries) else Entries(node if isinstance(node, list) else ())
    if keys:
        return selected(entries.by_key.get(keys[0]), rest, keys[1:])
    which = step[0] if step[:1] in (("first",), ("last",)) else ""
    wanted = step[1:] if which else step
    chosen = [value for _, value in entries.ordered() if _fits(value, wanted)]
    chosen = chosen[:1] if which == "first" else chosen[-1:] if which == "last" else chosen
    return [text for value in chosen for text in selected(value, rest, ())]


def _fits(value: Any, wanted: tuple[str, ...]) -> bool:
    return not wanted or (isinstance(value, dict) and plain(value.get(wanted[0])) == wanted[1])
