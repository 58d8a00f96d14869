"""JSON text to Python values, strictly (RFC 8259).

Reads bytes or text; returns what `json` gives; raises nothing but `DecodeError`. Never accepts NaN or Infinity, and takes
the last of duplicate keys.
"""

from __future__ import annotations

import json
from typing import Any

from .errors import DecodeError


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_SCAN = json.JSONDecoder(parse_constant=_refuse).decode


def loads(text: bytes | bytearray | memoryview | str) -> Any:
    """The value of a JSON text; DecodeError says what is wrong and where."""
    try:
        # Not "utf-8-sig": that codec is written in Python and costs half of what reading a delta costs.
        return _SCAN(text if isinstance(text, str) else str(text, "utf-8").removeprefix("\ufeff"))
    except RecursionError:
        raise DecodeError("the JSON is nested too deep") from None
    except ValueError as error:
        raise DecodeError(f"not JSON: {error}") from None
