"""The modules of the generated package that hold no classes: __init__.py files and the runtime.

Reads the catalogue and templates/runtime; returns the text of the modules. Never touches the text of the runtime: it is
copied as it stands, under a header.
"""

from __future__ import annotations

from codegen.catalogue import Catalogue, Package, Stream
from codegen.emit import literals
from codegen.emit.classes import event_alias, union_alias
from codegen.emit.render import TEMPLATES, Files, header, render

UNTYPED = (
    "UnknownVariableType",
    "UnknownMemberType",
    "UnknownArgumentType",
    "UnknownLambdaType",
    "PrivateUsage",
    "UnnecessaryIsInstance",
)
"""Rules of pyright's strict mode that do not hold in the runtime: its values are JSON of any shape, its modules know each
other's slots, and it checks what callers without a type checker hand in."""


def emit(catalogue: Catalogue) -> Files:
    """Everything in stream_events/ but classes."""
    files: Files = {"stream_events/py.typed": ""}
    relaxed = "# pyright: " + ", ".join(f"report{rule}=false" for rule in UNTYPED)
    for source in sorted((TEMPLATES / "runtime").glob("*.py")):
        top = f"{header(catalogue, None, f'runtime/{source.name}')}\n{relaxed}"
        text = source.read_text(encoding="utf-8")
        files[f"stream_events/_runtime/{source.name}"] = f"{top}\n{text}"
    files["stream_events/sse.py"] = render("sse.jinja", header=header(catalogue, None, "sse.jinja"))
    files["stream_events/__init__.py"] = render(
        "root.jinja",
        header=header(catalogue, None, "root.jinja"),
        streams=[
            tuple(
                map(
                    literals.literal,
                    (stream.name, stream.module, stream.direction, stream.transport),
                )
            )
            + (len(stream.events),)
            for stream in catalogue.streams
        ],
        sources=[
            tuple(map(literals.literal, (source.name, source.version, source.date, source.sha256)))
            for source in catalogue.sources
        ],
        packages=[package.name for package in catalogue.packages],
    )
    for package in catalogue.packages:
        for module in sorted({stream.module for stream in package.streams}):
            path = f"stream_events/{module.replace('.', '/')}/__init__.py"
            files[path] = _init(catalogue, package, module)
    return files


def _init(catalogue: Catalogue, package: Package, module: str) -> str:
    streams = [stream for stream in package.streams if stream.module == module]
    server = [stream for stream in streams if stream.direction == "server"]
    client = [stream for stream in streams if stream.direction == "client"]
    named = {event.model for stream in streams for event in stream.events}
    own = {model.name for model in package.models if model.module == module}
    return render(
        "package.jinja",
        header=header(catalogue, package, "package.jinja"),
        depth="." * (module.count(".") + 1),
        is_root=module == package.name,
        docstring=literals.docstring(" ".join(stream.sentence for stream in streams)),
        classes=sorted(named & own),
        elsewhere=sorted(named - own),
        types=sorted({event_alias(stream) for stream in streams} | _unions(streams, package)),
        tables=[stream.table for stream in streams],
        merged=len(server) > 1,
        accumulates=any(stream.snapshot for stream in server),
        sse=any(stream.transport == "sse" for stream in server),
        lanes=any(stream.lane for stream in server),
        server=_reading(server, len(server) > 1),
        client=_reading(client, False),
    )


def _unions(streams: list[Stream], package: Package) -> set[str]:
    return {name for stream in streams if (name := union_alias(stream, package))}


def _reading(streams: list[Stream], merged: bool) -> dict[str, str]:
    """What `decode` needs: the table, the type, the tag property, the tag of a payload without one."""
    if not streams:
        return {}
    first = streams[0]
    return {
        "name": literals.literal(first.module if merged else first.name),
        "table": "EVENTS" if merged else first.table,
        "type": "Event" if merged else event_alias(first),
        "tag": literals.literal(first.tag),
        "untagged": literals.literal(first.untagged),
    }
