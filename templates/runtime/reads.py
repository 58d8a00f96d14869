"""Texts of the tree by the paths that a stream's fragment names.

Reads the tree; returns text. Never builds more than the texts asked for.
"""

from __future__ import annotations

from typing import Any

from .tree import Entries, plain


def selected(node: Any, path: tuple[Any, ...], keys: tuple[int, ...] = ()) -> list[str]:
    """The texts that a path leads to.

    A step is a name, () for all entries of a list or (property, value) for those that have it, with "first" or "last" in
    front for one of these. `keys` name entries in place of such steps, from the first on; where there are fewer keys than
    steps, a step with "first" stays as it is.
    """
    if not path:
        value = plain(node)
        return [value] if isinstance(value, str) else []
    step, rest = path[0], path[1:]
    if isinstance(step, str):
        return selected(node.get(step) if isinstance(node, dict) else None, rest, keys)
    entries = node if isinstance(node, Entries) else Entries(node if isinstance(node, list) else ())
    which = step[0] if step[:1] in (("first",), ("last",)) else ""
    steps = sum(type(each) is tuple for each in path)
    if keys and (which != "first" or len(keys) >= steps):
        return selected(entries.by_key.get(keys[0]), rest, keys[1:])
    wanted = step[1:] if which else step
    chosen = [value for _, value in entries.ordered() if _fits(value, wanted)]
    chosen = chosen[:1] if which == "first" else chosen[-1:] if which == "last" else chosen
    return [text for value in chosen for text in selected(value, rest, keys)]


def _fits(value: Any, wanted: tuple[str, ...]) -> bool:
    return not wanted or (isinstance(value, dict) and plain(value.get(wanted[0])) == wanted[1])
