"""Which event of the new side stands for which of the old: kept, renamed, moved, removed, added.

Reads the streams of two catalogues that have the same name; returns matches by (stream, tag). Never compares what is in
an event, save to find one again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from codegen.catalogue import Catalogue, Event, Package, Stream, Type
from codegen.diff_pairs import ALIKE, best_pairs, name_likeness
from codegen.diff_scope import Scope, likeness

Signature = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Sited:
    """A stream with the package that holds its models."""

    stream: Stream
    package: Package
    scope: Scope

    def signature(self, event: Event) -> Signature:
        """The properties of an event, without its tag."""
        return self.scope.signature(Type("ref", name=event.model), self.stream.tag)

    def pointer(self, event: Event) -> str:
        """The pointer of an event's schema."""
        return self.scope.models[event.model].schema


@dataclass(frozen=True)
class Match:
    """An event that is on both sides, in the streams `old` and `new`, which differ only where it moved."""

    old: Sited
    before: Event
    new: Sited
    after: Event


@dataclass
class Matches:
    """All events of two catalogues."""

    both: list[Match]
    gone: dict[tuple[str, str], tuple[Sited, Event]]
    came: dict[tuple[str, str], tuple[Sited, Event]]


def sited(catalogue: Catalogue) -> dict[str, Sited]:
    """The streams of a catalogue by name."""
    found: dict[str, Sited] = {}
    for package in catalogue.packages:
        scope = Scope(package)
        found |= {stream.name: Sited(stream, package, scope) for stream in package.streams}
    return found


def match(old: Mapping[str, Sited], new: Mapping[str, Sited]) -> Matches:
    """Find the events of the streams that are on both sides again."""
    result = Matches([], {}, {})
    for name in sorted(old.keys() & new.keys()):
        before = {event.tag: event for event in old[name].stream.events}
        after = {event.tag: event for event in new[name].stream.events}
        for tag, event in before.items():
            if tag in after:
                result.both.append(Match(old[name], event, new[name], after[tag]))
            else:
                result.gone[name, tag] = (old[name], event)
        for tag, event in after.items():
            if tag not in before:
                result.came[name, tag] = (new[name], event)
    hints = set(_same_schema(result))
    _take(result, {pair: 1.0 for pair in _same_schema(result)})
    _take(result, dict(_moved(result)))
    hinted = {
        (first, second): 1.0
        for first in result.gone
        for second in result.came
        if first[0] == second[0]
        and any(hint[0][1] == first[1] and hint[1][1] == second[1] for hint in hints)
    }
    _take(result, hinted)
    _take(result, dict(_alike(result)))
    return result


Key = tuple[str, str]


def _take(matches: Matches, scores: dict[tuple[Key, Key], float]) -> None:
    for first, second in best_pairs(scores):
        old, before = matches.gone.pop(first)
        new, after = matches.came.pop(second)
        matches.both.append(Match(old, before, new, after))


def _same_schema(matches: Matches) -> Iterator[tuple[Key, Key]]:
    """Events of one stream whose schema has the same name and that are the only one of it there."""
    for first, (old, before) in matches.gone.items():
        for second, (new, after) in matches.came.items():
            if first[0] == second[0] and before.model == after.model:
                yield first, second


def _moved(matches: Matches) -> Iterator[tuple[tuple[Key, Key], float]]:
    """Events with the same tag and nearly the same properties in another stream of the same document and direction."""
    for first, (old, before) in matches.gone.items():
        for second, (new, after) in matches.came.items():
            sides = old.stream, new.stream
            fits = (
                sides[0].document == sides[1].document and sides[0].direction == sides[1].direction
            )
            if fits and first[1] == second[1] and first[0] != second[0]:
                alike = likeness(old.signature(before), new.signature(after))
                if alike >= ALIKE:
                    yield (first, second), alike


def _alike(matches: Matches) -> Iterator[tuple[tuple[Key, Key], float]]:
    """Events of one stream with nearly the same properties; what other events have as well tells nothing by itself."""
    for first, (old, before) in matches.gone.items():
        for second, (new, after) in matches.came.items():
            if first[0] != second[0]:
                continue
            alike = likeness(old.signature(before), new.signature(after))
            distinct = _is_distinct(old, before) and _is_distinct(new, after)
            if alike >= ALIKE and (distinct or _same_words(first[1], second[1])):
                yield (first, second), alike + name_likeness(first[1], second[1])


def _same_words(first: str, second: str) -> bool:
    """Whether two tags have the last word in common, which says what an event is for, and all others, or one has a few more.

    The first word is that of all tags of a stream and says nothing.
    """
    words = [re.split(r"[._-]", tag) for tag in (first, second)]
    if words[0] == words[1]:
        return True
    if words[0][-1] != words[1][-1]:
        return False
    between = [set(each[1:-1]) for each in words]
    return all(between) and (between[0] <= between[1] or between[1] <= between[0])


def _is_distinct(side: Sited, event: Event) -> bool:
    signature = side.signature(event)
    return bool(signature) and all(
        side.signature(other) != signature for other in side.stream.events if other.tag != event.tag
    )
