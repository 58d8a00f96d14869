"""From what changed at each place to root causes, each with the events that it reaches.

Reads walks over pairs of packages and the events they start from; returns changes. Never says twice what has one cause:
streams and packages that share a schema share the change. Where a reference leads to another schema than before, that is
the cause, and how the two differ stands beneath it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from codegen.changes import Change, Place, Reach
from codegen.diff_names import component, quoted, subject
from codegen.diff_records import Found, Node, Pair
from codegen.diff_types import Walk


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


@dataclass
class _Told:
    """Where a cause was found, which events it reaches, and what stands beneath it."""

    places: set[Place] = field(default_factory=set)
    events: set[Reach] = field(default_factory=set)
    beneath: _Causes = field(default_factory=dict)


_Causes: TypeAlias = "dict[Cause, _Told]"


def grouped(starts: Sequence[Start]) -> list[Change]:
    """One change per root cause, with every event from which a walk leads to it."""
    causes: _Causes = {}
    found: dict[tuple[int, Pair], _Causes] = {}
    leading: dict[int, set[Pair]] = {}
    hidden: dict[int, set[Pair]] = {}
    for start in starts:
        start.walk.reach(start.pair)
    for start in starts:
        key = id(start.walk)
        if key not in leading:
            leading[key] = _leading(start.walk)
            hidden[key] = _hidden(start.walk)
        _add(causes, _of_event(start), start.reach)
        for pair in _reached(start.walk.nodes, start.pair, leading[key]):
            if (key, pair) not in found:
                told = pair not in hidden[key]
                found[key, pair] = _causes(start.walk, pair, start.document) if told else {}
            _add(causes, found[key, pair], start.reach)
    return [_change(cause, told, told.events) for cause, told in causes.items()]


def _change(cause: Cause, told: _Told, events: Iterable[Reach]) -> Change:
    beneath = sorted(
        (_change(inner, each, events) for inner, each in told.beneath.items()),
        key=lambda change: change.rank,
    )
    return Change(
        cause.kind,
        cause.subject,
        cause.old,
        cause.new,
        cause.document,
        tuple(sorted(told.places)),
        tuple(sorted(events)),
        tuple(beneath),
    )


def _add(causes: _Causes, more: Mapping[Cause, _Told], reach: Reach | None = None) -> None:
    for cause, each in more.items():
        told = causes.setdefault(cause, _Told())
        told.places |= each.places
        told.events |= {reach} if reach else set()
        _add(told.beneath, each.beneath)


def _of_event(start: Start) -> _Causes:
    """That an event has another schema than before, if it is not one schema under two names."""
    if not start.walk.is_replaced(start.pair):
        return {}
    place = start.walk.place(start.pair)
    names = component(place.old), component(place.new)
    beneath = _beneath(start.walk, start.pair, start.document, frozenset({start.pair}))
    cause = Cause(start.document, "schema-replaced", quoted(start.reach.tag), *names)
    return {cause: _Told({place}, set(), beneath)} if beneath else {}


def _causes(walk: Walk, pair: Pair, document: str, above: frozenset[Pair] = frozenset()) -> _Causes:
    """What changed in a pair's own schemas; a reference to another schema counts if the two differ."""
    causes: _Causes = {}
    for found in walk.nodes[pair].found:
        _add(causes, {_cause(found, document): _Told({found.place})})
    for found, target in walk.nodes[pair].replaced:
        if target not in above:
            beneath = _beneath(walk, target, document, above | {target})
            if beneath:
                _add(causes, {_cause(found, document): _Told({found.place}, set(), beneath)})
    return causes


def _beneath(walk: Walk, pair: Pair, document: str, above: frozenset[Pair]) -> _Causes:
    """How two schemas differ of which one takes the place of the other, with what is written within them."""
    causes: _Causes = {}
    for inner in _within(walk, pair):
        _add(causes, _causes(walk, inner, document, above))
    return causes


def _within(walk: Walk, pair: Pair) -> set[Pair]:
    """The pair and those that are written in its two schemas."""
    found: set[Pair] = set()
    todo = [pair]
    while todo:
        inner = todo.pop()
        if inner not in found:
            found.add(inner)
            todo += filter(walk.is_inline, walk.nodes[inner].children)
    return found


def _hidden(walk: Walk) -> set[Pair]:
    """The pairs that are told beneath the reference that leads to them."""
    return {inner for pair in walk.nodes if walk.is_replaced(pair) for inner in _within(walk, pair)}


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
    return Cause(document, found.kind, subject(found.subject) + found.tail, found.old, found.new)
