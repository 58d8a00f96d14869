"""What the differ returns.

Reads nothing; defines the records of a change and of a whole comparison. Never decides whether something changed.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from codegen.catalogue import Catalogue
from codegen.kinds import KINDS, LEVELS, worst


@dataclass(frozen=True, order=True)
class Place:
    """JSON pointers of what changed, in the old and in the new document.

    Where it is absent from one of them, the pointer there is that of what it would stand in.
    """

    old: str
    new: str


@dataclass(frozen=True, order=True)
class Reach:
    """An event that a change reaches: `tag` is the new one, or the old one where the event went."""

    stream: str
    tag: str
    direction: str = dataclasses.field(default="server", compare=False)


@dataclass(frozen=True)
class Change:
    """One root cause with all that it reaches.

    subject   what changed, in the specification's words: a tag, a stream, `Schema`, `Schema.field[].inner` (`diff_names`)
    old, new  what it was and what it is, as text; empty where there was or is nothing to say
    document  the name of the document in whose schemas it stands
    beneath   what changed with it and reaches nothing else: the fields of a renamed event, how the schema that a reference
              leads to differs from the one before
    """

    kind: str
    subject: str
    old: str
    new: str
    document: str
    places: tuple[Place, ...]
    events: tuple[Reach, ...]
    beneath: tuple[Change, ...] = ()

    @property
    def id(self) -> str:
        """Stable over runs and machines: kind, subject, and what tells it from other changes of both."""
        more = f"/{self.old}->{self.new}" if self.old and self.new else self.old or self.new
        separated = more if more.startswith("/") or not more else f"/{more}"
        return f"{self.kind}/{self.subject}{separated}"

    @property
    def rank(self) -> tuple[int, int, str, str]:
        """By what changes are sorted: the worst first."""
        kinds = list(KINDS)
        return LEVELS.index(self.level), kinds.index(self.kind), self.subject, self.id

    @property
    def level(self) -> str:
        """The worst level on any stream that it reaches, what is beneath included."""
        kind = KINDS[self.kind]
        own = [kind.level(direction) for direction in self.directions]
        return worst([*own, *(change.level for change in self.beneath)])

    @property
    def directions(self) -> tuple[str, ...]:
        """The directions of the streams that it reaches, sorted."""
        return tuple(sorted({reach.direction for reach in self.events})) or ("server",)

    @property
    def streams(self) -> tuple[str, ...]:
        """The streams that it reaches, sorted."""
        return tuple(sorted({reach.stream for reach in self.events}))


@dataclass(frozen=True)
class Accepted:
    """A change that someone looked at: its id, why it is fine, for whom, and until when (YYYY-MM-DD, or empty).

    events      stream → the tags for which it is; none: for all of the stream
    comparison  "diff" or "drift" where it is for one of the two commands only
    """

    id: str
    reason: str
    who: str
    until: str = ""
    events: tuple[tuple[str, tuple[str, ...]], ...] = ()
    comparison: str = ""

    def covers(self, change: Change) -> bool:
        """Whether it is for this change and for every event that the change reaches."""
        tags = dict(self.events)
        return self.id == change.id and all(
            reach.stream in tags and (not tags[reach.stream] or reach.tag in tags[reach.stream])
            for reach in change.events
        )


@dataclass(frozen=True)
class Comparison:
    """Two sides compared.

    old, new   what the sides are called
    changes    those that count, the worst first
    accepted   those that were looked at, with the entry
    unmatched  entries that match no change; expired entries, whose changes count again
    spelling   how many schemas are written differently and mean the same
    catalogues those of both sides
    notice     what a reader should know of the sides, empty for nothing
    """

    old: str
    new: str
    changes: tuple[Change, ...]
    accepted: tuple[tuple[Change, Accepted], ...] = ()
    unmatched: tuple[Accepted, ...] = ()
    expired: tuple[Accepted, ...] = ()
    spelling: int = 0
    catalogues: tuple[Catalogue, Catalogue] = dataclasses.field(
        default=(Catalogue(), Catalogue()), repr=False
    )
    notice: str = ""

    @property
    def asks(self) -> bool:
        """Whether there is anything that somebody has to look at."""
        return bool(self.changes or self.unmatched or self.expired)
