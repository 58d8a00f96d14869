"""Differences from a client that are ours: corrections of the document, with their reasons, which a client would undo.

Reads changes between spec/ with its overlays and a client, and the documents as they are without; returns which changes are there only
because of overlays. Never counts among them what the client says of a schema that an overlay brought.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from codegen.align import aligned
from codegen.catalogue import Catalogue
from codegen.changes import Change
from codegen.diff import diff
from codegen.diff_names import quoted, schema_part
from codegen.documents import Document, read_document
from codegen.errors import SpecError
from codegen.load import Specification
from codegen.report.rows import VALUES
from codegen.tolerant import catalogue_of

_ASPECTS = {
    "made-nullable": "null",
    "made-optional": "required",
    "made-required": "required",
    "no-longer-nullable": "null",
}
Aspect = tuple[str, str]
"""A subject and what of it changed; empty for all of it."""


def corrections(
    changes: Iterable[Change], specification: Specification, spec: Path, client: Catalogue
) -> list[Change]:
    """Those of the changes at whose place the document says the same as the client, until our overlays change it."""
    documents = {
        name: read_document(spec / "documents" / f"{name}.yaml", name)
        for name in specification.documents
    }
    try:
        bare = catalogue_of(documents, specification.fragments, specification.sources)
    except SpecError:
        return (
            []
        )  # without its overlays the document cannot be read, so that nothing is known of it
    found = [inner for each in diff(bare, aligned(client, bare)) for inner in (each, *each.beneath)]
    differing = set(map(_aspect, found))
    schemas = {name: _names(document) for name, document in documents.items()}
    return [change for change in changes if _is_ours(change, differing, schemas)]


def _is_ours(change: Change, differing: set[Aspect], schemas: Mapping[str, frozenset[str]]) -> bool:
    if not change.kind.startswith(("event-", "stream-")):
        if schema_part(change.subject)[0] not in schemas[change.document]:
            return False
    return not {_aspect(change), (change.subject, "")} & differing


def _aspect(change: Change) -> Aspect:
    if change.kind in VALUES:
        return change.subject, change.old or change.new
    return change.subject, _ASPECTS.get(change.kind, "")


def _names(document: Document) -> frozenset[str]:
    return frozenset(map(quoted, document.tree["components"]["schemas"]))
