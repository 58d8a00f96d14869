"""Payloads to records and back, driven by the tables that stand next to the generated classes.

Reads dicts as `json.loads` gives them and tables; returns records and dicts. Never raises on what a server sent, never
changes what it was handed, and looks at no class beyond its table.

Expressions of a table's types: "str", "int", "float", "bool", "any" or the name of a class, a union or an alias; and
("const", value), ("enum", *values), ("open", *values), ("list", item), ("map", value), ("union", *members),
("null", type).
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from .records import Kept, Mark, Record, UnknownEvent, UnknownObject

Expression = Any
Converter = Callable[[Any], Any]
_MISSING: Any = object()
_PRIMITIVES = frozenset(("str", "int", "float", "bool", "any"))


class Table(NamedTuple):
    """The fields of a class by their names on the wire, each group in the order of the class's slots.

    renamed  name on the wire → attribute, where they differ
    extra    the type of undeclared properties, where the specification gives one
    """

    cls: type[Any]
    required: dict[str, Expression]
    optional: dict[str, Expression] = {}
    renamed: dict[str, str] = {}
    extra: Expression = None


class Shape(NamedTuple):
    """What tells a model from others that the same tag allows: its properties and their known values."""

    model: str
    required: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()
    literals: dict[str, tuple[Any, ...]] = {}


class Choice(NamedTuple):
    """A union of several models: by the value of `tag`, by shape where a value has several or the tag is absent.

    others  the members that are no models
    """

    tag: str
    cases: dict[str, str | tuple[Shape, ...]]
    untagged: tuple[Shape, ...] = ()
    others: tuple[Expression, ...] = ()


class Payloads(NamedTuple):
    """The tables of a payload module."""

    tables: dict[str, Table]
    choices: dict[str, Choice]
    aliases: dict[str, Expression]


def is_null(expression: Expression) -> bool:
    """Whether an expression allows null."""
    return type(expression) is tuple and expression[0] == "null"


def inner(expression: Expression) -> Expression:
    """The expression without null."""
    return expression[1] if is_null(expression) else expression


def fits(shape: Shape, data: dict[str, Any]) -> bool:
    """Whether every required property is there and every known value is one of those known."""
    return all(name in data for name in shape.required) and all(
        data[name] in values for name, values in shape.literals.items() if name in data
    )


def chosen(shapes: tuple[Shape, ...], data: dict[str, Any]) -> str:
    """The model among several of one tag: the one that fits and declares most of the properties; the first of equals."""

    def score(shape: Shape) -> tuple[bool, int]:
        return fits(shape, data), sum(name in data for name in shape.declared)

    return max(shapes, key=score).model


class Wire:
    """Decoders and encoders of the classes of one package, each made when first used.

    tables    the tables of event classes
    payloads  gives the tables of payload classes; called when the first payload is met, not before
    """

    def __init__(self, tables: dict[str, Table], payloads: Callable[[], Payloads]) -> None:
        self.tables = dict(tables)
        self._payloads = payloads
        self._loaded: Payloads | None = None
        self._decoders: dict[str, Converter] = {}
        self._encoders: dict[type[Any], Converter] = {}

    @property
    def loaded(self) -> Payloads:
        """The payload tables; importing their module if need be."""
        if self._loaded is None:
            self._loaded = self._payloads()
        return self._loaded

    def names(self, name: str) -> bool:
        """Whether a payload class, a union or an alias has this name."""
        loaded = self.loaded
        return name in loaded.tables or name in loaded.choices or name in loaded.aliases

    def table(self, name: str) -> Table | None:
        """The table of a class by name; None for anything else."""
        return self.tables.get(name) or self.loaded.tables.get(name)

    def decoder(self, name: str) -> Converter:
        """The function that makes the class called `name` of a dict."""
        if name not in self._decoders:
            table = self.table(name)
            if table is None:
                raise KeyError(name)
            self._decoders[name] = _decoder(table, self._converter)
        return self._decoders[name]

    def encode(self, record: Any) -> dict[str, Any]:
        """The JSON object that a record stands for; a fresh dict, unchanged by later changes of the record's fields."""
        cls = type(record)
        encoder = self._encoders.get(cls)
        if encoder is None:
            if cls is UnknownEvent or cls is UnknownObject:
                encoder = _encode_unknown
            else:
                table = self.table(cls.__name__)
                if table is None or table.cls is not cls:
                    raise TypeError(f"{cls.__name__} is not a class of this package")
                encoder = _encoder(table, self.encode)
            self._encoders[cls] = encoder
        result: dict[str, Any] = encoder(record)
        return result

    def missing(self, record: Any) -> list[str]:
        """The names of required properties that the payload did not have."""
        table = self.table(type(record).__name__)
        if table is None:
            return []
        present = self.encode(record)
        return [name for name in table.required if name not in present]

    def _converter(self, expression: Expression) -> Converter | None:
        """What makes records of a value; None where the value stays as it is."""
        expression = inner(expression)
        if type(expression) is str:
            return None if expression in _PRIMITIVES else self._reference(expression)
        word = expression[0]
        if word == "list":
            return _of_list(self._converter(expression[1]))
        if word == "map":
            return _of_map(self._converter(expression[1]))
        if word == "union":
            return _of_kinds([self._converter(member) for member in expression[1:]])
        return None

    def _reference(self, name: str) -> Converter:
        """A converter for a name; what the name stands for is looked up at the first object or list."""
        target: Converter | None = None

        def convert(value: Any) -> Any:
            nonlocal target
            if not isinstance(value, (dict, list)):
                return value
            if target is None:
                target = self._target(name)
            return target(value)

        return convert

    def _target(self, name: str) -> Converter:
        if name in self.loaded.choices:
            return self._choice(self.loaded.choices[name])
        if name in self.loaded.aliases:
            return self._converter(self.loaded.aliases[name]) or _same
        return _of_object(self.decoder(name))

    def _choice(self, choice: Choice) -> Converter:
        tag_name, cases, untagged, wire = choice.tag, choice.cases, choice.untagged, self
        otherwise = _of_kinds([self._converter(each) for each in choice.others]) or _same

        def convert(value: Any) -> Any:
            if not isinstance(value, dict):
                return otherwise(value)
            tag = value.get(tag_name)
            case = cases.get(tag) if isinstance(tag, str) else None
            if case is None:
                case = (
                    tuple(shape for shape in untagged if fits(shape, value)) if tag is None else ()
                )
            if not case:
                return UnknownObject(tag if isinstance(tag, str) else None, value)
            return wire.decoder(case if isinstance(case, str) else chosen(case, value))(value)

        return convert


def _same(value: Any) -> Any:
    return value


def _encode_unknown(record: Any) -> dict[str, Any]:
    if not isinstance(record.data, dict):
        raise TypeError("this UnknownEvent holds text that is not a JSON object")
    return dict(record.data)


def _of_object(decoder: Converter) -> Converter:
    return lambda value: decoder(value) if isinstance(value, dict) else value


def _of_list(convert: Converter | None) -> Converter | None:
    if convert is None:
        return None
    return lambda value: [convert(item) for item in value] if isinstance(value, list) else value


def _of_map(convert: Converter | None) -> Converter | None:
    if convert is None:
        return None
    return lambda value: (
        {key: convert(item) for key, item in value.items()} if isinstance(value, dict) else value
    )


def _of_kinds(converters: list[Converter | None]) -> Converter | None:
    """A union with at most one object among its members: each converter takes what is of its JSON kind and leaves the
    rest as it is, so that the first that changes the value is the one."""
    kept = [converter for converter in converters if converter is not None]
    if not kept:
        return None

    def convert(value: Any) -> Any:
        for converter in kept:
            converted = converter(value)
            if converted is not value:
                return converted
        return value

    return convert


def _decoder(table: Table, converter: Callable[[Expression], Converter | None]) -> Converter:
    """A function from dict to record. The usual payload (all that is required, no null, nothing undeclared) is made by
    one call of the class; everything else goes field by field."""
    cls = table.cls
    general = _general_decoder(table, converter)
    constants = [(name, expr[1]) for name, expr in table.required.items() if _is_constant(expr)]
    names = [name for name, expr in table.required.items() if not _is_constant(expr)]
    if len(names) < 2:
        return general
    get = itemgetter(*names)
    conversions = [
        (index, convert)
        for index, name in enumerate(names)
        if (convert := converter(table.required[name])) is not None
    ]
    optional = [
        (name, table.renamed.get(name, name), converter(expr))
        for name, expr in table.optional.items()
    ]
    size = len(table.required)

    def decode(data: Any) -> Any:
        try:
            values = get(data)
        except KeyError:
            return general(data)
        for name, value in constants:
            if data.get(name) != value:
                return general(data)
        if None in values:
            return general(data)
        if conversions:
            values = list(values)
            for index, convert in conversions:
                values[index] = convert(values[index])
        record = cls(*values)
        count = len(data) - size
        if count:
            for name, attribute, convert_optional in optional:
                value = data.get(name)
                if value is not None:
                    setattr(
                        record, attribute, convert_optional(value) if convert_optional else value
                    )
                    count -= 1
            if count:
                return general(data)
        return record

    return decode


def _is_constant(expression: Expression) -> bool:
    return type(expression) is tuple and expression[0] == "const" and type(expression[1]) is str


def _general_decoder(
    table: Table, converter: Callable[[Expression], Converter | None]
) -> Converter:
    cls, renamed = table.cls, table.renamed
    fields = [
        (name, renamed.get(name, name), converter(expression), is_null(expression) and required)
        for group, required in ((table.required, True), (table.optional, False))
        for name, expression in group.items()
    ]
    declared = frozenset(name for name, *_ in fields)
    extra = converter(table.extra) if table.extra is not None else None

    def decode(data: Any) -> Any:
        record: Any = object.__new__(cls)
        marks: dict[str, Mark] = {}
        seen = 0
        for name, attribute, convert, null_by_default in fields:
            value = data.get(name, _MISSING)
            if value is _MISSING:
                value = None
                if null_by_default:
                    marks[attribute] = Mark.ABSENT
            else:
                seen += 1
                if value is None:
                    if not null_by_default:
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


def _encoder(table: Table, encode: Callable[[Any], dict[str, Any]]) -> Converter:
    """A function from record to dict, in the order of the table."""
    groups = {**table.required, **table.optional}
    names = tuple(groups)
    attributes = tuple(table.renamed.get(name, name) for name in names)
    nulls = tuple(
        (name, table.renamed.get(name, name))
        for name, expression in table.required.items()
        if is_null(expression)
    )
    nested = tuple(name for name, expression in groups.items() if not _is_scalar(inner(expression)))
    by_attribute = dict(zip(attributes, names))
    read: Callable[[Any], Any] = (
        attrgetter(*attributes) if len(attributes) > 1 else _reader(attributes)
    )

    def value_of(value: Any) -> Any:
        if isinstance(value, Record):
            return encode(value)
        if isinstance(value, list):
            return [value_of(item) for item in value]
        if isinstance(value, dict):
            return {key: value_of(item) for key, item in value.items()}
        return value

    def encode_record(record: Any) -> dict[str, Any]:
        result = {name: value for name, value in zip(names, read(record)) if value is not None}
        for name in nested:
            if name in result:
                result[name] = value_of(result[name])
        kept = record._wire
        marks = kept.marks if kept is not None else {}
        for name, attribute in nulls:
            if name not in result and marks.get(attribute) is not Mark.ABSENT:
                result[name] = None
        if kept is not None:
            for attribute, mark in marks.items():
                if mark is Mark.NULL:
                    result.setdefault(by_attribute[attribute], None)
            for name, value in kept.unknown.items():
                result[name] = value_of(value)
        return result

    return encode_record


def _reader(attributes: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    return lambda record: tuple(getattr(record, name) for name in attributes)


def _is_scalar(expression: Expression) -> bool:
    if type(expression) is str:
        return expression in _PRIMITIVES and expression != "any"
    return expression[0] in ("const", "enum", "open")
