"""Payloads to records and back, driven by the tables that stand next to the generated classes.

Reads dicts as `json.loads` gives them and tables; returns records and dicts. Never raises on what a server sent, never
changes what it was handed, and looks at no class beyond its table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property
from typing import Any

from .decoders import Converter, record_decoder
from .encoders import copied, record_encoder
from .errors import StreamError
from .records import UnknownEvent, UnknownObject
from .tables import (
    PRIMITIVES,
    Choice as Choice,
    Expression as Expression,
    Payloads as Payloads,
    Shape as Shape,
    Table as Table,
    candidates,
    chosen,
    inner,
)
from .written import Pairs as Pairs, Rest, Written


class Wire:
    """Decoders and encoders of the classes of one package, each made when first used.

    tables    the tables of event classes
    payloads  gives the tables of payload classes; called when the first payload is met, not before
    pairs     gives what makes written-out decoders and encoders, by class; called when the first is needed
    """

    def __init__(
        self,
        tables: dict[str, Table],
        payloads: Callable[[], Payloads],
        pairs: Callable[[], Pairs] = dict,
    ) -> None:
        self.tables = dict(tables)
        self._payloads = payloads
        self._given_pairs = pairs
        self._loaded: Payloads | None = None
        self._decoders: dict[tuple[str, str], Converter] = {}
        self._encoders: dict[type[Any], Callable[[Any], dict[str, Any]]] = {}
        self._pairs: dict[str, Written] = {}

    @cached_property
    def pairs(self) -> Pairs:
        """What makes written-out functions, by class; importing their module if need be."""
        return self._given_pairs()

    @property
    def loaded(self) -> Payloads:
        """The payload tables; importing their module if need be."""
        if self._loaded is None:
            self._loaded = self._payloads()
            self.share(self._loaded)
        return self._loaded

    def share(self, payloads: Payloads) -> None:
        """Give the modules of event classes the names of payloads, so that typing.get_type_hints can evaluate annotations."""
        given = vars(sys.modules[payloads.module]) if payloads.module else {}
        for module in {table.cls.__module__ for table in self.tables.values()}:
            for name in {*payloads.tables, *payloads.choices, *payloads.aliases} & given.keys():
                vars(sys.modules[module]).setdefault(name, given[name])

    def names(self, name: str) -> bool:
        """Whether a payload class, a union or an alias has this name."""
        loaded = self.loaded
        return name in loaded.tables or name in loaded.choices or name in loaded.aliases

    def table(self, name: str) -> Table | None:
        """The table of a class by name; None for anything else."""
        return self.tables.get(name) or self.loaded.tables.get(name)

    def decoder(self, name: str, tag: str = "", value: str = "") -> Converter:
        """The function that makes the class called `name` of a dict; `tag` is a property that the caller has found to be
        `value`, so that nobody compares it twice."""
        table = self.table(name)
        if table is None:
            raise KeyError(name)
        if name in self.pairs:
            return self._pair(name, table)[0]
        known = tag if tag and table.required.get(tag) == ("const", value) else ""
        if (name, known) not in self._decoders:
            self._decoders[name, known] = record_decoder(table, self._converter, known)
        return self._decoders[name, known]

    def _pair(self, name: str, table: Table) -> Written:
        """The written-out functions of a class."""
        if name not in self._pairs:
            rest = Rest(
                table,
                record_decoder(table, self._converter),
                record_encoder(table, self.encode),
                lambda value: copied(value, self.encode),
                self._converter,
            )
            self._pairs[name] = self.pairs[name](rest)
        return self._pairs[name]

    def encode(self, record: Any) -> dict[str, Any]:
        """The JSON object that a record stands for; a fresh dict, unchanged by later changes of the record."""
        try:
            encoder = self._encoders[type(record)]
        except KeyError:
            encoder = self._encoders[type(record)] = self._encoder(type(record))
        return encoder(record)

    def _encoder(self, cls: type[Any]) -> Callable[[Any], dict[str, Any]]:
        if cls is UnknownEvent or cls is UnknownObject:
            return self._encode_unknown
        table = self.table(cls.__name__)
        if table is None or table.cls is not cls:
            raise TypeError(f"{cls.__name__} is not a class of this package")
        name = cls.__name__
        return (
            self._pair(name, table)[1] if name in self.pairs else record_encoder(table, self.encode)
        )

    def _encode_unknown(self, record: Any) -> dict[str, Any]:
        if not isinstance(record.data, dict):
            raise StreamError("this UnknownEvent holds data that is not a JSON object: see .data")
        data: dict[str, Any] = copied(record.data, self.encode)
        return data

    def missing(self, record: Any) -> list[str]:
        """The names of required properties that the payload did not have."""
        if isinstance(record, (UnknownEvent, UnknownObject)):
            return []
        present = self.encode(record)
        table = self.table(type(record).__name__)
        assert table is not None  # or it could not have been encoded
        return [name for name in table.required if name not in present]

    def _converter(self, expression: Expression) -> Converter | None:
        """What makes records of a value; None where the value stays as it is."""
        expression = inner(expression)
        if type(expression) is str:
            return None if expression in PRIMITIVES else self._reference(expression)
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
        tag_name = choice.tag
        otherwise = _of_kinds([self._converter(each) for each in choice.others]) or _same
        by_tag: dict[str, Converter] = {}

        def convert(value: Any) -> Any:
            if not isinstance(value, dict):
                return otherwise(value)
            tag: Any = value.get(tag_name)
            decoder = by_tag.get(tag) if isinstance(tag, str) else None
            if decoder is not None:
                return decoder(value)
            case = candidates(choice, value)
            if not case:
                return UnknownObject(tag if isinstance(tag, str) else None, value)
            if isinstance(case, str):
                decoder = by_tag[tag] = self.decoder(case, tag_name, tag)
                return decoder(value)
            return self.decoder(chosen(case, value))(value)

        return convert


def _same(value: Any) -> Any:
    return value


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
