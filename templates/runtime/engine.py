"""What accumulation rules do.

Reads events by the names that rules give; grows one tree. Never changes an event, never keeps a part of one, and never
raises on what a server sent: what cannot be done is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .records import Record, UnknownEvent, UnknownObject
from .tree import Entries, Text, at, entries_of, plain, texts
from .wire import Wire

Report = Callable[[str, str, str, Any, str], None]
Operation = Callable[[Any, Any, Any], None]
"""Called with the event, the source (the event or an element of a list in it) and the node that paths start from."""


class Rule(NamedTuple):
    """One accumulation rule; `codegen/rules.py` has the notation and what each verb means.

    path      names as text, keys as tuples of dotted names; the first may be "@name", kept beside the snapshot
    source    names; "[]" goes through a list; () is the whole
    literal   a tuple of no or one value that stands for the source
    creating  what an entry that was never announced starts with, one per key; "$name" takes the event's property
    keep      the list that stays where a new snapshot has none
    """

    verb: str
    path: tuple[Any, ...] = ()
    source: tuple[str, ...] = ()
    literal: tuple[Any, ...] = ()
    creating: tuple[dict[str, Any], ...] = ()
    keep: str = ""


def value_of(node: Any, name: str) -> Any:
    """The property `name` of a record or a dict; None where there is none."""
    if isinstance(node, dict):
        return node.get(name)
    if isinstance(node, (UnknownEvent, UnknownObject)):
        return node.data.get(name) if isinstance(node.data, dict) else None
    if isinstance(node, Record):
        if name in node.__slots__:
            return getattr(node, name)
        return node._wire.unknown.get(name) if node._wire is not None else None
    return None


def reached(node: Any, names: tuple[str, ...]) -> Any:
    """The value at a path of names; None where there is none."""
    for name in names:
        node = value_of(node, name)
    return node


class Engine:
    """The tree of one stream, and the operations that its rules are.

    tree      the snapshot so far; None before the first event that gives one
    beside    what the snapshot has no place for
    finished  the snapshots of responses that ended before the present one
    failure   what a `fail` rule found; None while nothing failed
    flags     `finish` rules: key of the list element → whether it is finished
    hollow    whether a rule wanted a whole snapshot and the event had none
    """

    def __init__(self, wire: Wire, report: Report) -> None:
        self.wire = wire
        self.report = report
        self.tree: dict[str, Any] | None = None
        self.beside: dict[str, Any] = {}
        self.finished: list[dict[str, Any]] = []
        self.failure: Any = None
        self.flags: dict[Any, bool] = {}
        self.hollow = False
        self.closed = False
        self._found: Text | None = None
        self._places: list[dict[Any, Text]] = []

    def operation(self, rules: tuple[Rule, ...]) -> Callable[[Any], None]:
        """A function that applies rules to an event."""
        operations = self._compiled(rules)
        starts = any(rule.verb in ("start", "replace") for rule in rules)
        if len(operations) == 1 and rules[0].verb == "append" and "[]" not in rules[0].source:
            return self._quick_append(rules[0], operations[0])

        def apply(event: Any) -> None:
            if self.tree is None and not starts:
                self.tree = {}
            for operation in operations:
                operation(event, event, self.tree)

        return apply

    def json(self, value: Any) -> Any:
        """A value of an event as JSON, fresh at every level."""
        return self.wire.encode(value) if isinstance(value, Record) else plain_json(self, value)

    # --- compiling --------------------------------------------------------------------------------------------------

    def _compiled(self, rules: tuple[Rule, ...]) -> list[Operation]:
        """Operations in the order of the rules; those that go through the same list become one loop over it."""
        operations: list[Operation] = []
        loops: dict[Any, list[Rule]] = {}
        for rule in rules:
            if "[]" not in rule.source:
                operations.append(self._single(rule))
                continue
            at_list = rule.source.index("[]")
            at_key = next((n for n, step in enumerate(rule.path) if type(step) is tuple), -1)
            key = rule.path[at_key] if at_key >= 0 else ()
            group = (rule.source[:at_list], rule.path[: max(at_key, 0)], key)
            inner = rule._replace(source=rule.source[at_list + 1 :], path=rule.path[at_key + 1 :])
            loops.setdefault(group, []).append(inner)
        operations += [self._loop(a, b, c, tuple(inner)) for (a, b, c), inner in loops.items()]
        return operations

    def _loop(
        self,
        source: tuple[str, ...],
        path: tuple[str, ...],
        key: tuple[str, ...],
        rules: tuple[Rule, ...],
    ) -> Operation:
        operations = self._compiled(rules)

        def run(event: Any, item: Any, node: Any) -> None:
            elements = reached(item, source)
            if elements is None:
                return
            if not isinstance(elements, list):
                self.report(
                    "wrong-type", "error", f"{source[-1]} is not a list", event, _dotted(source)
                )
                return
            if not path:
                for element in elements:
                    for operation in operations:
                        operation(event, element, node)
                return
            parent = self._descend(node, path[:-1], event)
            entries = entries_of(parent, path[-1]) if elements and parent is not None else None
            for place, element in enumerate(elements if entries is not None else ()):
                assert entries is not None
                target = self._entry(entries, key, place, element, event)
                if target is not None:
                    for operation in operations:
                        operation(event, element, target)

        return run

    def _single(self, rule: Rule) -> Operation:
        verbs: dict[str, Callable[[Rule], Operation]] = {
            "start": self._whole,
            "replace": self._whole,
            "put": self._put,
            "set": self._set,
            "first": self._first,
            "append": self._append,
            "extend": self._extend,
            "rest": self._rest,
            "finish": self._finish,
            "fail": self._fail,
        }
        return verbs[rule.verb](rule)

    # --- verbs ------------------------------------------------------------------------------------------------------

    def _whole(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            value = self.json(reached(item, rule.source))
            if not isinstance(value, dict):
                self.hollow = True
                self.report(
                    "missing-snapshot",
                    "error",
                    "the event holds no snapshot",
                    event,
                    _dotted(rule.source),
                )
                return
            self.hollow = False
            if rule.verb == "start" and self.closed and self.tree is not None:
                self.finished.append(self.tree)
                self.tree, self.closed, self.beside, self.failure = None, False, {}, None
            if rule.keep and self.tree is not None:
                self._keep(rule, value, event)
            self.tree = value
            self._moved()

        return run

    def _keep(self, rule: Rule, value: dict[str, Any], event: Any) -> None:
        """Let the list stay where the new snapshot has none, and compare the two where both have one."""
        old = self.tree.get(rule.keep) if self.tree else None
        entries = old if isinstance(old, Entries) else Entries(old if isinstance(old, list) else ())
        if not entries.by_key:
            return
        if not value.get(rule.keep):
            value[rule.keep] = entries
            return
        self._compare(entries, value[rule.keep], event, f".{rule.keep}")
        if len(entries.by_key) != len(value[rule.keep]):
            what = f"{len(entries.by_key)} entries were streamed, the snapshot has {len(value[rule.keep])}"
            self.report("disagreement", "warning", what, event, f".{rule.keep}")

    def _put(self, rule: Rule) -> Operation:
        """An object as a whole; where a path ends with a key and the source is a list, its entries from that key on."""

        def run(event: Any, item: Any, node: Any) -> None:
            value = self.json(reached(item, rule.source)) if not rule.literal else rule.literal[0]
            if value is None:
                self.report(
                    "missing-source",
                    "error",
                    "the event does not hold what it announces",
                    event,
                    _dotted(rule.source),
                )
                return
            place = self._place(rule, event, node)
            if place is not None:
                holder, key, path = place
                several = (
                    value if type(rule.path[-1]) is tuple and isinstance(value, list) else [value]
                )
                for offset, each in enumerate(several):
                    here = key + offset if offset else key
                    self._compare(holder.get(here), each, event, path)
                    holder[here] = each
                self._moved()

        return run

    def _set(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            value = rule.literal[0] if rule.literal else self.json(reached(item, rule.source))
            if value is None:
                return
            place = self._place(rule, event, node)
            if place is None:
                return
            holder, key, path = place
            if rule.literal or not isinstance(value, str):
                holder[key] = value
                return
            self._compare(holder.get(key), value, event, path)
            holder[key] = Text(value)
            self._moved()

        return run

    def _first(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            value = rule.literal[0] if rule.literal else self.json(reached(item, rule.source))
            if value is None:
                return
            place = self._place(rule, event, node)
            if place is not None and place[0].get(place[1]) in (None, "", 0):
                place[0][place[1]] = value

        return run

    def _append(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            text = self._text(rule, event, item, node)
            if text is not None:
                text.parts.append(reached(item, rule.source))

        return run

    def _quick_append(self, rule: Rule, slow: Operation) -> Callable[[Any], None]:
        """As `_append`, for events whose delta goes to a place that an earlier one was at: one look-up by key."""
        keys = tuple(step[0] for step in rule.path if type(step) is tuple)
        known: dict[Any, Text] = {}
        self._places.append(known)
        source = rule.source[0]

        def apply(event: Any) -> None:
            try:
                place = tuple([getattr(event, key) for key in keys])
                delta = getattr(event, source)
                if type(delta) is str:
                    known[place].parts.append(delta)
                    return
            except (AttributeError, KeyError, TypeError):
                pass
            if self.tree is None:
                self.tree = {}
            slow(event, event, self.tree)
            found = self._found
            if found is not None:
                known[tuple(reached(event, (key,)) for key in keys)] = found
                self._found = None

        return apply

    def _text(self, rule: Rule, event: Any, item: Any, node: Any) -> Text | None:
        """The text that a rule appends to; None where there is nothing to append or no place for it."""
        self._found = None
        value = reached(item, rule.source)
        if value is None:
            return None
        if not isinstance(value, str):
            self._wrong(rule, value, event)
            return None
        place = self._place(rule, event, node)
        if place is None:
            return None
        holder, key, path = place
        old = holder.get(key)
        if not isinstance(old, Text):
            if old is not None and not isinstance(old, str):
                self.report(
                    "wrong-type",
                    "error",
                    "text is appended to something that is not text",
                    event,
                    path,
                )
                return None
            old = holder[key] = Text(*([old] if old else []))
        self._found = old
        return old

    def _wrong(self, rule: Rule, value: Any, event: Any) -> None:
        what = f"expected string, got {type(value).__name__}"
        self.report("wrong-type", "error", what, event, _dotted(rule.source))

    def _extend(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            value = self.json(reached(item, rule.source))
            if not isinstance(value, list):
                return
            place = self._place(rule, event, node)
            if place is not None:
                old = place[0].get(place[1])
                if isinstance(old, list):
                    old += value
                else:
                    place[0][place[1]] = value

        return run

    def _rest(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            found = reached(item, rule.source)
            unknown = found._wire.unknown if isinstance(found, Record) and found._wire else {}
            target = self._descend(node, rule.path, event) if unknown else None
            if target is not None:
                for name, value in unknown.items():
                    if name not in rule.literal and value is not None:
                        target[name] = self.json(value)

        return run

    def _finish(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            key = value_of(item, "index")
            value = reached(item, rule.source)
            self.flags[key] = bool(value) or self.flags.get(key, False)

        return run

    def _fail(self, rule: Rule) -> Operation:
        def run(event: Any, item: Any, node: Any) -> None:
            value = self.json(reached(item, rule.source)) if rule.source else self.json(item)
            if value is not None:
                self.failure = value

        return run

    # --- places -----------------------------------------------------------------------------------------------------

    def _place(self, rule: Rule, event: Any, node: Any) -> tuple[dict[Any, Any], Any, str] | None:
        """Where a path ends: the dict that holds it, the key there, and the path in words."""
        steps = rule.path
        if steps and type(steps[0]) is str and steps[0][0] == "@":
            node, steps = self.beside, (steps[0][1:], *steps[1:])
        shown, count = "", 0
        for number, step in enumerate(steps):
            last = number == len(steps) - 1
            if type(step) is str:
                shown += f".{step}"
                if last:
                    return node, step, shown
                node = self._below(node, step, steps[number + 1], event, shown)
            else:
                key = self._key(step[0], event, shown)
                shown += f"[{key}]"
                if key is None or last:
                    return None if key is None else (node.by_key, key, shown)
                creating = rule.creating[count] if count < len(rule.creating) else None
                following = steps[number + 1]
                if type(following) is tuple:
                    node = node.by_key.setdefault(key, Entries())
                else:
                    node = self._announced(node, key, creating, event, shown)
                count += 1
            if node is None:
                return None
        return None

    def _below(self, node: Any, name: str, following: Any, event: Any, shown: str) -> Any:
        if type(following) is tuple:
            entries = entries_of(node, name)
            if entries is None:
                self.report("wrong-type", "error", "a list was expected here", event, shown)
            return entries
        return self._descend(node, (name,), event)

    def _descend(self, node: Any, names: tuple[str, ...], event: Any) -> Any:
        for name in names:
            child = node.get(name)
            if child is None:
                child = node[name] = {}
            if not isinstance(child, dict):
                self.report(
                    "wrong-type", "error", f"{name} was expected to be an object", event, f".{name}"
                )
                return None
            node = child
        return node

    def _key(self, name: str, event: Any, shown: str) -> Any:
        key = value_of(event, name)
        if type(key) is not int:
            what = (
                f"{name} is {key!r} and not an integer" if key is not None else f"{name} is missing"
            )
            self.report("wrong-index", "error", what, event, shown)
            return None
        if key < 0:
            self.report("wrong-index", "warning", f"{name} is {key}", event, shown)
        return key

    def _announced(
        self, entries: Entries, key: Any, creating: dict[str, Any] | None, event: Any, shown: str
    ) -> Any:
        """The entry at a key; made of `creating` where none was announced, or one of another kind without content."""
        entry = entries.by_key.get(key)
        if isinstance(entry, dict):
            kind = entry.get("type")
            if creating is None or creating.get("type") in (None, kind):
                return entry
            if creating.get("text", None) is None or any(text for _, text in texts(entry)):
                what = f"a {creating['type']} was expected here, not a {kind}"
                self.report("wrong-kind", "warning", what, event, shown)
                return None
        if creating is None:
            self.report("unannounced", "warning", "nothing was announced here", event, shown)
            return None
        self.report(
            "unannounced",
            "warning",
            f"no {creating.get('type', 'entry')} was announced here",
            event,
            shown,
        )
        made = {
            name: (
                value_of(event, value[1:])
                if isinstance(value, str) and value[:1] == "$"
                else plain(value)
            )
            for name, value in creating.items()
        }
        entries.by_key[key] = {name: value for name, value in made.items() if value is not None}
        self._moved()
        return entries.by_key[key]

    def _entry(
        self, entries: Entries, key: tuple[str, ...], place: int, element: Any, event: Any
    ) -> Any:
        """The entry of a list's element: by its index, or by the keys of a piece that may lack one."""
        if len(key) > 1:
            return self._piece(entries, key, element, event)
        index = value_of(element, key[0])
        if index is None:
            self.report(
                "index-filled", "info", f"{key[0]} is missing; {place} was taken", event, ""
            )
            index = place
        elif type(index) is not int:
            self.report(
                "wrong-index", "error", f"{key[0]} is {index!r} and not an integer", event, ""
            )
            return None
        return entries.by_key.setdefault(index, {})

    def _piece(self, entries: Entries, key: tuple[str, ...], element: Any, event: Any) -> Any:
        """The entry that a piece belongs to. A piece opens one when its index is new, or when it has a new id and a name;
        without an index it belongs to the entry of its id, or to the last one, and opens one only with a name.
        """
        index = value_of(element, key[0])
        identity = value_of(element, key[1])
        name = reached(element, tuple(key[2].split(".")))
        entry = self._known_piece(entries, index, identity, name)
        if entry is not None:
            if identity and entries.found.get(id(entry)) not in (None, identity) and not name:
                what = f"{key[1]} changed from {entries.found.get(id(entry))!r} to {identity!r}"
                self.report("id-changed", "warning", what, event, "")
            return entry
        if type(index) is not int and not name:
            self.report("unannounced", "warning", "a piece belongs to no entry", event, "")
            return None
        if type(index) is not int or index < 0 or index in entries.by_key:
            self.report(
                "wrong-index",
                "warning",
                f"{key[0]} is {index!r}; the next free one was taken",
                event,
                "",
            )
        return self._open(entries, index, identity)

    def _known_piece(self, entries: Entries, index: Any, identity: Any, name: Any) -> Any:
        same = [
            entry
            for entry in entries.by_key.values()
            if identity and entries.found.get(id(entry)) == identity
        ]
        if type(index) is not int:
            if same:
                return same[-1]
            return None if name or not entries.by_key else list(entries.by_key.values())[-1]
        at_index = [
            entry
            for entry in entries.by_key.values()
            if entries.found.get((id(entry), "index")) == index
        ]
        if not at_index:
            return None
        here = [entry for entry in at_index if any(entry is other for other in same)]
        if here:
            return here[-1]
        return None if identity and name else at_index[-1]

    def _open(self, entries: Entries, index: Any, identity: Any) -> dict[str, Any]:
        key = index
        if type(index) is not int or index in entries.by_key:
            key = max([key for key in entries.by_key if type(key) is int], default=-1) + 1
        entry: dict[str, Any] = {}
        entries.by_key[key] = entry
        entries.found[id(entry)] = identity
        entries.found[(id(entry), "index")] = index if type(index) is int else key
        return entry

    # --- comparing --------------------------------------------------------------------------------------------------

    def _compare(self, old: Any, new: Any, event: Any, path: str) -> None:
        """Report every text that was streamed and stands otherwise in what takes its place."""
        if isinstance(old, dict) and isinstance(new, dict) and old.get("type") != new.get("type"):
            what = f"a {new.get('type')} takes the place of a {old.get('type')}"
            self.report("replaced", "warning", what, event, path)
            return
        for steps, text in texts(old):
            other = at(new, steps) if steps else new
            if text and other != text:
                where = path + "".join(
                    f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps
                )
                what = f"streamed {_short(text)}, then {_short(other)}"
                self.report("disagreement", "warning", what, event, where)

    def _moved(self) -> None:
        """Forget the places of texts, after one of them may have been replaced."""
        for known in self._places:
            known.clear()


def plain_json(engine: Engine, value: Any) -> Any:
    """A JSON value, records in it encoded, fresh at every level."""
    if isinstance(value, list):
        return [engine.json(item) for item in value]
    if isinstance(value, dict):
        return {key: engine.json(item) for key, item in value.items()}
    return value


def _dotted(names: tuple[str, ...]) -> str:
    return "".join(f".{name}" if name != "[]" else "[]" for name in names)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:40]}…{text[-16:]}"
