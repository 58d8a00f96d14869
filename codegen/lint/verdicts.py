"""From what the package and the rules say of an event to findings.

Reads problems; returns findings with level, number and place. Never says twice what several of them say.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from codegen.catalogue import Stream
from codegen.lint.findings import Finding, Findings, shortened
from codegen.lint.kinds import IN_SCHEMA, KINDS, OTHER, RENAMED
from codegen.lint.package import Checked
from codegen.lint.shown import printable
from codegen.lint.wanted import wanted

FRAMING_ONLY = frozenset(
    {"event-line", "incomplete-event", "unexpected-done", "truncated", "after-terminal"}
)
"""Problems of a reader that say nothing where payloads stand alone."""

_UNTAGGED = re.compile(r"no member of the union has (\w+) null$")
"""What the package says of an object without the tag that tells the members of a union apart."""


class Verdicts:
    """The findings of one stream as they are made.

    event   the event that findings are about; None for the stream as a whole
    number  its number, from 1
    line    line of the capture at which it begins; 0 where it is not known
    fresh   findings that nobody has taken yet
    outcome  how the body ended, as the reader says at its end
    is_bare  whether payloads stand alone, without a framing
    """

    def __init__(
        self, checked: Checked, dialect: str | None, findings: Findings, is_bare: bool
    ) -> None:
        stream, self._leaves_out = spoken(checked.stream, dialect)
        self._checked, self._findings = checked, findings
        self._stream, self._is_bare = stream, is_bare
        unlisted = (event.tag for event in stream.unlisted if event.terminal)
        self._terminal = {*stream.terminal, *unlisted}
        self._usual = _usual(checked, dialect)
        self._prefix = next((d.prefix for d in checked.stream.dialects if d.name == dialect), "")
        self._unknown = checked.runtime.records.UnknownEvent
        self.event: Any = None
        self.number = 0
        self.line = 0
        self.outcome: str | None = None
        self.fresh: list[Finding] = []

    def from_schema(self, problems: list[Any]) -> None:
        """Take what the schema does not allow."""
        for problem in problems:
            kind = problem.kind
            if kind == "unknown-event":  # the accumulator says it, and knows the dialect
                if self._checked.accumulator is not None:
                    continue
            elif kind == "wrong-type" and problem.message.endswith("got null"):
                kind = "null-value"
            elif kind == "unknown-member" and (untagged := _UNTAGGED.search(problem.message)):
                what = f"{untagged[1]!r} is missing or null, and so the object is of no known kind"
                path = f"{problem.path}.{untagged[1]}"
                self._add("missing-property", what, self.event, path, False)
                continue
            elif kind == "unknown-value" and problem.level == "info":
                kind = "new-value"
            self._keep(kind, problem, self.event)

    def from_reader(self, problems: list[Any]) -> None:
        """Take what the reader says of the framing."""
        for problem in problems:
            kind = problem.kind
            if self._is_bare and kind in FRAMING_ONLY:
                continue
            if kind == "truncated":
                if self._checked.framing.terminal or not self.number:
                    continue  # the stages say it, for each lane; and what is empty is told
                kind = "no-done"
            self._keep(kind, problem, self.event)

    def from_accumulator(self, problems: list[Any]) -> None:
        """Take what the accumulator says, unless the schema or the reader said it."""
        told = {finding.id for finding in self.fresh}
        for problem in problems:
            kind = RENAMED.get(problem.kind, problem.kind)
            kind = "input-not-json" if kind == "not-json" else kind
            if kind == "after-terminal" and not (self._is_bare or self._stream.lane):
                continue
            if kind == "not-finished" and self.outcome == "error":
                continue  # the error says why
            if kind == "not-finished" and self.outcome == "truncated":
                kind = "cut-short"
            if told.isdisjoint(IN_SCHEMA.get(kind, ())):
                self._keep(kind, problem, self.event)

    def _keep(self, kind: str, problem: Any, event: Any) -> None:
        if kind == "after-terminal" and problem.tag in self._terminal:
            kind = "terminal-twice"
        if kind not in KINDS:
            self._add(
                OTHER, f"{kind}: {problem.message}", event, problem.path, problem.level == "info"
            )
            return
        self._add(kind, problem.message, event, problem.path, problem.level == "info")

    def tell(self, id: str, what: str, event: Any, path: str = "") -> None:
        """Take what a rule found, unless something else of the event says it already."""
        if id in IN_SCHEMA and any(each.id in IN_SCHEMA[id] for each in self.fresh):
            return
        self._add(id, what, event, path, False)

    def _add(self, id: str, what: str, event: Any, path: str, is_mild: bool) -> None:
        stream, value_of = self._stream, self._checked.value_of
        number, tag, lane = None, None, None
        if event is not None:
            number = value_of(event, stream.sequence.field) if stream.sequence else None
            is_unknown = type(event) is self._unknown
            tag = event.tag if is_unknown else value_of(event, stream.tag)
            lane = value_of(event, stream.lane) if stream.lane else None
        is_usual = is_mild or id in self._usual or self._is_left_out(id, tag, path)
        if id == "unknown-member" and self._prefix:
            is_usual = is_usual or re.search(f"'{self._prefix}", what) is not None
        finding = Finding(
            id=id,
            level="info" if is_usual else KINDS[id].level,
            message=printable(shortened(what)),
            event=self.number if event is not None else 0,
            sequence=number if type(number) is int else None,
            tag=printable(tag) if isinstance(tag, str) else None,
            path=printable(path),
            line=self.line,
            lane=printable(lane) if isinstance(lane, str) else None,
            stream=stream.name,
            hint=wanted(self._checked, event, path) if id == "missing-property" else "",
        )
        if self._findings.add(finding):
            self.fresh.append(finding)

    def _is_left_out(self, id: str, tag: Any, path: str) -> bool:
        """Whether the dialect's server leaves out what is missing."""
        names = self._leaves_out.get(tag, ()) if isinstance(tag, str) else ()
        return id == "missing-property" and any(
            path.startswith(f".{name.removesuffix('*')}") for name in names
        )


def _usual(checked: Checked, dialect: str | None) -> frozenset[str]:
    """Findings that a dialect's server always gives."""
    found = next((each for each in checked.stream.dialects if each.name == dialect), None)
    return frozenset(RENAMED.get(kind, kind) for kind in (found.expects if found else ()))


def spoken(stream: Stream, dialect: str | None) -> tuple[Stream, dict[str, tuple[str, ...]]]:
    """The stream as the dialect has it, and what its server leaves out, by tag."""
    found = next((each for each in stream.dialects if each.name == dialect), None)
    if found is None:
        return stream, {}
    changed = dataclasses.replace(
        stream,
        terminal=tuple(dict.fromkeys((*stream.terminal, *found.terminal))),
        follow=found.follow,
        event_line=found.event_line,
    )
    return changed, dict(found.leaves_out)
