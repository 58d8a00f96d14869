"""`codegen cut`: an upstream document becomes a committed cut.

Reads a document from a path, a URL or standard input; writes spec/documents/NAME.yaml and its entry in spec/sources.yaml.
Never writes anything when the document cannot be used.
"""

from __future__ import annotations

import datetime
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from codegen.cut import cut, dump
from codegen.documents import Document, read_document, shown
from codegen.errors import Finding, SpecError
from codegen.load import read_fragments, roots
from codegen.progress import doing
from codegen.sources import Entry, read_entries, recorded, replace_file
from codegen.swap import change, exclusive


@dataclass(frozen=True)
class Written:
    """A cut that was written.

    schemas  their number
    unasked  day and commit as they are recorded, with why, of what was not given; empty where both were
    """

    path: Path
    schemas: int
    unasked: str


def cut_document(
    location: str, name: str, into: Path, *, url: str = "", commit: str = "", date: str = ""
) -> Written:
    """Write the cut of a document and record its source.

    The roots are those that the fragments beside `into` name. What is not given of `url`, `commit` and `date` stays as it
    was recorded; the date of a document that changed is today's.
    """
    doing(f"reading {shown(location)}")
    return write_cut(
        read_document(location, name), location, into, url=url, commit=commit, date=date
    )


def write_cut(
    document: Document,
    location: str,
    into: Path,
    *,
    url: str = "",
    commit: str = "",
    date: str = "",
    etag: str = "",
) -> Written:
    """The same for a document that was read already; `location` is where it came from, as the command names it."""
    name = document.name
    if not (into.parent / "fragments").is_dir():
        what = "there is no folder fragments beside it, which names the roots"
        raise SpecError(
            [Finding(shown(into), what, "Name the folder documents of a specification: --into.")]
        )
    named = roots(read_fragments(into.parent / "fragments"), name)
    doing(f"cutting {name}")
    tree = cut(document.tree, named, document.where)
    data = dump(tree)
    path = into / f"{name}.yaml"
    sources = into.parent / "sources.yaml"
    old = (
        {entry.name: entry for entry in read_entries(sources)}.get(name)
        if sources.exists()
        else None
    )
    entry = _entry(document, location, data, old)
    is_known = old is not None and old.sha256 == entry.sha256
    given = {"url": url, "commit": commit, "date": date, "etag": etag}
    entry = Entry(**{**vars(entry), **{key: value for key, value in given.items() if value}})
    _put(into.parent, {path: data, sources: recorded(sources, entry)})
    return Written(path, len(tree["components"]["schemas"]), _unasked(entry, given, is_known))


def _unasked(entry: Entry, given: Mapping[str, str], is_known: bool) -> str:
    """What was recorded of day and commit without being given; is_known: the document was recorded before."""
    parts = []
    if not given["date"]:
        why = "as recorded before" if is_known else "as of today"
        parts.append(f"date {entry.date}, {why} (--date)")
    if not given["commit"]:
        known = f"{entry.commit}, as recorded before" if entry.commit else "unknown"
        parts.append(f"commit {known} (--commit)")
    return "; ".join(parts)


def _put(spec: Path, texts: Mapping[Path, bytes]) -> None:
    """Write both files at once; one after the other where a link leads out of the folder."""
    root = Path(os.path.realpath(spec))
    inside = {path: Path(os.path.realpath(path)) for path in texts}
    if not all(target.is_relative_to(root) for target in inside.values()):
        for path, data in texts.items():
            replace_file(path, data)
        return
    try:
        with exclusive(root):
            change(root, {str(inside[path].relative_to(root)): texts[path] for path in texts})
    except OSError as error:
        where = shown(error.filename or spec)
        what = f"cannot be written ({error.strerror})"
        raise SpecError([Finding(where, what, "Free the path, or name another.")]) from error


def _entry(document: Document, location: str, data: bytes, old: Entry | None) -> Entry:
    digest = hashlib.sha256(document.data).hexdigest()
    same = old is not None and old.sha256 == digest
    shown = Path(location).name if "://" not in location else location
    info = document.tree.get("info")
    version = info.get("version", "") if isinstance(info, dict) else ""
    is_url = "://" in location
    return Entry(
        name=document.name,
        url=location if is_url else old.url if old else "https://example.org/unknown",
        version=str(version),
        commit=old.commit if same and old else "",
        date=old.date if same and old else datetime.date.today().isoformat(),
        sha256=digest,
        cut_sha256=hashlib.sha256(data).hexdigest(),
        command=f"codegen cut {shown} --name {document.name}",
        etag=old.etag if same and old else "",
        expected_every=old.expected_every if old else "",
    )
