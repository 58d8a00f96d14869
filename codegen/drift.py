"""Upstream against ours.

Reads spec/ and what `upstream` gives for each entry of spec/sources.yaml; returns a `Drift`: for each source, whether it moved,
and what changed. Never takes a source that did not answer, or an answer that cannot be used, for one without changes.

A document is compared as its new cut against the committed cut, our overlays on both. A client is compared with the release that was
last looked at: where the client and spec/ differ for good, `codegen diff spec sdk` tells.
"""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from codegen.accepted import read_accepted
from codegen.catalogue import Catalogue, Source
from codegen.changes import Accepted, Comparison
from codegen.compare import compare
from codegen.cut import cut
from codegen.documents import Document, Text, as_document, parse, read_document
from codegen.drift_verdicts import Drift, Verdict
from codegen.errors import Finding, SpecError
from codegen.load import Fragment, read_fragments, roots
from codegen.overlay import Overlay, read_overlays
from codegen.progress import doing
from codegen.sdk import DISTRIBUTION
from codegen.sides import Side
from codegen.sources import Client, Entry, Watched, read_watched
from codegen.tolerant import catalogue_of, written
from codegen.upkeep import fit, tags_without_rule
from codegen.upstream import Online


@dataclass(frozen=True)
class _Ours:
    """What spec/ says, read once."""

    spec: Path
    fragments: tuple[Fragment, ...]
    overlays: tuple[Overlay, ...]
    accepted: tuple[Accepted, ...]
    today: datetime.date

    def of(self, name: str) -> tuple[Fragment, ...]:
        return tuple(each for each in self.fragments if each["document"] == name)

    def compared(self, old: Side, new: Side) -> Comparison:
        found = compare(old, new, (), self.accepted, self.today.isoformat())
        return dataclasses.replace(found, unmatched=())  # told once, for all sources together


def drift(spec: Path, upstream: Online, today: datetime.date, names: Iterable[str] = ()) -> Drift:
    """Compare every source with spec/; SpecError only for what is wrong in spec/ itself.

    names  only these sources; all by default
    """
    watched = read_watched(spec / "sources.yaml")
    known = [entry.name for entry in watched]
    wanted = list(names) or known
    unknown = [name for name in wanted if name not in known]
    if unknown:
        action = f"Name one of: {', '.join(known)}."
        raise SpecError(Finding(name, "is no source", action) for name in unknown)
    ours = _Ours(
        spec,
        read_fragments(spec / "fragments"),
        read_overlays(sorted((spec / "overlays").glob("*.yaml"))),
        read_accepted(spec / "accepted.yaml", "drift"),
        today,
    )
    verdicts = tuple(_verdict(entry, ours, upstream) for entry in watched if entry.name in wanted)
    if set(wanted) != set(known) or any(verdict.failed for verdict in verdicts):
        return Drift(verdicts)  # an entry may be for a source that nothing is known about
    return Drift(verdicts, _unmatched(verdicts, ours.accepted))


def _unmatched(verdicts: Iterable[Verdict], accepted: Iterable[Accepted]) -> tuple[Accepted, ...]:
    comparisons = [verdict.comparison for verdict in verdicts if verdict.comparison]
    found = {change.id for each in comparisons for change in each.changes}
    found |= {change.id for each in comparisons for change, _ in each.accepted}
    return tuple(
        entry for entry in accepted if entry.id not in found and entry.comparison != "sdk"
    )  # a client is compared with its own earlier release here


def _verdict(entry: Watched, ours: _Ours, upstream: Online) -> Verdict:
    doing(f"asking for {entry.name}")
    judge = _document if isinstance(entry, Entry) else _client
    verdict: Verdict = judge(entry, ours, upstream)  # type: ignore[arg-type]
    if verdict.state != "not moved":
        return verdict
    return dataclasses.replace(verdict, quiet=_quiet(entry, ours.today))


def _quiet(entry: Watched, today: datetime.date) -> str:
    """Why it is odd that the source has not moved; empty where it is not, or where nothing is expected."""
    if not entry.date or not entry.expected_every:
        return ""
    days = (today - datetime.date.fromisoformat(entry.date)).days
    expected = int(entry.expected_every.removesuffix("d"))
    if days <= expected:
        return ""
    return f"has not moved for {days} days, though expected to every {expected}"


def _document(entry: Entry, ours: _Ours, upstream: Online) -> Verdict:
    committed = read_document(ours.spec / "documents" / f"{entry.name}.yaml", entry.name)
    source = Source(entry.name, entry.url, entry.version, entry.commit, entry.date, entry.sha256)
    fitted = fit(ours.overlays, committed)
    old = _side("spec", fitted.document, source, ours)
    edited = _edited(entry, committed)
    try:
        answer = upstream.document(entry)
    except SpecError as error:
        return Verdict(entry, "unreachable", todo=edited, errors=error.findings)
    if answer.data is None:
        todo = (*edited, *fitted.unfit, *fitted.idle, *_todo(old.catalogue, ours))
        return Verdict(entry, "not moved", todo=todo, etag=answer.etag)
    doing(f"comparing {entry.name}")
    try:
        tree = parse(answer.data, entry.url)
        document = as_document(Text(entry.name, entry.url, answer.data, tree))
        document = Document(entry.name, entry.url, answer.data, document.tree)
        comparison, todo = _compared(old, committed, document, ours)
    except SpecError as error:
        return Verdict(entry, "unreadable", todo=edited, errors=_upstreams(error))
    new = comparison.catalogues[1].sources[0]
    found = f"version {new.version or 'without number'}, sha256 {new.sha256[:7]}"
    return Verdict(
        entry,
        "moved",
        found,
        comparison=comparison,
        todo=(*edited, *todo),
        document=document,
        etag=answer.etag,
        version=new.version,
    )


def _upstreams(error: SpecError) -> tuple[Finding, ...]:
    """Faults of an answer: no edit in spec/ mends them, and what was cut short on its way is whole the next time."""
    action = "Run codegen drift again; if it stays so, look at what the URL gives."
    return tuple(Finding(each.where, each.what, action) for each in error.findings)


def _edited(entry: Entry, committed: Document) -> tuple[Finding, ...]:
    """The cut must be what was recorded, or "not moved" would not mean that nothing differs."""
    if hashlib.sha256(committed.data).hexdigest() == entry.cut_sha256:
        return ()
    what = "the cut is not the one that spec/sources.yaml records"
    action = f"Undo the edit and put it into an overlay, or run: {entry.command}"
    return (Finding(committed.path, what, action),)


def _compared(
    old: Side, committed: Document, document: Document, ours: _Ours
) -> tuple[Comparison, tuple[Finding, ...]]:
    """The comparison with what is to be done in spec/; SpecError where the document cannot be used.

    Where it does not go with our overlays, both sides are compared without them, which is told.
    """
    schemas = document.tree["components"]["schemas"]
    named = [name for name in roots(ours.of(document.name), document.name) if name in schemas]
    cut_ = dataclasses.replace(document, tree=cut(document.tree, named, document.where))
    fitted = fit(ours.overlays, cut_, committed)
    source = _source(document)
    label = f"{document.name} upstream"
    try:
        new = _side(label, fitted.document, source, ours)
        clash: tuple[Finding, ...] = ()
    except SpecError as error:
        new = _side(f"{label} without overlays", cut_, source, ours)
        old = _side("spec without overlays", committed, old.catalogue.sources[0], ours)
        clash = tuple(
            Finding(fault.where, f"with our overlays: {fault.what}", fault.action)
            for fault in error.findings
        )
    todo = (*fitted.unfit, *fitted.idle, *clash, *_todo(new.catalogue, ours))
    return ours.compared(old, new), todo


def _todo(catalogue: Catalogue, ours: _Ours) -> tuple[Finding, ...]:
    return tags_without_rule(catalogue, ours.fragments)


def _side(label: str, document: Document, source: Source, ours: _Ours) -> Side:
    own = ours.of(document.name)
    catalogue = catalogue_of({document.name: document}, own, (source,))
    return Side(label, catalogue, source.date, {document.name: written(document, own)})


def _source(document: Document) -> Source:
    info = document.tree.get("info")
    version = str(info.get("version", "")) if isinstance(info, dict) else ""
    digest = hashlib.sha256(document.data).hexdigest()
    return Source(document.name, document.path, version, "", "", digest)


def _client(entry: Client, ours: _Ours, upstream: Online) -> Verdict:
    if entry.package != DISTRIBUTION:
        what = f"the types of {entry.package} cannot be read"
        finding = Finding(entry.name, what, f"Watch the package {DISTRIBUTION}.")
        return Verdict(entry, "unreadable", errors=(finding,))
    try:
        new = upstream.client(entry, ours.spec)
        version = new.catalogue.sources[0].version
        if version == entry.version:
            return Verdict(entry, "not moved", version=version)
        comparison = ours.compared(upstream.recorded(entry, ours.spec), new)
    except SpecError as error:
        return Verdict(entry, "unreachable", errors=error.findings)
    found = f"version {version}"
    return Verdict(entry, "moved", found, comparison=comparison, version=version)
