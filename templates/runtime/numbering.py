"""The numbers of a stream's events: what is missing, what came again, and where a stream goes on.

Reads events in the order of arrival; returns whether each counts. Never puts events in another order, and drops one only
after it was told to resume.
"""

from __future__ import annotations

from typing import Any

from .rules import Report, integer, short, value_of


class Numbering:
    """The state of one stream's numbers.

    name  the property that holds the number
    step  from one number to the next
    next  the number that should come; None where that is not known
    """

    def __init__(self, sequence: tuple[str, int, int], report: Report) -> None:
        self.name, self._first, self.step = sequence
        self.next: int | None = None
        self._report = report
        self._last: int | None = None
        self._resuming: int | None = None

    @property
    def last(self) -> int | None:
        """The highest number so far; None before the first."""
        return self._last if self.next is None else self.next - self.step

    def counts(self, event: Any, is_over: bool) -> bool:
        """Whether an event counts; what its number should not be is reported. `is_over` says that a response ended before
        it, so that the numbers may begin anew."""
        number = value_of(event, self.name)
        if type(number) is int and number == self.next:
            self.next = number + self.step
            return True
        if number is None:
            return True
        whole = integer(number)
        if whole is None:
            what = f"the number is {short(number)} and not an integer"
            self._report("wrong-type", "error", what, event, f".{self.name}")
            return True
        if self._resuming is not None:
            if whole <= self._resuming:
                return False
            self._last, self._resuming = self._resuming, None
        self._judge(whole, event, is_over)
        return True

    def _judge(self, number: int, event: Any, is_over: bool) -> None:
        last = self.last
        if last is None or (is_over and number == self._first):
            if number != self._first:
                what = f"the stream begins with the number {number}"
                self._report("sequence-gap", "warning", what, event, "")
            self.restart(number)
            return
        if number == last:
            what = f"the number {number} came again"
            self._report("sequence-repeat", "warning", what, event, "")
        elif number < last:
            what = f"the number {number} came after {last}"
            self._report("sequence-back", "warning", what, event, "")
        elif number != last + self.step:
            what = f"the number {number} came after {last}"
            self._report("sequence-gap", "warning", what, event, "")
        self.restart(max(number, last))

    def restart(self, number: Any) -> None:
        """Let the numbers go on after this one."""
        if type(number) is int:
            self.next = number + self.step

    def resume(self, starting_after: int | None) -> None:
        """Drop events up to a number, and in any case up to the last one, until the first with a higher one."""
        known = [number for number in (self.last, starting_after) if number is not None]
        self._last, self.next = self.last, None
        self._resuming = max(known, default=None)
