"""Text that an event repeats as a whole, against the pieces that were streamed.

Reads the tree and the text; changes the pieces where they say otherwise. Never without a report, and never for a text that
is empty.
"""

from __future__ import annotations

from typing import Any

from .rules import Report, Rule, reached, short, value_of
from .tree import Entries, Text, entries_of, plain

Place = tuple[dict[Any, Any], Any]
"""Where a text stands: the dict that holds it, and its key there."""


def agree(rule: Rule, event: Any, tree: dict[str, Any], report: Report) -> None:
    """Compare the texts at the path of a rule, joined, with the event's text; let that one stand in their place.

    Where the event also holds the list that the path begins with, both came at once: the list stands, and what is said
    otherwise is only reported (OpenRouter sends a full output beside an empty text). An empty text takes no other's place.
    """
    whole = plain(reached(event, rule.source))
    if not isinstance(whole, str):
        return
    places = [*_places(tree, rule.path)]
    streamed = [str(plain(holder[key])) for holder, key in places]
    beside = value_of(reached(event, rule.source[:-1]), rule.path[0])
    is_beside = isinstance(beside, list) and bool(beside)
    if "".join(streamed) == whole or (is_beside and not whole):
        return
    path = "".join(f".{name}" for name in rule.source)
    if places:
        what = f"streamed {short(''.join(streamed))}, then {short(whole)}"
        report("disagreement", "warning", what, event, path)
    if not whole or is_beside:
        return
    if places:
        _share_out(places, streamed, whole)
    else:
        _create(rule, tree, whole)


def _share_out(places: list[Place], streamed: list[str], whole: str) -> None:
    """Put a text into places in order: what begins with the text of a place keeps it there, the rest goes to the first
    place that says otherwise, or to the last one."""
    rest, is_same = whole, True
    for number, ((holder, key), text) in enumerate(zip(places, streamed, strict=True)):
        is_same = is_same and number < len(places) - 1 and rest.startswith(text)
        piece = text if is_same else rest
        rest = rest[len(piece) :]
        holder[key] = Text(piece)


def _create(rule: Rule, tree: dict[str, Any], whole: str) -> None:
    """Let an entry of its own hold a text of which no piece was streamed: the rule's objects, one in the other."""
    lists = [name for name, after in zip(rule.path, rule.path[1:]) if type(after) is tuple]
    holder: dict[str, Any] = tree
    for name, made in zip(lists, rule.creating, strict=True):
        entries = entries_of(holder, name)
        if entries is None:
            return
        holder = entries.by_key[entries.free()] = plain(made)
    holder[rule.path[-1]] = Text(whole)


def _places(node: Any, path: tuple[Any, ...]) -> list[Place]:
    """The places at a path of names and of (property, value), which stands for the entries of a list with that value."""
    if not isinstance(node, dict):
        return []
    name, rest = path[0], path[1:]
    if not rest:
        return [(node, name)] if isinstance(plain(node.get(name)), str) else []
    wanted, below = rest[0], rest[1:]
    if type(wanted) is not tuple:
        return _places(node.get(name), rest)
    found = node.get(name)
    entries = (
        found if isinstance(found, Entries) else Entries(found if isinstance(found, list) else ())
    )
    return [
        place
        for _, entry in entries.ordered()
        if isinstance(entry, dict) and (not wanted or plain(entry.get(wanted[0])) == wanted[1])
        for place in _places(entry, below)
    ]
