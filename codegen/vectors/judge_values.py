"""Two JSON values, compared.

Reads what `json` makes of JSON text; returns the first difference with its path, in words. Never takes 1 for 1.0, true for
1, or null for absent, unless it is told that the other side cannot tell them apart.
"""

from __future__ import annotations

import json
from typing import Any

_SHOWN = 300


def difference(expect: Any, output: Any, blurs: frozenset[str], path: str = "") -> str:
    """The first difference, depth first; "" where there is none.

    blurs  "numbers": 1 and 1.0 are the same; "nulls": a property that is null and one that is absent are
    """
    if isinstance(expect, dict) and isinstance(output, dict):
        return _objects(expect, output, blurs, path)
    if isinstance(expect, list) and isinstance(output, list):
        for place, (mine, theirs) in enumerate(zip(expect, output)):
            text = difference(mine, theirs, blurs, f"{path}[{place}]")
            if text:
                return text
        if len(expect) == len(output):
            return ""
        return f"{path}: expected {len(expect)} entries, got {len(output)}"
    if _same(expect, output, blurs):
        return ""
    return f"{path}: expected {_shown(expect)}, got {_shown(output)}"


def plain_text(text: str) -> str:
    """One line of at most a few hundred characters, without control characters and lone surrogates."""
    line = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
    return line if len(line) <= _SHOWN else line[:_SHOWN] + "…"


def is_json(text: str) -> bool:
    """Whether a text can be read as JSON here."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _objects(
    expect: dict[str, Any], output: dict[str, Any], blurs: frozenset[str], path: str
) -> str:
    for key in {**expect, **output}:
        inner = f"{path}.{key}"
        if key in expect and key in output:
            text = difference(expect[key], output[key], blurs, inner)
            if text:
                return text
            continue
        lone = expect[key] if key in expect else output[key]
        if lone is None and "nulls" in blurs:
            continue
        if key in expect:
            return f"{inner}: expected {_shown(lone)}, got nothing"
        return f"{inner}: expected nothing, got {_shown(lone)}"
    return ""


def _same(expect: Any, output: Any, blurs: frozenset[str]) -> bool:
    if isinstance(expect, bool) or isinstance(output, bool):
        return expect is output
    numbers = isinstance(expect, (int, float)) and isinstance(output, (int, float))
    if type(expect) is not type(output) and not (numbers and "numbers" in blurs):
        return False
    return bool(expect == output)


def _shown(value: Any) -> str:
    return plain_text(json.dumps(value, ensure_ascii=False))[:120]
