"""Where the documents in spec/documents/ come from, and what else is watched.

Reads and writes spec/sources.yaml, one entry per source. Never keeps anything of a document that its cut does not.
"""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeAlias

from codegen import yaml_dump
from codegen.catalogue import Source
from codegen.days import is_day
from codegen.documents import Text, read_text, shown
from codegen.errors import Finding, SpecError
from codegen.swap import aside, exclusive, left_aside

_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DAYS = re.compile(r"[1-9][0-9]{0,4}d")
_PATTERNS: Mapping[str, Mapping[str, re.Pattern[str]]] = {
    "document": {
        "name": _NAME,
        "url": re.compile(r"https?://\S+"),
        "version": re.compile(r".*"),
        "commit": re.compile(r"(?:[0-9a-f]{7,40})?"),
        "date": _DATE,
        "sha256": _SHA256,
        "cut_sha256": _SHA256,
        "command": re.compile(r"codegen cut .+"),
        "etag": re.compile(r'(?:W/)?"[\x21\x23-\x7e]*"'),  # RFC 9110, section 8.8.3
        "expected_every": _DAYS,
    },
    "client": {
        "name": _NAME,
        "kind": re.compile("client"),
        "package": re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"),
        "version": re.compile(r"[0-9][0-9A-Za-z.!+_-]*"),
        "date": _DATE,
        "expected_every": _DAYS,
    },
}
_OPTIONAL = frozenset({"date", "etag", "expected_every", "kind"})
"""Keys that may be absent; of a document, the date may not."""
_FIX = "See the comment at the top of spec/sources.yaml."


@dataclass(frozen=True)
class Entry:
    """One upstream document and the cut that was made of it.

    url             where the newest version lies; http(s)
    version         info.version of the document, empty where it has none
    commit          of the upstream repository, empty where it does not come from one
    date            of the document, YYYY-MM-DD
    sha256          of the whole upstream file; cut_sha256 of spec/documents/<name>.yaml
    command         how the cut was made
    etag            that the server gave with this version (RFC 9110, section 8.8.3), empty where it is not known
    expected_every  days, as in "14d", after which it is odd that upstream has not moved; empty for never
    """

    name: str
    url: str
    version: str
    commit: str
    date: str
    sha256: str
    cut_sha256: str
    command: str
    etag: str = ""
    expected_every: str = ""


@dataclass(frozen=True)
class Client:
    """An official client whose releases are watched.

    package  its name in the Python registry; version: the release that was last looked at
    date     when it was, YYYY-MM-DD, empty where it is not known; expected_every: as of a document
    """

    name: str
    package: str
    version: str
    date: str = ""
    expected_every: str = ""
    kind: str = "client"


Watched: TypeAlias = Entry | Client


def read_sources(path: str | Path) -> tuple[Source, ...]:
    """What the catalogue says of the documents, in the file's order."""
    return tuple(
        Source(entry.name, entry.url, entry.version, entry.commit, entry.date, entry.sha256)
        for entry in read_entries(path)
    )


def read_entries(path: str | Path) -> tuple[Entry, ...]:
    """The documents in the file's order; SpecError with everything in it that is not as described above."""
    return tuple(each for each in read_watched(path) if isinstance(each, Entry))


def read_watched(path: str | Path) -> tuple[Watched, ...]:
    """Documents and clients in the file's order; SpecError with everything in it that is not as described above."""
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
    return tuple(map(_watched, entries))


def _watched(entry: dict[str, Any]) -> Watched:
    if entry.get("kind") == "client":
        return Client(**entry)
    return Entry(**{key: value for key, value in entry.items() if key != "kind"})


def _faults(text: Text, number: int) -> Iterator[Finding]:
    place = f"/sources/{number}"
    entry: Any = text.tree["sources"][number]
    if not isinstance(entry, dict):
        yield Finding(text.where(place), "an entry is not a mapping", _FIX)
        return
    kind = entry.get("kind", "document")
    if kind not in _PATTERNS:
        what = f"`kind` is {kind!r}, and neither document nor client"
        yield Finding(text.where(f"{place}/kind"), what, _FIX)
        return
    patterns = {"kind": re.compile(kind), **_PATTERNS[kind]}
    for key, pattern in patterns.items():
        if key not in entry and key in _OPTIONAL and (key, kind) != ("date", "document"):
            continue
        value = entry.get(key)
        if not isinstance(value, str) or not pattern.fullmatch(value):
            yield Finding(text.where(f"{place}/{key}"), f"`{key}` is {value!r}", _FIX)
        elif key == "date" and not is_day(value):
            yield Finding(text.where(f"{place}/{key}"), f"{value} is no day", _FIX)
    for key in entry:
        if key not in patterns:
            yield Finding(text.where(f"{place}/{key}"), f"`{key}` is not a key of a source", _FIX)


def record(path: Path, entry: Watched) -> None:
    """Put an entry into the file in place of the one of its name, under the comment that stands at its top."""
    replace_file(path, recorded(path, entry))


def recorded(path: Path, entry: Watched) -> bytes:
    """The text of the file with the entry in it."""
    entries = {old.name: old for old in read_watched(path)} if path.exists() else {}
    entries[entry.name] = entry
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    comment = "".join(takewhile(lambda line: line.startswith("#"), text.splitlines(keepends=True)))
    rows = [_row(entries[name]) for name in sorted(entries)]
    return comment.encode() + yaml_dump.dump({"sources": rows}).encode()


def _row(entry: Watched) -> dict[str, str]:
    """The entry as the file has it: what may be absent is, where there is nothing to say."""
    kind = "client" if isinstance(entry, Client) else "document"
    absent = _OPTIONAL if kind == "client" else _OPTIONAL - {"date"}
    values = asdict(entry)
    return {key: values[key] for key in _PATTERNS[kind] if values[key] or key not in absent}


def replace_file(path: Path, data: bytes) -> None:
    """Write a file as a whole or not at all, with the permissions that it has; SpecError where it cannot be written.

    A run at the same time waits; what a run left beside the file that was killed is removed.
    """
    target = Path(os.path.realpath(path))  # or the link would be replaced, and not the file
    try:
        with exclusive(target):
            for left in left_aside(target, target.parent):
                if left.is_file():
                    left.unlink()
            _replace(target, data)
    except OSError as error:
        what = f"cannot be written ({error.strerror})"
        raise SpecError([Finding(shown(path), what, "Free the path, or name another.")]) from error


def _replace(target: Path, data: bytes) -> None:
    mode = stat.S_IMODE(target.stat().st_mode) if target.is_file() else 0o644
    staged = ""
    try:
        with tempfile.NamedTemporaryFile(
            dir=target.parent, prefix=aside(target), delete=False
        ) as file:
            staged = file.name
            file.write(data)
        os.chmod(staged, mode)
        os.replace(staged, target)
    except OSError:
        if staged:
            Path(staged).unlink(missing_ok=True)
        raise
