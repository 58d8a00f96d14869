"""What the accumulation rules of a stream say of the places that events are about.

Reads rules; returns acts: which list entries an event is about, and whether it begins, grows or ends one. Never looks at an
event. Rules that go through a list of the event are not acts (`choices.py` has them).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from codegen.catalogue import Stream
from codegen.rules import Rule, bare, parse

Verb = Literal["open", "put", "close", "append", "text", "status", "touch"]
"""Begin an entry; an entry in its final form; no more of an entry; more of a text; a text as a whole; a status; any other."""


@dataclass(frozen=True)
class Act:
    """What one rule does.

    lists   names of lists, one in the other
    keys    for each list the property that holds the index, and after it where the entry's id stands
    leaf    the text or label below the last entry; "" where the entry itself is meant
    source  where the event has the value
    value   the value, where the rule says it
    """

    verb: Verb
    lists: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...]
    leaf: str = ""
    source: tuple[Any, ...] = ()
    value: str = ""


_VERBS: dict[str, Verb] = {
    "open": "open", "put": "put", "close": "close", "append": "append", "append64": "append", "appendjson": "append",
    "set": "text", "first": "touch", "last": "touch", "add": "touch",
}  # fmt: skip


def acts_of(stream: Stream) -> dict[str, tuple[Act, ...]]:
    """The acts of each tag, also of those that are in no union."""
    found: dict[str, tuple[Act, ...]] = {}
    for event in (*stream.events, *stream.unlisted):
        rules = [rule for text in event.rules if (rule := parse(text)) is not None]
        acts = [act for rule in rules if (act := _act(rule)) is not None]
        found[event.tag] = tuple(acts)
    return found


def starts_of(stream: Stream) -> dict[str, tuple[str, ...]]:
    """Tags whose events hold the whole snapshot, and where it stands in them."""
    found: dict[str, tuple[str, ...]] = {}
    for event in (*stream.events, *stream.unlisted):
        for text in event.rules:
            rule = parse(text)
            if rule is not None and rule.verb in ("start", "replace"):
                found[event.tag] = rule.source
    return found


def begins(stream: Stream) -> frozenset[str]:
    """Tags that begin a new snapshot."""
    events = (*stream.events, *stream.unlisted)
    return frozenset(e.tag for e in events if any(rule.startswith("start ") for rule in e.rules))


def _act(rule: Rule) -> Act | None:
    verb = _VERBS.get(rule.verb)
    if verb is None or any(step.startswith("[") for step in rule.source):
        return None
    lists: list[str] = []
    keys: list[tuple[str, ...]] = []
    names: list[str] = []
    for step in rule.path:
        if isinstance(step, tuple):
            lists.append(".".join(names))
            keys.append(step)
            names = []
        else:
            names.append(step.rstrip("?"))
    leaf = ".".join(names)
    if verb == "text" and rule.literal:
        verb = "status" if leaf == "status" else "touch"
    value = str(rule.literal[0]) if rule.literal else ""
    return Act(verb, tuple(lists), tuple(keys), leaf, bare(rule.source), value)


def gapless(stream_acts: dict[str, tuple[Act, ...]]) -> frozenset[tuple[str, ...]]:
    """Lists whose indexes have no gap: all of the snapshot, and those beside it whose index counts nothing else."""
    acts = [act for each in stream_acts.values() for act in each if act.lists]
    of_tree = {key[0] for act in acts if not act.lists[0].startswith("@") for key in act.keys}
    found = set()
    for act in acts:
        for depth, key in enumerate(act.keys, 1):
            if not act.lists[0].startswith("@") or key[0] not in of_tree:
                found.add(act.lists[:depth])
    return frozenset(found)
