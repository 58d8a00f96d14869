"""Changes in sentences, folded: what is the same edit in several schemas is one row.

Reads changes; returns rows for the formats that people read. Never drops a change: each is in exactly one row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from codegen.changes import Change, Reach
from codegen.diff_names import parted, schema_part
from codegen.kinds import LEVELS

FIELDS = frozenset(
    "field-added required-field-added field-removed made-optional made-required made-nullable no-longer-nullable "
    "default-changed deprecation-changed format-added format-changed format-removed".split()
)
"""Kinds of which several in one schema make one row."""
VALUES = frozenset(
    "bound-changed bound-narrowed bound-widened enum-value-added enum-value-listed enum-value-removed "
    "enum-value-unlisted union-member-added union-member-removed".split()
)
"""Kinds of which several at one place make one row."""
TWIN = re.compile(r"\bBeta(?=[A-Z])")
"""What tells the name of a schema from that of its twin: OpenAI's document has every schema of the beta streams twice."""
OWNERS = 4
"""How many schemas a row names; it counts the others."""


@dataclass(frozen=True)
class Row:
    """One line for people: what changed, which events that reaches, and the changes that it stands for."""

    level: str
    sentence: str
    reach: str
    changes: tuple[Change, ...]
    beneath: tuple[Row, ...] = ()


def rows(changes: Iterable[Change]) -> list[Row]:
    """The rows of some changes, in their order."""
    by_owner: dict[tuple[str, str, str], list[Change]] = {}
    for change in changes:
        by_owner.setdefault((change.level, change.kind, _group(change)), []).append(change)
    folded: dict[object, list[list[Change]]] = {}
    for (level, kind, owner), group in by_owner.items():
        folded.setdefault((level, kind, _where(kind, owner), tuple(map(_item, group))), []).append(
            group
        )
    return [_row(groups) for groups in folded.values()]


def counts(changes: Iterable[Change]) -> dict[str, int]:
    """How many rows of each level there are."""
    levels = [row.level for row in rows(changes)]
    return {level: levels.count(level) for level in LEVELS}


def sentence(change: Change) -> str:
    """One change in words, without what it reaches."""
    return _sentence(change.kind, [_owner(change)], [change])


def reach(events: Iterable[Reach]) -> str:
    """Events in a few words: one by its tag, more as numbers."""
    found = sorted(set(events))
    tags = {event.tag for event in found}
    streams = sorted({event.stream for event in found})
    if not found:
        return "no event"
    where = f"of {streams[0]}" if len(streams) == 1 else f"in {len(streams)} streams"
    if len(tags) == 1:
        return f"{found[0].tag} {where}"
    return f"{len(found)} events {where}"


def _group(change: Change) -> str:
    """What changes must share for one row: the schema, the place, or all."""
    return _owner(change) if change.kind in FIELDS | VALUES else change.id


def _owner(change: Change) -> str:
    return parted(change.subject)[0] if change.kind in FIELDS else change.subject


def _name(change: Change) -> str:
    owner, name = parted(change.subject)
    return name or owner


def _where(kind: str, owner: str) -> str:
    """Where in its schema something stands: equal edits in schemas of other names are one. Elsewhere only twins are."""
    return schema_part(owner)[1] if kind in FIELDS | VALUES else TWIN.sub("", owner)


def _item(change: Change) -> tuple[str, ...]:
    name = _name(change) if change.kind in FIELDS else ""
    return name, *(TWIN.sub("", text) for text in (change.old, change.new))


def _row(groups: list[list[Change]]) -> Row:
    changes = tuple(change for group in groups for change in group)
    groups = sorted(groups, key=_shortest)
    owners = list(dict.fromkeys(_owner(group[0]) for group in groups))
    events = [event for change in changes for event in change.events]
    first = groups[0]
    kind = first[0].kind
    if kind.startswith("event-"):
        where = "in " + ", ".join(sorted({event.stream for event in events}))
    elif kind.startswith("stream-"):
        where = _plural(len(events), "event")
    else:
        where = "reaches " + reach(events)
    told = first if kind in FIELDS | VALUES else [group[0] for group in groups]
    beneath = tuple(rows(change for each in changes for change in each.beneath))
    return Row(first[0].level, _sentence(kind, owners, told), where, changes, beneath)


def _shortest(group: list[Change]) -> tuple[int, str, str]:
    """What comes first in a row: of twins, the one that has the shorter name."""
    owner, old = _owner(group[0]), group[0].old
    return len(owner) + len(old), owner, old


def _sentence(kind: str, owners: list[str], changes: list[Change]) -> str:
    return _SENTENCES[kind](_named(owners), changes)


def _named(owners: list[str]) -> str:
    if len(owners) <= OWNERS:
        return ", ".join(owners)
    return f"{', '.join(owners[:OWNERS])} and {len(owners) - OWNERS} more"


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _words(word: str, texts: Iterable[str]) -> str:
    listed = list(texts)
    return f"{word}{'' if len(listed) == 1 else 's'} {', '.join(listed)}"


Sentence = Callable[[str, list[Change]], str]


def _one(text: str) -> Sentence:
    """A sentence about one change, and about its like in other schemas."""
    return lambda owners, changes: text.format(
        subject=owners, old=changes[0].old, new=changes[0].new
    )


def _fields(before: str, after: str) -> Sentence:
    """A sentence about the names of fields in their schemas."""
    return (
        lambda owners, changes: f"{owners}: {before}{_words('field', map(_name, changes))} {after}"
    )


def _typed(before: str, after: str) -> Sentence:
    """As `_fields`, with types where there is only one."""

    def text(owners: str, changes: list[Change]) -> str:
        kind = changes[0].new or changes[0].old
        more = f" ({kind})" if len(changes) == 1 else ""
        return _fields(before, after)(owners, changes) + more

    return text


def _schemas(text: str) -> Sentence:
    """A sentence about a schema and its twin."""
    return lambda owners, changes: f"{owners}: schema " + ", ".join(
        text.format(old=each.old, new=each.new) for each in changes
    )


def _values(word: str, after: str) -> Sentence:
    """A sentence about what was added to or taken from a list."""
    return lambda owners, changes: (
        f"{owners}: {_words(word, (change.new or change.old for change in changes))} {after}"
    )


def _turned(before: str) -> Sentence:
    """A sentence with what was and what is, for each field."""

    def text(owners: str, changes: list[Change]) -> str:
        parts = [f"{before} of {_name(each)}: {each.old} → {each.new}" for each in changes]
        return f"{owners}: {', '.join(parts)}"

    return text


def _bounds(owners: str, changes: list[Change]) -> str:
    return f"{owners}: bound {', '.join(f'{each.old} → {each.new}' for each in changes)}"


def _keywords(owners: str, changes: list[Change]) -> str:
    texts = f"{changes[0].old}, {changes[0].new}".split(", ")
    words = sorted({text.partition(":")[0] for text in texts} - {"none"})
    return f"{owners}: another rule of {', '.join(words)}"


_SENTENCES: dict[str, Sentence] = {
    "bound-changed": _bounds,
    "bound-narrowed": _bounds,
    "bound-widened": _bounds,
    "constant-changed": _one("{subject}: constant {old} → {new}"),
    "default-changed": _turned("default"),
    "deprecation-changed": _turned("use"),
    "enum-closed": _one("{subject}: only listed values from now on ({old} → {new})"),
    "enum-opened": _one("{subject}: other values than the listed from now on ({old} → {new})"),
    "enum-value-added": _values("value", "added"),
    "enum-value-listed": _values("value", "listed as well"),
    "enum-value-removed": _values("value", "removed"),
    "enum-value-unlisted": _values("value", "no longer listed"),
    "event-added": _one("event {subject} added"),
    "event-moved": _one("event {subject} moved from {old} to {new}"),
    "event-removed": _one("event {subject} removed"),
    "event-renamed": _one("event {old} renamed to {new}"),
    "field-added": _typed("optional ", "added"),
    "field-removed": _typed("", "removed"),
    "field-renamed": _one("{subject}: field renamed to {new}"),
    "format-added": _turned("format"),
    "format-changed": _turned("format"),
    "format-removed": _turned("format"),
    "keyword-changed": _keywords,
    "made-nullable": _fields("", "may be null"),
    "made-optional": _fields("", "became optional"),
    "made-required": _fields("", "became required"),
    "no-longer-nullable": _fields("", "can no longer be null"),
    "object-closed": _one("{subject}: no undeclared properties from now on"),
    "object-opened": _one("{subject}: undeclared properties are allowed"),
    "required-field-added": _typed("required ", "added"),
    "schema-renamed": _schemas("renamed from {old}"),
    "schema-replaced": _schemas("{old} gives way to {new}"),
    "stream-added": _one("stream {subject} added"),
    "stream-removed": _one("stream {subject} removed: its union is gone or has no events any more"),
    "tag-property-changed": _one("stream {subject}: the tag is now the property {new}, not {old}"),
    "type-changed": _one("{subject}: type {old} → {new}"),
    "type-narrowed": _one("{subject}: type narrowed, {old} → {new}"),
    "type-widened": _one("{subject}: type widened, {old} → {new}"),
    "union-member-added": _values("member", "added"),
    "union-member-removed": _values("member", "removed"),
}
