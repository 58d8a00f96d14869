"""OpenAPI Overlay 1.0: corrections of a document, each with its reason.

Reads an overlay file; returns changed copies of a document's tree, and what did not fit; never changes its input, and
never lets an action pass that changed nothing.

`x-document` is ours: the name of the document that the overlay is for. Removing a string or a number (a name in
`required`) is allowed, as Overlay 1.1 has it; 1.0 spoke of objects and arrays only. Within a merge, lists are
joined, and any other pair of different kinds is replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from jsonpath import JSONPath, JSONPathEnvironment, JSONPathError, JSONPathMatch

from codegen.cut import copy
from codegen.documents import Document, Text, as_document, read_text
from codegen.errors import Finding, SpecError
from codegen.in_time import in_time
from codegen.json_text import nodes, require_limits
from codegen.limits import MAX_DEPTH, exceeded, limit

_KEYS = frozenset({"overlay", "info", "extends", "actions", "x-document"})
_ACTION_KEYS = frozenset({"target", "description", "update", "remove"})
_VERSION = re.compile(r"1\.0\.[0-9]+")
_TARGET = "Remove the action or correct its target."


class _Environment(JSONPathEnvironment):
    max_recursion_depth = MAX_DEPTH + 1


_PATHS = _Environment(strict=True)  # RFC 9535 to the letter, without the library's own syntax


@dataclass(frozen=True)
class Action:
    """One action: what it selects, and either the value to merge in or the wish to remove."""

    number: int
    target: str
    path: JSONPath
    update: Any
    remove: bool


@dataclass(frozen=True)
class Overlay:
    """An overlay file that keeps the rules of Overlay 1.0. `document` is the name of what it applies to."""

    text: Text
    document: str
    actions: tuple[Action, ...]

    def finding(self, action: Action, what: str, advice: str) -> Finding:
        """A finding at the place of the action in the file."""
        return Finding(self.text.where(f"/actions/{action.number}"), what, advice)


def read_overlays(paths: Iterable[Path]) -> tuple[Overlay, ...]:
    """The overlays at `paths`; SpecError with the findings of all of them together."""
    overlays: list[Overlay] = []
    findings: list[Finding] = []
    for path in paths:
        try:
            overlays.append(read_overlay(path))
        except SpecError as error:
            findings.extend(error.findings)
    if findings:
        raise SpecError(findings)
    return tuple(overlays)


def read_overlay(path: str | Path) -> Overlay:
    """One overlay; SpecError with every rule of Overlay 1.0 that it breaks (Overlay, Info and Action Object)."""
    text = read_text(path)
    faults = list(_faults(text.tree))
    actions = text.tree.get("actions")
    if isinstance(actions, list):
        for number, action in enumerate(actions):
            faults += [
                (f"/actions/{number}{at}", what, do) for at, what, do in _action_faults(action)
            ]
    if faults:
        raise SpecError(Finding(text.where(at), what, advice) for at, what, advice in faults)
    return Overlay(
        text,
        text.tree["x-document"],
        tuple(_action(number, action) for number, action in enumerate(text.tree["actions"])),
    )


def apply(overlay: Overlay, tree: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """A changed copy of `tree`, and a finding for each action that did not fit."""
    changed = copy(tree)
    return changed, tuple(_apply(overlay, changed))


def apply_all(overlays: Iterable[Overlay], document: Document) -> Document:
    """The document after all of those overlays that are for it, in their order; SpecError with all findings."""
    mine = [overlay for overlay in overlays if overlay.document == document.name]
    if not mine:
        return document
    tree = copy(document.tree)
    findings = [finding for overlay in mine for finding in _apply(overlay, tree)]
    if findings:
        raise SpecError(findings)
    where = mine[-1].text.path
    require_limits(tree, where)
    # What an overlay left of the document may be none; the places named are those of the document as it was.
    return as_document(replace(document, tree=tree))


def _faults(tree: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """What is wrong with the overlay around its actions, as (pointer, what, advice)."""
    version = tree.get("overlay")
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        yield "/overlay", f"`overlay` is {version!r} and not 1.0.x", "Write overlay: 1.0.0."
    info = tree.get("info")
    for key in ("title", "version"):
        value = info.get(key) if isinstance(info, dict) else None
        if not isinstance(value, str) or not value:
            yield f"/info/{key}", f"`info.{key}` is not there or not a string", "Add it."
    name = tree.get("x-document")
    if not isinstance(name, str) or not name:
        what = "`x-document` does not name a document"
        yield "/x-document", what, "Add x-document with the name of a file in spec/documents/."
    elif "extends" in tree and not _names(tree["extends"], name):
        what = f"`extends` is {tree['extends']!r} and x-document {name!r}"
        yield "/extends", what, "Let both name the same document, or remove `extends`."
    actions = tree.get("actions")
    if not isinstance(actions, list) or not actions:
        yield "/actions", "`actions` is not a list of one or more actions", "Add an action."
    yield from _unknown_keys(tree, _KEYS)


def _names(extends: Any, document: str) -> bool:
    """Whether a URI reference can mean the document: a whole URL may lead anywhere, a path must end in its name."""
    return isinstance(extends, str) and (
        "://" in extends or PurePosixPath(extends).stem == document
    )


def _action_faults(action: Any) -> Iterator[tuple[str, str, str]]:
    if not isinstance(action, dict):
        yield "", "an action is not a mapping", "Give it a target and either update or remove."
        return
    target = action.get("target")
    if not isinstance(target, str):
        yield "/target", "`target` is not there or not a string", "Add a JSONPath of RFC 9535."
    else:
        yield from _target_faults(target)
    if not isinstance(action.get("description", ""), str):
        yield "/description", "`description` is not a string", "Write the reason as a sentence."
    removes = action.get("remove", False)
    if not isinstance(removes, bool):
        yield "/remove", f"`remove` is {removes!r} and not true", "Write remove: true."
    elif removes == ("update" in action):
        yield "", "an action needs either `update` or `remove: true`", "Keep exactly one of them."
    yield from _unknown_keys(action, _ACTION_KEYS)


def _target_faults(target: str) -> Iterator[tuple[str, str, str]]:
    try:
        _PATHS.compile(target)
    except JSONPathError as error:
        reason = str(error.args[0]) if error.args else type(error).__name__
        what = f"target {target} is not a JSONPath of RFC 9535 ({reason})"
        yield "/target", what, "Correct the target."


def _unknown_keys(
    value: Mapping[str, Any], known: frozenset[str]
) -> Iterator[tuple[str, str, str]]:
    for key in value:
        if key not in known and not key.startswith("x-"):
            yield f"/{key}", f"`{key}` is not a key of Overlay 1.0 here", "Remove it."


def _action(number: int, action: Mapping[str, Any]) -> Action:
    path = _PATHS.compile(action["target"])
    assert isinstance(path, JSONPath)  # strict mode has no compound paths
    return Action(number, action["target"], path, action.get("update"), action.get("remove", False))


def _apply(overlay: Overlay, tree: dict[str, Any]) -> Iterator[Finding]:
    """Apply the actions to `tree` itself, one after the other."""
    for action in overlay.actions:
        yield from apply_action(overlay, action, tree)


def apply_action(overlay: Overlay, action: Action, tree: dict[str, Any]) -> Iterator[Finding]:
    """Apply one action to `tree` itself; what did not fit."""
    try:
        matches = targets(action, tree)
    except JSONPathError as error:
        yield overlay.finding(action, f"target {action.target} fails ({error.args[0]})", _TARGET)
        return
    if not matches:
        what = f"target {action.target} matches nothing in document {overlay.document}"
        yield overlay.finding(action, what, _TARGET)
    if not action.remove and len(matches) * nodes(action.update) > limit("MAX_NODES"):
        where = overlay.text.where(f"/actions/{action.number}")
        raise exceeded(where, "the nodes that this adds number", "MAX_NODES")
    change = _remove if action.remove else _update
    for what in change(action, matches):
        yield overlay.finding(action, what, _TARGET)


def targets(action: Action, tree: Mapping[str, Any]) -> list[JSONPathMatch]:
    """What the action selects. A node list may hold a node twice (RFC 9535, section 2.5.1.2); here it is there once."""
    what = "the seconds that this takes to be looked for number"
    with in_time("TARGET_SECONDS", f"target {action.target}", what):
        found = {match.parts: match for match in action.path.finditer(tree)}
    # The library takes a string for an array of characters, which section 2.3.3.2 does not.
    return [
        match
        for match in found.values()
        if match.parent is None or isinstance(match.parent.obj, (dict, list))
    ]


def _remove(action: Action, matches: list[JSONPathMatch]) -> Iterator[str]:
    # From the end: an index stays right while only later members of its list, or members below it, are gone.
    for match in sorted(matches, key=_place, reverse=True):
        if match.parent is None:
            yield "the whole document cannot be removed"
            continue
        container: Any = match.parent.obj
        del container[match.parts[-1]]


def _place(match: JSONPathMatch) -> tuple[tuple[int, int, str], ...]:
    """Sorts numbers as numbers, and what lies within a node after the node."""
    return tuple((0, part, "") if isinstance(part, int) else (1, 0, part) for part in match.parts)


def _update(action: Action, matches: list[JSONPathMatch]) -> Iterator[str]:
    for match in matches:
        node: Any = match.obj
        if isinstance(node, list):
            node.append(copy(action.update))
        elif not isinstance(node, dict):
            yield f"target {action.target} selects {node!r}, which is neither a mapping nor a list"
        elif not isinstance(action.update, dict):
            yield f"`update` is not a mapping, and target {action.target} selects one"
        else:
            _merge(node, action.update)


def _merge(node: dict[str, Any], update: Mapping[str, Any]) -> None:
    for key, value in update.items():
        old = node.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            _merge(old, value)
        elif isinstance(old, list) and isinstance(value, list):
            old.extend(copy(value))
        else:
            node[key] = copy(value)
