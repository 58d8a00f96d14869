"""The dialects of every module with events from a server: dialects.py, which is imported when one is asked for.

Reads the catalogue; returns the text of the modules. Never decides what a dialect is: it writes down what the catalogue has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from codegen.catalogue import Catalogue, Dialect, Event, Package, Stream
from codegen.emit import literals
from codegen.emit.render import Files, header, render
from codegen.rules import parse

Rows = list[tuple[str, str]]
"""Keys and values as literals."""


Text = Callable[[Catalogue, Package, str, list[Stream]], str]
"""Makes the text of a module from the catalogue, its package, its name and the streams that it accumulates."""


def emit(catalogue: Catalogue) -> Files:
    """stream_events/<module>/dialects.py by path."""
    return by_module(catalogue, "dialects", _module)


def by_module(catalogue: Catalogue, name: str, text: Text) -> Files:
    """stream_events/<module>/<name>.py by path, of every module with streams that accumulate to something."""
    files: Files = {}
    for package in catalogue.packages:
        for module in sorted({stream.module for stream in package.streams}):
            streams = served(package, module)
            if streams:
                path = f"stream_events/{module.replace('.', '/')}/{name}.py"
                files[path] = text(catalogue, package, module, streams)
    return files


def served(package: Package, module: str) -> list[Stream]:
    """The streams of a module that come from a server and accumulate to something."""
    return [
        stream
        for stream in package.streams
        if stream.module == module and stream.direction == "server" and stream.snapshot
    ]


def _module(catalogue: Catalogue, package: Package, module: str, streams: list[Stream]) -> str:
    names = sorted({dialect.name for stream in streams for dialect in stream.dialects})
    first = streams[0]
    sequence = first.sequence
    return render(
        "dialects.jinja",
        header=header(catalogue, package, "dialects.jinja"),
        depth="." * (module.count(".") + 1),
        sentence=literals.docstring("Dialects: " + " ".join(stream.sentence for stream in streams)),
        dialects=[(literals.literal(name), _dialect(name, streams)) for name in names],
        repairs=_repairs(first, package),
        numbers=literals.literal((sequence.first, sequence.step) if sequence else (0, 1)),
    )


def _dialect(name: str, streams: list[Stream]) -> Rows:
    """One dialect of all streams of a module that have it; the ends of those that have it not are the stream's own."""
    found: list[Dialect] = []
    terminal: list[str] = []
    for stream in streams:
        own = [dialect for dialect in stream.dialects if dialect.name == name]
        found += own
        terminal += own[0].terminal if own else stream.terminal
        terminal += [event.tag for event in stream.unlisted if event.terminal]
    follow = {tag: tags for dialect in found for tag, tags in dialect.follow}
    leaves_out = {
        tag: whole
        for dialect in found
        for tag, names in dialect.leaves_out
        if (whole := tuple(name for name in names if not name.endswith(".*")))
    }
    values: list[tuple[str, Any]] = [
        ("name", name),
        ("done", any(dialect.done for dialect in found)),
        ("terminal", tuple(dict.fromkeys(terminal))),
        ("follow", follow),
        ("own", _all(dialect.own for dialect in found)),
        ("prefix", next((dialect.prefix for dialect in found if dialect.prefix), "")),
        ("repairs", _all(dialect.repairs for dialect in found)),
        ("leaves_out", leaves_out),
        ("expects", _all(dialect.expects for dialect in found)),
    ]
    return [
        (key, literals.literal(value))
        for key, value in values
        if value or key in ("done", "terminal")
    ]


def _all(groups: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for group in groups for name in group))


def _repairs(stream: Stream, package: Package) -> list[tuple[str, Rows]]:
    """The fields of the runtime's Repairs, by the stream's `repair` and the models of its events."""
    methods = dict(stream.repair)
    number = [name for name, method in methods.items() if method == "count"]
    declared = {event.tag: [*_keys(event), *number] for event in stream.unlisted}
    declared |= {event.tag: _declared(event, package) for event in stream.events}
    tags = {
        tag: found
        for tag, names in declared.items()
        if (found := tuple(name for name in methods if name in names))
    }
    wrapped = [name for name, method in methods.items() if method == "wrap"]
    plain = {
        tag: tuple(name for name in declared[tag] if name not in wrapped)
        for tag, found in tags.items()
        if any(name in wrapped for name in found)
    }
    events = (*stream.events, *stream.unlisted)
    kinds = {event.tag: kind for event in events if event.tag in tags and (kind := _kinds(event))}
    required = {name: _required(name, stream, package) for name in wrapped}
    rows: dict[str, dict[str, Any]] = {
        "methods": methods,
        "tags": tags,
        "kinds": kinds,
        "plain": plain,
        "required": required,
    }
    return [
        (name, [(literals.literal(key), literals.literal(value)) for key, value in found.items()])
        for name, found in rows.items()
    ]


def _declared(event: Event, package: Package) -> list[str]:
    return [field.name for field in package.model(event.model).fields]


def _keys(event: Event) -> list[str]:
    """The properties that say what an event without a schema is about: those that its rules take for keys."""
    rules = [rule for text in event.rules if (rule := parse(text)) is not None]
    steps = [step for rule in rules for step in rule.path if isinstance(step, tuple)]
    return [name for step in steps for name in step]


def _kinds(event: Event) -> tuple[str, ...]:
    """The types of the item that the event belongs to, by what its rules would create."""
    for text in event.rules:
        rule = parse(text)
        if rule is not None and rule.verb != "agree" and rule.creating:
            types = rule.creating[0].get("type", ())
            return (types,) if isinstance(types, str) else tuple(types)
    return ()


def _required(name: str, stream: Stream, package: Package) -> tuple[str, ...]:
    """The properties that the object called `name` needs, in whichever event has it."""
    for event in stream.events:
        for field in package.model(event.model).fields:
            if field.name == name and field.type.kind == "ref":
                model = package.model(field.type.name)
                return tuple(each.name for each in model.fields if each.required)
    return ()
