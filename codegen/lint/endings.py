"""Whether a stream's end says what it has to: the status by its tag, why it stopped, and that what finishes it came.

Reads events, and the finished snapshot, by the rules of order that the fragment has as data. Never looks at how entries came.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from codegen.catalogue import Stream
from codegen.lint.identity import json_fault
from codegen.lint.places import acts_of, starts_of
from codegen.lint.reach import Reach
from codegen.lint.tell import Tell


class Endings:
    """What was said of the end so far. `operation` gives the function for the events of a tag, `end` is for the end."""

    def __init__(self, stream: Stream, reach: Reach, tell: Tell) -> None:
        self._reach, self._tell = reach, tell
        order = stream.order
        self._ends = dict(order.ends) if order else {}
        self._given = dict(order.given) if order else {}
        self._signed = {name: dict(types) for name, types in (order.signed if order else ())}
        acts = (act for each in acts_of(stream).values() for act in each)
        finished = {act.lists[-1] for act in acts if act.verb == "put" and act.lists}
        self._json = {
            name: paths for name, paths in (order.json if order else ()) if name not in finished
        }
        self._finished_by = order.finished_by if order else ()
        self._is_finished_before = not set(self._finished_by) & set(stream.terminal)
        families = {event.tag: event.family for event in stream.events}
        unlisted = (event.tag for event in stream.unlisted if event.terminal)
        terminal = (*stream.terminal, *unlisted)
        self._terminal = {tag for tag in terminal if families.get(tag) != "error"}
        self._snapshot_at = starts_of(stream)
        path, values = stream.complete
        self._path = path
        self._complete = (path.partition("[")[0], path.rpartition(".")[2], values)
        self.restart()

    def restart(self) -> None:
        """Begin a new snapshot."""
        self._values: dict[tuple[str, str], Any] = {}
        self._seen: set[str] = set()

    def operation(self, tag: str) -> Callable[[Any], None] | None:
        """What checks an event of this tag; None where there is nothing to check."""
        steps: list[Callable[[str, Any], None]] = []
        if tag in self._given:
            steps.append(self._note)
        if tag in self._finished_by:
            steps.append(lambda tag, _: self._seen.add(tag))
        if tag in self._ends and tag in self._snapshot_at:
            steps.append(self._status)
        if tag in self._terminal:
            steps.append(self._terminate)
        elif tag in self._snapshot_at and "[" not in self._path:
            steps.append(self._begun)
        if not steps:
            return None

        def run(event: Any) -> None:
            for step in steps:
                step(tag, event)

        return run

    def _begun(self, tag: str, event: Any) -> None:
        """A snapshot that says from the begin why it ended is finished already."""
        if self._reach(event, (*self._snapshot_at[tag], self._path)):
            self._seen.add(tag)

    def _note(self, tag: str, event: Any) -> None:
        for path in self._given[tag]:
            value = self._reach(event, tuple(path.split(".")))
            before = self._values.get((tag, path))
            if isinstance(before, str) and isinstance(value, str) and before != value:
                what = f"{path} is {json.dumps(value)}, it was {json.dumps(before)} before"
                self._tell("changed", what, event, f".{path}")
            self._values[tag, path] = before if value is None else value

    def _status(self, tag: str, event: Any) -> None:
        at = (*self._snapshot_at[tag], "status")
        status = self._reach(event, at)
        if isinstance(status, str) and status not in self._ends[tag]:
            what = f"{tag} has the status {json.dumps(status)}"
            self._tell("status-misfit", what, event, "".join(f".{step}" for step in at))

    def _terminate(self, tag: str, event: Any) -> None:
        for (of, path), value in self._values.items():
            if value is None:
                what = f"{path} is null or absent" if of == tag else f"no {of} has {path}"
                self._tell("not-given", what, event, f".{path}")
        if self._finished_by and self._is_finished_before and not self._seen:
            what = f"{tag} came without {' or '.join(self._finished_by)} before it"
            self._tell("no-finish", what, event)

    @property
    def reads_snapshot(self) -> bool:
        """Whether there are rules for the finished snapshot."""
        return bool(self._json or self._signed)

    def end(self, snapshot: Any) -> None:
        """Look at the finished snapshot, as JSON."""
        list_name, reason, values = self._complete
        whole = snapshot.get(list_name) if isinstance(snapshot, dict) else None
        if isinstance(whole, list):  # what ended early may have half a text
            snapshot = {list_name: [e if _at(e, [reason]) in values else None for e in whole]}
        for name, path, entry in _entries(snapshot, "", ""):
            for each in self._json.get(name, ()):
                fault = json_fault(_at(entry, each.split(".")))
                if fault:
                    self._tell("input-not-json", fault, None, f"{path}.{each}")
            for each in self._signed.get(name, {}).get(str(entry.get("type")), ()):
                if not entry.get(each):
                    what = f"a {entry['type']} was finished without {each}"
                    self._tell("unsigned", what, None, path)


def _at(node: Any, names: list[str]) -> Any:
    for name in names:
        node = node.get(name) if isinstance(node, dict) else None
    return node


def _entries(node: Any, name: str, path: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The objects in lists of a JSON value, with the name of the list and the path."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from _entries(value, key, f"{path}.{key}")
    elif isinstance(node, list):
        for at, each in enumerate(node):
            if isinstance(each, dict):
                here = f"{path}[{at}]"
                yield name, here, each
                yield from _entries(each, "", here)
