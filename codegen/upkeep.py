"""What in spec/ upstream has caught up with, or moved away from.

Reads overlays, fragments and a newer upstream document; returns the document with what still fits, and a finding for each
action or entry that has become idle. Never takes an action that does not fit for a reason to stop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from jsonpath import JSONPathError

from codegen.catalogue import Catalogue, Stream
from codegen.cut import copy
from codegen.documents import Document
from codegen.errors import Finding
from codegen.load import Fragment
from codegen.overlay import Action, Overlay, apply_action, targets


@dataclass(frozen=True)
class Fitted:
    """A document after the overlays that are for it, as far as they fit.

    unfit  a finding for each action that matches nothing or selects what it cannot change
    idle   a finding for each action that changes nothing: the document says the same by itself
    """

    document: Document
    unfit: tuple[Finding, ...] = ()
    idle: tuple[Finding, ...] = ()


def fit(overlays: Iterable[Overlay], document: Document) -> Fitted:
    """Apply what fits, in order, and tell the rest."""
    tree = copy(document.tree)
    unfit: list[Finding] = []
    idle: list[Finding] = []
    for overlay in overlays:
        for action in overlay.actions if overlay.document == document.name else ():
            if _is_idle(action, tree):
                what = f"what the action at {action.target} adds is now in the document"
                idle.append(overlay.finding(action, what, "Remove the action."))
            faults = list(apply_action(overlay, action, tree))
            unfit += map(_caught_up, faults) if action.remove else faults
    return Fitted(replace(document, tree=tree), tuple(unfit), tuple(idle))


def _caught_up(fault: Finding) -> Finding:
    """An action that removes is through when there is nothing left to remove."""
    action = "Remove the action if the document is right now, or correct its target."
    return replace(fault, action=action)


def _is_idle(action: Action, tree: Mapping[str, Any]) -> bool:
    """Whether an update would say nothing that the tree does not say already; one that matches nothing is not idle."""
    if action.remove:
        return False
    try:
        found = [match.obj for match in targets(action, tree)]
    except JSONPathError:
        return False
    return bool(found) and all(_holds(node, action.update) for node in found)


def _holds(node: Any, update: Any) -> bool:
    """Whether merging `update` into `node` gives nothing new; lists of schemas and names count as sets."""
    if isinstance(node, list):
        items = update if isinstance(update, list) else [update]
        return all(any(_equals(item, member) for member in node) for item in items)
    if isinstance(node, dict) and isinstance(update, dict):
        return all(key in node and _holds(node[key], value) for key, value in update.items())
    return _equals(node, update)


def _equals(one: Any, other: Any) -> bool:
    """Equality of JSON values, in which true is not 1; the order of keys does not count."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equals(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equals, one, other))
    return type(one) is type(other) and bool(one == other)


def tags_without_rule(catalogue: Catalogue, fragments: Iterable[Fragment]) -> tuple[Finding, ...]:
    """A finding with the line to add for each tag that its fragment says nothing about; such a tag counts as `ignore`."""
    named = {fragment["stream"]: fragment for fragment in fragments}
    return tuple(
        finding
        for stream in catalogue.streams
        if stream.name in named
        for finding in _without_rule(stream, named[stream.name])
    )


def _without_rule(stream: Stream, fragment: Fragment) -> Iterator[Finding]:
    for event in stream.events:
        if event.tag not in fragment.get("events", {}):
            what = f"the tag {event.tag} of {stream.name} has no rule; it is passed through"
            entry = (
                "{family: …, sentence: …, stability: ga, provenance: documented, rule: [ignore]}"
            )
            line = f"Add under `events`: '{event.tag}': {entry}"
            yield Finding(fragment.where("events"), what, line)
