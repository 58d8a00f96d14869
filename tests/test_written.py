"""That the written-out decoders and encoders do what the tables' own functions do, whatever the payload is.

Reads the tables of the package; expected is what the same tables give where nothing is written out. Never names a class.
"""

from __future__ import annotations

import copy
import dataclasses
import pickle
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stream_events._runtime.records import Record
from stream_events._runtime.tables import Table, inner, is_null
from stream_events._runtime.wire import Wire
from stream_events.beta_responses.events import WIRE as BETA
from stream_events.chat.events import WIRE as CHAT
from stream_events.completions.events import WIRE as COMPLETIONS
from stream_events.messages.events import WIRE as MESSAGES
from stream_events.responses.events import WIRE as RESPONSES

WIRES = {
    "beta": BETA,
    "chat": CHAT,
    "completions": COMPLETIONS,
    "messages": MESSAGES,
    "responses": RESPONSES,
}
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, 1.0, -0.0, "", "x", [], {}, [None], [[]], [{}], {"type": "x"}, {"index": 1.0}, "\ud800", 2**70,
)  # fmt: skip


def by_tables(wire: Wire) -> Wire:
    """The same wire without anything written out."""
    return Wire(wire.tables, lambda: wire.loaded)


PAIRS = [
    (wire, by_tables(wire), table)
    for wire in WIRES.values()
    for name in wire.pairs
    if (table := wire.table(name)) is not None
]


def made(wire: Wire, expression: Any, chance: random.Random, depth: int = 0) -> Any:
    """A value of a type, or now and then another one."""
    if chance.random() < 0.06 or depth > 4:
        return copy.deepcopy(chance.choice(ODD))
    if is_null(expression) and chance.random() < 0.3:
        return None
    expression = inner(expression)
    if isinstance(expression, str):
        return named(wire, expression, chance, depth)
    word, *rest = expression
    if word == "list":
        return [made(wire, rest[0], chance, depth + 1) for _ in range(chance.randrange(3))]
    if word == "map":
        return {
            name: made(wire, rest[0], chance, depth + 1) for name in "ab"[: chance.randrange(3)]
        }
    value = chance.choice(rest)
    return made(wire, value, chance, depth + 1) if word == "union" else value


def named(wire: Wire, name: str, chance: random.Random, depth: int) -> Any:
    plain = {"str": "ab", "int": 1, "float": 0.5, "bool": True, "any": chance.choice(ODD)}
    if name in plain:
        return copy.deepcopy(plain[name])
    if name in wire.loaded.aliases:
        return made(wire, wire.loaded.aliases[name], chance, depth + 1)
    if name in wire.loaded.choices:
        choice = wire.loaded.choices[name]
        tag, case = chance.choice([*choice.cases.items(), ("new", ())])
        name = case if isinstance(case, str) else case[0].model if case else ""
        return {**(payload(wire, name, chance, depth + 1) if name else {}), choice.tag: tag}
    return payload(wire, name, chance, depth + 1)


def payload(wire: Wire, name: str, chance: random.Random, depth: int = 0) -> dict[str, Any]:
    """An object of a class: with what is declared or without, in any order, sometimes with more."""
    table = wire.table(name)
    assert table is not None
    share = chance.choice((0.2, 0.9))
    fields = {key: each for key, each in table.required.items() if chance.random() < 0.95}
    fields |= {key: each for key, each in table.optional.items() if chance.random() < share}
    found = [(key, made(wire, each, chance, depth)) for key, each in fields.items()]
    if chance.random() < 0.2:
        found.append((chance.choice(("new", "_wire", "type", "index")), chance.choice(ODD)))
    chance.shuffle(found)
    return dict(copy.deepcopy(found))


def told(value: Any) -> Any:
    """A value in a form in which 1, 1.0 and true differ, and absent and null; the order of names does not count."""
    if isinstance(value, dict):
        return {name: told(each) for name, each in value.items()}
    if isinstance(value, list):
        return [told(each) for each in value]
    if isinstance(value, Record):
        fields = {name: told(getattr(value, name)) for name in value.__slots__}
        return type(value).__name__, fields, value._wire and (told(value._wire[0]), value._wire[1])
    return type(value).__name__, repr(value)


def containers(value: Any) -> set[int]:
    """The identities of the lists and dicts in a value."""
    if isinstance(value, Record):
        parts = [getattr(value, name) for name in value.__slots__]
        parts += value._wire.unknown.values() if value._wire is not None else []
        return set().union(*map(containers, parts))
    if not isinstance(value, (list, dict)):
        return set()
    parts = list(value.values()) if isinstance(value, dict) else value
    return {id(value)}.union(*map(containers, parts))


@settings(max_examples=1500, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 2**32).map(random.Random))
def test_a_written_pair_does_what_the_table_says(chance: random.Random) -> None:
    wire, tables, table = chance.choice(PAIRS)
    name = table.cls.__name__
    given_ = payload(wire, name, chance)
    was = told(given_)
    event, other = wire.decoder(name)(given_), tables.decoder(name)(given_)
    assert told(given_) == was
    assert told(event) == told(other) and event == other
    assert told(wire.encode(event)) == told(tables.encode(other)) == was
    assert wire.missing(event) == tables.missing(other)
    assert containers(event).isdisjoint(containers(wire.encode(event)))
    for copied in (pickle.loads(pickle.dumps(event)), copy.deepcopy(event), copy.copy(event)):
        assert told(copied) == told(event)
    changes = {attribute: chance.choice(ODD) for attribute in chance.sample(event.__slots__, 1)}
    changed, expected = dataclasses.replace(event, **changes), dataclasses.replace(other, **changes)
    assert told(wire.encode(changed)) == told(tables.encode(expected))
    for attribute, value in changes.items():
        setattr(event, attribute, value)
    assert told(wire.encode(event)) == told(wire.encode(changed))
    assert containers(event).isdisjoint(containers(wire.encode(event)))


@pytest.mark.parametrize("package", WIRES)
def test_something_is_written_out(package: str) -> None:
    assert any(wire is WIRES[package] for wire, _, _ in PAIRS)
