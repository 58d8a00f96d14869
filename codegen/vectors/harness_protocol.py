"""Whether an answer is in the runner protocol.

Reads the protocol's published schema and an answer; returns what is wrong with the answer. Never looks at what it says of a
case.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema

from codegen.errors import Finding, SpecError
from codegen.vectors.judge_values import plain_text

START = "start"
"""Beside the results: the answer to `start`."""


class Protocol:
    """The answers of the protocol: `start`, and one shape for each result."""

    def __init__(self, schema: dict[str, Any]) -> None:
        """KeyError, TypeError or AttributeError where it is not the schema of the protocol."""
        shapes = schema["$defs"]["answered"]["oneOf"]
        self._shapes = {
            shape["properties"]
            .get("result", {})
            .get("const", START): (
                jsonschema.Draft202012Validator({**shape, "$defs": schema["$defs"]})
            )
            for shape in shapes
        }
        self.results = frozenset(self._shapes) - {START}

    def fault(self, name: str, answer: dict[str, Any]) -> str:
        """The first thing that is wrong, with its place; "" where there is none. `name` is START or a result."""
        try:
            for error in self._shapes[name].iter_errors(answer):
                place = "/".join(str(step) for step in error.absolute_path)
                return plain_text(f"{place}: {error.message}" if place else error.message)
        except RecursionError:
            return "it is nested too deep"
        return ""


def read_protocol(vectors: Path) -> Protocol:
    """The protocol of a folder of vectors. SpecError where its schema is not there or is another."""
    path = vectors / "schemas" / "protocol.schema.json"
    try:
        return Protocol(json.loads(path.read_bytes()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"is not the schema of the runner protocol ({type(error).__name__}: {error})"
        raise SpecError([Finding(str(path), what, "Run: codegen generate.")]) from error
