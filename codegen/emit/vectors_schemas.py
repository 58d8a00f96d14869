"""JSON Schemas (2020-12) of the vector files, one per operation, and of the messages between a runner and what it runs.

Reads nothing; returns schemas by name. Every object is closed. Never says what a case means: the README does.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from codegen.emit.render import MARK

Schema: TypeAlias = dict[str, Any]

TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "boolean"}
ANY: Schema = {}
OBJECT: Schema = {"type": "object"}
LEVEL: Schema = {"enum": ["error", "warning", "info"]}
OPERATIONS = ("sse", "event", "accumulate", "stream", "websocket", "diff")
FORMAT: Schema = {"const": "stream-events-vectors/1"}
ASSERTS = (
    "events",
    "last_event_id",
    "retry",
    "tag",
    "known",
    "tags",
    "final",
    "predecessors",
    "beside",
    "cursor",
    "failure",
    "text",
    "problems",
    "outcome",
    "missing",
    "payload",
    "lanes",
    "undecodable",
    "changes",
    "paths",
)
BLURS = ("numbers", "nulls")


def closed(required: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    """An object with these properties and no other."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def listed(item: Schema, least: int = 0) -> Schema:
    """A list of such values."""
    return (
        {"type": "array", "items": item, "minItems": least}
        if least
        else {"type": "array", "items": item}
    )


def nullable(schema: Schema) -> Schema:
    """Such a value, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def problem(*more: str) -> Schema:
    """A problem by kind and level, with further texts."""
    return closed({"kind": TEXT, "level": LEVEL, **{name: TEXT for name in more}})


BYTES: Schema = {
    "oneOf": [
        closed({"text": TEXT}, {"chunks": listed(COUNT, 1)}),
        closed({"base64": TEXT}, {"chunks": listed(COUNT, 1)}),
    ]
}
STATE: dict[str, Schema] = {
    "final": OBJECT,
    "text": TEXT,
    "predecessors": listed(OBJECT, 1),
    "beside": OBJECT,
    "cursor": nullable({"type": "integer"}),
    "failure": closed(
        {"message": TEXT, "code": nullable({"anyOf": [TEXT, {"type": "integer"}]})},
        {"type": nullable(TEXT), "param": nullable(TEXT), "status": nullable({"type": "integer"})},
    ),
}
SSE_EVENT = closed({"event": TEXT, "data": TEXT}, {"id": TEXT, "incomplete": {"const": True}})
LANE = closed(
    {"lane": nullable(TEXT), "tags": listed(nullable(TEXT)), "problems": listed(problem())},
    {name: STATE[name] for name in ("final", "text", "predecessors", "beside", "failure")},
)
CHANGE = closed({"kind": TEXT, "level": TEXT, "subject": TEXT, "events": listed(TEXT)})

GIVEN: dict[str, Schema] = {
    "sse": BYTES,
    "event": closed({"text": TEXT}),
    "accumulate": closed({"events": listed(OBJECT, 1)}, {"resumed": listed(OBJECT, 1)}),
    "stream": BYTES,
    "websocket": closed({"messages": listed(TEXT, 1)}),
    "diff": closed({"old": OBJECT, "new": OBJECT}),
}
OPTIONS: dict[str, dict[str, Schema]] = {
    "sse": {"flush_incomplete": FLAG, "max_event_bytes": {"type": "integer", "minimum": 1}},
    "event": {},
    "accumulate": {"dialect": TEXT, "starting_after": {"type": "integer"}},
    "stream": {"dialect": TEXT},
    "websocket": {"dialect": TEXT},
    "diff": {},
}
EXPECT: dict[str, Schema] = {
    "sse": closed({"events": listed(SSE_EVENT), "last_event_id": TEXT}, {"retry": COUNT}),
    "event": closed(
        {
            "tag": TEXT,
            "known": FLAG,
            "missing": listed(TEXT),
            "problems": listed(problem("path")),
            "payload": TEXT,
        }
    ),
    "accumulate": closed({"text": TEXT, "problems": listed(problem())}, STATE),
    "stream": closed(
        {
            "tags": listed(nullable(TEXT)),
            "text": TEXT,
            "problems": listed(problem()),
            "outcome": {"enum": ["complete", "truncated", "error"]},
        },
        STATE,
    ),
    "websocket": closed({"lanes": listed(LANE)}, {"undecodable": COUNT}),
    "diff": closed({"changes": listed(CHANGE)}),
}
ERRORS: dict[str, list[str]] = {"sse": ["limit"], "event": ["decode"]}


def schemas() -> dict[str, Schema]:
    """Name of the file → schema."""
    return {
        **{name: _file(name) for name in OPERATIONS},
        "index": _index(),
        "protocol": _protocol(),
    }


def headed(title: str, body: Schema) -> Schema:
    """A schema of a file or a message, with its title."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": MARK,
        "title": title,
        **body,
    }


def _file(operation: str) -> Schema:
    with_stream = operation in ("event", "accumulate", "stream", "websocket")
    note = closed({"kind": TEXT, "description": TEXT, "effect": TEXT, "links": listed(TEXT)})
    body = closed(
        {
            "format": FORMAT,
            "operation": {"const": operation},
            **({"stream": TEXT} if with_stream else {}),
            "source": TEXT,
            "notes": {"type": "object", "additionalProperties": note},
            "cases": listed({"$ref": "#/$defs/case"}, 1),
        }
    )
    body["$defs"] = {"case": _case(operation), "expect": EXPECT[operation]}
    return headed(f"Vectors: {operation}", body)


def _case(operation: str) -> Schema:
    expect = {"$ref": "#/$defs/expect"}
    alternative = closed({"label": TEXT, "expect": expect})
    spec = {
        "oneOf": [
            closed({"document": TEXT, "section": TEXT}),
            closed({"report": {"type": "string", "pattern": "^https://"}}),
        ]
    }
    verdicts = {
        "valid": expect,
        "acceptable": closed({"alternatives": listed(alternative, 2)}),
    }
    if operation in ERRORS:
        verdicts["invalid"] = closed({"error": {"enum": ERRORS[operation]}})
    options = OPTIONS[operation]
    body = closed(
        {
            "id": {"type": "string", "pattern": "^[a-z0-9][a-z0-9._-]*$"},
            "comment": {"type": "string", "minLength": 1},
            "flags": {**listed(TEXT, 1), "uniqueItems": True},
            "spec": spec,
            "given": GIVEN[operation],
            "verdict": {"enum": list(verdicts)},
            "expect": OBJECT,
        },
        {"options": {**closed({}, options), "minProperties": 1}} if options else {},
    )
    body["oneOf"] = [
        {"properties": {"verdict": {"const": verdict}, "expect": schema}}
        for verdict, schema in verdicts.items()
    ]
    return body


def _index() -> Schema:
    entry = closed(
        {
            "path": TEXT,
            "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "operation": {"enum": list(OPERATIONS)},
            "cases": {"type": "integer", "minimum": 1},
        },
        {"stream": TEXT},
    )
    return headed(
        "Index of the vectors",
        closed({"format": FORMAT, "source": TEXT, "files": listed(entry, 1)}),
    )


def _questions() -> list[Schema]:
    """What the harness says."""
    chunks = closed({"chunks": listed(TEXT)})
    runs = [
        closed(
            {
                "do": {"const": "run"},
                "seq": COUNT,
                "operation": {"const": name},
                "given": chunks if name in ("sse", "stream") else GIVEN[name],
            },
            {"stream": nullable(TEXT), "options": closed({}, OPTIONS[name])},
        )
        for name in OPERATIONS
    ]
    start = closed({"do": {"const": "start"}, "format": FORMAT})
    return [start, *runs, closed({"do": {"const": "stop"}})]


def _protocol() -> Schema:
    """Any message, in either direction; the first property tells which one it is."""
    hello = closed(
        {
            "implementation": TEXT,
            "version": TEXT,
            "language": TEXT,
            "operations": listed({"enum": list(OPERATIONS)}),
            "streams": listed(TEXT),
            "asserts": listed({"enum": list(ASSERTS)}),
        },
        {"dialects": listed(TEXT), "blurs": listed({"enum": list(BLURS)})},
    )
    answered = [
        hello,
        closed({"seq": COUNT, "result": {"const": "ok"}, "output": OBJECT}),
        closed({"seq": COUNT, "result": {"const": "error"}, "error": TEXT}, {"message": TEXT}),
        closed({"seq": COUNT, "result": {"const": "skipped"}, "reason": TEXT}),
    ]
    return headed(
        "Runner protocol: one message a line",
        {
            "oneOf": [{"$ref": "#/$defs/asked"}, {"$ref": "#/$defs/answered"}],
            "$defs": {"asked": {"oneOf": _questions()}, "answered": {"oneOf": answered}},
        },
    )
