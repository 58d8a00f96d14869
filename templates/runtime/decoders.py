"""From dicts to records, by the table of a class.

Reads dicts as `json.loads` gives them; returns records. Never raises on what a server sent and never changes what it was
handed; a record may share lists and dicts with it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from itertools import takewhile
from operator import itemgetter
from typing import Any, NamedTuple

from .records import Kept, Mark
from .tables import Expression, Table, is_constant, is_null

Converter = Callable[[Any], Any]
"""Makes records of the objects in a value; gives back whatever it does not understand."""

_MISSING: Any = object()
_MAX_OTHERS = 32
"""Orders of keys that are planned for besides the first of each length."""


class _Column(NamedTuple):
    """A field. `marked`: null is worth a note, because a None set by hand would be absent."""

    name: str
    attribute: str
    convert: Converter | None
    required: bool
    marked: bool


class _Plan(NamedTuple):
    """How to make a record of a dict with a certain set of keys.

    get          the values of the keys, save constants, in the order of the constructor
    conversions  (index, converter) of the values that hold records
    late         (index, attribute) of values that the constructor would not take in this place
    marks        (index, attribute) of the values where null is marked
    kept         what is kept beside the fields, by the attributes that are null; shared, as nobody changes it
    """

    get: Callable[[Any], Sequence[Any]]
    conversions: tuple[tuple[int, Converter], ...]
    late: tuple[tuple[int, str], ...]
    marks: tuple[tuple[int, str], ...]
    kept: dict[tuple[str, ...], Kept]


def record_decoder(
    table: Table, converter: Callable[[Expression], Converter | None], known: str = ""
) -> Converter:
    """A function from dict to record.

    A set of keys goes field by field when it is first met, and gets a plan if all of them are declared and nothing
    required is missing; from then on one call of the class makes the record. A dict has the keys of a plan when it has as
    many as the plan and all of the plan's are there.

    known  a property whose value the caller has found to be the table's constant
    """
    cls = table.cls
    plans: dict[int, _Plan] = {}
    others: dict[tuple[str, ...], _Plan] = {}  # sets of keys of which another has as many, by order
    columns = _columns(table, converter)
    names = {column.name for column in columns}
    constants = {name: expr[1] for name, expr in table.required.items() if is_constant(expr)}
    checked = [(name, value) for name, value in constants.items() if name != known]
    general = _general_decoder(table, columns, converter)

    def unplanned(data: dict[str, Any]) -> Any:
        if data.keys() <= names and data.keys() >= table.required.keys():
            if len(data) not in plans:
                plans[len(data)] = _plan(columns, data, constants)
            elif len(others) < _MAX_OTHERS:
                others[tuple(data)] = _plan(columns, data, constants)
        return general(data)

    def decode(data: dict[str, Any]) -> Any:
        try:
            plan = get, conversions, late, _, _ = plans[len(data)]
            values: Any = get(data)
        except KeyError:
            other = others.get(tuple(data))
            if other is None:
                return unplanned(data)
            plan = get, conversions, late, _, _ = other
            values = get(data)
        for name, constant in checked:
            if data.get(name) != constant:
                return general(data)
        for index, convert in conversions:
            value = values[index]
            if value or type(value) is dict:
                values = list(values)
                values[index] = convert(value)
        if late or None in values:
            return _made(cls, values, plan)
        return cls(*values)

    return decode


def _made(cls: type[Any], values: Sequence[Any], plan: _Plan) -> Any:
    """A record of values that are not all positional arguments, or of which some are null."""
    late = plan.late
    record = cls(*values[: late[0][0]] if late else values)
    for index, attribute in late:
        setattr(record, attribute, values[index])
    nulls = tuple([attribute for index, attribute in plan.marks if values[index] is None])
    if nulls:
        kept = plan.kept.get(nulls)
        if kept is None:
            kept = plan.kept[nulls] = Kept({}, dict.fromkeys(nulls, Mark.NULL))
        record._wire = kept
    return record


def _columns(table: Table, converter: Callable[[Expression], Converter | None]) -> list[_Column]:
    """The fields, required ones first."""
    return [
        _Column(
            name,
            table.renamed.get(name, name),
            converter(expression),
            required,
            not (required and is_null(expression)),
        )
        for group, required in ((table.required, True), (table.optional, False))
        for name, expression in group.items()
    ]


def _plan(columns: list[_Column], keys: Container[str], constants: Container[str]) -> _Plan:
    """The plan for a set of declared keys that has all that are required."""
    taken = [column for column in columns if column.name not in constants]
    used = [column for column in taken if column.name in keys]
    positional = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(used, taken)))
    return _Plan(
        _getter([column.name for column in used]),
        tuple((i, column.convert) for i, column in enumerate(used) if column.convert is not None),
        tuple((i, column.attribute) for i, column in enumerate(used) if i >= positional),
        tuple((i, column.attribute) for i, column in enumerate(used) if column.marked),
        {},
    )


def _getter(names: list[str]) -> Callable[[Any], Sequence[Any]]:
    if len(names) > 1:
        return itemgetter(*names)
    return lambda data: [data[name] for name in names]


def _general_decoder(
    table: Table, columns: list[_Column], converter: Callable[[Expression], Converter | None]
) -> Converter:
    """A function from any dict to record, field by field."""
    cls = table.cls
    declared = frozenset(column.name for column in columns)
    extra = converter(table.extra) if table.extra is not None else None

    def decode(data: dict[str, Any]) -> Any:
        record: Any = object.__new__(cls)
        marks: dict[str, Mark] = {}
        seen = 0
        for name, attribute, convert, _, marked in columns:
            value = data.get(name, _MISSING)
            if value is _MISSING:
                value = None
                if not marked:
                    marks[attribute] = Mark.ABSENT
            else:
                seen += 1
                if value is None:
                    if marked:
                        marks[attribute] = Mark.NULL
                elif convert is not None:
                    value = convert(value)
            setattr(record, attribute, value)
        unknown: dict[str, Any] = {}
        if seen != len(data):
            for name, value in data.items():
                if name not in declared:
                    unknown[name] = extra(value) if extra is not None else value
        record._wire = Kept(unknown, marks) if unknown or marks else None
        return record

    return decode
