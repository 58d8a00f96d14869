"""What an accumulator answers: the snapshot so far, single texts of it, how it stands, and the final object.

Reads the tree; returns values of the caller's own. Raises `StreamError` where something is asked for that is not there.
Never changes the tree.
"""

from __future__ import annotations

import base64
from functools import cached_property
from typing import Any, NamedTuple

from .dialect import Source
from .engine import Engine
from .errors import StreamError
from .numbering import Numbering
from .reads import selected
from .records import ErrorInfo
from .rules import Rule
from .stream import Stream
from .tree import at, plain
from .units import Unit, units


class Facts(NamedTuple):
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


class Plan(Facts):
    """The facts of a stream, and what follows from them for all of its accumulators; each is found when first needed."""

    @cached_property
    def streamed(self) -> frozenset[str]:
        """The names of properties to which some rule appends text."""
        rules = (rule for each in self.rules.values() for rule in each)
        lasts = [rule.path[-1] for rule in rules if rule.verb.startswith("append")]
        return frozenset(name for name in lasts if isinstance(name, str))

    @cached_property
    def _units(self) -> dict[str, tuple[Unit, ...]]:
        return {}

    def units(self, tag: str) -> tuple[Unit, ...]:
        """The rules of a tag as they are run."""
        if tag not in self._units:
            self._units[tag] = units(self.rules.get(tag, ()))
        return self._units[tag]


class Answers:
    """What stands in the tree of one stream, for who asks."""

    PLAN: Plan
    _engine: Engine
    _numbering: Numbering | None
    _terminal: str | None
    _ended: bool
    _is_cut: bool
    _is_empty: bool

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

    def data(self, *path: str | int) -> bytes:
        """The bytes of the base64 text at a path of the snapshot, or of what is kept beside it, whose name begins with @:
        `data("b64_json")`, `data("@partial_images", 0)`. Raises StreamError where there is no base64.
        """
        name = str(path[0]) if path else ""
        found = self.beside(name[1:], *path[1:]) if name[:1] == "@" else self.at(*path)
        try:
            return base64.b64decode(found, validate=True)
        except (TypeError, ValueError):
            raise StreamError(f"there is no base64 at {path}") from None

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
    def is_over(self) -> bool:
        """Whether the answer has ended, well or not, so that there is nothing to resume."""
        return self._is_final() or self._engine.failure is not None

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
        if info is not None:
            what = info.message or info.code or info.data
            raise StreamError(f"the stream failed: {what}", info)
        if self._engine.hollow and self._terminal is not None:
            raise StreamError("the terminal event holds no snapshot")
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


def _plain(node: Any) -> Any:
    """The JSON value of a node; StreamError where it is nested too deep for the caller's stack."""
    try:
        return plain(node)
    except RecursionError:
        raise StreamError("the value is nested too deep") from None
