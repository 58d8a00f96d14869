"""Tables that the specification does not have today and may have tomorrow.

Reads the runtime as it stands in templates/; the tables, the classes and the payloads are written here. What is valid is a
matter of JSON Schema 2020-12: 1.0 is the integer 1, true is no number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from templates.runtime.check import check_record
from templates.runtime.records import Kept, Record
from templates.runtime.wire import Choice, Payloads, Table, Wire


@dataclass(init=False, repr=False, eq=False)
class Outer(Record):
    __slots__ = ("from_", "level", "inner")
    from_: Any
    level: Any
    inner: Any

    def __init__(
        self, from_: Any, level: Any = None, inner: Any = None, _wire: Kept | None = None
    ) -> None:
        self.from_ = from_
        self.level = level
        self.inner = inner
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class Inner(Record):
    __slots__ = ("value", "kind")
    value: Any
    kind: Any

    def __init__(self, value: Any, kind: Any = "first", _wire: Kept | None = None) -> None:
        self.value = value
        self.kind = kind
        self._wire = _wire


WIRE = Wire(
    {
        "Outer": Table(
            Outer,
            {"from": "str"},
            {"level": ("enum", 1, 2), "in-ner": "Inside"},
            {"from": "from_", "in-ner": "inner"},
            ("list", "Inside"),
        )
    },
    lambda: Payloads(
        {"Inner": Table(Inner, {"value": ("null", "int"), "kind": ("const", "first")})},
        {"Inside": Choice("kind", {"first": "Inner", "other": "Inner"}, (), ("str",))},
        {},
    ),
)


def decoded(payload: dict[str, Any]) -> Any:
    """The record, decoded twice: the second time the set of keys is known."""
    decode = WIRE.decoder("Outer")
    first, second = decode(payload), decode(payload)
    assert first == second and WIRE.encode(first) == WIRE.encode(second) == payload
    return second


def test_names_on_the_wire_and_attributes_may_differ() -> None:
    record = decoded({"from": "a", "in-ner": {"kind": "first", "value": None}})
    assert (record.from_, record.inner.value) == ("a", None)
    record = decoded({"from": None, "in-ner": None})
    assert (record.from_, record.inner) == (None, None)
    record.inner = Inner(3)
    assert WIRE.encode(record)["in-ner"] == {"value": 3, "kind": "first"}


def test_a_tag_that_the_discriminator_maps_to_a_class_with_another_constant_is_kept() -> None:
    record = decoded({"from": "a", "in-ner": {"kind": "other", "value": 1}})
    assert (type(record.inner), record.inner.kind) == (Inner, "other")
    assert [str(each) for each in check_record(WIRE, record)] == [
        ".in-ner.kind: expected 'first', got 'other'"
    ]


def test_undeclared_properties_have_the_type_that_the_schema_gives_them() -> None:
    record = decoded({"from": "a", "x": [{"kind": "first", "value": 1}, "text"], "y": 3})
    assert type(record._wire.unknown["x"][0]) is Inner
    assert [str(each) for each in check_record(WIRE, record)] == [".y: expected array, got 3"]


@pytest.mark.parametrize(
    "level, valid", [(1, True), (2.0, True), (True, False), (3, False), ("1", False)]
)
def test_numbers_in_an_enum(level: Any, valid: bool) -> None:
    assert (check_record(WIRE, decoded({"from": "a", "level": level})) == []) is valid


def test_a_dict_with_as_many_keys_but_others_is_not_mistaken() -> None:
    decoded({"from": "a", "level": 1})
    for payload in ({"from": "a", "x": [1]}, {"level": 1, "in-ner": "a"}, {"x": [1], "y": []}):
        decoded(payload)
