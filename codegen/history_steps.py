"""The records of a history: steps and the lives of events.

Reads nothing; defines records. Never decides what an event became.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from codegen.changes import Change


@dataclass(frozen=True)
class Step:
    """A side on the way, with the changes since the step before that has one of its documents.

    label   the name of the snapshot, or the day and the hash of the commit
    date    YYYY-MM-DD
    counts  stream → number of its events
    """

    label: str
    date: str
    counts: dict[str, int]
    changes: tuple[Change, ...]


@dataclass
class Life:
    """What became of one event: the labels of the steps at which it came, changed and went.

    A renamed event has two lives; `before` and `after` are the tags on the other side of the rename.
    """

    stream: str
    tag: str
    came: str
    changed: dict[str, list[Change]] = field(default_factory=dict)
    went: str = ""
    before: str = ""
    after: str = ""


@dataclass
class Walk:
    """All steps, the oldest first, the lives of all events, and what could not be read, with the reason."""

    steps: list[Step] = field(default_factory=list)
    lives: list[Life] = field(default_factory=list)
    unreadable: list[tuple[str, str]] = field(default_factory=list)
