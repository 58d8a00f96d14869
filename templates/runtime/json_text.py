"""JSON text to Python values, strictly (RFC 8259).

Reads bytes or text; returns what `json` gives; raises nothing but `DecodeError`. Never accepts NaN or Infinity, and takes
the last of duplicate keys.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .errors import DecodeError


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


MAX_DEPTH = 200
"""Objects and lists within one another that a text may have, so that walking its value never exhausts the stack."""

_INFINITY = float("inf")
SCALARS = frozenset({str, int, float, bool, type(None)})
"""The types of JSON values that hold no others."""


def _finite(text: str) -> float:
    value = float(text)
    if value in (_INFINITY, -_INFINITY):
        raise ValueError(f"{text[:40]} is larger than any number that can be held")
    return value


_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite)
_SCAN = _DECODER.decode
scan: Callable[[str, int], tuple[Any, int]] = getattr(_DECODER, "scan_once")
"""The value that begins at a place of a text, and where it ends; StopIteration, ValueError or RecursionError for none."""


Loads = Callable[[str], Any]
"""A parser of JSON text that a caller prefers, such as `orjson.loads` or `msgspec.json.decode`; raises where it refuses."""


def loads(text: bytes | bytearray | memoryview | str, preferred: Loads | None = None) -> Any:
    """The value of a JSON text; DecodeError says what is wrong and where. What the preferred parser refuses is judged here."""
    try:
        # Not "utf-8-sig": that codec is written in Python and costs half of what reading a delta costs.
        text = text if isinstance(text, str) else str(text, "utf-8").removeprefix("\ufeff")
        value = _SCAN(text) if preferred is None else _by(preferred, text)
    except RecursionError:
        raise DecodeError("the JSON is nested too deep") from None
    except ValueError as error:
        raise DecodeError(f"not usable JSON: {error}") from None
    # Counting brackets is cheap and true of almost every text; only the others are walked.
    if text.count("[") + text.count("{") > MAX_DEPTH and too_deep(value):
        raise DecodeError("the JSON is nested too deep")
    return value


def _by(preferred: Loads, text: str) -> Any:
    try:
        return preferred(text)
    except Exception:  # each parser has exceptions of its own
        return _SCAN(text)


def too_deep(value: Any) -> bool:
    """Whether there are containers below MAX_DEPTH others; level by level, without recursion."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            item
            for part in level
            for item in (part.values() if isinstance(part, dict) else part)
            if type(item) not in SCALARS and isinstance(item, (dict, list))
        ]
        if not level:
            return False
    return True
