"""What a required property that is missing would be: its type and an example of a value.

Reads an event, a path and the tables of the package; returns a sentence. Never guesses where the tables do not say.
"""

from __future__ import annotations

import json
import re
from typing import Any

from codegen.lint.package import Checked

_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_SCALARS = {
    "str": ("a string", '"text"'),
    "int": ("an integer", "0"),
    "float": ("a number", "0.5"),
    "bool": ("a boolean", "true"),
    "list": ("an array", "[]"),
    "map": ("an object", "{}"),
}
"""Words for types, each with an example as JSON."""


def wanted(checked: Checked, event: Any, path: str) -> str:
    """A sentence on the type of the property at a path; "" where it is not known."""
    steps = [name or int(index) for name, index in _STEP.findall(path)]
    if not steps:
        return ""
    holder = event
    for step in steps[:-1]:
        if isinstance(step, int):
            is_there = isinstance(holder, list) and step < len(holder)
            holder = holder[step] if is_there else None
        else:
            holder = checked.value_of(holder, step)
    table = checked.wire.table(type(holder).__name__) if hasattr(holder, "_wire") else None
    expression = table.required.get(steps[-1]) if table is not None else None
    return _sentence(checked, expression)


def _sentence(checked: Checked, expression: Any) -> str:
    if expression and not isinstance(expression, str) and expression[0] == "null":
        inner = _sentence(checked, expression[1])
        return f"{inner[:-1]}, or null." if inner else "It may be null."
    word = expression if isinstance(expression, str) else expression[0] if expression else ""
    if word in ("const", "enum", "open") and len(expression) > 1:
        return f"It is {json.dumps(expression[1])}{'' if word == 'const' else ', for example'}."
    if word in _SCALARS:
        kind, example = _SCALARS[word]
        return f"It is {kind}, such as {example}."
    is_model = isinstance(expression, str) and word and checked.wire.table(word) is not None
    return "It is an object." if is_model else ""
