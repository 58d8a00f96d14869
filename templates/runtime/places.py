"""Where in the tree a rule acts.

Reads the paths of rules, events and the tree; returns the places that paths lead to. Makes an entry that was never
announced only where a rule says with what, and never without a report.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .comparing import is_empty
from .pieces import piece
from .rules import Report, Rule, integer, reached, short, value_of
from .tree import Entries, entries_of, plain


class Place(NamedTuple):
    """The end of a path: `holder[key]`, the path in words, and the list whose entry it is, if it is one."""

    holder: dict[Any, Any]
    key: Any
    path: str
    entries: Entries | None = None


class Places:
    """Finds places, and makes what lies on the way to them."""

    def __init__(
        self, report: Report, is_known_kind: Callable[[Any], bool], moved: Callable[[], None]
    ) -> None:
        self.report = report
        self._is_known_kind = is_known_kind
        self._moved = moved
        self._filled: set[tuple[Any, ...]] = set()

    def find(self, rule: Rule, event: Any, item: Any, node: Any) -> Place | None:
        """Where the path of a rule ends, from a node on; None, reported, where there is no such place. `item` is what the
        rule takes from: the event, or a part of it."""
        shown, depth, last = "", 0, len(rule.path) - 1
        for number, step in enumerate(rule.path):
            is_keyed = number < last and type(rule.path[number + 1]) is tuple
            if type(step) is str:
                shown += f".{step.lstrip('@')}"
                if number == last:
                    return Place(node, step.lstrip("@"), shown)
                node = self.child(node, step.lstrip("@"), is_keyed, event, shown)
            else:
                is_new = number == last and _begins(rule)
                kinds = rule.creating[depth].get("type") if depth < len(rule.creating) else None
                key = self._key(node, step, is_new, kinds, event, shown)
                shown += f"[{key}]"
                if number == last:
                    return Place(node.by_key, key, shown, node)
                if is_keyed:
                    node = node.by_key.setdefault(key, Entries())
                else:
                    node = self._announced(rule, node, key, depth, (event, item), shown)
                depth += 1
            if node is None:
                return None
        return None

    def child(self, node: Any, name: str, is_list: bool, event: Any, shown: str) -> Any:
        """The list or the object called `name`; made where there is none; None, reported, where something else is."""
        if is_list:
            found: Any = entries_of(node, name)
        else:
            found = node.get(name)
            if found is None:
                found = node[name] = {}
            found = found if isinstance(found, dict) else None
        if found is None:
            what = f"{name} is {short(plain(node[name]))} and not {'a list' if is_list else 'an object'}"
            self.report("wrong-type", "error", what, event, shown)
        return found

    def descend(self, node: Any, names: tuple[str, ...], event: Any) -> Any:
        """The object at a path of names."""
        for name in names:
            if node is not None:
                node = self.child(node, name, False, event, f".{name}")
        return node

    def entry(
        self, entries: Entries, key: tuple[str, ...], place: int, element: Any, event: Any
    ) -> Any:
        """The entry of a list's element: by its index, or by the keys of a piece that may lack one."""
        name = key[0]
        if len(key) > 1:
            names = (reached(element, tuple(each.split("."))) for each in key[2].split("/"))
            told = next((each for each in names if each), None)
            index, other = value_of(element, name), value_of(element, key[1])
            return piece(entries, index, other, told, event, self.report)
        value = value_of(element, name)
        index = integer(value)
        if index is None:
            index = place
            self._fill(name, value, index, event, "")
        elif index < 0:
            self._negative(name, index, event, "")
        return entries.by_key.setdefault(index, {name: index})

    def _key(
        self,
        entries: Entries,
        step: tuple[str, ...],
        is_new: bool,
        kinds: Any,
        event: Any,
        shown: str,
    ) -> int:
        """The key of an entry: its index in the event; without one, the entry of the id that the event names, the next free
        place for what begins, and for anything else the last entry of a kind that the rule is for, or the last one.
        """
        name = step[0]
        value = value_of(event, name)
        index = integer(value)
        if index is not None:
            if index < 0:
                self._negative(name, index, event, shown)
            return index
        wanted = reached(event, tuple(step[1].split("."))) if len(step) > 1 else None
        if isinstance(wanted, str) and wanted:
            found = entries.by_key.having(wanted)
            key = entries.free() if found is None else found
        else:
            key = entries.free() if is_new else _last(entries, kinds)
        self._fill(name, value, key, event, shown)
        return key

    def _fill(self, name: str, value: Any, key: int, event: Any, shown: str) -> None:
        """Report an index that is missing or wrong, once for each kind of event."""
        kind = "index-filled" if value is None else "wrong-index"
        tag = value_of(event, "type")
        told = (type(event), tag if isinstance(tag, str) else None, name, kind)
        if told in self._filled:
            return
        self._filled.add(told)
        what = "is missing" if value is None else f"is {short(value)} and not an integer"
        level = "warning" if value is None else "error"
        self.report(kind, level, f"{name} {what}; {key} was taken", event, shown)

    def _negative(self, name: str, index: int, event: Any, shown: str) -> None:
        """Report an index below 0, once for each kind of event."""
        tag = value_of(event, "type")
        told = (type(event), tag if isinstance(tag, str) else None, name, index)
        if told not in self._filled:
            self._filled.add(told)
            self.report("wrong-index", "warning", f"{name} is {index}", event, shown)

    def _announced(
        self,
        rule: Rule,
        entries: Entries,
        key: int,
        depth: int,
        given: tuple[Any, Any],
        shown: str,
    ) -> Any:
        """The entry at a key for a rule that goes on below it; None, reported, where it cannot go on. `given` is the event
        and what the rule takes from."""
        event, item = given
        creating = rule.creating[depth] if depth < len(rule.creating) else {}
        entry = entries.by_key.get(key)
        wanted = creating.get("type")
        kinds: list[Any] = wanted if isinstance(wanted, list) else [wanted]
        if isinstance(entry, dict):
            kind = entry.get("type")
            if kinds == [None] or kind in kinds:
                return self._unless_closed(rule, entries, key, given, shown)
            if key not in entries.made and not self._is_known_kind(kind) and kind is not None:
                return self._unless_closed(rule, entries, key, given, shown)
            if key not in entries.made and not is_empty(entry):
                other = f"a {kind}" if kind else "one without a type"
                what = f"a {' or '.join(kinds)} was expected here, not {other}; "
                what += f"{_taken(rule, item)} is dropped"
                self.report("wrong-kind", "warning", what, event, shown)
                return None
            if key in entries.made and plain(entry) != entries.made[key]:
                entries.before.setdefault(key, []).append(entry)
        if not creating:
            what = f"nothing was announced here; {_taken(rule, item)} is dropped"
            self.report("unannounced", "warning", what, event, shown)
            return None
        if kinds != [None]:
            what = f"no {' or '.join(kinds)} was announced here"
            self.report("unannounced", "warning", what, event, shown)
        made = _made(creating, event)
        entries.made[key] = plain(made)
        entries.closed.discard(key)
        entries.by_key[key] = made
        if entry is not None:
            self._moved()  # the texts of the entry that stood here
        return made

    def _unless_closed(
        self, rule: Rule, entries: Entries, key: int, given: tuple[Any, Any], shown: str
    ) -> Any:
        """The entry, unless it is final and the rule would add to it or set back its status."""
        entry = entries.by_key[key]
        if key not in entries.closed or not (rule.literal or rule.verb.startswith("append")):
            return entry
        if not rule.literal or plain(entry.get(rule.path[-1])) != rule.literal[0]:
            what = f"{_taken(rule, given[1])} came after this was finished"
            self.report("after-done", "warning", what, given[0], shown)
        return None


def _last(entries: Entries, kinds: Any) -> int:
    """The key of the last entry of one of these kinds that is not final; of the last entry where there is none."""
    wanted = kinds if isinstance(kinds, list) else [kinds]
    for key in reversed(entries.by_key):
        entry = entries.by_key[key]
        if key not in entries.closed and isinstance(entry, dict) and entry.get("type") in wanted:
            return key
    return max(entries.by_key.top, 0)


def _begins(rule: Rule) -> bool:
    """Whether a rule is for an entry that begins, of the snapshot or beside it."""
    return rule.verb == "open" or (bool(rule.literal) and rule.path[0][0] == "@")


def _taken(rule: Rule, item: Any) -> str:
    """What a rule takes, as a problem shows it."""
    return short(rule.literal[0] if rule.literal else reached(item, rule.source))


def _made(creating: dict[str, Any], event: Any) -> dict[str, Any]:
    """An entry as a rule says it; what it takes from the event and the event lacks is left out."""
    made = {}
    for name, value in creating.items():
        if name == "type" and isinstance(value, list):
            value = value[0]
        if isinstance(value, str) and value[:1] == "$":
            value = value_of(event, value[1:])
        if value is not None:
            made[name] = plain(value)
    return made
