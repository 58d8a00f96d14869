"""The catalogue for a person to read.

Reads the catalogue; returns text. Never writes a file.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from codegen.catalogue import Alias, Catalogue, Event, Field, Model, Package, Stream, Type

NARROWEST = 20
"""Columns that the type of a field has at least: most names of classes fit."""
BARE = {
    "string": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "any": "any",
}


def streams(catalogue: Catalogue, changed: Iterable[str] | None = None) -> str:
    """A table of all streams; `changed` are paths below the output folder, counted for each stream's package."""
    paths = list(changed or ())
    rows = [("stream", "direction", "events", "models", "files changed")]
    for package in catalogue.packages:
        for stream in package.streams:
            folder = f"stream_events/{stream.module.replace('.', '/')}/"
            own = [
                path for path in paths if path.startswith(folder) and "/" not in path[len(folder) :]
            ]
            own += [path for path in paths if path == f"catalogue/{stream.name}.json"]
            reached = reachable(package, stream)
            rows.append(
                (
                    stream.name,
                    stream.direction,
                    str(len(stream.events)),
                    str(len(reached)),
                    str(len(own)),
                )
            )
    return table(rows if changed is not None else [row[:-1] for row in rows])


def stream_values(catalogue: Catalogue) -> list[dict[str, str | int]]:
    """The same for a program: name, direction, number of events and of models of each stream."""
    return [
        {
            "name": stream.name,
            "direction": stream.direction,
            "events": len(stream.events),
            "models": len(reachable(package, stream)),
        }
        for package in catalogue.packages
        for stream in package.streams
    ]


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows in columns, numbers to the right, a line under the first row."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = []
    for number, row in enumerate(rows):
        cells = [
            cell.rjust(width) if rows[-1][at].isdigit() else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths))
        ]
        lines.append("  ".join(cells).rstrip())
        if number == 0:
            lines.append("  ".join("-" * width for width in widths))
    return "\n".join(lines)


def reachable(package: Package, stream: Stream) -> set[str]:
    """The names of the models that a stream's events are made of, the events' own included."""
    named: Iterable[Model | Alias] = (*package.models, *package.aliases)
    records = {record.name: record for record in named}
    roots = (event.model for event in stream.events)
    return {name for name in reached(roots, records) if isinstance(records[name], Model)}


def reached(roots: Iterable[str], records: Mapping[str, Model | Alias]) -> set[str]:
    """The names that are reached from some, themselves included. KeyError for one that there is not."""
    found: set[str] = set()
    todo = list(roots)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += [ref for type_ in types_of(records[name]) for ref in references(type_)]
    return found


def types_of(record: Model | Alias) -> list[Type]:
    """The types of a model's fields and of what it does not declare; the type of an alias."""
    if isinstance(record, Alias):
        return [record.type]
    return [*(field.type for field in record.fields), *([record.extra] if record.extra else [])]


def references(type_: Type) -> list[str]:
    """The names that a type refers to."""
    found = [type_.name] if type_.kind == "ref" else []
    for part in (*type_.members, *([type_.items] if type_.items else [])):
        found += references(part)
    return found


def stream(package: Package, shown: Stream) -> str:
    """One stream: what it is, and its events with the names of their fields (? marks an optional one)."""
    lines = [
        f"{shown.name}: {shown.sentence}",
        f"union {shown.union} of {shown.document}, {shown.direction} over {shown.transport}, tag {shown.tag!r}",
    ]
    if shown.transport == "sse":
        lines.append(
            f"event: line {shown.event_line}, {'ends with' if shown.done else 'no'} [DONE]"
        )
    if shown.sequence:
        lines.append(f"{shown.sequence.field} from {shown.sequence.first} by {shown.sequence.step}")
    lines.append(
        f"ends with {', '.join(shown.terminal) or 'no event'}; accumulates to {shown.snapshot or 'nothing'}"
    )
    for event in shown.events:
        fields = package.model(event.model).fields
        names = ", ".join(field.name + ("" if field.required else "?") for field in fields)
        lines += ["", f"{event.tag}  ({event.model})", f"    {event.sentence}", f"    {names}"]
    return "\n".join(lines)


def event(
    catalogue: Catalogue, package: Package, shown: Stream, chosen: Event, columns: int
) -> str:
    """One event: every field's type, required, null, source and rule; the table of the fields as wide as `columns`."""
    model = package.model(chosen.model)
    lines = [
        f"{chosen.tag} of {shown.name}: {chosen.sentence}",
        f"class {chosen.model}, family {chosen.family or '-'}, {chosen.stability}, {chosen.provenance}",
        f"source {_source(catalogue, shown, model)}",
        "rule   " + ("; ".join(chosen.rules) or "ignore"),
        "",
        fields(model, package, columns),
    ]
    return "\n".join(lines)


def event_value(
    catalogue: Catalogue, package: Package, shown: Stream, chosen: Event
) -> dict[str, Any]:
    """What the same text has of the event's source and fields, for a program."""
    model = package.model(chosen.model)
    aliases = {alias.name: alias for alias in package.aliases}
    return {
        "source": _source(catalogue, shown, model),
        "fields": [
            {
                "name": field.name,
                "type": spelled(field.type, aliases),
                "required": field.required,
                "null": field.type.null,
                **({"default": field.default[0]} if field.default else {}),
            }
            for field in model.fields
        ],
    }


def _source(catalogue: Catalogue, shown: Stream, model: Model) -> str:
    """The document with its version and day, and where in it the schema stands."""
    document = next((each for each in catalogue.sources if each.name == shown.document), None)
    dated = f"{document.version} {document.date}".strip() if document else ""
    return " ".join(part for part in (shown.document, dated, model.schema) if part)


def fields(model: Model, package: Package, columns: int) -> str:
    """A table of a model's fields; types are wrapped where it would be wider than `columns`, to no less than NARROWEST."""
    aliases = {alias.name: alias for alias in package.aliases}
    rows: list[tuple[str, ...]] = [("field", "type", "required", "null", "default")]
    rows += [_row(field, aliases) for field in model.fields]
    others = sum(max(len(row[at]) + 2 for row in rows) for at in range(5) if at != 1)
    width = max(columns - others, NARROWEST)
    return table([line for row in rows for line in _wrapped(row, width)])


def _wrapped(row: tuple[str, ...], width: int) -> list[tuple[str, ...]]:
    """A row whose type goes on in rows that have nothing else."""
    name, type_, *others = row
    first, *more = textwrap.wrap(type_, width, break_long_words=False, break_on_hyphens=False)
    return [(name, first, *others), *(("", line, *("" for _ in others)) for line in more)]


def _row(field: Field, aliases: dict[str, Alias]) -> tuple[str, ...]:
    default = repr(field.default[0]) if field.default else ""
    yes = {True: "yes", False: "no"}
    return (
        field.name,
        spelled(field.type, aliases),
        yes[field.required],
        yes[field.type.null],
        default,
    )


def spelled(type_: Type, aliases: dict[str, Alias]) -> str:
    """A type in words, without its null; enums and short unions opened."""
    if type_.kind in BARE:
        return BARE[type_.kind] + (f" ({type_.format})" if type_.format else "")
    if type_.kind == "ref":
        alias = aliases.get(type_.name)
        return (
            f"{type_.name}: {spelled(alias.type, {})}"
            if alias and alias.type.kind == "enum"
            else type_.name
        )
    if type_.kind in ("constant", "enum"):
        values = " | ".join(map(repr, type_.values[:12])) + (
            " | …" if len(type_.values) > 12 else ""
        )
        return f"{values} | string" if type_.open else values
    if type_.kind == "union":
        return " | ".join(
            spelled(member, aliases) + (" | null" if member.null else "")
            for member in type_.members
        )
    inner = type_.items or Type("any")
    text = spelled(inner, aliases) + (" | null" if inner.null else "")
    return f"list of {text}" if type_.kind == "array" else f"map of {text}"
