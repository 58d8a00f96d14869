"""The pages of streams.

Reads the catalogue; returns Markdown by path. Never says of one stream what it does not find in the catalogue: a new stream gets
its page by being there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from codegen.catalogue import Catalogue, Event, Package, Stream
from codegen.emit.reference_pages import DIALECTS, Pages
from codegen.emit.reference_rules import in_words
from codegen.emit.reference_sequence import Frame, events_of, frame_of
from codegen.emit.reference_types import Types
from codegen.emit.reference_words import (
    code,
    escaped,
    link,
    listed,
    prose,
    source_of,
    spaced,
    value,
)
from codegen.emit.render import Files, render
from codegen.emit.vectors_events import payloads
from codegen.emit.vectors_samples import Samples

LINES = {
    "tag": "An `event:` line with the tag before each `data:` line",
    "none": "`data:` lines alone, without an `event:` line",
}


def streams(catalogue: Catalogue, pages: Pages) -> Files:
    """The page of each stream."""
    files: Files = {}
    for package in catalogue.packages:
        for stream in package.streams:
            one = _Stream(catalogue, package, stream, pages)
            files[one.page] = one.text()
    return files


class _Stream:
    """The page of one stream."""

    def __init__(
        self, catalogue: Catalogue, package: Package, stream: Stream, pages: Pages
    ) -> None:
        self.catalogue = catalogue
        self.package = package
        self.stream = stream
        self.pages = pages
        self.page = pages.stream(stream)
        self.payloads = payloads(package, stream)

    def text(self) -> str:
        """The stream's page."""
        stream = self.stream
        types = Types(self.package, Samples(self.package), self.pages, self.page)
        frame = frame_of(stream)
        families: dict[str, list[tuple[str, str, str, str]]] = {}
        for event in events_of(frame):
            row = (
                self.pages.event_link(stream, event, self.page),
                prose(event.sentence),
                f"<time>{escaped(event.first_seen[1])}</time>" if event.first_seen else "–",
                escaped(event.stability),
            )
            families.setdefault(spaced(event.family or "other"), []).append(row)
        return render(
            "reference/stream.jinja",
            name=escaped(stream.name),
            sentence=prose(stream.sentence),
            facts=list(self._facts(types)),
            sequence=list(self._steps(frame, "")),
            wire=self._wire(events_of(frame)) if stream.events else "",
            reads=[(code(name), code(path)) for name, path in stream.reads],
            families=families,
            unlisted=[
                (
                    code(event.tag),
                    prose(event.sentence),
                    prose(event.provenance),
                    in_words_of(event),
                )
                for event in stream.unlisted
            ],
            dialects=[escaped(dialect.name) for dialect in stream.dialects],
            dialects_page=link("side by side", f"{DIALECTS}#{stream.name}", self.page),
        )

    def _facts(self, types: Types) -> Iterator[tuple[str, str]]:
        stream = self.stream
        yield "Import", code(f"stream_events.{stream.module}")
        yield "Direction", f"from the {stream.direction}, over {_transport(stream)}"
        yield "Union", f"{code(stream.union)} of {source_of(self.catalogue, self.stream)}"
        yield "Tag", f"the property {code(stream.tag)}" + (
            f"; a payload without it is {code(stream.untagged)}" if stream.untagged else ""
        )
        if stream.event_line:
            yield "Framing", LINES[stream.event_line] + (
                "; readers rely on the line" if stream.line_needed else ""
            )
        if stream.direction == "server":
            yield "Ends with", self._ends()
        for tag, tags in stream.follow:
            after = listed(("any event" if each == "*" else code(each) for each in tags), "or")
            yield f"After {code(tag)}", f"may come {after}"
        if stream.lane:
            yield "Lanes", f"{code(stream.lane)} names the lane; each lane has this sequence for itself"
        if stream.sequence:
            first, step = stream.sequence.first, stream.sequence.step
            yield "Numbers", f"{code(stream.sequence.field)} from {first} by {step}"
        if stream.snapshot:
            yield "Accumulates to", types.link(stream.snapshot)
        path, values = stream.complete
        if path:
            yield "Is complete when", f"{code(path)} is {listed(map(value, values), 'or')}"
        if stream.usage:
            with_it = listed(map(code, stream.usage.tags)) or "where the request asks for it"
            yield "Usage", f"{code(stream.usage.at)}: {with_it}"
        yield "Payload models", link(
            escaped(self.package.name), self.pages.models(self.package), self.page
        )

    def _ends(self) -> str:
        named = {event.tag: event for event in self.stream.events}
        ends = [
            self.pages.event_link(self.stream, named[tag], self.page) if tag in named else code(tag)
            for tag in self.stream.terminal
        ]
        done = "then `data: [DONE]`" if self.stream.done else ""
        if not ends:
            return done.removeprefix("then ") or "the end of the body"
        return ", ".join(filter(None, [listed(ends, "or"), done]))

    def _steps(self, frame: Frame, indent: str) -> Iterator[str]:
        """The sequence as a nested list: one line for each step."""
        inner = indent + "    "
        for at, event in enumerate(frame.begins):
            word = "begins" if frame.name else "then" if at else "first"
            yield f"{indent}- **{word}** {self._link(event)}"
        for each in frame.inner:
            yield f"{indent}- **each entry of {code(each.name)}**"
            yield from self._steps(each, inner)
        for family, events in frame.within.items():
            name = spaced(family)
            yield f"{indent}- *{name}* {' '.join(map(self._link, events))}"
        for event in frame.closes:
            yield f"{indent}- **then** {self._link(event)}"
        if frame.ends:
            yield f"{indent}- **{'ends' if frame.name else 'last'}** {' '.join(map(self._link, frame.ends))}"
        if not frame.name and self.stream.done:
            yield f"{indent}- **end** `[DONE]`"

    def _link(self, event: Event) -> str:
        return self.pages.event_link(self.stream, event, self.page)

    def _wire(self, events: list[Event]) -> str:
        """One event as it is on the wire: the first piece of text where the stream has any."""
        pieces = [event for event in events if any(map(_is_append, event.rules))]
        tag = (pieces or events)[0].tag
        text = json.dumps(self.payloads[tag][0])
        if self.stream.transport != "sse":
            return text
        return f"event: {tag}\ndata: {text}" if self.stream.event_line == "tag" else f"data: {text}"


def _is_append(rule: str) -> bool:
    return rule.startswith("append ")


def in_words_of(event: Event) -> str:
    """The rules of an event that has no page of its own."""
    return (
        " ".join(map(in_words, event.rules))
        if len(event.rules) < 4
        else f"{len(event.rules)} rules"
    )


def _transport(stream: Stream) -> str:
    return {"sse": "server-sent events", "websocket": "a WebSocket"}.get(
        stream.transport, stream.transport
    )
