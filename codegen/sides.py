"""A side of a comparison: from what a person names to a catalogue.

Reads a catalogue snapshot, an upstream document (path, URL, `-`), a file of a git repository or the working tree; returns a
`Side`. Never applies an overlay to an upstream document, and never takes a stream that a document lacks for a fault.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from codegen import git, snapshot_text
from codegen.catalogue import Catalogue, Source
from codegen.documents import Document, Text, as_document, parse, read_bytes, shown
from codegen.errors import Finding, SpecError
from codegen.load import load_undated, read_fragments
from codegen.progress import doing
from codegen.sdk import read_sdk
from codegen.snapshot_choice import snapshot_paths
from codegen.tolerant import catalogue_of, present, written

_NAMED = re.compile(r"([a-z][a-z0-9_-]*)=(.+)", re.DOTALL)
NO_NAMES = "Name a path, spec or sdk; there are no snapshots here."
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class Side:
    """One side: what it is called, its catalogue, its day (YYYY-MM-DD, or empty).

    written   document → component → digest of how its schema is written, to count changes of spelling
    overlays  document → how many overlays were applied to it; nothing of a snapshot and of a client
    """

    label: str
    catalogue: Catalogue
    date: str = ""
    written: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)
    overlays: Mapping[str, int] = field(default_factory=dict)


def read_side(text: str, spec: Path) -> Side:
    """The side that `text` names; SpecError where it cannot be read.

    text  `spec`, `PREFIX:…` for a reader below, the name of a snapshot in spec/snapshots/, or where a snapshot or an OpenAPI
          document lies: a path, a URL, `-`; `NAME=LOCATION` says which document of ours it is
    """
    if not text:
        raise SpecError(
            [Finding("''", "a side has no name", "Name a path, a snapshot, spec or sdk.")]
        )
    doing(f"reading {text}")
    prefix, _, rest = text.partition(":")
    if prefix in READERS:
        return READERS[prefix](rest, spec)
    named = spec / "snapshots" / f"{text}.json"
    if "/" not in text and os.path.isfile(named) and not os.path.exists(text):
        return from_bytes(read_bytes(named), shown(named), spec)
    if re.fullmatch(r"[\w.-]*\w", text) and not os.path.exists(text):
        names = [path.stem for path in snapshot_paths(spec / "snapshots")]
        known = f"Name a path, spec, sdk, or one of: {', '.join(names)}." if names else NO_NAMES
        raise SpecError([Finding(text, "is neither a file nor a snapshot", known)])
    match = _NAMED.fullmatch(text)
    name, location = match.groups() if match and not os.path.exists(text) else ("", text)
    return from_bytes(read_bytes(location), shown(location), spec, name)


def from_bytes(data: bytes, where: str, spec: Path, name: str = "") -> Side:
    """The side that a text holds, a snapshot or an OpenAPI document.

    name  the document that it stands for; by default the one of which it has most streams
    """
    text = Text(name, where, data, parse(data, where))
    if snapshot_text.is_snapshot(text.tree):
        return Side(*snapshot_text.read(text.tree, where))
    return _document(as_document(text), spec)


def _document(document: Document, spec: Path) -> Side:
    fragments = read_fragments(spec / "fragments")
    name = document.name or _name(document, spec)
    own = tuple(fragment for fragment in fragments if fragment["document"] == name)
    if not own:
        what = f"no fragment names the document {name!r}"
        raise SpecError([Finding(document.path, what, "Name one that a fragment names.")])
    document = Document(name, document.path, document.data, document.tree)
    source = _source(document)
    catalogue = catalogue_of({name: document}, own, (source,))
    label = Path(document.path).stem if "://" not in document.path else document.path
    return Side(label, catalogue, source.date, {name: written(document, own)}, {name: 0})


def _name(document: Document, spec: Path) -> str:
    """The document of ours of which `document` has most streams."""
    fragments = read_fragments(spec / "fragments")
    counts: dict[str, int] = {}
    for fragment in present(fragments, document):
        counts[fragment["document"]] = counts.get(fragment["document"], 0) + 1
    if not counts:
        what = "this has none of the streams that the fragments name"
        action = "If it should have them, all are gone: name the document, as in openai=PATH."
        raise SpecError([Finding(document.path, what, action)])
    return max(sorted(counts), key=lambda name: counts[name])


def _source(document: Document) -> Source:
    """What is known of an upstream document from itself and from its file's name."""
    info = document.tree.get("info")
    version = info.get("version", "") if isinstance(info, dict) else ""
    is_url = "://" in document.path
    days = _DAY.findall(Path(document.path).name)
    place = document.path if is_url else Path(document.path).name
    digest = hashlib.sha256(document.data).hexdigest()
    return Source(document.name, place, str(version), "", days[-1] if days else "", digest)


def _spec(rest: str, spec: Path) -> Side:
    """The working tree, overlays applied."""
    if rest:
        raise SpecError([Finding(f"spec:{rest}", "`spec` takes nothing more", "Write spec.")])
    specification = load_undated(spec)
    catalogue = catalogue_of(
        specification.documents, specification.fragments, specification.sources
    )
    digests = {
        name: written(
            document, tuple(each for each in specification.fragments if each["document"] == name)
        )
        for name, document in specification.documents.items()
    }
    days = [source.date for source in specification.sources]
    names = [overlay.document for overlay in specification.overlays]
    overlays = {name: names.count(name) for name in specification.documents}
    return Side("spec", catalogue, max(days, default=""), digests, overlays)


def _git(rest: str, spec: Path) -> Side:
    revision, _, path = rest.partition(":")
    if not revision or not path:
        what, action = "this is not git:REV:PATH", "Write, for example, git:HEAD~1:openapi.yaml."
        raise SpecError([Finding(f"git:{rest}", what, action)])
    return from_bytes(git.read(revision, path), f"git:{revision}:{path}", spec)


READERS: Mapping[str, Callable[[str, Path], Side]] = {
    "git": _git,
    "sdk": lambda version, spec: Side(*read_sdk(version, spec)),
    "spec": _spec,
}
"""Reader by prefix: what follows the colon, and the folder `spec`, to a side."""
