"""What became of each source.

Reads nothing; defines the records that `drift` returns, and what a command ends with for them. Never takes a source that failed for one
that has not moved.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from codegen.changes import Accepted, Change, Comparison
from codegen.documents import Document
from codegen.errors import Finding
from codegen.kinds import at_or_above
from codegen.sources import Watched

State: TypeAlias = Literal["moved", "not moved", "unreachable", "unreadable"]
FINE, FOUND, UNUSABLE = 0, 1, 2


@dataclass(frozen=True)
class Verdict:
    """What became of one source.

    state       unreachable: no answer; unreadable: an answer that cannot be used; `errors` says why
    found       what upstream has now, in a few words; empty where that is not known
    quiet       why it is odd that the source has not moved; empty where it is not
    comparison  for a source that moved
    todo        what has to be done in spec/, whether or not it moved
    document    the new one of a document that moved; etag: the one to record
    version     what upstream calls the newest; empty where it has no number
    """

    entry: Watched
    state: State
    found: str = ""
    quiet: str = ""
    comparison: Comparison | None = None
    todo: tuple[Finding, ...] = ()
    errors: tuple[Finding, ...] = ()
    document: Document | None = field(default=None, repr=False)
    etag: str = ""
    version: str = ""

    @property
    def failed(self) -> bool:
        """Whether nothing is known about the source."""
        return self.state in ("unreachable", "unreadable")

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes that count."""
        return self.comparison.changes if self.comparison else ()


@dataclass(frozen=True)
class Drift:
    """All sources, and the entries of spec/accepted.yaml that match no change of any."""

    verdicts: tuple[Verdict, ...]
    unmatched: tuple[Accepted, ...] = ()

    @property
    def asks(self) -> bool:
        """Whether there is anything that somebody has to look at."""
        told = (v.failed or v.state == "moved" or v.todo or v.quiet for v in self.verdicts)
        return any(told) or bool(self.unmatched)

    def code(self, fail_on: str) -> int:
        """The exit code: 2 where a source failed, 1 for changes at or above a level and for what is to do in spec/, else 0.

        That a source has not moved for long is no drift and lasts: it fails a run with "any" only.
        """
        if any(verdict.failed for verdict in self.verdicts):
            return UNUSABLE
        levels = [change.level for verdict in self.verdicts for change in verdict.changes]
        found = any(at_or_above(level, fail_on) for level in levels)
        asks = any(verdict.todo for verdict in self.verdicts) and fail_on != "none"
        quiet = any(verdict.quiet for verdict in self.verdicts) and fail_on == "any"
        return FOUND if found or asks or quiet else FINE
