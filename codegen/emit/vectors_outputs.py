"""JSON Schema (2020-12) of what is answered to each operation.

Reads nothing; returns one schema, whose definitions are named by operation. Never says what an answer means: the README does.
"""

from __future__ import annotations

from typing import Any

from codegen.emit.vectors_schemas import EXPECT, FLAG, OPERATIONS, TEXT, Schema, headed

_DEMANDS = ("required", "additionalProperties", "minItems")
_NEEDED = ("event", "data", "kind", "lane")
"""What an answer cannot do without where it has the object at all."""


def outputs() -> Schema:
    """The properties of each `expect`: each may be left out, and nobody looks at others."""
    definitions = {name: _loose(EXPECT[name]) for name in OPERATIONS}
    refs = [{"$ref": f"#/$defs/{name}"} for name in OPERATIONS]
    return headed("Outputs, by operation", {"anyOf": refs, "$defs": definitions})


def _loose(schema: Any) -> Any:
    """The schema without demands, save those that tell what something is; a problem may have a path, and no level."""
    if isinstance(schema, list):
        return [_loose(item) for item in schema]
    if schema == {"const": True}:
        return FLAG
    if not isinstance(schema, dict):
        return schema
    kept = {key: _loose(item) for key, item in schema.items() if key not in _DEMANDS}
    needed = [name for name in schema.get("required", ()) if name in _NEEDED]
    if "kind" in needed and "subject" not in schema["properties"]:
        kept["properties"]["path"] = TEXT
    return {**kept, **({"required": needed} if needed else {})}
