"""Lists in generated code laid out as the formatter lays them out, so that it finds little to do.

Reads the parts of a list; returns text. Never decides how the code looks: the formatter still sees all of it, and what it finds
as it would have it costs half.
"""

from __future__ import annotations

WIDTH = 100
"""Columns of a line."""
_INSIDE = " " * 8
_END = "\n    "


def parameters(line: str, parts: list[str]) -> str:
    """What stands between the parentheses of a method's `line`: on that line, on one of its own, or each on one of its own."""
    together = ", ".join(parts)
    if len(line) + len(together) <= WIDTH:
        return together
    if len(_INSIDE) + len(together) <= WIDTH:
        return f"\n{_INSIDE}{together}{_END}"
    return "\n" + "".join(f"{_INSIDE}{part},\n" for part in parts) + "    "


def elements(before: str, parts: list[str]) -> str:
    """A tuple in a class, after what stands `before` it on the line: on that line, or each element on one of its own."""
    together = "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")"
    if len(before) + len(together) <= WIDTH:
        return together
    return "(\n" + "".join(f"{_INSIDE}{part},\n" for part in parts) + "    )"
