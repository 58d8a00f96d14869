"""Dialects side by side.

Reads the catalogue; returns the page: for each stream a table with a column for each of its dialects. Never judges a dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from codegen.catalogue import Catalogue, Dialect, Event, Stream
from codegen.emit.reference_rules import in_words
from codegen.emit.reference_words import code, escaped, listed, prose
from codegen.emit.render import Files, render

Cell: TypeAlias = Callable[[Stream, Dialect], str]


def dialects(catalogue: Catalogue, page: str) -> Files:
    """The page of all dialects."""
    found: dict[str, Dialect] = {}
    for stream in catalogue.streams:
        for dialect in stream.dialects:
            found.setdefault(dialect.name, dialect)
    tables = [
        (
            escaped(stream.name),
            [escaped(each.name) for each in stream.dialects],
            list(_rows(stream)),
            list(_own(stream)),
        )
        for stream in catalogue.streams
        if stream.dialects
    ]
    described = [
        (
            escaped(name),
            prose(each.sentence),
            [*map(prose, each.notes)],
            [*map(prose, each.sources)],
        )
        for name, each in sorted(found.items())
    ]
    return {page: render("reference/dialects.jinja", dialects=described, tables=tables)}


def _rows(stream: Stream) -> Iterator[tuple[str, str, list[str]]]:
    """What is told, what the stream itself does, and what each dialect does."""
    rows: list[tuple[str, str, Cell]] = [
        ("`event:` line", _line(stream.event_line), lambda _, each: _line(each.event_line)),
        ("`[DONE]`", _yes(stream.done), lambda _, each: _yes(each.done)),
        ("ends with", _codes(stream.terminal), lambda _, each: _codes(each.terminal)),
        ("events", f"all {len(stream.events)}", _tags),
        ("own events", "", lambda _, each: _codes(each.own)),
        ("own tags match", "", lambda _, each: code(each.prefix)),
        ("left out", "", _left_out),
        ("filled in", "", lambda _, each: _codes(each.repairs)),
        ("usual", "", lambda _, each: _codes(each.expects)),
    ]
    for name, own, cell in rows:
        cells = [cell(stream, dialect) for dialect in stream.dialects]
        if any(each != own for each in cells):
            yield name, own or "–", [each or "–" for each in cells]


def _own(stream: Stream) -> Iterator[tuple[str, str, str, str]]:
    """What events are in a dialect: its name, the tag, words, and the rules of its own events."""
    rules: dict[str, Event] = {event.tag: event for event in stream.unlisted}
    for dialect in stream.dialects:
        fields = dict(dialect.fields)
        for tag, sentence in dialect.sentences:
            words = [
                prose(sentence),
                *(f"{code(name)}: {prose(said)}." for name, said in fields.get(tag, ())),
            ]
            own = rules[tag].rules if tag in dialect.own and tag in rules else ()
            yield escaped(dialect.name), code(tag), " ".join(words), " ".join(
                map(in_words, own)
            ) or "as in the stream"


def _left_out(stream: Stream, dialect: Dialect) -> str:
    return "<br>".join(f"{code(tag)}: {_codes(names)}" for tag, names in dialect.leaves_out)


def _tags(stream: Stream, dialect: Dialect) -> str:
    own = [tag for tag in dialect.tags if tag in dialect.own]
    count = len(dialect.tags) - len(own)
    return f"{count} of {len(stream.events)}" if dialect.tags else f"all {len(stream.events)}"


def _line(kind: str) -> str:
    return {"tag": "with the tag", "none": "none", "": "none"}.get(kind, escaped(kind))


def _codes(names: tuple[str, ...]) -> str:
    return listed(map(code, names))


def _yes(fact: bool) -> str:
    return "yes" if fact else "no"
