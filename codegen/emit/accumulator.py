"""The accumulators and readers: accumulator.py of every module with events from a server.

Reads the catalogue; returns the text of the modules. Never interprets a rule: it turns the notation into the runtime's
literals.
"""

from __future__ import annotations

from typing import Any

from codegen.catalogue import Catalogue, Event, Package, Stream
from codegen.emit import literals
from codegen.emit.classes import event_alias
from codegen.emit.dialects import by_module, served
from codegen.emit.render import Files, header, render
from codegen.rules import Rule, bare, claimed, parse, read_path


def emit(catalogue: Catalogue) -> Files:
    """stream_events/<module>/accumulator.py by path."""
    return by_module(catalogue, "accumulator", _module)


def _module(catalogue: Catalogue, package: Package, module: str, streams: list[Stream]) -> str:
    first = streams[0]
    events = [(event, stream) for stream in streams for event in (*stream.events, *stream.unlisted)]
    own = {model.name: model.module for model in package.models}
    snapshots = list(dict.fromkeys(stream.snapshot for stream in streams))
    is_event = all(own[name] for name in snapshots)
    usage = _usage(package, snapshots[0])
    rows = _rows(streams)
    above = dict(_rows(served(package, package.name))) if module != package.name else {}
    told = dict(rows)
    own_rows = [(tag, rules) for tag, rules in rows if above.get(tag) != rules]
    read_names = {name for name, _ in first.reads}
    first_tags: dict[str, str] = {}
    for tag, rules in own_rows:
        first_tags.setdefault(rules, tag)
    return render(
        "accumulator.jinja",
        header=header(catalogue, package, "accumulator.jinja"),
        depth="." * (module.count(".") + 1),
        sentence=literals.docstring(
            "Accumulation: " + " ".join(stream.sentence for stream in streams)
        ),
        stream=literals.literal(module if len(streams) > 1 else first.name),
        table="EVENTS" if len(streams) > 1 else first.table,
        event="Event" if len(streams) > 1 else event_alias(first),
        tag=literals.literal(first.tag),
        untagged=literals.literal(first.untagged),
        snapshot=literals.literal("" if is_event else first.snapshot),
        snapshots=snapshots,
        is_event=is_event,
        name=first.snapshot_name,
        usage=usage,
        rules=[(tag, rules) for rules, tag in first_tags.items()],
        same_rules=[
            (tag, first_tags[rules]) for tag, rules in own_rows if first_tags[rules] != tag
        ],
        shares=bool(above),
        unshared=[tag for tag in above if tag not in told],
        sequence=_sequence(first),
        terminal=_terminal(streams),
        reads=[
            (name, literals.literal(name), literals.literal(read_path(text)))
            for name, text in first.reads
        ],
        complete=literals.literal((read_path(first.complete[0]), first.complete[1])),
        named=literals.literal(first.event_line == "tag"),
        done=literals.literal(first.done),
        errors=literals.literal(
            tuple(dict.fromkeys(event.tag for event, _ in events if _is_error(event)))
        ),
        fails=literals.literal(_signs(events)),
        follow=literals.literal(dict(first.follow)),
        error=literals.literal(first.error),
        sse=first.transport == "sse",
        lane=literals.literal(first.lane),
        lanes=bool(first.lane),
        has_arguments="arguments" in read_names,
        has_answer="answer" in read_names,
        parses=not read_names.isdisjoint({"arguments", "answer"}),
    )


def _usage(package: Package, snapshot: str) -> str:
    """The class of the snapshot's usage; "" where it has none."""
    field = next((field for field in package.model(snapshot).fields if field.name == "usage"), None)
    return field.type.name if field and field.type.kind == "ref" else ""


def _is_error(event: Event) -> bool:
    """Whether an event says that the stream failed, whatever it holds."""
    return event.family == "error" or "fail with $" in event.rules


def _signs(events: list[tuple[Event, Stream]]) -> tuple[tuple[tuple[str, ...], str], ...]:
    """The signs by which an event says that the stream failed: names, and the name that it then lacks."""
    rules = (rule for event, _ in events for text in event.rules if (rule := parse(text)))
    found = [
        (tuple(map(str, rule.path)), rule.keep)
        for rule in rules
        if rule.verb == "fail" and rule.path
    ]
    return tuple(dict.fromkeys(found))


def _terminal(streams: list[Stream]) -> str:
    tags = [tag for stream in streams for tag in stream.terminal]
    tags += [event.tag for stream in streams for event in stream.unlisted if event.terminal]
    return literals.literal(tuple(dict.fromkeys(tags)))


def _sequence(stream: Stream) -> str:
    sequence = stream.sequence
    return literals.literal((sequence.field, sequence.first, sequence.step) if sequence else None)


def _rows(streams: list[Stream]) -> list[tuple[str, str]]:
    """The tags of events that change something, and their rules, as literals."""
    events = [(event, stream) for stream in streams for event in (*stream.events, *stream.unlisted)]
    return [*dict.fromkeys(row for event, stream in events if (row := _row(event, stream)))]


def _row(event: Event, stream: Stream) -> tuple[str, str] | None:
    """The tag and the rules of an event as literals; None where nothing is to be done."""
    rules = tuple(rule for text in event.rules if (rule := parse(text)) is not None)
    if not rules:
        return None
    rows = [
        _literal(rule, claimed(rules, rule) if rule.verb == "rest" else rule.literal, stream)
        for rule in rules
    ]
    return literals.literal(event.tag), "(" + ", ".join(rows) + ",)"


def _literal(rule: Rule, literal: tuple[Any, ...], stream: Stream) -> str:
    path = tuple(
        step.rstrip("?") if isinstance(step, str) else tuple(name.replace("?", "") for name in step)
        for step in rule.path
    )
    if rule.verb == "agree":
        path = read_path(dict(stream.reads)[str(rule.path[0])])
    values = (rule.verb, path, bare(rule.source), literal, rule.creating, rule.keep)
    parts = list(values)
    while parts and not parts[-1]:
        parts.pop()
    return f"Rule({', '.join(map(literals.literal, parts))})"
