"""Where everything in the reference stands.

Reads the catalogue; returns paths below `reference/`, with anchors. Never lets a tag or a name become a path that leads elsewhere: what
is no plain file name is replaced.
"""

from __future__ import annotations

import os.path
import re

from codegen.catalogue import Alias, Catalogue, Event, Model, Package, Stream
from codegen.emit.reference_words import code, escaped, link

START = "README.md"
DIALECTS = "dialects.md"
NOTATION = "notation.md"
CONFORMANCE, PERFORMANCE, HISTORY = "conformance.md", "performance.md", "history.md"
"""Pages that other commands write."""
FEW = 80
"""Types of a package that fit on one page."""
_LONGEST = 100


class Pages:
    """The paths of one catalogue's pages.

    same  tag → the streams that have it, with the event's page in each
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self.events: dict[tuple[str, str], str] = {}
        self.types: dict[tuple[str, str], str] = {}
        self.same: dict[str, list[tuple[str, str]]] = {}
        for package in catalogue.packages:
            for stream in package.streams:
                self._place_events(package, stream)
            for page, records in types_by_page(package).items():
                for record in records:
                    self.types[package.name, record.name] = f"{page}#{record.name.lower()}"

    def stream(self, stream: Stream) -> str:
        """The page of a stream."""
        return f"streams/{stream.name}/README.md"

    def event(self, stream: Stream, event: Event) -> str:
        """The page of an event."""
        return self.events[stream.name, event.tag]

    def models(self, package: Package) -> str:
        """The first page of a package's payload models."""
        return f"models/{package.name}/README.md"

    def event_link(self, stream: Stream, event: Event, page: str) -> str:
        """A link from a page to an event's."""
        return link(code(event.tag) or "no tag", self.event(stream, event), page)

    def type_link(self, package: Package, name: str, page: str) -> str:
        """A link from a page to where a type of a package is told; its name where that is nowhere."""
        to = self.types.get((package.name, name))
        return link(escaped(name), to, page) if to else escaped(name)

    def _place_events(self, package: Package, stream: Stream) -> None:
        taken = {"index", "readme"}
        for event in stream.events:
            name = _free(_plain(event.tag), taken)
            taken.add(name)
            path = f"streams/{stream.name}/{name}.md"
            self.events[stream.name, event.tag] = path
            self.same.setdefault(event.tag, []).append((stream.name, path))
            self.types.setdefault((package.name, event.model), path)


def in_order(catalogue: Catalogue) -> list[tuple[Package, Stream]]:
    """The streams with their packages, those last of which every event is beta."""
    found = [(package, stream) for package in catalogue.packages for stream in package.streams]
    return sorted(found, key=lambda each: is_beta(each[1]))


def packages_in_order(catalogue: Catalogue) -> list[Package]:
    """The packages in the same order."""
    return list({package.name: package for package, _ in in_order(catalogue)}.values())


def is_beta(stream: Stream) -> bool:
    """Whether every event of a stream is beta."""
    return all(event.stability == "beta" for event in stream.events)


def types_by_page(package: Package) -> dict[str, list[Model | Alias]]:
    """The payload models and other named types of a package by page: on one, or by the letter after what all names share."""
    events = {event.model for stream in package.streams for event in stream.events}
    unions = {stream.union for stream in package.streams}
    records: list[Model | Alias] = [model for model in package.models if model.name not in events]
    records += [alias for alias in package.aliases if alias.name not in unions]
    records.sort(key=lambda record: record.name)
    if len(records) <= FEW:
        return {f"models/{package.name}/README.md": records}
    shared = len(os.path.commonprefix([record.name for record in records]))
    pages: dict[str, list[Model | Alias]] = {}
    for record in records:
        letter = _plain(record.name[shared : shared + 1])
        pages.setdefault(f"models/{package.name}/{letter}.md", []).append(record)
    return pages


def _plain(text: str) -> str:
    """A name of a file for a tag or a name."""
    name = re.sub(r"[^a-z0-9._-]+", "-", text.lower())[:_LONGEST].strip(".-")
    return name or "other"


def _free(name: str, taken: set[str]) -> str:
    """The name, with a number where it is taken."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free
