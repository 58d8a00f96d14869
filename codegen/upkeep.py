"""What in spec/ upstream has caught up with, or moved away from.

Reads overlays, fragments and a newer upstream document; returns the document with what still fits, and a finding for each
action or entry that has become idle. Never takes an action that does not fit for a reason to stop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from jsonpath import JSONPathError, JSONPathMatch

from codegen.catalogue import Catalogue
from codegen.cut import copy
from codegen.documents import Document
from codegen.errors import Finding
from codegen.load import Fragment
from codegen.overlay import Action, Overlay, apply_action, targets
from codegen.review import without_entry
from codegen.yaml_lines import escape


@dataclass(frozen=True)
class Fitted:
    """A document after the overlays that are for it, as far as they fit.

    unfit  a finding for each action that matches nothing or selects what it cannot change
    idle   a finding for each action that changes nothing at one of its places or at all: the document says the same by itself
    """

    document: Document
    unfit: tuple[Finding, ...] = ()
    idle: tuple[Finding, ...] = ()


def fit(overlays: Iterable[Overlay], document: Document, before: Document | None = None) -> Fitted:
    """Apply what fits, in order, and tell the rest.

    before  the document as it was, in which what an action removes may have been in more places
    """
    tree = copy(document.tree)
    old = copy(before.tree) if before else {}
    unfit: list[Finding] = []
    idle: list[Finding] = []
    for overlay in overlays:
        for action in overlay.actions if overlay.document == document.name else ():
            idle += _idle(overlay, action, tree, old)
            faults = list(apply_action(overlay, action, tree))
            unfit += map(_caught_up, faults) if action.remove else faults
            list(apply_action(overlay, action, old))  # what does not fit there was told at its time
    return Fitted(replace(document, tree=tree), tuple(unfit), tuple(idle))


def _caught_up(fault: Finding) -> Finding:
    """An action that removes is through when there is nothing left to remove."""
    action = "Remove the action if the document is right now, or correct its target."
    return replace(fault, action=action)


def _idle(
    overlay: Overlay, action: Action, tree: Mapping[str, Any], old: Mapping[str, Any]
) -> Iterator[Finding]:
    """What the document says by itself of all that the action is for; nothing of an action that matches nothing."""
    found = _matches(action, tree)
    if action.remove:
        gone = [place for place in _removed(action, old) if place not in _removed(action, tree)]
        there = [_shown(*place) for place in gone if _at(tree, place[0]) is not None]
        if found and there:
            what = f"of what the action at {action.target} removes, {', '.join(there)} is gone"
            yield overlay.finding(action, what, "Take it out of the target.")
        return
    held = [match for match in found if _holds(match.obj, action.update)]
    if held and len(held) == len(found):
        what = f"what the action at {action.target} adds is now in the document"
        yield overlay.finding(action, what, "Remove the action.")
    elif held:
        places = ", ".join(_shown(match.parts, "") for match in held)
        what = f"what the action at {action.target} adds is now in the document at {places}"
        yield overlay.finding(action, what, "Take that out of the target.")


Place: TypeAlias = tuple[tuple[int | str, ...], str]
"""Where something is: the steps to it, or to its list and, since indexes shift, its text."""


def _matches(action: Action, tree: Mapping[str, Any]) -> list[JSONPathMatch]:
    try:
        return targets(action, tree)
    except JSONPathError:
        return []


def _removed(action: Action, tree: Mapping[str, Any]) -> list[Place]:
    """Parents of what the action removes, each with the name or the text of what goes."""
    return [
        (match.parts[:-1], str(match.parts[-1] if isinstance(match.parts[-1], str) else match.obj))
        for match in _matches(action, tree)
        if match.parts
    ]


def _shown(steps: Iterable[int | str], last: str) -> str:
    pointer = "#" + "".join(f"/{escape(str(step))}" for step in steps)
    return f"{last} of {pointer}" if last else pointer


def _at(tree: Any, steps: Iterable[int | str]) -> Any:
    """The value that the steps lead to; None where they lead nowhere."""
    for step in steps:
        if isinstance(tree, dict) and step in tree:
            tree = tree[step]
        elif isinstance(tree, list) and isinstance(step, int) and step < len(tree):
            tree = tree[step]
        else:
            return None
    return tree


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
    return tuple(
        Finding(
            each.where,
            f"the tag {each.tag} of {each.stream.name} has no rule; it is passed through",
            each.action,
        )
        for each in without_entry(catalogue, fragments)
    )
