"""What a dialect changes for a reader: the framing, and payloads before they are decoded.

Reads payloads; returns them with what the server left out. Never changes the payload that it was handed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .dialect import chosen, repaired
from .problems import Problems
from .repair import Repair

if TYPE_CHECKING:
    from .reader import Framing


class Mending:
    """The payloads of one body, in order. `framing` is the stream's with the dialect's ends. ValueError for an unknown one."""

    def __init__(self, framing: Framing, dialect: str, problems: Problems) -> None:
        found = chosen(framing.departures, dialect, framing.stream.name)
        repairs = framing.departures().repairs
        self.framing = framing._replace(
            done=found.done, terminal=found.terminal, follow=found.follow
        )
        self._problems = problems
        self._number = next((name for name, how in repairs.methods.items() if how == "count"), "")
        self._fills_tag = framing.stream.tag in found.repairs
        self._is_needed = bool(found.repairs)
        self._repair = Repair(repairs, found.repairs, self._report)

    def mended(self, line: str | None, data: dict[str, Any]) -> dict[str, Any]:
        """The payload with its tag from the `event:` line and whatever else can be filled in."""
        if not self._is_needed:
            return data
        name = self.framing.stream.tag
        tag = data.get(name)
        if tag is None and line is not None and self._fills_tag:
            data, tag = {name: line, **data, name: line}, line
            self._report(name, f"{name} is missing; {line!r} was taken", line, data)
        return self._repair.repaired(tag, data) if isinstance(tag, str) else data

    def _report(self, name: str, what: str, tag: str, data: Any) -> None:
        self._problems.keep(repaired(self._number, "info", name, what, tag, data))
