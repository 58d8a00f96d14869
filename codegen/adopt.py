"""`codegen adopt`: differences between the specification and the official client become an overlay.

Reads a folder `spec` and the client's side; writes spec/overlays/NAME.yaml, with which those differences are gone. Never writes an
overlay that leaves one of them, that brings new ones, or over a file that is there; then nothing is written at all.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codegen import yaml_dump
from codegen.accepted import read_accepted, sorted_out
from codegen.adopt_actions import actions as actions_for
from codegen.adopt_edits import Action
from codegen.align import aligned, is_client
from codegen.catalogue import Catalogue, Source
from codegen.changes import Change
from codegen.diff import diff
from codegen.documents import shown
from codegen.errors import Finding, SpecError
from codegen.load import Specification, load
from codegen.overlay import read_overlays
from codegen.resolve import resolve
from codegen.review import review
from codegen.sides import Side
from codegen.sources import replace_file
from codegen.tolerant import catalogue_of

PASSES = 6
"""How often what is left is looked at again: a new schema may itself need an edit, which takes two or three passes."""
_NAME = re.compile(r"[0-9]{2}-[a-z0-9]+(-[a-z0-9]+)*")
_READ = ("documents", "fragments", "overlays")


@dataclass(frozen=True)
class Adopted:
    """What was written.

    adopted  the changes that were picked; along  those that went with them
    todo     what generate would say now: an event without an entry in its fragment, an entry without an event
    """

    path: Path
    actions: int
    adopted: tuple[Change, ...]
    along: tuple[Change, ...]
    todo: tuple[Finding, ...]


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
    only     ids of changes, as `codegen diff spec sdk --format json` gives them; by default all that are not accepted on the day
             `today` (YYYY-MM-DD)
    """
    target = spec / "overlays" / f"{name}.yaml"
    _require(name, target, side)
    with tempfile.TemporaryDirectory(prefix="codegen-adopt-") as folder:
        work = _copied(spec, Path(folder) / "spec")
        first = _State.read(work, side.catalogue, streams)
        _require_last(work, name, side)
        _require_streams(streams, first)
        picked = _picked(first.changes, only, spec, today)
        source = next(each for each in side.catalogue.sources if is_client(Catalogue((each,))))
        try:
            actions, last = _made(work, side.catalogue, streams, picked, first, source, name)
        except SpecError as error:
            raise _at_home(error, work, spec) from None
        text = (work / "overlays" / target.name).read_bytes()
        todo = _todo(last.specification)
    replace_file(target, text)
    left = {change.id for change in last.changes}
    ids = {change.id for change in picked}
    along = [each for each in first.changes if each.id not in left | ids]
    home = _at_home(SpecError(todo), work, spec).findings
    return Adopted(target, len(actions), tuple(picked), tuple(along), home)


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


def _copied(spec: Path, work: Path) -> Path:
    """A copy of what is read of a folder `spec`: what is tried must not be seen before it works."""
    for part in _READ:
        if (spec / part).is_dir():
            shutil.copytree(spec / part, work / part)
    (work / "overlays").mkdir(parents=True, exist_ok=True)
    if (spec / "sources.yaml").exists():
        shutil.copy(spec / "sources.yaml", work)
    return work


@dataclass(frozen=True)
class _State:
    """A folder `spec` beside a client."""

    specification: Specification
    document: Catalogue
    client: Catalogue
    changes: tuple[Change, ...]

    @classmethod
    def read(cls, spec: Path, client: Catalogue, streams: Sequence[str]) -> _State:
        specification = load(spec)
        parts = (specification.documents, specification.fragments, specification.sources)
        document = catalogue_of(*parts)
        other = aligned(client, document)
        return cls(specification, document, other, tuple(diff(document, other, streams)))


def _picked(changes: Sequence[Change], only: Sequence[str], spec: Path, today: str) -> list[Change]:
    if only:
        known = {change.id for change in changes}
        action = "See the ids: codegen diff spec sdk --format json."
        unknown = [
            Finding(f"--only {each}", "is no change between the two", action)
            for each in only
            if each not in known
        ]
        if unknown:
            raise SpecError(unknown)
        return [change for change in changes if change.id in only]
    picked, *_ = sorted_out(changes, read_accepted(spec / "accepted.yaml"), today)
    if not picked:
        what = "there is nothing to adopt"
        raise SpecError([Finding("spec", what, "See codegen diff spec sdk for what is accepted.")])
    return picked


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
    for _ in range(PASSES):
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
    return [note for note in review(specification, catalogue) if "has no entry" in note.what]


def _at_home(error: SpecError, work: Path, spec: Path) -> SpecError:
    """The error with the paths of the folder that the user named."""
    return SpecError(
        Finding(
            finding.where.replace(str(work), str(spec)),
            finding.what.replace(str(work), str(spec)),
            finding.action,
        )
        for finding in error.findings
    )
