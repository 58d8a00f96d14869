"""Plain values to YAML 1.2 text.

Reads dict, list, str, int, float, bool and None; returns block-style text that `documents.parse` reads back to the
same value; never wraps a line, never writes an anchor, and does not depend on which YAML library is installed, so
that the same value gives the same bytes everywhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

# Plain style only for what no YAML version takes for anything but a string; all else is in double quotes.
_PLAIN = re.compile(r"[A-Za-z_$/](?:[\w$/.+()-]| (?=[\w$/.+()-]))*", re.ASCII)
_WORDS = frozenset("null true false yes no on off y n nan inf".split())
# Not printable in YAML 1.2.2, section 5.1, or a line break in YAML 1.1; JSON leaves them as they are.
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def dump(value: Mapping[str, Any]) -> str:
    """The text of a mapping, keys in their order, two spaces per level, a newline at the end."""
    return "\n".join(_mapping(value, "")) + "\n" if value else "{}\n"


def _mapping(value: Mapping[str, Any], indent: str) -> Iterator[str]:
    for key, item in value.items():
        yield from _member(f"{indent}{_string(key)}:", item, indent + "  ")


def _sequence(value: list[Any], indent: str) -> Iterator[str]:
    for item in value:
        if isinstance(item, (dict, list)) and item:
            # The first line of the member stands behind the dash, the others below it.
            lines = _block(item, indent + "  ")
            yield f"{indent}- {next(lines)[len(indent) + 2:]}"
            yield from lines
        else:
            yield f"{indent}- {_scalar(item)}"


def _member(start: str, item: Any, indent: str) -> Iterator[str]:
    if isinstance(item, (dict, list)) and item:
        yield start
        yield from _block(item, indent)
    else:
        yield f"{start} {_scalar(item)}"


def _block(value: Any, indent: str) -> Iterator[str]:
    return _mapping(value, indent) if isinstance(value, dict) else _sequence(value, indent)


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, float):
        digits = repr(value)
        # YAML 1.1 takes 1e-05 for a string and 1.0e-05 for a number.
        return digits.replace("e", ".0e") if "e" in digits and "." not in digits else digits
    return json.dumps(value)


def _string(value: str) -> str:
    if _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)
