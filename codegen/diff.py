"""What changed between two catalogues.

Reads two `Catalogue`; returns changes by root cause, the worst first. Never reads a file, and never reports how something is
spelled. A noisy alert is mended here and in the modules below: `diff_events` (which event is which), `diff_pairs` (which
property or member is which), `diff_types` (what counts as a change), `diff_values` (which way it goes), `diff_groups` (what has
one cause), `diff_names` (how it is called), `kinds` (how bad).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Set

from codegen.catalogue import Catalogue
from codegen.changes import Change, Place, Reach
from codegen.diff_events import Matches, Sited, match, sited
from codegen.diff_groups import Start, grouped
from codegen.diff_records import Pair
from codegen.diff_types import Walk
from codegen.diff_pointers import SCHEMAS
from codegen.schemas import REF_PREFIX
from codegen.yaml_lines import escape


def diff(old: Catalogue, new: Catalogue, streams: Iterable[str] = ()) -> list[Change]:
    """The changes from `old` to `new` in the documents that both sides have, the worst first.

    streams  only these; by default all
    """
    common = documents(old) & documents(new)
    before, after = (
        {name: side for name, side in sited(each).items() if side.stream.document in common}
        for each in (old, new)
    )
    matches = match(before, after)
    changes = [*_streams(before, after), *_events(matches)]
    changes = _beneath(changes, grouped(_starts(matches, _components(before))))
    return sorted(of_streams(changes, set(streams)), key=lambda change: change.rank)


def of_streams(changes: Iterable[Change], wanted: Set[str]) -> Iterator[Change]:
    """The changes with what they reach in the streams that are asked for; without any, all."""
    for change in changes:
        left = {change.old} & wanted if change.kind == "event-moved" else set()
        events = [each for each in change.events if left or each.stream in wanted]
        if not wanted:
            yield change
        elif events:
            beneath = tuple(of_streams(change.beneath, wanted))
            yield dataclasses.replace(change, events=tuple(events), beneath=beneath)


def documents(catalogue: Catalogue) -> set[str]:
    """The names of the documents that a catalogue knows about, with streams or without."""
    return {source.name for source in catalogue.sources} | {
        stream.document for stream in catalogue.streams
    }


def _streams(old: Mapping[str, Sited], new: Mapping[str, Sited]) -> Iterable[Change]:
    """Streams that came, that went, and whose tag is another property."""
    for name in sorted(old.keys() | new.keys()):
        side = new.get(name) or old[name]
        stream = side.stream
        root = _union(side)
        events = tuple(Reach(name, event.tag, stream.direction) for event in stream.events)
        if name not in old or name not in new:
            places = Place(SCHEMAS, root) if name not in old else Place(root, SCHEMAS)
            kind = "stream-added" if name not in old else "stream-removed"
            yield Change(kind, name, "", "", stream.document, (places,), events)
        elif old[name].stream.tag != stream.tag:
            tags = old[name].stream.tag, stream.tag
            place = Place(_union(old[name]), root)
            yield Change("tag-property-changed", name, *tags, stream.document, (place,), events)


def _events(matches: Matches) -> list[Change]:
    """Events that came, went, were renamed or moved; one change for all streams of a document in which it happened."""
    found: list[Change] = []
    for sides, kind in ((matches.gone, "event-removed"), (matches.came, "event-added")):
        for (name, tag), (side, event) in sides.items():
            own, root = side.pointer(event), _union(side)
            place = Place(root, own) if kind == "event-added" else Place(own, root)
            reach = (Reach(name, tag, side.stream.direction),)
            found.append(Change(kind, tag, "", "", side.stream.document, (place,), reach))
    for each in matches.both:
        stream = each.new.stream
        place = Place(each.old.pointer(each.before), each.new.pointer(each.after))
        reach = (Reach(stream.name, each.after.tag, stream.direction),)
        if each.old.stream.name != stream.name:
            names = each.old.stream.name, stream.name
            change = Change("event-moved", each.after.tag, *names, stream.document, (place,), reach)
        elif each.before.tag != each.after.tag:
            tags = each.before.tag, each.after.tag
            change = Change("event-renamed", tags[0], *tags, stream.document, (place,), reach)
        else:
            continue
        found.append(change)
    return _merged(found)


def _merged(changes: Iterable[Change]) -> list[Change]:
    """Changes that have the same document and id as one."""
    groups: dict[tuple[str, str], Change] = {}
    for change in changes:
        key = (change.document, change.id)
        other = groups.setdefault(key, change)
        if other is not change:
            groups[key] = dataclasses.replace(
                other,
                places=tuple(sorted({*other.places, *change.places})),
                events=tuple(sorted({*other.events, *change.events})),
            )
    return list(groups.values())


def _components(side: Mapping[str, Sited]) -> dict[str, set[str]]:
    """Document → the pointers of the components that any of its streams is made of."""
    found: dict[str, set[str]] = {}
    for each in side.values():
        found.setdefault(each.stream.document, set()).update(each.scope.components)
    return found


def _starts(matches: Matches, components: Mapping[str, set[str]]) -> list[Start]:
    walks: dict[tuple[str, str], Walk] = {}
    starts = []
    for each in matches.both:
        old, new = each.old, each.new
        packages = (old.package.name, new.package.name)
        if packages not in walks:
            walks[packages] = Walk(old.scope, new.scope, components[old.stream.document])
        walk = walks[packages]
        pair = Pair(each.before.model, each.after.model, old.stream.tag, new.stream.tag)
        reach = Reach(new.stream.name, each.after.tag, new.stream.direction)
        starts.append(Start(new.stream.document, walk, pair, reach))
    return starts


def _beneath(events: list[Change], schemas: list[Change]) -> list[Change]:
    """Put what reaches nothing but a renamed or moved event beneath it."""
    left = schemas
    found = []
    for change in events:
        if change.kind in ("event-renamed", "event-moved"):
            reached = set(change.events)
            own = [each for each in left if set(each.events) <= reached]
            left = [each for each in left if each not in own]
            change = dataclasses.replace(
                change, beneath=tuple(sorted(own, key=lambda each: each.rank))
            )
        found.append(change)
    return found + left


def _union(side: Sited) -> str:
    return REF_PREFIX + escape(side.stream.union)
