"""A client's catalogue as the other side of a comparison has it.

Reads two catalogues of which one is a client's; returns the two that are to be compared. What the client cannot say is then the
same on both: whether a property that need not be there may be null, which enums are closed, bounds, formats, defaults, deprecation,
names of classes. This is the one place that knows it; never hides what the client does say.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from codegen.align_merge import Merge
from codegen.align_names import settled
from codegen.catalogue import Alias, Catalogue, Event, Field, Model, Package, Stream
from codegen.diff_scope import field_pointer

PACKAGE_URL = "pkg:pypi/"
"""What the address of a client's package starts with, by which its catalogue is known (purl, type pypi)."""


def is_client(catalogue: Catalogue) -> bool:
    """Whether a catalogue was read from a client, and not from a document."""
    return any(source.url.startswith(PACKAGE_URL) for source in catalogue.sources)


def align(old: Catalogue, new: Catalogue) -> tuple[Catalogue, Catalogue]:
    """Both sides, a client's in the form of the other one; two clients, or none, are left as they are."""
    if is_client(old) == is_client(new):
        return old, new
    return (aligned(old, new), new) if is_client(old) else (old, aligned(new, old))


def aligned(client: Catalogue, document: Catalogue) -> Catalogue:
    """The client's facts in the document's words: what is equal is the document's own record.

    Streams of documents that the client does not speak about are not in it.
    """
    others = {package.name: package for package in document.packages}
    packages = tuple(
        _package(package, others[package.name]) if package.name in others else package
        for package in client.packages
    )
    return dataclasses.replace(client, packages=packages)


def _package(client: Package, document: Package) -> Package:
    merge = Merge(document, client)
    ours = {stream.name: stream for stream in document.streams}
    drafted = [_stream(stream, ours.get(stream.name), merge) for stream in client.streams]
    drafts = merge.finish()
    roots = dict.fromkeys(event.model for stream in drafted for event in stream.events)
    names, records = settled(drafts, roots, merge.document)
    streams = tuple(
        dataclasses.replace(
            stream,
            events=tuple(
                dataclasses.replace(event, model=names[event.model]) for event in stream.events
            ),
        )
        for stream in drafted
    )
    models = tuple(record for record in records if isinstance(record, Model))
    aliases = tuple(record for record in records if isinstance(record, Alias))
    return Package(document.name, streams, tuple(_with_places(models, document)), aliases)


def _stream(client: Stream, document: Stream | None, merge: Merge) -> Stream:
    """The stream with the client's events; those of both sides as the document describes them. Models are tokens."""
    ours = {event.tag: event for event in document.events} if document else {}
    events = []
    for event in client.events:
        if event.tag in ours:
            mine = ours[event.tag]
            token = merge.paired(mine.model, event.model)
            events.append(dataclasses.replace(mine, model=token))
        else:
            events.append(Event(event.tag, merge.new(event.model)))
    return dataclasses.replace(document or client, events=tuple(events))


def _with_places(models: Iterable[Model], document: Package) -> Iterable[Model]:
    """A property that is new in an event and in one that is made of it stands in the first: one change, not two."""
    models = tuple(models)
    by_schema = {model.schema: model for model in models}
    declared = {model.name: {field.name for field in model.fields} for model in document.models}
    for model in models:
        own = declared.get(model.name, set())
        bases = {field.schema.rpartition("/properties/")[0] for field in model.fields}
        parts = [by_schema[base] for base in sorted(bases) if base in by_schema]
        fields = tuple(
            field if field.name in own else _placed(field, parts) for field in model.fields
        )
        yield dataclasses.replace(model, fields=fields)


def _placed(field: Field, parts: Iterable[Model]) -> Field:
    for part in parts:
        if field in part.fields:
            return dataclasses.replace(field, schema=field_pointer(part.schema, field))
    return field
