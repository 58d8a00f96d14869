"""What every reading of a broken stream has to stand.

Reads bodies and payloads from `tests.mangling`; asks the package everything that can be asked. Raises whatever the package
raises beyond its two exceptions, and never judges what it answers.
"""

from __future__ import annotations

import json
import random
from types import ModuleType
from typing import Any

from stream_events import beta_responses, chat, completions, images, messages, responses
from stream_events.beta_responses import websocket as beta_websocket
from stream_events.responses import websocket

SSE: dict[str, ModuleType] = {
    "responses": responses,
    "beta_responses": beta_responses,
    "chat": chat,
    "completions": completions,
    "messages": messages,
}
WEBSOCKET: dict[str, ModuleType] = {"responses": websocket, "beta_responses": beta_websocket}
READERS = [module for module in [*SSE.values(), images] if hasattr(module, "read")]


def module_for(api: str, chance: random.Random) -> ModuleType:
    """A subpackage that reads the recordings of an API: its own, or now and then one that expects something else."""
    others = {"responses": beta_responses, "chat": completions}
    return others[api] if api in others and chance.randrange(3) == 0 else SSE[api]


def stand(module: ModuleType, body: bytes, chance: random.Random) -> None:
    """Read a body in random pieces and ask for everything; raises only what the package should not raise."""
    size = chance.choice((1, 7, 64, 4096, len(body) or 1)) if len(body) < 3000 else 4096
    reader = module.read(body[at : at + size] for at in range(0, len(body), size))
    accumulator = module.Accumulator()
    try:
        for number, event in enumerate(reader):
            accumulator.add(event)
            if chance.randrange(8) == 0:
                questioned(module, event)
                asked(accumulator)
        accumulator.add_all(reader)
    except module.StreamError:
        return
    assert reader.outcome in ("complete", "truncated", "error")
    asked(accumulator)


def stand_payloads(module: ModuleType, payloads: list[Any], chance: random.Random) -> None:
    """Decode payloads one by one into one accumulator, resuming now and then."""
    accumulator = module.Accumulator()
    for payload in payloads:
        try:
            event = module.decode(payload)
        except module.DecodeError:
            continue
        if chance.randrange(40) == 0:
            accumulator.resume(chance.choice((None, 0, 5)))
        accumulator.add(event)
        if chance.randrange(10) == 0:
            questioned(module, event)
            asked(accumulator)
    accumulator.end()
    asked(accumulator)


def stand_lanes(module: ModuleType, payloads: list[Any], chance: random.Random) -> None:
    """Payloads as the text messages of a WebSocket, in random lanes, some of them no lane at all."""
    lanes = module.Lanes()
    for payload in payloads:
        if isinstance(payload, dict):
            payload = {**payload, "stream_id": chance.choice(("a", "b", None, 3, ["a"], {}))}
        try:
            lanes.add(json.dumps(payload))
            module.decode_client(json.dumps(payload))
        except module.DecodeError:
            continue
    lanes.close()
    for lane in lanes.lanes:
        asked(lanes[lane])


def questioned(module: ModuleType, event: Any) -> None:
    """Everything that can be asked of one event."""
    if not isinstance(event, module.UnknownEvent) or isinstance(event.data, dict):
        module.encode(event)  # text that is no JSON object has nothing to be encoded as
    module.problems(event)
    module.missing(event)
    repr(event)
    assert event == event


def asked(accumulator: Any) -> None:
    """Everything that can be asked of an accumulator."""
    for name in dir(type(accumulator)):
        if name.startswith("_") or name in (
            "PLAN",
            "add",
            "add_all",
            "end",
            "resume",
            "parsed",
            "parsed_arguments",
        ):
            continue
        try:
            found = getattr(accumulator, name)
            if callable(found):
                for keys in ((), (0,), (0, 0), (-1,), (9, 9)):
                    found(*keys) if name != "beside" else found("partial_images")
        except STREAM_ERROR:
            pass
    for parse in ("parsed", "parsed_arguments"):
        if hasattr(accumulator, parse):
            try:
                getattr(accumulator, parse)(with_=str)
            except STREAM_ERROR:
                pass


STREAM_ERROR = responses.StreamError
