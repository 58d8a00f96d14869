"""Which entry of a list a piece belongs to, where the index alone does not say it.

Reads the index, the id and the name that a piece brings; returns the entry. Never looks at what the piece adds.
"""

from __future__ import annotations

from typing import Any

from .rules import Report, integer, short
from .tree import Entries


class _Pieces:
    """What is known of the entries of one list: keys by the index and by the id that their pieces had."""

    __slots__ = ("by_index", "index_of", "by_id", "ids", "last")

    def __init__(self) -> None:
        self.by_index: dict[int, int] = {}
        self.index_of: dict[int, int] = {}
        self.by_id: dict[Any, int] = {}
        self.ids: dict[int, Any] = {}
        self.last: int | None = None


def piece(
    entries: Entries, index: Any, identity: Any, name: Any, event: Any, report: Report
) -> dict[str, Any] | None:
    """The entry that a piece belongs to.

    A piece opens one when its index is new, or when it brings a new id and a name. Without a usable index it belongs to the
    entry of its id, else to the last one, and opens one only with a name. None, reported, where it belongs to none.
    """
    if entries.pieces is None:
        entries.pieces = _Pieces()
    known: _Pieces = entries.pieces
    identity = identity if isinstance(identity, (str, int)) and identity else None
    number = integer(index)
    key = _known(known, number, identity, name)
    if key is None and number is None and not name:
        report("unannounced", "warning", "a piece belongs to no entry", event, "")
        return None
    if key is None:
        key = _free(entries, known, index, number, event, report)
        known.index_of[key] = key if number is None else number
        known.by_index[known.index_of[key]] = key
        known.ids[key] = identity
        entries.by_key[key] = {}
    elif identity and known.ids[key] not in (None, identity):
        what = f"the id changed from {known.ids[key]!r} to {identity!r}"
        report("id-changed", "warning", what, event, "")
    elif identity and known.ids[key] is None:
        known.ids[key] = identity
    if identity:
        known.by_id.setdefault(identity, key)
    known.last = key
    return entries.by_key[key]  # type: ignore[no-any-return]


def _known(known: _Pieces, index: int | None, identity: Any, name: Any) -> int | None:
    """The key of the entry that a piece goes on with; None where it opens one."""
    by_id = known.by_id.get(identity) if identity else None
    if index is None:
        return by_id if by_id is not None or name else known.last
    if by_id is not None and known.index_of[by_id] == index:
        return by_id
    return None if identity and name and by_id is None else known.by_index.get(index)


def _free(
    entries: Entries, known: _Pieces, index: Any, number: int | None, event: Any, report: Report
) -> int:
    """The key of a new entry: its index, or the next free one, which is reported."""
    if number is not None and number not in entries.by_key:
        if number < 0:
            report("wrong-index", "warning", f"the index is {number}", event, "")
        return number
    key = entries.free()
    if index is None:
        report("index-filled", "warning", f"the index is missing; {key} was taken", event, "")
    else:
        what = f"the index is {short(index)}"
        what += " again, with another id" if number is not None else " and not an integer"
        report("wrong-index", "warning", f"{what}; {key} was taken", event, "")
    return key
