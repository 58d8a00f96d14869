"""What a fragment says on the order of events and on usage, as records of the catalogue.

Reads a fragment and the tags of its stream; returns records, and what is wrong with the tags that they name. Never says
anything that accumulation rules say already.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from codegen.catalogue import Named, Order, Usage
from codegen.errors import Finding

if TYPE_CHECKING:
    from codegen.load import Fragment

OTHERS = "*"
"""Stands for all tags that no stage names."""


def order_of(fragment: Fragment) -> Order | None:
    """The order of events; None where the fragment says nothing of it."""
    entry = fragment.get("order")
    if entry is None:
        return None
    return Order(
        stages=tuple(map(tuple, entry.get("stages", ()))),
        once=tuple(entry.get("once", ())),
        finished_by=tuple(entry.get("finished_by", ())),
        statuses=tuple(
            (name, tuple(map(tuple, groups))) for name, groups in entry.get("statuses", {}).items()
        ),
        steady=tuple(entry.get("steady", ())),
        ends=_named_lists(entry.get("ends", {})),
        given=_named_lists(entry.get("given", {})),
        identities=_named_lists(entry.get("identities", {})),
        unique=_named_lists(entry.get("unique", {})),
        json=_named_lists(entry.get("json", {})),
        signed=tuple((name, _named_lists(each)) for name, each in entry.get("signed", {}).items()),
    )


def _named_lists(entry: Mapping[str, Sequence[str]]) -> Named:
    return tuple((name, tuple(values)) for name, values in entry.items())


def usage_of(fragment: Fragment) -> Usage | None:
    """Where the usage stands; None where the fragment says nothing of it."""
    entry = fragment.get("usage")
    if entry is None:
        return None
    total = tuple((name, tuple(parts)) for name, parts in entry.get("total", {}).items())
    return Usage(entry["at"], tuple(entry.get("with", ())), total)


def order_faults(fragment: Fragment, tags: frozenset[str]) -> list[Finding]:
    """A finding for each tag that the stream does not have."""
    return [
        Finding(
            fragment.where(place),
            f"stream {fragment['stream']} has no event {tag!r}",
            "Correct the tag.",
        )
        for place, tag in _named(fragment)
        if tag not in tags and tag != OTHERS
    ]


def _named(fragment: Fragment) -> Iterator[tuple[str, str]]:
    """The places at which the fragment names tags, and these."""
    order, usage = fragment.get("order", {}), fragment.get("usage", {})
    for at, group in enumerate(order.get("stages", ())):
        yield from ((f"order/stages/{at}/{number}", tag) for number, tag in enumerate(group))
    for key in ("once", "finished_by"):
        yield from ((f"order/{key}/{at}", tag) for at, tag in enumerate(order.get(key, ())))
    for key in ("ends", "given"):
        yield from ((f"order/{key}/{tag}", tag) for tag in order.get(key, {}))
    yield from ((f"usage/with/{at}", tag) for at, tag in enumerate(usage.get("with", ())))
