"""Whether entries and texts begin, grow and end in order.

Reads events; reports what the accumulator does not say: what is finished twice, unbegun or too early, indexes with gaps, ids
that differ, statuses that go back. Never repeats what the accumulator says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from codegen.catalogue import Stream
from codegen.lint.places import Act, acts_of, gapless
from codegen.lint.reach import Reach
from codegen.lint.tell import Tell


@dataclass
class Node:
    """An entry so far. `texts` says of each text whether it is finished, `next` the next index of each list."""

    path: str = ""
    is_open: bool = False
    is_done: bool = False
    id: str = ""
    status: int = -1
    texts: dict[str, bool] = field(default_factory=dict)
    next: dict[str, int] = field(default_factory=dict)
    below: dict[tuple[str, int], Node] = field(default_factory=dict)


class Course:
    """The entries of one snapshot. `operation` gives the function for the events of a tag."""

    def __init__(self, stream: Stream, reach: Reach, tell: Tell) -> None:
        self._acts = acts_of(stream)
        acts = [act for each in self._acts.values() for act in each]
        self._gapless = gapless(self._acts)
        self._opened = {act.lists for act in acts if act.verb == "open"}
        self._closed = {act.lists for act in acts if act.verb in ("put", "close")}
        self._whole = {(act.lists, act.leaf) for act in acts if act.verb == "text"}
        order = stream.order
        self._ranks = {
            name: {status: rank for rank, group in enumerate(groups) for status in group}
            for name, groups in (order.statuses if order else ())
        }
        self._reach = reach
        self._tell = tell
        self._root = Node()
        self._clean: list[set[Any]] = []

    def restart(self) -> None:
        """Begin a new snapshot."""
        self._root = Node()
        self._moved()

    def operation(self, tag: str) -> Callable[[Any], None] | None:
        """What checks an event of this tag; None where there is nothing to check."""
        acts = [act for act in self._acts.get(tag, ()) if act.lists]
        if not acts:
            return None
        if all(act.verb == "append" for act in acts):
            return self._appending(acts)

        def run(event: Any) -> None:
            self._moved()
            for act in acts:
                self._act(act, event)

        return run

    def _moved(self) -> None:
        for known in self._clean:
            known.clear()

    def _appending(self, acts: list[Act]) -> Callable[[Any], None]:
        """As for other acts, but quick for a delta to a place that the one before went to as well."""
        names = dict.fromkeys(name for act in acts for key in act.keys for name in key)
        quick = attrgetter(*names) if all("." not in name for name in names) else None
        if len(acts) > 1 and any((act.lists, act.leaf) in self._whole for act in acts):
            quick = None
        known: set[Any] = set()
        self._clean.append(known)

        def run(event: Any) -> None:
            place: Any = None
            try:
                place = quick(event) if quick is not None else None
                if place in known:
                    return
            except (AttributeError, TypeError):  # an unknown event, or an index that is a list
                place = None
            for act in acts:
                self._act(act, event)
            if place is not None:
                known.add(place)

        return run

    def _act(self, act: Act, event: Any) -> None:
        if act.verb == "append" and not isinstance(self._reach(event, act.source), str):
            return
        found = self._walk(act, event)
        if found is None:
            return
        *above, node = found
        if act.verb in ("append", "text", "status"):
            self._made(act, found)
        closed = next((each for each in above if each.is_done), None)
        if act.verb == "open":
            self._open(act, event, above[-1], node, closed)
        elif act.verb in ("put", "close"):
            self._close(act, event, node, closed)
        elif act.verb == "append" and (act.lists, act.leaf) in self._whole:
            node.texts.setdefault(act.leaf, False)
        elif act.verb == "text":
            self._text(act, event, node, closed)
        elif act.verb == "status":
            self.forward(act.lists[-1], node, act.value, event)

    def _walk(self, act: Act, event: Any) -> list[Node] | None:
        """The nodes from the root to the place of an act; None where an index is no index."""
        nodes = [self._root]
        for depth, (name, key) in enumerate(zip(act.lists, act.keys, strict=True), 1):
            index = self._reach(event, (key[0],))
            if type(index) is not int or index < 0:
                return None
            node = nodes[-1]
            child = node.below.get((name, index))
            if child is None:
                path = f"{node.path}.{name.lstrip('@')}[{index}]".lstrip(".")
                child = node.below[name, index] = Node(path)
                if act.lists[:depth] in self._gapless:
                    self._count(node, name, index, event)
            given = self._reach(event, tuple(key[1].split("."))) if len(key) == 2 else None
            is_new = act.verb == "open" and depth == len(act.lists)
            if isinstance(given, str) and given and not is_new:
                self._identify(child, key[1], given, event)
            nodes.append(child)
        return nodes

    def _made(self, act: Act, nodes: list[Node]) -> None:
        """Entries that were never announced have begun now; the accumulator says so."""
        for depth, node in enumerate(nodes[1:], 1):
            if act.lists[:depth] in self._opened and not node.is_done:
                node.is_open = True

    def _count(self, node: Node, name: str, index: int, event: Any) -> None:
        expected = node.next.get(name, 0)
        if index > expected:
            what = f"index {index} came where {expected} is next"
            self._tell("index-gap", what, event, f"{node.path}.{name.lstrip('@')}[{index}]")
        node.next[name] = max(index + 1, expected)

    def _identify(self, node: Node, name: str, given: str, event: Any) -> None:
        if node.id and node.id != given:
            what = f"{name} is {given!r}, the entry here is {node.id!r}"
            self._tell("id-differs", what, event, node.path)
        node.id = node.id or given

    def _open(self, act: Act, event: Any, parent: Node, node: Node, closed: Node | None) -> None:
        if closed is not None:
            what = f"it begins after {closed.path} was finished"
            self._tell("after-done", what, event, node.path)
        key, name = act.keys[-1], act.lists[-1]
        given = self._reach(event, tuple(key[1].split("."))) if len(key) == 2 else None
        index = self._reach(event, (key[0],))
        fresh = Node(node.path, is_open=True, id=given if isinstance(given, str) else "")
        parent.below[name, index] = fresh
        self.forward(name, fresh, self._reach(event, (*act.source, "status")), event)

    def _close(self, act: Act, event: Any, node: Node, closed: Node | None) -> None:
        is_put = act.verb == "put"  # the accumulator tells what is wrong with `close`
        if is_put and node.is_done and act.lists in self._opened:
            self._tell("done-twice", "it was finished before", event, node.path)
        elif is_put and not node.is_open and act.lists in self._opened:
            self._tell("done-unannounced", "it was finished and never began", event, node.path)
        if closed is not None:
            what = f"it was finished after {closed.path}, which holds it"
            self._tell("after-done", what, event, node.path)
        for path in self._unfinished(node, act.lists):
            what = f"{path} was not finished before {node.path}"
            self._tell("open-at-done", what, event, path)
        if act.verb == "put":
            status = self._reach(event, (*act.source, "status"))
            self.forward(act.lists[-1], node, status, event)
        node.is_open, node.is_done = True, True

    def _text(self, act: Act, event: Any, node: Node, closed: Node | None) -> None:
        path = f"{node.path}.{act.leaf}".rstrip(".")
        holder = node if node.is_done else closed
        if holder is not None:
            what = f"this text was finished after {holder.path}, which holds it"
            self._tell("after-done", what, event, path)
        elif node.texts.get(act.leaf):
            self._tell("done-twice", "this text was finished before", event, path)
        node.texts[act.leaf] = True

    def forward(self, name: str, node: Node | None, status: Any, event: Any) -> None:
        """Let a status follow the one before. `node` is None for the snapshot itself."""
        node = self._root if node is None else node
        rank = self._ranks.get(name, {}).get(status, -1) if isinstance(status, str) else -1
        if 0 <= rank < node.status:
            what = f"the status went back to {status!r}"
            self._tell("status-back", what, event, f"{node.path}.status".lstrip("."))
        node.status = max(rank, node.status)

    def finish(self, event: Any) -> None:
        """Report everything that began and was not finished."""
        for path in self._unfinished(self._root, ()):
            self._tell("never-done", f"{path} began and was not finished", event, path)

    def _unfinished(self, node: Node, lists: tuple[str, ...]) -> list[str]:
        """The paths of entries and texts below a node that are not finished; of what is in one of them, only that one's."""
        found = [f"{node.path}.{leaf}".rstrip(".") for leaf, done in node.texts.items() if not done]
        for (name, _), child in node.below.items():
            below = (*lists, name)
            if child.is_open and not child.is_done and below in self._closed:
                found.append(child.path)
            elif not child.is_done:
                found += self._unfinished(child, below)
        return found
