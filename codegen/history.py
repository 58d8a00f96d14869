"""When each event came, changed and went.

Reads catalogue snapshots of a folder, or a document at every commit that touches it; returns a `Walk`, and writes it as
Markdown with a picture. Never stops at a step that cannot be read: it is listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from codegen import git, history_picture, history_text
from codegen.align import align
from codegen.catalogue import Stream
from codegen.changes import Change
from codegen.days import is_day
from codegen.diff import diff, documents
from codegen.documents import read_bytes, shown
from codegen.errors import Finding, SpecError
from codegen.history_steps import Life, Step, Walk
from codegen.progress import doing
from codegen.sides import Side, from_bytes
from codegen.snapshot_choice import is_own, snapshot_paths
from codegen.sources import replace_file


def walk(text: str, spec: Path) -> Walk:
    """Walk a folder of snapshots, or `git:REPO:PATH`; SpecError where no step can be read."""
    found = Walk()
    sides: list[Side] = []
    for label, where, read in _steps(text):
        doing("reading what there was", len(sides) + len(found.unreadable) + 1)
        try:
            side = from_bytes(read(), where, spec)
        except SpecError as error:
            found.unreadable.append((label, error.findings[0].what))
            continue
        day = _day(label, side)
        if is_day(day):
            sides.append(Side(label, side.catalogue, day, side.written))
        else:
            what = "its day is not known: neither its content nor its name has one"
            found.unreadable.append((label, what))
    if not sides:
        what = "nothing there can be read" if found.unreadable else "there is nothing to walk"
        action = "Name a folder of snapshots, or git:REPO:PATH."
        raise SpecError([Finding(text, what, action)])
    by_commit = text.startswith("git:")
    _follow(found, sides if by_commit else sorted(sides, key=lambda side: side.date))
    return found


Read = Callable[[], bytes]


def _steps(text: str) -> Iterator[tuple[str, str, Read]]:
    """Label, place and reader of each step; the working tree's own snapshots, with our corrections, are none."""
    if text.startswith("git:"):
        repository, colon, path = text.removeprefix("git:").rpartition(":")
        if not repository or not path:
            raise SpecError([Finding(text, "this is not git:REPO:PATH", "Name both.")])
        for commit in git.commits(Path(repository), path):
            yield _step_of(Path(repository), commit)
        return
    for place in snapshot_paths(Path(text)):
        if not is_own(place):
            yield place.stem, shown(place), partial(read_bytes, place)


def _step_of(repository: Path, commit: git.Commit) -> tuple[str, str, Read]:
    where = f"git:{commit.hash[:7]}:{commit.path}"
    label = f"{commit.date} {commit.hash[:7]}"
    if commit.path:
        return label, where, partial(git.read_from, repository, commit.hash, commit.path)

    def removed() -> bytes:
        what = "the commit removes the file"
        raise SpecError([Finding(where, what, "Name a commit that has it.")])

    return label, where, removed


def _day(label: str, side: Side) -> str:
    """The day of a commit, or of a snapshot."""
    return label[:10] if " " in label else side.date


def _follow(found: Walk, sides: list[Side]) -> None:
    """Compare each side with the one before it that has the same document."""
    latest: dict[str, Side] = {}
    living: dict[tuple[str, str], Life] = {}
    for number, side in enumerate(sides):
        doing("comparing each with the one before it", number, len(sides))
        changes: list[Change] = []
        for name in sorted(documents(side.catalogue)):
            old = latest.get(name)
            latest[name] = side
            streams = {each.name for each in _of(side, name)}
            if old is None:
                _begin(living, found, side, name)
                continue
            streams |= {each.name for each in _of(old, name)}
            if streams:
                new = diff(*align(old.catalogue, side.catalogue), streams)
                _live(living, found, side, new)
                changes += new
        counts = {stream.name: len(stream.events) for stream in side.catalogue.streams}
        found.steps.append(Step(side.label, side.date, counts, tuple(changes)))


def _of(side: Side, document: str) -> list[Stream]:
    return [stream for stream in side.catalogue.streams if stream.document == document]


def _begin(living: dict[tuple[str, str], Life], found: Walk, side: Side, document: str) -> None:
    for stream in _of(side, document):
        for event in stream.events:
            _come(living, found, Life(stream.name, event.tag, side.label))


def _come(living: dict[tuple[str, str], Life], found: Walk, life: Life) -> None:
    living[life.stream, life.tag] = life
    found.lives.append(life)


def _live(
    living: dict[tuple[str, str], Life], found: Walk, side: Side, changes: list[Change]
) -> None:
    """Write what happened to events into their lives."""
    for change in changes:
        for event in change.events:
            key = (event.stream, event.tag)
            if change.kind in ("event-added", "stream-added"):
                _come(living, found, Life(*key, side.label))
            elif change.kind in ("event-removed", "stream-removed"):
                living.pop(key).went = side.label
            elif change.kind in ("event-renamed", "event-moved"):
                renamed = change.kind == "event-renamed"
                old = living.pop((event.stream, change.old) if renamed else (change.old, event.tag))
                old.went = side.label
                old.after = event.tag if renamed else f"{event.tag} of {event.stream}"
                before = change.old if renamed else f"{event.tag} of {change.old}"
                _come(living, found, Life(*key, side.label, before=before))
    for change in changes:
        for event in change.events:
            life = living.get((event.stream, event.tag))
            if life is not None and life.came != side.label:
                life.changed.setdefault(side.label, []).append(change)


def write_history(found: Walk, folder: Path) -> list[str]:
    """Write history.md and history.svg into a folder; their paths."""
    doing("drawing")
    texts = {
        "history.md": history_text.render(found),
        "history.svg": history_picture.draw(found.steps),
    }
    for name, text in texts.items():
        replace_file(folder / name, text.encode())
    return [shown(folder / name) for name in texts]
