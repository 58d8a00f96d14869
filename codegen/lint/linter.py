"""The check of one capture.

Reads a capture and what checks its stream; returns a `Result` with findings. Never holds more of the stream than its final
object.
"""

from __future__ import annotations

import codecs
import dataclasses
import re
from collections.abc import Callable, Iterator
from typing import Any

from codegen.lint.blocks import Block, payload_blocks, singly, sse_runs
from codegen.lint.captures import Capture
from codegen.lint.failures import Failures, remaining
from codegen.lint.findings import Finding
from codegen.lint.lane import Lane
from codegen.lint.package import Checked
from codegen.lint.plain import Plain, Several
from codegen.lint.result import Result
from codegen.lint.shapes import Shapes
from codegen.lint.verdicts import Verdicts, spoken

Watch = Callable[[int, Any, list[Finding]], None]
"""Called for each event with its number, the event and its findings."""
JOIN_AFTER = 16 * 1024
"""Events after which the pieces of text are joined, and again after as many and an eighth of those so far."""
UNCHECKED = frozenset({"wrong-kind", "after-terminal", "terminal-twice"})
"""Findings of events that were added to nothing, of which the order says no more."""
_DONE = re.compile(rb"^data: ?\[DONE\]$", re.MULTILINE)
_DATA = re.compile(rb"^data: ?\S", re.MULTILINE)


class Linter:
    """The state of one check. `run` reads the whole capture."""

    def __init__(
        self, checked: Checked, result: Result, watch: Watch | None, progress: Callable[[int], None]
    ) -> None:
        self._is_bare = result.capture.format == "jsonl"
        verdicts = Verdicts(checked, result.dialect, result.findings, self._is_bare)
        self._verdicts, self._tell = verdicts, verdicts.tell
        checked = dataclasses.replace(checked, stream=spoken(checked.stream, result.dialect)[0])
        self._checked, self._result, self._watch = checked, result, watch
        self._progress = progress
        runtime = checked.runtime
        self._reader = runtime.reader.EventReader(checked.framing, result.dialect)
        self._sink: Callable[[], Any] = _sinks(runtime.problems.Problems)
        if result.dialect is None:
            self._reader.problems = self._sink()
        self._failures = Failures(checked, result.dialect)
        self._shapes = Shapes(checked.framing.stream, checked.problems)
        self._lanes: dict[str | None, Lane] = {}
        self._only: Lane | None = None  # where the stream has no lanes
        self._is_named = checked.stream.event_line == "tag" and not self._is_bare
        is_read = result.dialect is not None or self._is_bare
        self._plain = None if is_read else Plain(checked, self._is_named)
        self._utf8 = codecs.getincrementaldecoder("utf-8")()
        self._odd: list[tuple[str, str]] = []
        self._join_at = JOIN_AFTER
        self._is_over = False
        self._is_refused = False

    def run(self) -> Result:
        """Read the capture, and say how it went."""
        capture, result = self._result.capture, self._result
        self._head()
        for part in self._parts(self._counted(capture), capture.line or 1):
            if isinstance(part, Several):
                self._take_all(part)
                continue
            self._verdicts.line = part.line if capture.line else 0
            if not self._fed(part):
                break
        self._close()
        result.outcome = self._outcome()
        result.lanes = list(self._lanes)
        result.final = self._final
        return result

    def _parts(self, chunks: Any, line: int) -> Iterator[Several | Block]:
        if self._is_bare:
            yield from payload_blocks(chunks, line)
            return
        for run in sse_runs(chunks, line):
            yield from self._plain.parts(run) if self._plain is not None else singly(run)

    def _counted(self, capture: Capture) -> Any:
        for chunk in capture.chunks:
            self._result.bytes += len(chunk)
            self._progress(len(chunk))
            yield chunk

    def _fed(self, block: Block) -> bool:
        """Whether the stream goes on after a block."""
        data = block.data
        if not data.isascii():
            self._encoding(data)
        if data[:6] != b"event:" and self._is_named and block.is_begin:
            self._unnamed(data)
        try:
            events = self._reader.feed(data)
        except self._checked.runtime.errors.StreamError as error:
            self._tell("too-large", str(error), None)
            return False
        for event in events:
            self._take(event)
            if self._plain is not None:
                self._plain.note(event)
        if not events:
            self._without_event(data)
        return True

    def _take_all(self, several: Several) -> None:
        """Take events in whose blocks nothing is odd."""
        result, verdicts, line = self._result, self._verdicts, several.line
        has_lines = bool(result.capture.line)
        for event in several.events:
            result.events += 1
            verdicts.event, verdicts.number = event, result.events
            if has_lines:
                verdicts.line = line
                line += several.lines
            self._judge(event, self._only or self._lane(event))
        if result.events >= self._join_at:
            self._join_at = result.events + max(JOIN_AFTER, result.events // 8)  # linear in all
            for lane in self._lanes.values():
                lane.join()

    def _take(self, event: Any) -> None:
        result = self._result
        result.events += 1
        self._verdicts.event, self._verdicts.number = event, result.events
        lane = self._only or self._lane(event)
        if self._reader.problems:
            self._from_reader()
        if self._odd:
            self._from_bytes()
        self._judge(event, lane)

    def _judge(self, event: Any, lane: Lane) -> None:
        verdicts = self._verdicts
        failure = self._failures.look(event)
        if failure:
            lane.fail()
            self._tell("error-event", self._failures.message(event) or "it failed", event)
        found = self._shapes.problems(event)
        if failure == "by signs":
            found = remaining(found)
        if found:
            verdicts.from_schema(found)
        lane.add(event)
        if lane.problems:
            verdicts.from_accumulator(lane.problems)
            lane.problems.clear()
        if not verdicts.fresh or UNCHECKED.isdisjoint(each.id for each in verdicts.fresh):
            lane.check(event)
        if self._watch is not None or verdicts.fresh:
            self._show(verdicts.number, event)

    def _take_body(self, event: Any) -> None:
        """Take the event that stands for a body without any: it has no framing, and no schema of its own."""
        self._result.events += 1
        self._from_reader()
        lane = self._lane(event)
        lane.add(event)
        lane.problems.clear()

    def _show(self, number: int, event: Any) -> None:
        if self._watch is not None:
            self._watch(number, event, self._verdicts.fresh)
        self._verdicts.fresh = []

    def _lane(self, event: Any) -> Lane:
        name = self._checked.stream.lane
        key = self._checked.value_of(event, name) if name else None
        key = key if key is None or isinstance(key, str) else str(key)
        lane = self._lanes.get(key)
        if lane is None:
            lane = Lane(self._checked, self._result.dialect, self._sink(), self._tell)
            self._lanes[key] = lane
            self._only = None if name else lane
        return lane

    def _close(self) -> None:
        self._verdicts.event = None
        if self._is_over:
            self._odd = []
        try:
            events = self._reader.close()
        except self._checked.runtime.errors.StreamError:
            events = []
        told = list(self._reader.problems)
        is_body = any(each.kind in ("error-body", "json-body") for each in told)
        take = self._take_body if is_body else self._take
        for event in events:
            take(event)
        count = self._result.events
        self._verdicts.event, self._verdicts.line = None, 0
        self._verdicts.outcome = self._reader.outcome
        self._from_reader()
        if self._failures.is_foreign and not is_body:
            what = (
                f"the stream is no {self._checked.stream.name}: none of its events is ({count:,})"
            )
            self._tell("wrong-stream", what, None)
            count = 0  # of what it lacks there is nothing to say
        for lane in self._lanes.values():
            lane.end(0 if is_body else count, self._reader.outcome)
            if is_body:
                lane.problems.clear()
            self._verdicts.from_accumulator(lane.problems)
            lane.problems.clear()
        if self._verdicts.fresh:
            self._show(0, None)

    def _outcome(self) -> str:
        """As the reader has it; where payloads stand alone, there is no [DONE] to wait for."""
        outcome = str(self._reader.outcome or "error")
        counts = self._result.findings.counts
        is_whole = not counts["not-finished"] and not counts["cut-short"]
        if outcome == "truncated" and self._is_bare and not self._checked.framing.terminal:
            return "complete" if is_whole else outcome
        return outcome

    def _final(self, lane: str | None) -> Any:
        found = self._lanes[lane].accumulator
        return None if found is None else self._checked.encode(found.final)

    # what is found

    def _head(self) -> None:
        head = self._result.capture.head
        if head is None or self._is_bare:
            return
        if head.status != 200:
            self._is_refused = True
            self._tell("http-status", f"the status is {head.status}", None)
        elif head.content_type != "text/event-stream":
            what = f"the content type is {head.content_type or 'not given'}"
            self._tell("content-type", what, None)

    def _encoding(self, data: bytes) -> None:
        try:
            self._utf8.decode(data)
        except UnicodeDecodeError as error:
            self._utf8.reset()
            self._odd.append(
                ("not-utf-8", f"byte {error.object[error.start]:#04x} is not UTF-8 here")
            )

    def _unnamed(self, data: bytes) -> None:
        if not self._result.events:  # a reader takes the byte order mark off
            data = data.removeprefix(codecs.BOM_UTF8)
        if not data.startswith(b"event:") and b"\nevent:" not in data:
            id = "event-line-lost" if self._checked.stream.line_needed else "no-event-line"
            self._odd.append((id, "the event has no event: line"))

    def _from_bytes(self) -> None:
        """What is odd about the bytes of the event; without an event, or its tag, only that they are no UTF-8."""
        event, fresh = self._verdicts.event, self._verdicts.fresh
        is_event = event is not None and not any(each.id == "no-tag" for each in fresh)
        for id, what in self._odd:
            if is_event or id == "not-utf-8":
                self._tell(id, what, event)
        self._odd = []

    def _without_event(self, data: bytes) -> None:
        """A block that gave no event: [DONE], what comes after it, comments, signs of life, part of a long event."""
        if not data.endswith(b"\n\n"):
            return
        self._verdicts.event = None
        self._from_bytes()
        if b"data" in data:
            if self._is_over and _DATA.search(data):
                what = (
                    f"data came after [DONE]; event {self._result.events:,} is the last before it"
                )
                self._tell("after-done-marker", what, None)
            self._is_over = self._is_over or _DONE.search(data) is not None
            if self._is_over and self._plain is not None:
                self._plain.end()
        if self._reader.problems:
            self._from_reader()

    def _from_reader(self) -> None:
        problems = list(self._reader.problems)
        self._reader.problems.clear()  # each is told once, and there may be one for every event
        if self._is_refused:  # then a body with an error is what it should be
            problems = [each for each in problems if each.kind != "error-body"]
        self._verdicts.from_reader(problems)


def _sinks(problems: type[list[Any]]) -> Callable[[], Any]:
    """What makes lists that keep every problem, as they are emptied after each event."""

    def keep(sink: Any, problem: Any) -> None:
        sink._others += 1  # of which `seen` tells an accumulator that its rules found something
        sink.append(problem)

    sink = type("Sink", (problems,), {"keep": keep})
    return lambda: sink()
