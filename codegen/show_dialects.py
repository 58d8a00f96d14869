"""The dialects for a person to read.

Reads the catalogue; returns text. Never prints what a dialect has in common with its stream.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.catalogue import Catalogue, Dialect, Stream


def dialects(catalogue: Catalogue) -> str:
    """Every dialect, with what departs from each stream that it belongs to."""
    found: dict[str, list[tuple[Stream, Dialect]]] = {}
    for stream in catalogue.streams:
        for dialect in stream.dialects:
            found.setdefault(dialect.name, []).append((stream, dialect))
    parts = []
    for name in sorted(found):
        first = found[name][0][1]
        lines = [f"{name}: {first.sentence}"]
        lines += [f"  source: {text}" for text in first.sources]
        lines += [f"  note: {text}" for text in first.notes]
        for stream, dialect in found[name]:
            lines += ["", f"  {stream.name}"]
            rows = list(_departures(stream, dialect))
            lines += [f"    {row}" for row in rows or ["no departure that a reader has to know"]]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) or "There are no dialects."


def _departures(stream: Stream, dialect: Dialect) -> Iterator[str]:
    """One line for each departure."""
    if dialect.event_line != stream.event_line:
        yield f"event: line {dialect.event_line}, not {stream.event_line or 'given'}"
    if dialect.done != stream.done:
        yield "ends with [DONE]" if dialect.done else "does not end with [DONE]"
    if set(dialect.terminal) != set(stream.terminal):
        yield f"ends with {', '.join(dialect.terminal) or 'no event'}"
    for tag, tags in dialect.follow:
        if (tag, tags) not in stream.follow:
            yield f"after {tag} may come {', '.join(tags)}"
    if dialect.tags:
        own = [tag for tag in dialect.tags if tag in dialect.own]
        yield f"{len(dialect.tags)} tags: {len(dialect.tags) - len(own)} of the stream's {len(stream.events)}"
    if dialect.prefix:
        yield f"further tags of its own begin as {dialect.prefix}"
    if dialect.repairs:
        yield f"filled in: {', '.join(dialect.repairs)}"
    if dialect.expects:
        yield f"usual: {', '.join(dialect.expects)}"
    for tag, names in dialect.leaves_out:
        yield f"{tag} without {', '.join(names)}"
    fields = dict(dialect.fields)
    rules = {event.tag: event.rules for event in (*stream.events, *stream.unlisted)}
    for tag, sentence in dialect.sentences:
        yield f"{'own event ' if tag in dialect.own else ''}{tag}: {sentence}"
        for name, words in fields.get(tag, ()):
            yield f"  {name}: {words}"
        if tag in dialect.own:
            yield f"  rule {'; '.join(rules.get(tag, ())) or 'ignore'}"
