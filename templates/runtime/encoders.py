"""From records to dicts, by the table of a class.

Reads records; returns dicts that share no list or dict with them, whatever the types of their fields say, so that later
changes of either leave the other alone. Never changes a record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, NamedTuple

from .json_text import SCALARS
from .records import Kept, Mark, Record
from .tables import Table, is_null

Encode = Callable[[Any], dict[str, Any]]
_HEAD = 8
_LEVELS = 24


class _Columns(NamedTuple):
    """The fields of a class as (name on the wire, attribute).

    nullable  required ones, where None is null
    names     name on the wire by attribute
    """

    required: tuple[tuple[str, str], ...]
    optional: tuple[tuple[str, str], ...]
    nullable: tuple[tuple[str, str], ...]
    names: dict[str, str]


def record_encoder(table: Table, encode: Encode) -> Encode:
    """A function from record to dict, in the order of the table; `encode` is for the records in it."""
    columns = _columns(table)
    if 0 < len(columns.required) <= _HEAD:
        return _with_display(columns, encode)
    return lambda record: _field_by_field(columns, record, encode)


def _columns(table: Table) -> _Columns:
    def pairs(names: Iterable[str]) -> tuple[tuple[str, str], ...]:
        return tuple((name, table.renamed.get(name, name)) for name in names)

    fields = {**table.required, **table.optional}
    return _Columns(
        pairs(table.required),
        pairs(table.optional),
        pairs(name for name, expression in table.required.items() if is_null(expression)),
        {attribute: name for name, attribute in pairs(fields)},
    )


def _with_display(columns: _Columns, encode: Encode) -> Encode:
    """For up to eight required properties: one dict display, three times as fast as a loop, then what is optional.
    Where there are fewer than eight, the first is written again in the places that are left."""
    padded = columns.required + columns.required[:1] * (_HEAD - len(columns.required))
    key_a, key_b, key_c, key_d, key_e, key_f, key_g, key_h = (name for name, _ in padded)
    read = attrgetter(*(attribute for _, attribute in padded))
    optional, are_scalars = columns.optional, SCALARS.issuperset

    def encode_record(record: Any) -> dict[str, Any]:
        a, b, c, d, e, f, g, h = read(record)
        if (
            a is None
            or b is None
            or c is None
            or d is None
            or e is None
            or f is None
            or g is None
            or h is None
        ):
            return _field_by_field(columns, record, encode)
        result = {key_a: a, key_b: b, key_c: c, key_d: d, key_e: e, key_f: f, key_g: g, key_h: h}
        for name, attribute in optional:
            value = getattr(record, attribute)
            if value is not None:
                result[name] = value
        if not are_scalars(map(type, result.values())):
            for name, value in result.items():
                if type(value) not in SCALARS:
                    result[name] = copied(value, encode) if value or type(value) is not list else []
        if record._wire is not None:
            _add_kept(record, result, columns, encode)
        return result

    return encode_record


def _field_by_field(columns: _Columns, record: Any, encode: Encode) -> dict[str, Any]:
    """For every record: also for one with a None where the specification has none."""
    result: dict[str, Any] = {}
    for name, attribute in columns.required + columns.optional:
        value = getattr(record, attribute)
        if value is not None:
            result[name] = value if type(value) in SCALARS else copied(value, encode)
    _add_kept(record, result, columns, encode)
    return result


def _add_kept(record: Any, result: dict[str, Any], columns: _Columns, encode: Encode) -> None:
    """Null where a field reads as None and null is what that means; then what is undeclared."""
    unknown, marks = record._wire or Kept({}, {})
    for name, attribute in columns.nullable:
        if name not in result and marks.get(attribute) is not Mark.ABSENT:
            result[name] = None
    for attribute, mark in marks.items():
        if mark is Mark.NULL:
            result.setdefault(columns.names[attribute], None)
        elif mark is Mark.ELSEWHERE:
            result.pop(columns.names[attribute], None)
        elif mark is Mark.NULL_ELSEWHERE:
            result[columns.names[attribute]] = None
    for name, value in unknown.items():
        result[name] = copied(value, encode)


def copied(value: Any, encode: Encode, levels: int = _LEVELS) -> Any:
    """A JSON value with lists and dicts of its own, however deep they go; records in it are encoded.

    levels  down to which it calls itself, which takes half the time of going level by level
    """
    kind = type(value)
    if kind in SCALARS:
        return value
    if isinstance(value, Record):
        return encode(value)
    if not levels:
        return _level_by_level(value, encode)
    if kind is dict:
        new = value.copy()
        for name, item in value.items():
            if type(item) not in SCALARS:
                new[name] = copied(item, encode, levels - 1)
        return new
    if kind is list:
        return [
            item if type(item) in SCALARS else copied(item, encode, levels - 1) for item in value
        ]
    return _level_by_level(value, encode)


def _level_by_level(value: Any, encode: Encode) -> Any:
    """As `copied`, without a call for each level."""
    root = [value]
    unfinished: list[Any] = [root]
    while unfinished:
        container = unfinished.pop()
        places = container.items() if type(container) is dict else enumerate(container)
        for place, item in places:
            kind = type(item)
            if kind in SCALARS:
                continue
            if isinstance(item, Record):
                container[place] = encode(item)
            elif isinstance(item, (list, dict)):
                container[place] = dict(item) if isinstance(item, dict) else list(item)
                unfinished.append(container[place])
    return root[0]
