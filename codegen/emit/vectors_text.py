"""The one spelling of a vector file.

Reads JSON values; returns text: keys in the order of the value, one space of indent, characters as they are save those
that a reader cannot see or UTF-8 cannot hold. Never changes a value.
"""

from __future__ import annotations

import json
import re
from typing import Any

_HIDDEN = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
_string = json.JSONEncoder(ensure_ascii=False).encode
_compact = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":")
).encode  # made once, not for each payload


def canonical(value: Any) -> str:
    """The text of a file, with its final newline."""
    return text_of(value, "\n") + "\n"


def payload(value: Any) -> str:
    """A payload as the JSON text of one line, without spaces."""
    return _escaped(_compact(value))


def text_of(value: Any, line: str) -> str:
    """The text of a value that begins in a line whose break and indent are `line`."""
    inner = line + " "
    if isinstance(value, dict) and value:
        parts = [f"{_scalar(str(name))}: {text_of(item, inner)}" for name, item in value.items()]
        return "{" + inner + ("," + inner).join(parts) + line + "}"
    if isinstance(value, (list, tuple)) and value:
        if all(isinstance(item, int) for item in value):
            return json.dumps(value)
        return "[" + inner + ("," + inner).join(text_of(item, inner) for item in value) + line + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    return _escaped(_string(value))


def _escaped(text: str) -> str:
    return _HIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
