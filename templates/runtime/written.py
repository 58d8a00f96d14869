"""What the written-out decoders and encoders of a package are given, and what they leave to the tables.

Reads tables; returns the pair of functions of a class. A pair does what the table's own functions do, in half the time, for
objects with declared properties alone; it hands everything else over to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .records import Kept, Mark
from .tables import Expression, Table, is_constant, is_null

Converter = Callable[[Any], Any]
Encode = Callable[[Any], dict[str, Any]]
Written = tuple[Converter, Encode]
"""A decoder and an encoder."""
Pairs = Mapping[str, Callable[["Rest"], Written]]
"""Name of a class → what gives its written-out functions."""


class Nulls(dict[int, Kept]):
    """What is kept beside the fields where some of `names` are null, by the sum of their bits; made when first met, and
    shared, as nobody changes it."""

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def __missing__(self, bits: int) -> Kept:
        nulls = [name for at, name in enumerate(self._names) if bits >> at & 1]
        kept = self[bits] = Kept({}, dict.fromkeys(nulls, Mark.NULL))
        return kept


class Rest:
    """For one class: its constants, what converts its fields, and the functions for what is not plain.

    decode, encode  the functions of the table
    copy            a value with lists and dicts of its own
    nulls           what is kept where optional properties are null
    """

    def __init__(
        self,
        table: Table,
        decode: Converter,
        encode: Encode,
        copy: Converter,
        converters: Callable[[Expression], Converter | None],
    ) -> None:
        self.cls = table.cls
        self.decode = decode
        self.encode = encode
        self.copy = copy
        self.constants = {
            name: expression[1]
            for name, expression in table.required.items()
            if is_constant(expression)
        }
        self.nulls = Nulls(
            [
                table.renamed.get(name, name)
                for name, expression in table.optional.items()
                if is_null(expression)
            ]
        )
        self._fields = {**table.required, **table.optional}
        self._converters = converters

    def converter(self, name: str) -> Converter:
        """What makes records of the objects in the value of a property."""
        return self._converters(self._fields[name]) or _same


def _same(value: Any) -> Any:
    return value
