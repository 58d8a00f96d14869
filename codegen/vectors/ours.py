"""The generated package as an implementation that vectors can judge.

Reads messages of the runner protocol; answers with what `stream_events` makes of them. Never sees what is expected.

    python -m codegen.vectors.ours
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, TypeAlias

from codegen import VERSION
from codegen.catalogue import from_json
from codegen.diff import diff
from codegen.installed import own

Json: TypeAlias = dict[str, Any]

GENERATED = own("generated")
ASSERTS = (
    *("events", "last_event_id", "retry", "tag", "known", "missing", "payload", "paths", "tags"),
    *("final", "predecessors", "beside", "cursor", "failure", "text", "problems", "outcome"),
    *("lanes", "undecodable", "changes"),
)


def answer(message: Json) -> Json | None:
    """The answer to a message of the protocol; None for the last one."""
    if message["do"] == "start":
        return _claims()
    if message["do"] == "stop":
        return None
    try:
        found = output(
            message["operation"],
            message.get("stream", ""),
            message["given"],
            message.get("options", {}),
        )
    except Exception as error:  # whatever it is, the runner tells it
        return {
            "seq": message["seq"],
            "result": "error",
            "error": ERRORS.get(type(error).__name__, type(error).__name__),
            "message": str(error),
        }
    return {"seq": message["seq"], "result": "ok", "output": found}


ERRORS = {"DecodeError": "decode", "StreamError": "limit"}


def output(operation: str, stream: str, given: Json, options: Json) -> Json:
    """What the package makes of a case's input. Raises what the package raises."""
    return OPERATIONS[operation](stream, given, options)


def chunks_of(given: Json) -> list[bytes]:
    """The pieces of a body: those of the protocol, or the body of a file's case, cut as it says."""
    if "text" not in given and "base64" not in given:
        return [base64.b64decode(chunk) for chunk in given["chunks"]]
    body = base64.b64decode(given["base64"]) if "base64" in given else given["text"].encode("utf-8")
    ends = [0]
    for length in given.get("chunks", ()):
        ends.append(ends[-1] + length)
    return [body[start:end] for start, end in zip(ends, [*ends[1:], len(body)])]


def _sse(stream: str, given: Json, options: Json) -> Json:
    sse = import_module("stream_events.sse")
    decoder = sse.SSEDecoder(**options)
    events = [event for chunk in chunks_of(given) for event in decoder.feed(chunk)]
    events += decoder.close()
    found = []
    for event in events:
        shown = {"event": event.event, "data": event.data}
        shown |= {"id": event.id} if event.id else {}
        found.append(shown | ({"incomplete": True} if event.incomplete else {}))
    retry = {} if decoder.retry is None else {"retry": decoder.retry}
    return {"events": found, "last_event_id": decoder.last_event_id, **retry}


def _event(stream: str, given: Json, options: Json) -> Json:
    module, info = _module(stream)
    client = info.direction == "client"
    event = (module.decode_client if client else module.decode)(given["text"])
    known = not isinstance(event, module.UnknownEvent)
    return {
        "tag": tag_of(event, module.CLIENT if client else module.SERVER),
        "known": known,
        "missing": module.missing(event),
        "problems": [
            {"kind": each.kind, "level": each.level, "path": each.path}
            for each in module.problems(event)
        ],
        "payload": json.dumps(module.encode(event) if known else event.data),
    }


def _accumulate(stream: str, given: Json, options: Json) -> Json:
    module, _ = _module(stream)
    accumulator = module.Accumulator(options.get("dialect"))
    for payload in given["events"]:
        accumulator.add(module.decode(payload))
    if "resumed" in given:
        accumulator.resume(options.get("starting_after"))
        for payload in given["resumed"]:
            accumulator.add(module.decode(payload))
    accumulator.end()
    cursor = {"cursor": accumulator.last_sequence_number} if "resumed" in given else {}
    return {**state_of(accumulator, module), **cursor}


def _stream(stream: str, given: Json, options: Json) -> Json:
    module, _ = _module(stream)
    dialect = options.get("dialect")
    tags = [tag_of(event, module.SERVER) for event in module.read(chunks_of(given), dialect)]
    accumulator = module.Accumulator(dialect)
    reader = module.read(chunks_of(given), dialect)
    accumulator.add_all(reader)
    return {"tags": tags, "outcome": reader.outcome, **state_of(accumulator, module)}


def _websocket(stream: str, given: Json, options: Json) -> Json:
    module, _ = _module(stream)
    lanes = module.Lanes(options.get("dialect"))
    tags: dict[str | None, list[str | None]] = {}
    undecodable = 0
    for message in given["messages"]:
        try:
            lane, event = lanes.add(message)
        except module.DecodeError:
            undecodable += 1
            continue
        tags.setdefault(lane, []).append(tag_of(event, module.SERVER))
    lanes.close()
    found = [
        {"lane": lane, "tags": tags[lane], **state_of(lanes[lane], module)} for lane in lanes.lanes
    ]
    return {"lanes": found, **({"undecodable": undecodable} if undecodable else {})}


def _diff(stream: str, given: Json, options: Json) -> Json:
    changes = diff(from_json(given["old"]), from_json(given["new"]))
    return {
        "changes": [
            {
                "kind": change.kind,
                "level": change.level,
                "subject": change.subject,
                "events": [f"{reach.stream} {reach.tag}" for reach in change.events],
            }
            for change in changes
        ]
    }


OPERATIONS: dict[str, Callable[[str, Json, Json], Json]] = {
    "sse": _sse,
    "event": _event,
    "accumulate": _accumulate,
    "stream": _stream,
    "websocket": _websocket,
    "diff": _diff,
}


def state_of(accumulator: Any, module: Any) -> Json:
    """What an accumulator can tell; what is not there is left out."""
    found: Json = {"text": accumulator.text()}
    try:
        found["final"] = module.encode(accumulator.final)
    except module.StreamError:
        pass
    if accumulator.predecessors:
        found["predecessors"] = [module.encode(each) for each in accumulator.predecessors]
    beside = {name: accumulator.beside(name) for name in _beside_names(accumulator)}
    beside = {name: value for name, value in beside.items() if value is not None}
    error = accumulator.error
    if beside:
        found["beside"] = beside
    if error is not None:
        found["failure"] = {"message": error.message, "code": error.code}
        more = {"type": error.type, "param": error.param, "status": error.status}
        found["failure"] |= {name: value for name, value in more.items() if value is not None}
    found["problems"] = [{"kind": each.kind, "level": each.level} for each in accumulator.problems]
    return found


def tag_of(event: Any, stream: Any) -> str | None:
    """The tag of an event on the wire; that of its class where the wire has none."""
    if type(event).__name__ == "UnknownEvent":
        tag: str | None = event.tag
        return tag
    value = getattr(event, stream.tag, None)
    if isinstance(value, str) and value in stream.events:
        return value
    return next((tag for tag, cls in stream.events.items() if cls is type(event)), None)


def _beside_names(accumulator: Any) -> list[str]:
    """What the stream's rules keep beside the snapshot, save what they parse into it in the end."""
    rules = [rule for rules in accumulator.PLAN.rules.values() for rule in rules]
    parsed = {name for rule in rules if rule.verb == "parse" for name in rule.source}
    names = {rule.path[0] for rule in rules if rule.path and isinstance(rule.path[0], str)}
    return sorted(name[1:] for name in names - parsed if name.startswith("@"))


def _module(stream: str) -> tuple[Any, Any]:
    infos = {info.name: info for info in import_module("stream_events").STREAMS}
    return import_module(f"stream_events.{infos[stream].module}"), infos[stream]


def _claims() -> Json:
    streams = import_module("stream_events").STREAMS
    dialects = set()
    for info in streams:
        if info.direction == "server":
            module = import_module(f"stream_events.{info.module}")
            dialects |= set(module.Accumulator.PLAN.departures().dialects)
    return {
        "implementation": "stream_events",
        "version": VERSION,
        "language": "Python",
        "operations": list(OPERATIONS),
        "streams": [info.name for info in streams],
        "dialects": sorted(dialects),
        "asserts": list(ASSERTS),
    }


def main(lines: Iterable[str]) -> int:
    """Answer line by line, until told to stop or until there are no more."""
    sys.path.insert(0, str(GENERATED))
    for line in lines:
        reply = answer(json.loads(line))
        if reply is None:
            break
        print(json.dumps(reply), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.stdin))
