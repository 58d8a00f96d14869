"""Uses the package as any interpreter has it: every vector is decoded, encoded, read or accumulated, and copies are made.

Run by itself, with the folder of the package and that of the vectors: reads both, prints counts as JSON. Never imports anything else than
the standard library and the package.
"""

from __future__ import annotations

import asyncio
import base64
import copy
import importlib
import json
import pickle
import sys
import typing
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any


def main(package: str, vectors: str) -> None:
    sys.path.insert(0, package)
    infos = {info.name: info for info in importlib.import_module("stream_events").STREAMS}
    counts = {"event": 0, "accumulate": 0, "stream": 0, "classes": 0}
    for operation, judge in (("event", event), ("accumulate", accumulate), ("stream", stream)):
        for path in sorted(Path(vectors).glob(f"*/{operation}/**/*.json")):
            tests = json.loads(path.read_text("utf-8"))
            info = infos[tests["stream"]]
            module = importlib.import_module(f"stream_events.{info.module}")
            for case in tests["cases"]:
                try:
                    judge(module, info, case["given"], case["expect"], case.get("options", {}))
                except Exception as error:
                    raise AssertionError(f"{path.name}: {case['id']}") from error
                counts[operation] += 1
    counts["classes"] = sum(hints(info.module) for info in infos.values())
    print(json.dumps(counts))


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same, 1 and 1.0 not being so."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def event(module: Any, info: Any, given: Any, expect: Any, options: Any) -> None:
    decode = module.decode_client if info.direction == "client" else module.decode
    if "error" in expect:
        try:
            decode(given["text"])
        except module.DecodeError:
            return
        raise AssertionError("taken, and an error is expected")
    found = decode(given["text"])
    if isinstance(found, module.UnknownEvent):
        assert not expect["known"]
        return
    payload = json.loads(expect["payload"])
    for each in (found, copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert same(module.encode(each), payload), module.encode(each)
        assert each == found and repr(each)
    assert sorted(module.missing(found)) == sorted(expect["missing"])
    assert len(module.problems(found)) == len(expect["problems"])


def accumulate(module: Any, info: Any, given: Any, expect: Any, options: Any) -> None:
    accumulator = module.Accumulator(options.get("dialect"))
    for payload in given["events"]:
        accumulator.add(module.decode(payload))
    if "resumed" in given:
        accumulator.resume(options.get("starting_after"))
        for payload in given["resumed"]:
            accumulator.add(module.decode(payload))
    accumulator.end()
    finished(module, accumulator, expect)


def stream(module: Any, info: Any, given: Any, expect: Any, options: Any) -> None:
    text = given.get("text")
    body = base64.b64decode(given["base64"]) if text is None else text.encode("utf-8")
    chunks = [body[at : at + 7] for at in range(0, len(body), 7)]
    dialect = options.get("dialect")
    reader = module.read(chunks, dialect)
    accumulator = module.Accumulator(dialect)
    accumulator.add_all(reader)
    finished(module, accumulator, expect)
    assert reader.outcome == expect.get("outcome", reader.outcome)
    later = asyncio.run(all_of(module.aread(pieces(chunks), dialect)), debug=False)
    assert later == list(module.read(chunks, dialect))


def finished(module: Any, accumulator: Any, expect: Any) -> None:
    if expect.get("final") is not None:
        assert same(module.encode(accumulator.final), expect["final"]), accumulator.final
    if "text" in expect and hasattr(accumulator, "text"):
        assert accumulator.text() == expect["text"]


async def pieces(chunks: list[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


async def all_of(reader: Any) -> list[Any]:
    return [event async for event in reader]


def hints(name: str) -> int:
    """The number of event classes whose annotations this interpreter evaluates, each with its match arguments."""
    module = importlib.import_module(f"stream_events.{name}")
    wire = (getattr(module, "SERVER", None) or module.CLIENT).wire
    classes = {table.cls for table in (*wire.tables.values(), *wire.loaded.tables.values())}
    assert all(set(typing.get_type_hints(cls)) >= set(cls.__match_args__) for cls in classes)
    return len(classes)


if __name__ == "__main__":
    main(*sys.argv[1:])
