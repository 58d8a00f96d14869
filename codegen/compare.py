"""Two sides compared, with what was accepted and how much is only spelling.

Reads two `Side` and the entries of spec/accepted.yaml; returns a `Comparison`. Never takes two sides that have nothing in
common for two that are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codegen import show
from codegen.accepted import sorted_out
from codegen.align import align, is_client
from codegen.catalogue import Alias, Catalogue, Model, Package, Stream
from codegen.changes import Accepted, Change, Comparison, Place, Reach
from codegen.diff import diff, documents, of_streams
from codegen.diff_names import quoted
from codegen.diff_pointers import SCHEMAS, pointer_steps
from codegen.errors import Finding, SpecError
from codegen.progress import doing
from codegen.sides import Side
from codegen.yaml_lines import escape


def compare(
    old: Side,
    new: Side,
    streams: Iterable[str] = (),
    accepted: Iterable[Accepted] = (),
    today: str = "",
) -> Comparison:
    """The comparison of two sides; SpecError where no stream of theirs can be compared.

    streams  only these; today: the day on which entries are valid, YYYY-MM-DD
    """
    doing(f"comparing {old.label} with {new.label}")
    wanted = frozenset(streams)
    _require_common(old, new, wanted)
    catalogues = align(old.catalogue, new.catalogue)
    every = [*diff(*catalogues), *_keywords(old, new, catalogues)]
    changes = sorted(of_streams(every, wanted), key=lambda change: change.rank)
    is_mixed = is_client(old.catalogue) != is_client(new.catalogue)
    entries = [
        entry
        for entry in accepted
        if not entry.comparison or (entry.comparison == "sdk") == is_mixed
    ]
    left, known, unmatched, expired = sorted_out(changes, entries, today)
    return Comparison(
        old.label,
        new.label,
        tuple(left),
        tuple(known),
        tuple(entry for entry in unmatched if _is_judge(old, new, wanted, entry)),
        tuple(expired),
        _spelling(old, new, every, wanted),
        catalogues,
        _notice(old, new),
    )


def _notice(old: Side, new: Side) -> str:
    """That our overlays are on one side only, and how to compare without them; empty where they are not."""
    for ours, other in ((old, new), (new, old)):
        for document, number in ours.overlays.items():
            if number and other.overlays.get(document) == 0:
                overlays = "1 overlay" if number == 1 else f"{number} overlays"
                return (
                    f"{ours.label} has {overlays} for {document}, the other side none: what these change is told too. "
                    f"For upstream's changes alone, compare git:HEAD:spec/documents/{document}.yaml in place of "
                    f"{ours.label}, or run codegen drift."
                )
    return ""


def _is_judge(old: Side, new: Side, wanted: frozenset[str], entry: Accepted) -> bool:
    """Whether this comparison can say that an entry is done with: it has our working tree and every stream of the entry."""
    if "spec" not in (old.label, new.label):
        return False
    compared = {stream.name for side in (old, new) for stream in side.catalogue.streams}
    return {stream for stream, _ in entry.events} <= (wanted or compared)


def _require_common(old: Side, new: Side, streams: frozenset[str]) -> None:
    known = {stream.name for side in (old, new) for stream in side.catalogue.streams}
    for name in sorted(streams):
        if name not in known:
            action = f"Name one of: {', '.join(sorted(known))}."
            raise SpecError([Finding(name, "is no stream of either side", action)])
    sides = [documents(side.catalogue) for side in (old, new)]
    if not sides[0] & sides[1]:
        names = [", ".join(sorted(each)) or "none" for each in sides]
        what = f"the documents of the sides have nothing in common ({names[0]}; {names[1]})"
        raise SpecError([Finding(f"{old.label} → {new.label}", what, "Name other sides.")])


def _keywords(old: Side, new: Side, catalogues: tuple[Catalogue, Catalogue]) -> Iterator[Change]:
    """Components with other rules of the kind that a catalogue does not hold, unless the rule only stands elsewhere."""
    for document in sorted(old.written.keys() & new.written.keys()):
        before, after = (
            {name: set(digest.split()[1:]) for name, digest in side.written[document].items()}
            for side in (old, new)
        )
        sides = [set().union(*side.values()) for side in (before, after)]
        for name in sorted(before.keys() & after.keys()):
            gone, came = before[name] - sides[1], after[name] - sides[0]
            reach = _reaching(catalogues[1], document, name) if gone or came else ()
            if reach:
                was, now = (", ".join(sorted(each)) or "none" for each in (gone, came))
                pointer = f"{SCHEMAS}/{escape(name)}"
                place = (Place(pointer, pointer),)
                yield Change("keyword-changed", quoted(name), was, now, document, place, reach)


def _reaching(catalogue: Catalogue, document: str, component: str) -> tuple[Reach, ...]:
    """The events that are made of a component, or of one that is written in it."""
    found = [
        Reach(stream.name, event.tag, stream.direction)
        for package in catalogue.packages
        for stream in package.streams
        if stream.document == document
        for event in stream.events
        if component in _components(package, [event.model])
    ]
    return tuple(sorted(found))


def _components(package: Package, roots: Iterable[str]) -> set[str]:
    """The components that models are made of."""
    named: Iterable[Model | Alias] = (*package.models, *package.aliases)
    records = {each.name: each for each in named}
    found: set[str] = set()
    for name in show.reached(roots, records):
        record = records[name]
        named_by = record.fields if isinstance(record, Model) else ()
        pointers = [record.schema, *(field.schema for field in named_by)]
        if isinstance(record, Alias):
            pointers += [member.name for member in record.type.members]
        found |= {pointer_steps(each)[0] for each in pointers if each.startswith("#")}
    return found


def _spelling(old: Side, new: Side, changes: Iterable[Change], wanted: frozenset[str]) -> int:
    """Components that both sides have, that are written differently, and in which nothing changed."""
    touched = set(_touched(changes))
    reached: set[tuple[str, str]] = set()
    for side in (old, new) if wanted else ():
        for package in side.catalogue.packages:
            for stream in package.streams:
                if stream.name in wanted:
                    reached |= _of_stream(package, stream)
    return sum(
        digest.split()[0] != new.written[document].get(component, digest).split()[0]
        and (document, component) not in touched
        and (not wanted or (document, component) in reached)
        for document in old.written.keys() & new.written.keys()
        for component, digest in old.written[document].items()
    )


def _touched(changes: Iterable[Change]) -> Iterator[tuple[str, str]]:
    for change in changes:
        for place in change.places:
            for pointer in (place.old, place.new):
                yield change.document, pointer_steps(pointer)[0]
        yield from _touched(change.beneath)


def _of_stream(package: Package, stream: Stream) -> set[tuple[str, str]]:
    names = _components(package, [event.model for event in stream.events]) | {stream.union}
    return {(stream.document, name) for name in names}
