"""The accumulator's tree: JSON values that grow.

Reads and returns JSON values; holds text as pieces and lists by key, so that adding costs the same at the first and at the
millionth piece. Never shares a list or a dict with what it was handed or hands out.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Iterator
from typing import Any

from .json_text import SCALARS

Step = str | int


class Text:
    """Text in pieces; joined when it is read.

    finished  whether an event said that this is all of it
    """

    __slots__ = ("parts", "finished")

    def __init__(self, *parts: str) -> None:
        self.parts = list(parts)
        self.finished = False

    def __str__(self) -> str:
        if len(self.parts) != 1:
            self.parts = ["".join(self.parts)]
        return whole_characters(self.parts[0])


class Base64(Text):
    """Data in base64, in pieces of which each may have been padded by itself (RFC 4648)."""

    __slots__ = ()

    def __str__(self) -> str:
        if any("=" in part for part in self.parts[:-1]):
            self.parts = [_one_base64(self.parts)]
        return super().__str__()


class Keyed(dict[int, Any]):
    """Entries by key, that know their highest key and which keys an id had, at whatever number of them.

    top  the highest key; -1 where there is none
    """

    __slots__ = ("top", "_keys_of")

    def __init__(self) -> None:
        super().__init__()
        self.top = -1
        self._keys_of: dict[str, dict[int, None]] = {}

    def __setitem__(self, key: int, value: Any) -> None:
        super().__setitem__(key, value)
        self.top = max(self.top, key)
        name = identity(value)
        if name is not None:
            self._keys_of.setdefault(name, {})[key] = None

    def setdefault(self, key: int, default: Any = None) -> Any:
        """As for every dict."""
        if key not in self:
            self[key] = default
        return self[key]

    def having(self, name: Any) -> int | None:
        """The key of the last entry with an id; None where there is none."""
        if not isinstance(name, str):
            return None
        keys = self._keys_of.get(name, {})
        return next((key for key in reversed(keys) if identity(self.get(key)) == name), None)


class Entries:
    """A list whose places are known by key before they are all there. Reads in the order of the keys.

    before  entries whose key was given to another one, which stand in front of it
    made    keys of entries that no event announced, with what each began as
    closed  keys of entries that an event gave in their final form
    pieces  what tells the pieces of one entry from those of another, where an index does not
    """

    __slots__ = ("by_key", "before", "made", "closed", "pieces")

    def __init__(self, values: Iterable[Any] = (), keys: Iterable[int] | None = None) -> None:
        self.by_key = Keyed()
        for key, value in zip(keys, values) if keys is not None else enumerate(values):
            self.by_key[key] = value
        self.before: dict[int, list[Any]] = {}
        self.made: dict[int, Any] = {}
        self.closed: set[int] = set()
        self.pieces: Any = None

    def ordered(self) -> list[tuple[int, Any]]:
        """Keys and values, keys ascending."""
        found = []
        for key in sorted(self.by_key):
            found += [(key, value) for value in self.before.get(key, ())]
            found.append((key, self.by_key[key]))
        return found

    def free(self) -> int:
        """The key after the last one."""
        return self.by_key.top + 1


def identity(value: Any) -> str | None:
    """The id of an entry; None where it has none."""
    found = value.get("id") if isinstance(value, dict) else None
    return found if isinstance(found, str) and found else None


def _one_base64(parts: list[str]) -> str:
    """Pieces as one: those up to a padding decode by themselves. Joined as they are where they are no base64."""
    data: list[bytes] = []
    run: list[str] = []
    try:
        for part in parts:
            run.append(part)
            if part.endswith("="):
                data.append(base64.b64decode("".join(run), validate=True))
                run = []
        data.append(base64.b64decode("".join(run), validate=True))
        return base64.b64encode(b"".join(data)).decode("ascii")
    except (binascii.Error, ValueError):
        return "".join(parts)


def whole_characters(text: str) -> str:
    """`text` with surrogates that came in two pieces joined to the character that they stand for."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        # A half that stays alone stays as it is: replacing it would lose what the other half may still say.
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return text


def plain(node: Any) -> Any:
    """The JSON value of a node, fresh at every level."""
    kind = type(node)
    if kind in SCALARS:
        return node
    if kind is dict:
        return {
            key: value if type(value) in SCALARS else plain(value) for key, value in node.items()
        }
    if kind is list:
        return [value if type(value) in SCALARS else plain(value) for value in node]
    if isinstance(node, Entries):
        return [plain(value) for _, value in node.ordered()]
    return str(node) if isinstance(node, Text) else node


def texts(
    node: Any, names: frozenset[str] = frozenset(), path: tuple[Step, ...] = ()
) -> Iterator[tuple[tuple[Step, ...], str]]:
    """Every text that was streamed, or that stands under one of `names`, with its path; places in lists are counted from 0
    as they stand."""
    if isinstance(node, Text) or (isinstance(node, str) and path and path[-1] in names):
        yield path, str(node)
    elif isinstance(node, (Entries, list)):
        for place, value in enumerate(listed(node)):
            yield from texts(value, names, (*path, place))
    elif isinstance(node, dict):
        for name, value in node.items():
            yield from texts(value, names, (*path, name))


def listed(node: Any) -> list[Any]:
    """The values of a list in their order; none for anything else."""
    if isinstance(node, Entries):
        return [value for _, value in node.ordered()]
    return node if isinstance(node, list) else []


def at(value: Any, path: tuple[Step, ...]) -> Any:
    """The value at a path of a JSON value or a node; None where there is none."""
    for step in path:
        if isinstance(value, Entries):
            value = value.by_key.get(step) if isinstance(step, int) else None
        elif isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def entries_of(parent: dict[str, Any], name: str) -> Entries | None:
    """The list called `name` as entries; made where there is none; None where something else is there."""
    value = parent.get(name)
    if isinstance(value, Entries):
        return value
    if value is None or isinstance(value, list):
        parent[name] = Entries(value or ())
        return parent[name]  # type: ignore[no-any-return]
    return None
