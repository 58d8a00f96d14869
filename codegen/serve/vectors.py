"""Test vectors as plays, by their id.

Reads `generated/vectors/`, or none where it is absent; returns bodies and events. Never looks at what a vector expects.
"""

from __future__ import annotations

import base64
import json
from functools import cached_property
from pathlib import Path
from typing import Any

OPERATIONS = ("sse", "stream", "accumulate")
"""Operations whose cases are streams."""


class Vectors:
    """The vectors of a folder, which are read when one is asked for first."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    @cached_property
    def _given(self) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        if self._folder is None:
            return found
        for operation in OPERATIONS:
            for path in sorted((self._folder / "v1" / operation).rglob("*.json")):
                for case in json.loads(path.read_bytes())["cases"]:
                    found[case["id"]] = case["given"]
        return found

    def find(self, name: str) -> bytes | list[Any] | None:
        """The body of the vector with that id, or its events where it has no body; None where there is no such vector."""
        given = self._given.get(name)
        if given is None:
            return None
        if "text" in given:
            return str(given["text"]).encode()
        if "base64" in given:
            return base64.b64decode(given["base64"])
        return list(given["events"]) if "events" in given else None

    @property
    def names(self) -> list[str]:
        """The ids of all vectors that can be played."""
        return list(self._given)
