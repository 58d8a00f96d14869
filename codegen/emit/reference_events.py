"""The pages of events.

Reads the catalogue; returns Markdown by path. Never needs more of an event than that it is there: a new one gets its page at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from codegen.catalogue import Catalogue, Event, Package, Stream
from codegen.emit.reference_pages import HISTORY, START, Pages
from codegen.emit.reference_rules import in_words
from codegen.emit.reference_types import Types
from codegen.emit.reference_words import code, escaped, link, listed, prose, source_of, spaced
from codegen.emit.render import Files, render
from codegen.emit.vectors_events import own_model, payloads
from codegen.emit.vectors_samples import Samples


def events(catalogue: Catalogue, pages: Pages) -> Files:
    """The page of each event of each stream."""
    files: Files = {}
    for package in catalogue.packages:
        for stream in package.streams:
            one = _Events(catalogue, package, stream, pages)
            for event in stream.events:
                files[pages.event(stream, event)] = one.event(event)
    return files


class _Events:
    """The pages of one stream's events."""

    def __init__(
        self, catalogue: Catalogue, package: Package, stream: Stream, pages: Pages
    ) -> None:
        self.catalogue = catalogue
        self.package = package
        self.stream = stream
        self.pages = pages
        self.samples = Samples(package)
        self.payloads = payloads(package, stream)
        self.oldest = min(
            (event.first_seen[::-1] for event in stream.events if event.first_seen), default=()
        )

    def event(self, event: Event) -> str:
        """An event's page."""
        page = self.pages.event(self.stream, event)
        types = Types(self.package, self.samples, self.pages, page)
        model = own_model(self.package, self.stream, self.samples.models[event.model])
        rows = types.rows(model.fields)
        small, large = self.payloads[event.tag]
        return render(
            "reference/event.jinja",
            tag=code(event.tag),
            sentence=prose(event.sentence),
            facts=list(self._facts(event, page)),
            rows=rows,
            more=any(row.more for row in rows),
            presence=types.presence(model.fields),
            rules=[(code(rule), in_words(rule)) for rule in event.rules],
            examples=[
                json.dumps(each, indent=2)
                for each in ([small] if small == large else [small, large])
            ],
            vectors=code(f"vectors/v1/event/{self.stream.name}.json"),
            dialects=list(self._departures(event)),
            others=[
                link(escaped(name), path, page)
                for name, path in self.pages.same[event.tag]
                if name != self.stream.name
            ],
            start=link("Null and absent", f"{START}#null-and-absent", page),
        )

    def _facts(self, event: Event, page: str) -> Iterator[tuple[str, str]]:
        yield "Stream", link(escaped(self.stream.name), self.pages.stream(self.stream), page)
        yield "Class", f"{code(event.model)} of {code(f'stream_events.{self.stream.module}')}"
        yield "Family", spaced(event.family or "none")
        yield "Stability", escaped(event.stability)
        yield "Provenance", prose(event.provenance)
        yield "Added", self._added(event, page)
        schema = self.samples.models[event.model].schema
        yield "Source", f"{source_of(self.catalogue, self.stream)}, {code(schema)}"
        if event.tag in self.stream.terminal:
            yield "Ends the stream", "yes"

    def _added(self, event: Event, page: str) -> str:
        if not event.first_seen:
            return f"in no snapshot of an earlier document; it is in that of {source_of(self.catalogue, self.stream)}"
        name, day = event.first_seen
        snapshot = link(escaped(name), f"{HISTORY}#{self.stream.name}", page)
        if (day, name) == self.oldest:
            return f"{escaped(day)}, with the stream itself (snapshot {snapshot})"
        return f"{escaped(day)} (snapshot {snapshot})"

    def _departures(self, event: Event) -> Iterator[tuple[str, str]]:
        """How dialects depart from the stream with this event."""
        for dialect in self.stream.dialects:
            said = [prose(sentence) for tag, sentence in dialect.sentences if tag == event.tag]
            left = [names for tag, names in dialect.leaves_out if tag == event.tag]
            said += [f"Leaves out {listed(map(code, names))}." for names in left]
            if said:
                yield escaped(dialect.name), " ".join(said)
