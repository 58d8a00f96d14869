"""The specification as it stands in a folder: documents with overlays applied, fragments, sources.

Reads `spec/`; returns a `Specification`. Never writes, never fetches anything that a document names, and never reads
a document's prose unless the caller asked for it (`--docs`).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema

from codegen.catalogue import Envelope, Source
from codegen.cut import FACTS, FACTS_AND_PROSE, cut
from codegen.dialects import DialectFragment, read_dialects
from codegen.documents import Document, locate, parse, read_bytes, read_document
from codegen.envelopes import read_envelopes
from codegen.envelopes_scenarios import scenario_envelopes
from codegen.errors import Finding, SpecError
from codegen.first_seen import FirstSeen, read_first_seen
from codegen.fragment_names import Validator, name_faults
from codegen.overlay import Overlay, apply_all, read_overlays
from codegen.sources import read_sources
from codegen.yaml_lines import escape

INHERITED = ("complete", "error", "follow", "order", "reads", "repair", "unlisted", "usage")
"""What a fragment takes whole from the one it is like, besides events and models, where it has none of its own."""
FRAGMENT_SCHEMA = Path(__file__).with_name("fragment.schema.json")


@dataclass(frozen=True)
class Fragment:
    """What OpenAPI cannot say about a stream. Behaves as the mapping that the file holds, `like` filled in."""

    path: str
    values: Mapping[str, Any]
    own_events: tuple[str, ...] = ()
    data: bytes = field(default=b"", repr=False)

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def get(self, key: str, default: Any = None) -> Any:
        """The value of `key`, or `default`."""
        return self.values.get(key, default)

    def where(self, key: str) -> str:
        """The place of a key, or of a tag's entry, for an error."""
        inner = f"/events/{escape(key)}" if key in self.values.get("events", {}) else f"/{key}"
        return _where(self.path, self.data, inner)


@dataclass(frozen=True)
class Specification:
    """Documents by name, fragments in the order of their streams' names, sources, dialects by name, vectors by hand, snapshots
    in which events were first, the overlays that were applied."""

    documents: Mapping[str, Document]
    fragments: tuple[Fragment, ...]
    sources: tuple[Source, ...] = ()
    dialects: tuple[DialectFragment, ...] = ()
    envelopes: tuple[Envelope, ...] = ()
    flags: str = ""
    first_seen: FirstSeen = field(default_factory=dict)
    overlays: tuple[Overlay, ...] = ()


def load(
    spec: Path,
    *,
    documents: Mapping[str, str] = {},
    docs: bool = False,
    streams: tuple[str, ...] = (),
) -> Specification:
    """The specification in the folder `spec`.

    documents  whole documents to take in place of the committed cuts, as name → path or URL
    docs       keep the prose of those documents, for docstrings
    streams    only these streams and what they need; all of them by default
    Raises SpecError with every finding of the stage that found any.
    """
    undated = load_undated(spec, documents=documents, docs=docs, streams=streams)
    return dataclasses.replace(undated, first_seen=read_first_seen(spec / "snapshots"))


def load_undated(
    spec: Path,
    *,
    documents: Mapping[str, str] = {},
    docs: bool = False,
    streams: tuple[str, ...] = (),
) -> Specification:
    """The same without looking at catalogue snapshots: when events were first there is not known."""
    fragments = read_fragments(spec / "fragments")
    _require_used(documents, docs, fragments)
    names = [fragment["stream"] for fragment in fragments]
    fragments = _chosen(fragments, streams, spec / "fragments")
    faults = Faults()
    trees: dict[str, Document] = {}
    overlays: tuple[Overlay, ...] = ()
    sources: tuple[Source, ...] = ()
    dialects: tuple[DialectFragment, ...] = ()
    envelopes: tuple[Envelope, ...] = ()
    flags = ""
    for name in sorted({fragment["document"] for fragment in fragments}):
        with faults.kept():
            trees[name] = _document(spec, name, documents, fragments, docs)
    with faults.kept():
        overlays = read_overlays(sorted((spec / "overlays").glob("*.yaml")))
    with faults.kept():
        sources = read_sources(spec / "sources.yaml")
    with faults.kept():
        dialects = read_dialects(spec / "fragments" / "dialects", names)
    with faults.kept():
        envelopes, flags = read_envelopes(spec / "vectors", names)
        envelopes += scenario_envelopes(spec / "scenarios")
    present = {path.stem for path in (spec / "documents").glob("*.yaml")} | set(documents)
    for overlay in overlays:
        if overlay.document not in present:
            what = f"there is no document {overlay.document!r}"
            faults.add(overlay.text.where("/x-document"), what, _one_of(present))
    overlaid: dict[str, Document] = {}
    for name, document in trees.items():
        with faults.kept():
            overlaid[name] = apply_all(overlays, document)
    faults.settle()
    return Specification(
        overlaid, fragments, sources, dialects, envelopes, flags, overlays=overlays
    )


class Faults:
    """Findings collected until a stage ends, so that all of them are told together."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []

    def add(self, where: str, what: str, action: str) -> None:
        """Keep a finding."""
        self.findings.append(Finding(where, what, action))

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep the findings of a SpecError that the block raises, and go on after it."""
        try:
            yield
        except SpecError as error:
            self.findings += error.findings

    def settle(self) -> None:
        """Raise a SpecError with everything found so far, if there is anything."""
        if self.findings:
            raise SpecError(self.findings)


def _require_used(
    documents: Mapping[str, str], docs: bool, fragments: tuple[Fragment, ...]
) -> None:
    """Options that would do nothing are errors: whoever gave them expects something else."""
    faults = Faults()
    known = {fragment["document"] for fragment in fragments}
    for name in sorted(set(documents) - known):
        faults.add(f"--document {name}={documents[name]}", "no fragment names it", _one_of(known))
    if docs and not documents:
        what = "the documents in spec/documents/ have no prose"
        faults.add("--docs", what, "Give the whole document: --document NAME=PATH.")
    faults.settle()


def _one_of(names: Iterable[str]) -> str:
    return "Name one of: " + ", ".join(sorted(names)) + "."


def roots(fragments: tuple[Fragment, ...], document: str) -> list[str]:
    """The components that the fragments name in a document: the roots of its cut; SpecError where none names it."""
    known = {fragment["document"] for fragment in fragments}
    if document not in known:
        what = f"no fragment names the document {document!r}"
        folder = str(Path(fragments[0].path).parent)
        raise SpecError([Finding(folder, what, f"Add a fragment for it. {_one_of(known)}")])
    named: list[str] = []
    for fragment in fragments:
        if fragment["document"] == document:
            named += [fragment["union"], fragment.get("snapshot", ""), *fragment.get("needs", ())]
    return [name for name in dict.fromkeys(named) if name]


def read_fragments(folder: Path) -> tuple[Fragment, ...]:
    """All fragments of a folder, checked against the schema, `like` filled in, in the order of file names."""
    validator = Validator(json.loads(FRAGMENT_SCHEMA.read_bytes()))
    faults = Faults()
    found: dict[str, Fragment] = {}
    paths = sorted(folder.glob("*.yaml"))
    if not paths:
        what = "the folder has no fragments" if folder.is_dir() else "the folder does not exist"
        faults.add(str(folder), what, "Name the right --spec.")
    for path in paths:
        with faults.kept():
            fragment = _fragment(path, validator)
            other = found.setdefault(fragment["stream"], fragment)
            if other is not fragment:
                what = f"{other.path} is of the stream {fragment['stream']} too"
                faults.add(fragment.where("stream"), what, "Rename one of them.")
    faults.settle()
    return tuple(_filled(fragment, found) for fragment in found.values())


def _fragment(path: Path, validator: Any) -> Fragment:
    """The fragment in a file, as it stands there; SpecError with everything that its schema does not allow."""
    data = read_bytes(path)
    values = parse(data, str(path))
    faults = Faults()
    for error in validator.iter_errors(values):
        pointer = "".join(f"/{escape(str(step))}" for step in error.absolute_path)
        faults.add(
            _where(str(path), data, pointer), _fault(error), "See codegen/fragment.schema.json."
        )
    faults.settle()
    for pointer, what in name_faults(values):
        faults.add(_where(str(path), data, pointer), what, "Choose another.")
    faults.settle()
    return Fragment(str(path), values, tuple(values.get("events", ())), data)


def _fault(error: jsonschema.ValidationError) -> str:
    """The message of a schema's fault, shortened where it repeats the whole value."""
    return error.message if len(error.message) < 200 else error.message[:200] + "…"


def _filled(fragment: Fragment, found: Mapping[str, Fragment]) -> Fragment:
    """The fragment with the events and models that it takes from the one it is like, and that one in turn."""
    if "like" not in fragment:
        return fragment
    chain = [fragment]
    while "like" in chain[-1]:
        like = chain[-1]["like"]
        if like not in found or found[like] in chain:
            what = f"like: {like} names no stream, or one that is like this one"
            raise SpecError([Finding(chain[-1].where("like"), what, _one_of(found))])
        chain.append(found[like])
    events: dict[str, Any] = {}
    models: dict[str, str] = {}
    for each in reversed(chain):
        own = each.get("events", {})
        if "stability" in each:
            events = {
                tag: {**entry, "stability": each["stability"]} for tag, entry in events.items()
            }
        prefix = each.get("prefix", "")
        models = {
            **models,
            **{prefix + name: text for name, text in models.items()},
            **each.get("models", {}),
        }
        events = {**events, **own}
    inherited = {key: each[key] for each in reversed(chain) for key in INHERITED if key in each}
    values = {**inherited, **fragment.values, "events": events, "models": models}
    return dataclasses.replace(fragment, values=values)


def _chosen(
    fragments: tuple[Fragment, ...], streams: tuple[str, ...], folder: Path
) -> tuple[Fragment, ...]:
    """The fragments of the named streams, and of those whose classes they share."""
    named = {fragment["stream"]: fragment for fragment in fragments}
    unknown = [name for name in streams if name not in named]
    if unknown:
        raise SpecError(
            Finding(str(folder), f"there is no stream {name!r}", _one_of(named)) for name in unknown
        )
    wanted = set(streams) or set(named)
    for fragment in (named[name] for name in sorted(wanted) if "shares" in named[name]):
        if _package(named.get(fragment["shares"])) != _package(fragment):
            what = f"shares: {fragment['shares']} is no stream of the same subpackage"
            action = "Name a stream whose `module` starts with the same word."
            raise SpecError([Finding(fragment.where("shares"), what, action)])
        wanted.add(fragment["shares"])
    return tuple(fragment for fragment in fragments if fragment["stream"] in wanted)


def _package(fragment: Fragment | None) -> str | None:
    return fragment["module"].split(".")[0] if fragment is not None else None


def _document(
    spec: Path, name: str, whole: Mapping[str, str], fragments: tuple[Fragment, ...], docs: bool
) -> Document:
    if name not in whole:
        return read_document(spec / "documents" / f"{name}.yaml", name)
    document = read_document(whole[name], name)
    facts = FACTS_AND_PROSE if docs else FACTS
    tree = cut(document.tree, roots(fragments, name), document.where, facts)
    return dataclasses.replace(document, tree=tree)


def _where(path: str, data: bytes, pointer: str) -> str:
    line = locate(data, pointer) if data else None
    return f"{path}:{line} (#{pointer})" if line else f"{path} (#{pointer})"
