"""Taking over what upstream has.

Reads a `Drift`; writes the new cuts to spec/documents/ and what was looked at to spec/sources.yaml. Never touches overlays,
fragments or generated/, never writes anything of a source that failed, and never writes what generate cannot use.
"""

from __future__ import annotations

import dataclasses
import datetime
from pathlib import Path

from codegen.cut_command import write_cut
from codegen.drift_verdicts import Drift, Verdict
from codegen.emit import emit
from codegen.errors import Finding, SpecError
from codegen.load import load
from codegen.progress import doing
from codegen.resolve import resolve
from codegen.sources import Client, Entry, record
from codegen.trial import copied


def update(drift: Drift, spec: Path, today: datetime.date) -> list[str]:
    """Write what moved; a line for each thing written. SpecError, and nothing written, where generate could not use it."""
    if any(verdict.document for verdict in drift.verdicts):
        doing("trying whether all of it can be generated")
        try:
            with copied(spec) as work:
                _write(drift, work, today)
                emit(resolve(load(work)))
        except SpecError as error:
            raise SpecError([*error.findings, _refusal(drift, spec)]) from None
    return _write(drift, spec, today)


def _refusal(drift: Drift, spec: Path) -> Finding:
    names = ", ".join(verdict.entry.name for verdict in drift.verdicts if verdict.document)
    what = f"nothing is written: with the new cut of {names}, generate would end so"
    action = (
        "Edit what is named, in the overlays and fragments, and run codegen drift --update again."
    )
    return Finding(str(spec), what, action)


def _write(drift: Drift, spec: Path, today: datetime.date) -> list[str]:
    return [line for verdict in drift.verdicts for line in _taken(verdict, spec, today.isoformat())]


def _taken(verdict: Verdict, spec: Path, today: str) -> list[str]:
    entry = verdict.entry
    if isinstance(entry, Client):
        if verdict.state != "moved":
            return []
        record(
            spec / "sources.yaml", dataclasses.replace(entry, version=verdict.version, date=today)
        )
        return [f"{entry.name}: {verdict.version} is recorded as looked at"]
    if verdict.document is not None:
        into = spec / "documents"
        written = write_cut(verdict.document, entry.url, into, date=today, etag=verdict.etag)
        return [f"{written.path}: {written.schemas} schemas"]
    return _with_etag(verdict, entry, spec)


def _with_etag(verdict: Verdict, entry: Entry, spec: Path) -> list[str]:
    """Remember the ETag of a document that has not moved: the next run is spared its bytes."""
    if verdict.etag in ("", entry.etag):
        return []
    record(spec / "sources.yaml", dataclasses.replace(entry, etag=verdict.etag))
    return [f"{entry.name}: the ETag is recorded"]
