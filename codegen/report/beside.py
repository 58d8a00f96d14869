"""Events that something reaches, their properties old beside new.

Reads a `Comparison` with the catalogues of both sides; returns plain values for a page. Never leaves a changed event without a
changed row: what changed below its own properties is there with its path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from codegen import show
from codegen.catalogue import Alias, Catalogue, Field, Model, Package, Type
from codegen.changes import Change, Comparison, Reach
from codegen.diff_events import sited
from codegen.kinds import LEVELS
from codegen.report.rows import rows, sentence
from codegen.yaml_lines import unescape

NOTHING = "—"
Key = tuple[str, str]
"""A stream and a tag."""
Paths = dict[str, str]
"""Pointer of a record → the way to it from the event."""


def events(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """Each event that something reaches: its properties on both sides, and what changed."""
    old, new = map(_Side, comparison.catalogues)
    reached: dict[Reach, list[Change]] = {}
    for change in comparison.changes:
        for event in change.events:
            reached.setdefault(event, []).append(change)
    for event, changes in sorted(reached.items()):
        was = _old_key(event, changes)
        now = (event.stream, event.tag)
        yield {
            "stream": event.stream,
            "tag": event.tag,
            "old_tag": was[1],
            "level": min((change.level for change in changes), key=LEVELS.index),
            "sentences": [row.sentence for row in rows(changes)],
            "fields": [
                *_own(old.fields(was), new.fields(now)),
                *_below(changes, old.paths(was), new.paths(now)),
            ],
        }


def _old_key(event: Reach, changes: Iterable[Change]) -> Key:
    stream, tag = event.stream, event.tag
    for change in changes:
        stream = change.old if change.kind == "event-moved" else stream
        tag = change.old if change.kind == "event-renamed" else tag
    return stream, tag


def _own(before: dict[str, str], after: dict[str, str]) -> Iterator[dict[str, Any]]:
    for name in [*after, *(name for name in before if name not in after)]:
        old, new = before.get(name, NOTHING), after.get(name, NOTHING)
        yield {"name": name, "old": old, "new": new, "same": old == new}


def _below(changes: Iterable[Change], before: Paths, after: Paths) -> Iterator[dict[str, Any]]:
    """What changed in records that the event holds, not in its own: that is in its properties' rows already."""
    for change in [inner for each in changes for inner in (each, *each.beneath)]:
        if change.kind.startswith(("event-", "stream-")):
            continue
        ways = {_way(after, place.new) or _way(before, place.old) for place in change.places}
        way = min(filter(None, ways), key=lambda way: (len(way), way), default="")
        if not way:
            continue
        old, new = change.old or NOTHING, change.new or NOTHING
        if not change.old and not change.new:
            new = sentence(change).rpartition(": ")[2]
        yield {"name": way, "old": old, "new": new, "same": False}


def _way(paths: Paths, pointer: str) -> str:
    """The way to a place from the event; empty where it is the event's own, or in nothing that the event holds."""
    for end in range(len(pointer), 0, -1):
        if (pointer[end : end + 1] or "/") == "/" and pointer[:end] in paths:
            steps = pointer[end:].split("/")[1:]
            return paths[pointer[:end]] and paths[pointer[:end]] + "".join(_steps(steps))
    return ""


def _steps(steps: list[str]) -> Iterator[str]:
    """Steps of a pointer within a schema as a way in a value; which member of a union it is does not show."""
    rest = iter(steps)
    for step in rest:
        if step == "properties":
            yield f".{unescape(next(rest, ''))}"
        elif step == "items":
            yield "[]"
        elif step == "additionalProperties":
            yield ".*"


class _Side:
    """A catalogue by events."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._roots: dict[Key, tuple[Model, Package]] = {
            (name, event.tag): (side.package.model(event.model), side.package)
            for name, side in sited(catalogue).items()
            for event in side.stream.events
        }
        self._paths: dict[tuple[str, str], Paths] = {}

    def fields(self, key: Key) -> dict[str, str]:
        """Property → its type in words; nothing where there is no such event."""
        if key not in self._roots:
            return {}
        model, package = self._roots[key]
        return {field.name: _type(field) for field in model.fields}

    def paths(self, key: Key) -> Paths:
        """The shortest way from an event to each record that it holds; the event's own is empty."""
        if key not in self._roots:
            return {}
        model, package = self._roots[key]
        found = self._paths.get((package.name, model.name))
        if found is None:
            found = self._paths[package.name, model.name] = _paths(model, package)
        return found


def _paths(root: Model, package: Package) -> Paths:
    records: dict[str, Model | Alias] = {model.name: model for model in package.models}
    records |= {alias.name: alias for alias in package.aliases}
    found = {root.schema: ""}
    todo: list[tuple[Model | Alias, str]] = [(root, "")]
    for record, way in todo:  # grows: breadth first, so that the first way is a shortest one
        for name, tail in _refs(record):
            other = records[name]
            if other.schema not in found:
                found[other.schema] = (way + tail).lstrip(".")
                todo.append((other, found[other.schema]))
    return found


def _refs(record: Model | Alias) -> Iterator[tuple[str, str]]:
    """Names that a record refers to, each with the way from it."""
    if isinstance(record, Model):
        for field in record.fields:
            yield from _named(field.type, f".{field.name}")
        yield from _named(record.extra, ".*") if record.extra else ()
        return
    yield from _named(record.type, "")
    for type_ in record.others:
        yield from _named(type_, "")
    for _, cases in record.cases:
        yield from ((case.model, "") for case in cases)


def _named(type_: Type, way: str) -> Iterator[tuple[str, str]]:
    if type_.kind == "ref":
        yield type_.name, way
    if type_.items is not None:
        yield from _named(type_.items, way + ("[]" if type_.kind == "array" else ".*"))
    for member in type_.members if type_.kind == "union" else ():
        yield from _named(member, way)


def _type(field: Field) -> str:
    null = " or null" if field.type.null else ""
    return show.spelled(field.type, {}) + null + ("" if field.required else ", optional")
