"""The specification as it stands in a folder: documents with overlays applied, fragments, sources.

Reads `spec/`; returns a `Specification`. Never writes, never fetches anything that a document names, and never reads
a document's prose unless the caller asked for it (`--docs`).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema

from codegen.catalogue import Source
from codegen.cut import FACTS, FACTS_AND_PROSE, cut
from codegen.documents import Document, locate, parse, read_bytes, read_document
from codegen.errors import Finding, SpecError
from codegen.overlay import apply_all, read_overlays
from codegen.sources import read_sources

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
        inner = f"/events/{key}" if key in self.values.get("events", {}) else f"/{key}"
        return _where(self.path, self.data, inner)


@dataclass(frozen=True)
class Specification:
    """Documents by name, fragments in the order of their streams' names, sources."""

    documents: Mapping[str, Document]
    fragments: tuple[Fragment, ...]
    sources: tuple[Source, ...] = ()


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
    fragments = read_fragments(spec / "fragments")
    fragments = _chosen(fragments, streams, spec / "fragments")
    trees = {}
    for name in sorted({fragment["document"] for fragment in fragments}):
        trees[name] = _document(spec, name, documents, fragments, docs)
    overlays = read_overlays(sorted((spec / "overlays").glob("*.yaml")))
    present = {path.stem for path in (spec / "documents").glob("*.yaml")} | set(documents)
    lost = [overlay for overlay in overlays if overlay.document not in present]
    if lost:
        action = "Name one of: " + ", ".join(sorted(present)) + "."
        raise SpecError(
            Finding(
                each.text.where("/x-document"), f"there is no document {each.document!r}", action
            )
            for each in lost
        )
    overlaid = {name: apply_all(overlays, document) for name, document in trees.items()}
    return Specification(overlaid, fragments, read_sources(spec / "sources.yaml"))


def roots(fragments: tuple[Fragment, ...], document: str) -> list[str]:
    """The components that the fragments name in a document: the roots of its cut."""
    named: list[str] = []
    for fragment in fragments:
        if fragment["document"] == document:
            named += [fragment["union"], fragment.get("snapshot", ""), *fragment.get("needs", ())]
    return [name for name in dict.fromkeys(named) if name]


def read_fragments(folder: Path) -> tuple[Fragment, ...]:
    """All fragments of a folder, checked against the schema, `like` filled in, in the order of file names."""
    schema = json.loads(FRAGMENT_SCHEMA.read_bytes())
    validator = jsonschema.Draft202012Validator(schema)
    findings: list[Finding] = []
    found: dict[str, Fragment] = {}
    if not folder.is_dir():
        raise SpecError(
            [
                Finding(
                    str(folder), "the folder of fragments does not exist", "Name the right --spec."
                )
            ]
        )
    for path in sorted(folder.glob("*.yaml")):
        data = read_bytes(path)
        values = parse(data, str(path))
        for error in validator.iter_errors(values):
            pointer = "".join(f"/{step}" for step in error.absolute_path)
            findings.append(
                Finding(
                    _where(str(path), data, pointer),
                    _fault(error),
                    "See codegen/fragment.schema.json.",
                )
            )
        found[str(values.get("stream"))] = Fragment(
            str(path), values, tuple(values.get("events") or ()), data
        )
    if findings:
        raise SpecError(findings)
    return tuple(_filled(fragment, found) for fragment in found.values())


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
            action = "Name one of: " + ", ".join(sorted(found)) + "."
            raise SpecError([Finding(chain[-1].where("like"), what, action)])
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
    return dataclasses.replace(
        fragment, values={**fragment.values, "events": events, "models": models}
    )


def _chosen(
    fragments: tuple[Fragment, ...], streams: tuple[str, ...], folder: Path
) -> tuple[Fragment, ...]:
    """The fragments of the named streams, and of those whose classes they share."""
    named = {fragment["stream"]: fragment for fragment in fragments}
    unknown = [name for name in streams if name not in named]
    if unknown:
        action = "Name one of: " + ", ".join(sorted(named)) + "."
        raise SpecError(
            [Finding(str(folder), f"there is no stream {name!r}", action) for name in unknown]
        )
    wanted = set(streams) or set(named)
    wanted |= {named[name]["shares"] for name in wanted if "shares" in named[name]}
    return tuple(fragment for fragment in fragments if fragment["stream"] in wanted)


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
