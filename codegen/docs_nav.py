"""What the site of the reference holds, and in which order.

Reads the catalogue and the folder of pages that other commands write; returns pages, pictures and the navigation. Never leaves a link of
the start page without an end: what was not measured says how it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from codegen.catalogue import Catalogue, Package, Stream
from codegen.emit import reference
from codegen.emit.reference_pages import (
    CONFORMANCE,
    DIALECTS,
    HISTORY,
    NOTATION,
    PERFORMANCE,
    START,
    Pages,
    in_order,
    is_beta,
    packages_in_order,
    types_by_page,
)
from codegen.emit.reference_sequence import events_of, frame_of
from codegen.emit.reference_types import letter_of
from codegen.emit.render import Files

MEASURED: Mapping[str, tuple[str, str]] = {
    CONFORMANCE: ("Conformance", "make conformance"),
    PERFORMANCE: ("Performance", "make bench"),
    HISTORY: ("History", "codegen history"),
}
"""Pages that are not generated: title, and the command that writes them."""
FEW = 8
"""Events of a stream that stand in the navigation as they are; more of them are grouped by family."""


def pages_of(catalogue: Catalogue) -> Files:
    """The generated pages, by path below the reference; the search tells of which stream or package each one is."""
    found = {
        path.removeprefix(f"{reference.FOLDER}/"): text.removeprefix(reference.HEAD)
        for path, text in reference.emit(catalogue).items()
    }
    pages = Pages(catalogue)
    for package, stream in in_order(catalogue):
        boost = 0.5 if is_beta(stream) else 1
        own = [pages.stream(stream), *(pages.event(stream, event) for event in stream.events)]
        heads = {path: _head(stream.name, {"boost": boost}) for path in own}
        heads |= {pages.models(package): _head(package.name, {"exclude": True})}
        heads |= {path: _head(package.name, {"boost": boost}) for path in types_by_page(package)}
        found |= {
            path: head + found[path] for path, head in heads.items() if found[path][:3] != "---"
        }
    return found


def _head(label: str, search: dict[str, Any]) -> str:
    """What stands in front of a page for the search: a label that results show, and how much the page weighs."""
    return f"---\n{json.dumps({'tags': [label], 'search': search})}\n---\n\n"


def measured(folder: Path) -> tuple[Files, dict[str, bytes]]:
    """The pages that other commands write, and their pictures, from a folder; what is not there is said to be missing."""
    pages: Files = {}
    for path, (title, command) in MEASURED.items():
        try:
            pages[path] = (folder / path).read_text(encoding="utf-8")
        except OSError:
            pages[path] = f"# {title}\n\nThis is not here yet: `{command}` writes it.\n"
    return pages, {path.name: path.read_bytes() for path in sorted(folder.glob("*.svg"))}


def navigation(catalogue: Catalogue) -> list[Any]:
    """All pages in order."""
    pages = Pages(catalogue)
    return [
        {"Overview": START},
        {"Streams": [{each.name: _stream(pages, each)} for _, each in in_order(catalogue)]},
        {
            "Payload models": [
                {each.name: _models(pages, each)} for each in packages_in_order(catalogue)
            ]
        },
        {"Dialects": DIALECTS},
        {"Rules": NOTATION},
        {"Measured": [{title: path} for path, (title, _) in MEASURED.items()]},
    ]


def _stream(pages: Pages, stream: Stream) -> list[Any]:
    families: dict[str, list[Any]] = {}
    for event in events_of(frame_of(stream)):
        family = (event.family or "other").replace("_", " ")
        families.setdefault(family, []).append({event.tag: pages.event(stream, event)})
    if len(stream.events) <= FEW:
        return [pages.stream(stream), *(entry for each in families.values() for entry in each)]
    return [pages.stream(stream), *({family: each} for family, each in families.items())]


def _models(pages: Pages, package: Package) -> list[Any]:
    return [pages.models(package), *_letters(pages.models(package), package)]


def _letters(first: str, package: Package) -> Iterator[dict[str, str]]:
    for path in types_by_page(package):
        if path != first:
            yield {letter_of(path): path}
