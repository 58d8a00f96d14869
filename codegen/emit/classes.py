"""The modules of the generated package that hold classes: events.py and models.py of every subpackage.

Reads the catalogue; returns the text of the modules, not yet formatted. Never decides what a type is (`resolve` did).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from codegen import names
from codegen.catalogue import Alias, Catalogue, Model, Package, Stream, Type
from codegen.emit import layout, literals
from codegen.emit.render import Files, header, render
from codegen.emit.typed import annotated
from codegen.emit.written import is_written
from codegen.schemas import REF_PREFIX
from codegen.workers import pool

_STRING = r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
"""A string literal in an annotation, in which nothing is a name or a bracket."""


@dataclass(frozen=True)
class ClassView:
    """What the template needs of a class: `fields` are (attribute, annotation, parameter)."""

    name: str
    docstring: str
    slots: str
    parameters: str
    fields: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class StreamView:
    """What the template needs of a stream: `rows` are (tag as a literal, class)."""

    table: str
    name: str
    union: str
    alias: str
    sentence: str
    rows: tuple[tuple[str, str], ...]
    classes: tuple[str, ...]


def emit(catalogue: Catalogue) -> Files:
    """stream_events/<package>/events.py, models.py and the events.py of modules below, by path."""
    files: Files = {}
    for package, texts in zip(catalogue.packages, _annotations(catalogue.packages)):
        for module in sorted({stream.module for stream in package.streams}):
            path = f"stream_events/{module.replace('.', '/')}/events.py"
            files[path] = _events(catalogue, package, module, texts)
        files[f"stream_events/{package.name}/models.py"] = _models(catalogue, package, texts)
    return files


def _annotations(packages: tuple[Package, ...]) -> list[dict[str, dict[str, str]]]:
    """`annotated` of every package, side by side; starting a process is not worth it for one."""
    if len(packages) < 2:
        return [annotated(package) for package in packages]
    with pool(2) as workers:
        return list(workers.map(annotated, packages))


def event_alias(stream: Stream) -> str:
    """The name of the type of a stream's events: Event, ServerEvent, GenerationEvent …"""
    return names.event_alias(stream.table)


def union_alias(stream: Stream, package: Package) -> str:
    """The name of the union of a stream's events; "" where that is a class of its own."""
    if f"{REF_PREFIX}{stream.union}" in {model.schema for model in package.models}:
        return ""
    taken = {model.name for model in package.models} | {alias.name for alias in package.aliases}
    return names.union_alias(stream.union, taken)


def _events(
    catalogue: Catalogue, package: Package, module: str, texts: dict[str, dict[str, str]]
) -> str:
    streams = [stream for stream in package.streams if stream.module == module]
    own = [model for model in package.models if model.module == module]
    elsewhere = {event.model for stream in streams for event in stream.events}
    elsewhere -= {model.name for model in own}
    needed = _named(model_types(own)) - {model.name for model in own} - elsewhere
    views = [_stream_view(stream, package) for stream in streams]
    return render(
        "events.jinja",
        header=header(catalogue, package, "events.jinja"),
        package=package.name,
        depth="." * (module.count(".") + 1),
        is_root=module == package.name,
        is_written=is_written(package),
        title=literals.docstring(" ".join(["Events:", *(stream.sentence for stream in streams)])),
        payloads=sorted(needed),
        events_elsewhere=sorted(elsewhere),
        classes=[class_view(model, texts[model.name]) for model in own],
        tables=[(literals.literal(model.name), literals.table(model)) for model in own],
        streams=views,
        merged=_merged(streams, views),
        imports=_mentioned(
            ("Any", "Literal"), (text for model in own for text in texts[model.name].values())
        ),
    )


def _merged(streams: list[Stream], views: list[StreamView]) -> list[StreamView]:
    """The server streams that share one `EVENTS`: those of a module that has several of them."""
    server = [view for stream, view in zip(streams, views) if stream.direction == "server"]
    return server if len(server) > 1 else []


def _stream_view(stream: Stream, package: Package) -> StreamView:
    rows = tuple((literals.literal(event.tag), event.model) for event in stream.events)
    classes = tuple(dict.fromkeys(event.model for event in stream.events))
    return StreamView(
        stream.table,
        stream.name,
        union_alias(stream, package),
        event_alias(stream),
        literals.docstring(stream.sentence),
        rows,
        classes,
    )


def _models(catalogue: Catalogue, package: Package, texts: dict[str, dict[str, str]]) -> str:
    own = [model for model in package.models if not model.module]
    outside = _named(model_types(own)) & {model.name for model in package.models if model.module}
    aliases = _evaluable(_in_order(package.aliases), texts)
    choices = [
        (literals.literal(alias.name), literals.choice(alias))
        for alias in package.aliases
        if alias.cases or alias.untagged
    ]
    used = [
        *(text for model in own for text in texts[model.name].values()),
        *dict(aliases).values(),
    ]
    return render(
        "models.jinja",
        header=header(catalogue, package, "models.jinja"),
        package=package.name,
        classes=[class_view(model, texts[model.name]) for model in own],
        events=sorted(outside),
        aliases=aliases,
        tables=[(literals.literal(model.name), literals.table(model)) for model in own],
        choices=choices,
        expressions=[
            (literals.literal(alias.name), literals.literal(literals.expression(alias.type)))
            for alias in package.aliases
            if not alias.cases and not alias.untagged
        ],
        imports=[
            *_mentioned(("Any", "Literal"), used),
            *(["TypeAlias"] if aliases else []),
            *_mentioned(("Union",), used),
        ],
        records=["Kept", "Record", *_mentioned(("UnknownObject",), used)],
        wire=["Choice", "Payloads", *_mentioned(("Shape",), dict(choices).values()), "Table"],
    )


def class_view(model: Model, texts: dict[str, str]) -> ClassView:
    """A model as the template shows it."""
    fields = []
    for field in literals.ordered(model):
        annotation = texts[field.attribute]
        default = ""
        if literals.is_defaulted(field):
            default = f" = {literals.literal(field.type.values[0])}"
        elif not field.required:
            default = " = None"
        fields.append((field.attribute, annotation, f"{field.attribute}: {annotation}{default}"))
    slots = [literals.literal(attribute) for attribute, _, _ in fields]
    parameters = ["self", *(parameter for _, _, parameter in fields), "_wire: Kept | None = None"]
    return ClassView(
        model.name,
        literals.docstring(_docs(model)),
        layout.elements("    __slots__ = ", slots),
        layout.parameters("    def __init__() -> None:", parameters),
        tuple(fields),
    )


def _docs(model: Model) -> str:
    """The docstring: our sentence, and with --docs what the document says of the class and its fields."""
    parts = [model.sentence]
    if model.docs:
        parts.append(model.docs)
    said = [
        f"{field.attribute}: {' '.join(field.docs.split())}" for field in model.fields if field.docs
    ]
    return "\n\n".join([*parts, "\n".join(said)]) if said else "\n\n".join(parts)


def model_types(models: Iterable[Model]) -> Iterator[Type]:
    """The types of all fields."""
    for model in models:
        for field in model.fields:
            yield field.type


def _named(types: Iterable[Type]) -> set[str]:
    """The models and aliases that types name."""
    found: set[str] = set()
    for type_ in types:
        if type_.kind == "ref":
            found.add(type_.name)
        found |= _named(type_.members)
        if type_.items is not None:
            found |= _named([type_.items])
    return found


def _in_order(aliases: tuple[Alias, ...]) -> list[Alias]:
    """Aliases after those that they name, so that each is evaluated when its parts exist."""
    by_name = {alias.name: alias for alias in aliases}
    placed: dict[str, Alias] = {}

    def place(alias: Alias, above: tuple[str, ...]) -> None:
        for name in sorted(_named([alias.type])):
            if name in by_name and name not in placed and name not in above:
                place(by_name[name], (*above, alias.name))
        placed.setdefault(alias.name, alias)

    for alias in aliases:
        place(alias, ())
    return list(placed.values())


def _evaluable(aliases: list[Alias], texts: dict[str, dict[str, str]]) -> list[tuple[str, str]]:
    """Name and annotation, with the names of aliases that come later quoted (a recursion)."""
    later = {alias.name for alias in aliases}
    found = []
    for alias in aliases:
        text = texts[alias.name][""]
        ahead = _named([alias.type]) & later
        if ahead:
            text = f"Union[{', '.join(_members(text))}]"
            text = re.sub(
                rf"{_STRING}|\b(?P<name>{'|'.join(sorted(ahead))})\b",
                lambda found: f'"{found[0]}"' if found["name"] else found[0],
                text,
            )
        later.discard(alias.name)
        found.append((alias.name, text))
    return found


def _members(annotation: str) -> list[str]:
    """The members of `A | B[C | D]` at the top level."""
    parts, depth = [""], 0
    for piece in re.split(rf"({_STRING}| \| |\[|\])", annotation):
        depth += (piece == "[") - (piece == "]")
        if piece == " | " and depth == 0:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


def _mentioned(names_: tuple[str, ...], texts: Iterable[str]) -> list[str]:
    """Those of the names that stand in the texts, outside of string literals: what a module must import, and no more."""
    words = {word for text in texts for word in re.findall(r"\w+", re.sub(_STRING, "", text))}
    return [name for name in names_ if name in words]
