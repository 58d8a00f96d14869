"""JSON text to plain values.

Reads a string; returns what `json` makes of it within the limits; never accepts NaN, infinities, a duplicate key or half
of a surrogate pair, all of which `json` lets through.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from codegen.errors import Finding, SpecError
from codegen.limits import limit

NOT_JSON = object()
"""What `read_json` returns for text that is not JSON, because it may still be YAML in flow style."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class DuplicateKey(ValueError):
    """A JSON object has the key `str(error)` twice; `json` does not tell where."""


def read_json(text: str, where: str) -> Any:
    """The value, or NOT_JSON; SpecError for what a limit or the rules above forbid, DuplicateKey for that."""
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_float=lambda digits: _finite(digits, where),
            parse_constant=lambda name: _not_a_number(name, where),
        )
    except DuplicateKey:
        raise
    except RecursionError:
        raise _too_deep(where) from None
    except ValueError:
        return NOT_JSON
    require_limits(value, where)
    return value


def require_characters(value: Any, where: str) -> None:
    """SpecError where a string or key holds half of a surrogate pair, which no UTF-8 text can hold."""
    stack = [value]
    while stack:
        item = stack.pop()
        strings = item if isinstance(item, dict) else (item,) if isinstance(item, str) else ()
        for text in strings:
            if _SURROGATE.search(text):
                what = f"the string {text[:40]!a} holds half of a surrogate pair"
                raise SpecError([Finding(where, what, "Write the whole character.")])
        stack.extend(_children(item))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        raise DuplicateKey(next(name for name in names if names.count(name) > 1))
    return value


def _finite(digits: str, where: str) -> float:
    value = float(digits)
    return value if math.isfinite(value) else _not_a_number(digits, where)


def _not_a_number(name: str, where: str) -> NoReturn:
    what = f"{name} is not a number that JSON has"
    raise SpecError([Finding(where, what, "Put it in quotes or remove it.")])


def require_limits(value: Any, where: str) -> None:
    """SpecError where a JSON value has more nodes or levels than the limits allow."""
    level, depth, nodes = [value], 0, 0
    most, deepest = limit("MAX_NODES"), limit("MAX_DEPTH")
    while level:
        collections = [item for item in level if isinstance(item, (dict, list))]
        depth += 1 if collections else 0
        # A key counts as a node, as it does in YAML.
        nodes += len(level) + sum(len(item) for item in collections if isinstance(item, dict))
        if nodes > most:
            what = f"too large: more than {most:,} nodes (limit MAX_NODES)"
            raise _too_large(what, where)
        if depth > deepest:
            raise _too_deep(where)
        level = [child for item in collections for child in _children(item)]


def nodes(value: Any) -> int:
    """The number of collections and scalars in a JSON value, itself included."""
    waiting, count = [value], 0
    while waiting:
        count += 1
        waiting += _children(waiting.pop())
    return count


def _children(item: Any) -> Any:
    if isinstance(item, dict):
        return item.values()
    return item if isinstance(item, list) else ()


def _too_deep(where: str) -> SpecError:
    return _too_large(f"nested deeper than {limit('MAX_DEPTH')} levels (limit MAX_DEPTH)", where)


def _too_large(what: str, where: str) -> SpecError:
    return SpecError([Finding(where, f"this is {what}", "Give a smaller document.")])
