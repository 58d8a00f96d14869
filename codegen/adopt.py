"""`codegen adopt`: differences between the specification and the official client become an overlay.

Reads a folder `spec` and the client's side; writes spec/overlays/NAME.yaml, with which those differences are gone. Never writes an
overlay that leaves one of them, that brings new ones, or over a file that is there; then nothing is written at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codegen import yaml_dump
from codegen.accepted import read_accepted, sorted_out
from codegen.adopt_actions import actions as actions_for
from codegen.adopt_edits import Action
from codegen.adopt_own import corrections
from codegen.align import aligned, is_client
from codegen.catalogue import Catalogue, Source
from codegen.changes import Change
from codegen.diff import diff
from codegen.documents import shown
from codegen.errors import Finding, SpecError
from codegen.load import Specification, load_undated
from codegen.overlay import read_overlays
from codegen.progress import doing
from codegen.resolve import resolve
from codegen.review import unruled
from codegen.sides import Side
from codegen.sources import replace_file
from codegen.tolerant import catalogue_of
from codegen.trial import at_home, copied

PASSES = 6
"""How often what is left is looked at again: a new schema may itself need an edit, which takes two or three passes."""
_NAME = re.compile(r"[0-9]{2}-[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Adopted:
    """What was written; no action, and no file, where there was nothing to adopt.

    adopted   the changes that were picked; along  those that went with them
    ours      those that were not, because they would undo an overlay; accepted  because they are in spec/accepted.yaml
    todo      what generate would say now: an event without an entry in its fragment, an entry without an event
    """

    path: Path
    actions: int
    adopted: tuple[Change, ...]
    along: tuple[Change, ...]
    todo: tuple[Finding, ...]
    ours: tuple[Change, ...] = ()
    accepted: int = 0


def adopt(
    spec: Path,
    side: Side,
    name: str,
    streams: Sequence[str] = (),
    only: Sequence[str] = (),
    today: str = "",
) -> Adopted:
    """Write the overlay `name`; SpecError, and nothing written, where that does not do it.

    side     the client's
    streams  adopt what reaches these; all by default
    only     ids of changes, as `codegen diff spec sdk --format json` gives them; by default all that are neither accepted on the day
             `today` (YYYY-MM-DD) nor would undo an overlay that is there
    """
    target = spec / "overlays" / f"{name}.yaml"
    _require(name, target, side)
    with copied(spec) as work:
        first = _State.read(work, side.catalogue, streams)
        _require_last(work, name, side)
        _require_streams(streams, first)
        picked, ours, accepted = _picked(first, only, spec, today)
        if not picked:
            return Adopted(target, 0, (), (), (), tuple(ours), accepted)
        source = next(each for each in side.catalogue.sources if is_client(Catalogue((each,))))
        actions, last = _made(work, side.catalogue, streams, picked, first, source, name)
        text = (work / "overlays" / target.name).read_bytes()
        todo = at_home(_todo(last.specification), work, spec)
    replace_file(target, text)
    left = {change.id for change in last.changes}
    ids = {change.id for change in picked}
    along = [each for each in first.changes if each.id not in left | ids]
    return Adopted(target, len(actions), tuple(picked), tuple(along), todo, tuple(ours), accepted)


def _require(name: str, target: Path, side: Side) -> None:
    if not _NAME.fullmatch(name):
        what = "is not a name for an overlay: two digits and why, such as 16-client-events"
        raise SpecError([Finding(f"--name {name}", what, "Give another name.")])
    if target.exists():
        raise SpecError([Finding(shown(target), "is there already", "Give another --name.")])
    if not is_client(side.catalogue):
        what = "is not a client: a document is taken over by codegen cut"
        raise SpecError([Finding(side.label, what, "Write --from sdk or --from sdk:VERSION.")])


def _require_last(work: Path, name: str, side: Side) -> None:
    """An overlay that is applied later would meet what this one has changed."""
    documents = {source.name for source in side.catalogue.sources}
    paths = sorted((work / "overlays").glob("*.yaml"))
    later = [each.text.name for each in read_overlays(paths) if each.document in documents]
    if later and later[-1] > name:
        what = f"{later[-1]} would be applied after it"
        action = "Choose a name that comes after it in the alphabet."
        raise SpecError([Finding(f"--name {name}", what, action)])


def _require_streams(streams: Sequence[str], state: _State) -> None:
    known = {stream.name for side in (state.document, state.client) for stream in side.streams}
    action = f"Name one of: {', '.join(sorted(known))}."
    unknown = [
        Finding(name, "is no stream of either side", action)
        for name in streams
        if name not in known
    ]
    if unknown:
        raise SpecError(unknown)


@dataclass(frozen=True)
class _State:
    """A folder `spec` beside a client, as it is and in the document's words."""

    specification: Specification
    document: Catalogue
    client: Catalogue
    changes: tuple[Change, ...]
    unaligned: Catalogue

    @classmethod
    def read(cls, spec: Path, client: Catalogue, streams: Sequence[str]) -> _State:
        specification = load_undated(spec)
        parts = (specification.documents, specification.fragments, specification.sources)
        document = catalogue_of(*parts)
        other = aligned(client, document)
        changes = tuple(diff(document, other, streams))
        return cls(specification, document, other, changes, client)


def _picked(
    first: _State, only: Sequence[str], spec: Path, today: str
) -> tuple[list[Change], list[Change], int]:
    """What to adopt, what to leave because it would undo an overlay, and how many changes are accepted."""
    if not only:
        left, known, *_ = sorted_out(first.changes, read_accepted(spec / "accepted.yaml"), today)
        ours = corrections(left, first.specification, spec, first.unaligned)
        return [change for change in left if change not in ours], ours, len(known)
    known_ids = {change.id for change in first.changes}
    action = "See the ids: codegen diff spec sdk --format json."
    unknown = [
        Finding(f"--only {each}", "is no change between the two", action)
        for each in only
        if each not in known_ids
    ]
    if unknown:
        raise SpecError(unknown)
    return [change for change in first.changes if change.id in only], [], 0


def _made(
    work: Path,
    client: Catalogue,
    streams: Sequence[str],
    picked: Sequence[Change],
    first: _State,
    source: Source,
    name: str,
) -> tuple[list[Action], _State]:
    """The actions, written to the copy, and the copy with them; passes until nothing that was picked is left."""
    evidence = f"{source.url.rpartition('/')[2].partition('@')[0]} {source.version}"
    known = {change.id for change in first.changes} - {change.id for change in picked}
    actions: list[Action] = []
    state = first
    for number in range(PASSES):
        doing("looking for an overlay, passes", number + 1)
        left = [change for change in state.changes if change.id not in known]
        if not left:
            return actions, state
        document = state.specification.documents[left[0].document]
        new = actions_for(document.tree, state.document, state.client, left, evidence)
        if not new:
            break
        actions += new
        overlay = _overlay(name, evidence, left[0].document, actions)
        (work / "overlays" / f"{name}.yaml").write_text(yaml_dump.dump(overlay), encoding="utf-8")
        state = _State.read(work, client, streams)
    action = "Write the overlay for it by hand, or pick others by --only."
    raise SpecError(
        Finding(change.id, "no overlay was found that takes it over", action)
        for change in state.changes
        if change.id not in known
    )


def _overlay(
    name: str, evidence: str, document: str, actions: Iterable[Action]
) -> Mapping[str, Any]:
    why = name[3:].replace("-", " ")
    return {
        "overlay": "1.0.0",
        "x-document": document,
        "info": {"title": f"Adopted from {evidence}: {why}", "version": "1.0.0"},
        "actions": list(actions),
    }


def _todo(specification: Specification) -> list[Finding]:
    try:
        catalogue = resolve(specification)
    except SpecError as error:
        return list(error.findings)
    return unruled(specification, catalogue)
