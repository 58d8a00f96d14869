"""Where the documents in spec/documents/ come from.

Reads and writes spec/sources.yaml, one entry per document. Never keeps anything of a document that its cut does not.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from codegen import yaml_dump
from codegen.catalogue import Source
from codegen.documents import Text, read_text, shown
from codegen.errors import Finding, SpecError

_SHA256 = re.compile(r"[0-9a-f]{64}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_PATTERNS = {
    "name": re.compile(r"[a-z][a-z0-9_-]*"),
    "url": re.compile(r"https?://\S+"),
    "version": re.compile(r".*"),
    "commit": re.compile(r"(?:[0-9a-f]{7,40})?"),
    "date": _DATE,
    "sha256": _SHA256,
    "cut_sha256": _SHA256,
    "command": re.compile(r"codegen cut .+"),
}
_FIX = "See the comment at the top of spec/sources.yaml."


@dataclass(frozen=True)
class Entry:
    """One upstream document and the cut that was made of it.

    url         where the newest version lies; http(s)
    version     info.version of the document, empty where it has none
    commit      of the upstream repository, empty where it does not come from one
    date        of the document, YYYY-MM-DD
    sha256      of the whole upstream file; cut_sha256 of spec/documents/<name>.yaml
    command     how the cut was made
    """

    name: str
    url: str
    version: str
    commit: str
    date: str
    sha256: str
    cut_sha256: str
    command: str


def read_sources(path: str | Path) -> tuple[Source, ...]:
    """What the catalogue says of the documents, in the file's order."""
    return tuple(
        Source(entry.name, entry.url, entry.version, entry.commit, entry.date, entry.sha256)
        for entry in read_entries(path)
    )


def read_entries(path: str | Path) -> tuple[Entry, ...]:
    """The entries in the file's order; SpecError with everything in it that is not as described above."""
    text = read_text(path)
    entries = text.tree.get("sources")
    if not isinstance(entries, list) or not entries:
        raise SpecError(
            [Finding(text.where("/sources"), "`sources` is not a list of entries", _FIX)]
        )
    findings = [finding for number in range(len(entries)) for finding in _faults(text, number)]
    names = [entry.get("name") for entry in entries if isinstance(entry, dict)]
    for number, name in enumerate(names):
        if name in names[:number]:
            what = f"the source {name!r} is there twice"
            findings.append(Finding(text.where(f"/sources/{number}"), what, "Remove one of them."))
    if findings:
        raise SpecError(findings)
    return tuple(Entry(**entry) for entry in entries)


def _faults(text: Text, number: int) -> Iterator[Finding]:
    place = f"/sources/{number}"
    entry: Any = text.tree["sources"][number]
    if not isinstance(entry, dict):
        yield Finding(text.where(place), "an entry is not a mapping", _FIX)
        return
    for key, pattern in _PATTERNS.items():
        value = entry.get(key)
        if not isinstance(value, str) or not pattern.fullmatch(value):
            yield Finding(text.where(f"{place}/{key}"), f"`{key}` is {value!r}", _FIX)
    for key in entry:
        if key not in _PATTERNS:
            yield Finding(text.where(f"{place}/{key}"), f"`{key}` is not a key of a source", _FIX)


def record(path: Path, entry: Entry) -> None:
    """Put an entry into the file in place of the one of its name, under the comment that stands at its top."""
    entries = {old.name: old for old in read_entries(path)} if path.exists() else {}
    entries[entry.name] = entry
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    comment = "".join(takewhile(lambda line: line.startswith("#"), text.splitlines(keepends=True)))
    rows = [asdict(entries[name]) for name in sorted(entries)]
    replace_file(path, comment.encode() + yaml_dump.dump({"sources": rows}).encode())


def replace_file(path: Path, data: bytes) -> None:
    """Write a file as a whole or not at all; SpecError where it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".codegen-", delete=False) as file:
            file.write(data)
        os.chmod(file.name, 0o644)
        os.replace(file.name, path)
    except OSError as error:
        what = f"cannot be written ({error.strerror})"
        raise SpecError([Finding(shown(path), what, "Free the path, or name another.")]) from error
