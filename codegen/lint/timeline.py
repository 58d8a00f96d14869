"""The events of a stream as lines: number, tag, place, a piece of the text, how much text there is so far.

Reads events as they come; writes lines. Never holds more than one event: those that go on where the one before was are told
as a number, unless there is a finding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from codegen.lint.findings import Finding
from codegen.lint.glance import NOTHING, Glance, Glances
from codegen.lint.package import Checked
from codegen.lint.shown import name, piece, printable

PIECE = 32
MARKS = {"error": "✗", "warning": "!", "info": "·"}


class Timeline:
    """The lines of one capture. `watch` takes each event, `end` comes after the last one.

    is_folding  whether events in the same place are told as a number
    """

    def __init__(self, checked: Checked, write: Callable[[str], None], is_folding: bool) -> None:
        self._checked, self._write, self._is_folding = checked, write, is_folding
        self._glances = Glances(checked.stream, checked.reached)
        self._of: dict[Any, tuple[str, Callable[[Any], Glance]]] = {}
        self._unknown = checked.runtime.records.UnknownEvent
        self._size = 0
        self._told: set[tuple[str, str]] = set()
        self._run: Any = None
        self._folded = 0
        self._last: tuple[int, Any, str, Glance] = (0, None, "", NOTHING)

    def watch(self, number: int, event: Any, findings: list[Finding]) -> None:
        """Take an event; None for findings about the stream as a whole."""
        findings = self._new(findings) if findings else findings
        if event is None:
            self.end()
            self._mark(findings)
            return
        kind = type(event)
        tag, of = self._of.get(kind if kind is not self._unknown else event.tag) or self._known(
            event
        )
        glance = of(event)
        self._size += glance.added
        run = (tag, glance.keys)
        if run == self._run and self._is_folding and not findings and glance.added:
            self._folded += 1
            self._last = (number, event, tag, glance)
            return
        self.end()
        self._run = run
        self._row(number, event, tag, glance)
        self._mark(findings)

    def _new(self, findings: list[Finding]) -> list[Finding]:
        """The findings without those that are only worth knowing and were told before."""
        found = [each for each in findings if each.level != "info" or each.sort not in self._told]
        self._told.update(each.sort for each in findings)
        return found

    def _known(self, event: Any) -> tuple[str, Callable[[Any], Glance]]:
        stream, is_unknown = self._checked.stream, type(event) is self._unknown
        tag = event.tag if is_unknown else self._checked.value_of(event, stream.tag)
        tag = str(tag or stream.untagged)
        found = (tag, self._glances.of(tag))
        self._of[event.tag if is_unknown else type(event)] = found
        return found

    def end(self) -> None:
        """Write what is folded: how many events, and the last of them."""
        if self._folded > 1:
            self._write(f"{'⋮':>7}        {self._folded - 1} more of these")
        if self._folded:
            self._row(*self._last)
        self._folded = 0

    def _row(self, number: int, event: Any, tag: str, glance: Glance) -> None:
        sequence = self._checked.stream.sequence
        given = self._checked.value_of(event, sequence.field) if sequence else None
        shown = str(given) if type(given) is int else ""
        place = self._glances.place(tag, glance.keys)
        text = piece(glance.text, PIECE)
        row = f"{number:>7} {shown:>6}  {name(tag):<40} {place:<30} {text:<{PIECE}} {self._size:>8}"
        self._write(row)

    def _mark(self, findings: list[Finding]) -> None:
        for finding in findings:
            where = f" {finding.path}" if finding.path else ""
            text = printable(f"{finding.id}{where}: {finding.message}")
            self._write(f"{MARKS[finding.level]:>7} {finding.level:>7} {text}")
