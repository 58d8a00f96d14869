"""Two sides compared, with what was accepted and how much is only spelling.

Reads two `Side` and the entries of spec/accepted.yaml; returns a `Comparison`. Never takes two sides that have nothing in
common for two that are equal.
"""

from __future__ import annotations

from collections.abc import Iterable

from codegen.accepted import sorted_out
from codegen.align import align
from codegen.changes import Accepted, Change, Comparison
from codegen.diff import diff, documents
from codegen.diff_scope import pointer_steps
from codegen.errors import Finding, SpecError
from codegen.sides import Side


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
    streams = tuple(streams)
    _require_common(old, new, streams)
    catalogues = align(old.catalogue, new.catalogue)
    changes = diff(*catalogues, streams)
    left, known, unmatched, expired = sorted_out(changes, accepted, today)
    return Comparison(
        old.label,
        new.label,
        tuple(left),
        tuple(known),
        tuple(unmatched),
        tuple(expired),
        _spelling(old, new, changes),
        catalogues,
    )


def _require_common(old: Side, new: Side, streams: tuple[str, ...]) -> None:
    known = {stream.name for side in (old, new) for stream in side.catalogue.streams}
    for name in streams:
        if name not in known:
            action = f"Name one of: {', '.join(sorted(known))}."
            raise SpecError([Finding(name, "is no stream of either side", action)])
    sides = [documents(side.catalogue) for side in (old, new)]
    if not sides[0] & sides[1]:
        names = [", ".join(sorted(each)) or "none" for each in sides]
        what = f"the documents of the sides have nothing in common ({names[0]}; {names[1]})"
        raise SpecError([Finding(f"{old.label} → {new.label}", what, "Name other sides.")])


def _spelling(old: Side, new: Side, changes: Iterable[Change]) -> int:
    """Components that both sides have, that are written differently, and in which nothing changed."""
    touched = {
        (change.document, pointer_steps(pointer)[0])
        for each in changes
        for change in (each, *each.beneath)
        for place in change.places
        for pointer in (place.old, place.new)
    }
    return sum(
        digest != new.written[document].get(component, digest)
        and (document, component) not in touched
        for document in old.written.keys() & new.written.keys()
        for component, digest in old.written[document].items()
    )
