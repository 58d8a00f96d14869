"""Taking over what upstream has.

Reads a `Drift`; writes the new cuts to spec/documents/ and what was looked at to spec/sources.yaml. Never touches overlays,
fragments or generated/, and never writes anything of a source that failed.
"""

from __future__ import annotations

import dataclasses
import datetime
from pathlib import Path

from codegen.cut_command import write_cut
from codegen.drift import Drift, Verdict
from codegen.load import Faults
from codegen.sources import Client, Entry, record


def update(drift: Drift, spec: Path, today: datetime.date) -> list[str]:
    """Write what moved; a line for each thing written. SpecError, after all else was written, for what could not be."""
    faults = Faults()
    done: list[str] = []
    for verdict in drift.verdicts:
        with faults.kept():
            done += _taken(verdict, spec, today.isoformat())
    faults.settle()
    return done


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
        path, schemas = write_cut(verdict.document, entry.url, into, date=today, etag=verdict.etag)
        return [f"{path}: {schemas} schemas"]
    return _with_etag(verdict, entry, spec)


def _with_etag(verdict: Verdict, entry: Entry, spec: Path) -> list[str]:
    """Remember the ETag of a document that has not moved: the next run is spared its bytes."""
    if verdict.etag in ("", entry.etag):
        return []
    record(spec / "sources.yaml", dataclasses.replace(entry, etag=verdict.etag))
    return [f"{entry.name}: the ETag is recorded"]
