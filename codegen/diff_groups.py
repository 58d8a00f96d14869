"""From what changed at each place to root causes, each with the events that it reaches.

Reads walks over pairs of packages and the events they start from; returns changes. Never says twice what has one cause:
streams and packages that share a schema share the change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from codegen.changes import Change, Place, Reach
from codegen.diff_scope import pointer_steps
from codegen.diff_types import Found, Node, Pair, Walk


class Cause(NamedTuple):
    """What makes two findings the same change."""

    document: str
    kind: str
    subject: str
    old: str
    new: str


class Start(NamedTuple):
    """An event: where a walk begins."""

    document: str
    walk: Walk
    pair: Pair
    reach: Reach


def grouped(starts: Sequence[Start]) -> list[Change]:
    """One change per root cause, with every event from which a walk leads to it."""
    places: dict[Cause, dict[Place, None]] = {}
    events: dict[Cause, dict[Reach, None]] = {}
    causes: dict[tuple[int, Pair], list[Cause]] = {}
    leading: dict[int, set[Pair]] = {}
    for start in starts:
        start.walk.reach(start.pair)
    for start in starts:
        key = id(start.walk)
        if key not in leading:
            leading[key] = _leading(start.walk)
        for pair in _reached(start.walk.nodes, start.pair, leading[key]):
            if (key, pair) not in causes:
                causes[key, pair] = []
                for found in start.walk.nodes[pair].found:
                    cause = _cause(found, start.document)
                    causes[key, pair].append(cause)
                    places.setdefault(cause, {})[found.place] = None
            for cause in causes[key, pair]:
                events.setdefault(cause, {})[start.reach] = None
    return [
        Change(
            cause.kind,
            cause.subject,
            cause.old,
            cause.new,
            cause.document,
            tuple(sorted(places[cause])),
            tuple(sorted(events[cause])),
        )
        for cause in places
    ]


def _leading(walk: Walk) -> set[Pair]:
    """The pairs that something changed in, and those that lead to them."""
    parents: dict[Pair, list[Pair]] = {}
    for pair, node in walk.nodes.items():
        for child in node.children:
            parents.setdefault(child, []).append(pair)
    found: set[Pair] = set()
    todo = [pair for pair, node in walk.nodes.items() if node.found]
    while todo:
        pair = todo.pop()
        if pair not in found:
            found.add(pair)
            todo += parents.get(pair, ())
    return found


def _reached(nodes: Mapping[Pair, Node], start: Pair, leading: set[Pair]) -> set[Pair]:
    found: set[Pair] = set()
    todo = [start]
    while todo:
        pair = todo.pop()
        if pair in leading and pair not in found:
            found.add(pair)
            todo += nodes[pair].children
    return found


def _cause(found: Found, document: str) -> Cause:
    """Where a property went, its old name is what people know; else the new one is."""
    gone = found.kind in ("field-removed", "field-renamed")
    pointer = found.place.old if gone else found.place.new
    return Cause(document, found.kind, subject(pointer) + found.tail, found.old, found.new)


def subject(pointer: str) -> str:
    """A pointer as people read it: `Schema.field[].inner`; which member of a union it leads through is left out."""
    owner, steps = pointer_steps(pointer)
    return ".".join([owner, *steps]).replace(".[]", "[]")
