"""What stands in a tree or comes out of `encode` shares no list and no dict with an event, also where an event has one in the place of
a text or a number.

Puts a list into the place of each scalar of some streams, one at a time, and changes the events' lists and dicts after they were added:
what the accumulator says must be what it says of events that nobody changes.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from stream_events import chat, messages, responses
from tests.serving import ROOT

FILES = {"responses": "responses/items", "chat": "chat/tools", "messages": "messages/blocks"}
MODULES: dict[str, ModuleType] = {"responses": responses, "chat": chat, "messages": messages}


def streams(name: str) -> list[list[Any]]:
    """Payloads of the streams of a file of vectors."""
    path = ROOT / "generated" / "vectors" / "v1" / "accumulate" / f"{FILES[name]}.json"
    return [each["given"]["events"] for each in json.loads(path.read_text())["cases"]]


def spoilt(payload: Any) -> Iterator[Any]:
    """The payload with a list in the place of one of its scalars, for each of them but its tag."""
    holders = [payload]
    for holder in holders:
        for place, value in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
            if isinstance(value, (dict, list)):
                holders.append(value)
            elif place not in ("type", "object"):  # these tell the class
                holder[place] = [{"x": [1]}]
                yield copy.deepcopy(payload)
                holder[place] = value


def change(value: Any) -> None:
    """Change every list and every dict in a record or a JSON value."""
    waiting, seen = [value], set()
    while waiting:
        each = waiting.pop()
        if each is None or isinstance(each, (str, int, float, bool)) or id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, dict):
            waiting += each.values()
            each["changed"] = True
        elif isinstance(each, list):
            waiting += each
            each.append("changed")
        elif hasattr(each, "__dataclass_fields__"):
            waiting += [getattr(each, name) for name in each.__dataclass_fields__]
            waiting += each._wire.unknown.values() if each._wire is not None else ()
        elif hasattr(each, "data"):
            waiting.append(each.data)


def final(module: ModuleType, payloads: list[Any], then: Any) -> str:
    """What the accumulator has of payloads; `then` is called with each event after it was added."""
    accumulator = module.Accumulator()
    for payload in payloads:
        event = module.decode(copy.deepcopy(payload))
        accumulator.add(event)
        then(event)
    accumulator.end()
    found = getattr(
        accumulator,
        {"responses": "response", "chat": "completion"}.get(
            module.__name__.rpartition(".")[2], "message"
        ),
    )
    text = json.dumps(module.encode(found) if found is not None else None)
    return text + repr([(each.kind, each.path) for each in accumulator.problems])


@pytest.mark.parametrize("name", FILES)
def test_changed_events_do_not_change_the_tree(name: str) -> None:
    module, wrong = MODULES[name], []
    for payloads in streams(name):
        for at, payload in enumerate(payloads):
            for other in [payload, *spoilt(payload)]:
                given = [*payloads[:at], other, *payloads[at + 1 :]]
                if final(module, given, change) != final(module, given, lambda event: None):
                    wrong.append(other)
    assert not wrong, (len(wrong), wrong[:3])


@pytest.mark.parametrize("name", FILES)
def test_what_encode_gives_is_fresh(name: str) -> None:
    module, wrong = MODULES[name], []
    for payload in [payload for payloads in streams(name) for payload in payloads]:
        for other in [payload, *spoilt(payload)]:
            event = module.decode(copy.deepcopy(other))
            change(module.encode(event))
            if module.encode(event) != other:
                wrong.append(other)
    assert not wrong, (len(wrong), wrong[:3])
