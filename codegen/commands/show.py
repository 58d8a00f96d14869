"""The command `show`.

Reads arguments and the catalogue; prints it. Never writes a file.
"""

from __future__ import annotations

import argparse
import dataclasses
import shutil
from typing import TYPE_CHECKING, Any, cast

from codegen import arguments, complete, output
from codegen.arguments import Commands
from codegen.errors import Finding, SpecError
from codegen.pipeline import Clock, resolved

if TYPE_CHECKING:
    from codegen.catalogue import Catalogue, Event, Package, Stream
    from codegen.load import Specification

FINE = 0


def register(commands: Commands) -> None:
    """Add the command to the parser."""
    one = arguments.command(
        commands,
        "show",
        run,
        "print the streams, their events and fields",
        "Print the catalogue: all streams; the events of one stream; or every field of one event, with its source and its "
        "accumulation rule.",
        [
            "codegen show",
            "codegen show responses",
            "codegen show responses response.output_text.delta",
            "codegen show --dialects",
            "codegen show chat --format json",
        ],
        "0 fine, 2 there is no such stream or tag, or the specification could not be used.",
        json_keys="of all streams: sources, packages; of one stream: its record there; of one event: its record there, source and fields "
        "(each with name, type, required, null, and default where it has one); of --notes: notes (each with where, what, action); of "
        "--dialects: dialects (lists, by stream).",
    )
    stream = one.add_argument("name", nargs="?", metavar="STREAM", help="one stream")
    complete.by(stream, complete.streams)
    tag = one.add_argument("tag", nargs="?", metavar="TAG", help="one event of it")
    complete.by(tag, complete.tags)
    what = one.add_mutually_exclusive_group()
    what.add_argument("--notes", action="store_true", help="what is odd in the documents")
    what.add_argument("--dialects", action="store_true", help="how servers depart from the streams")
    arguments.spec_to_read(one)
    arguments.format_(one)
    one.add_argument(
        "--json",
        dest="format",
        action="store_const",
        const="json",
        help="the same as --format json",
    )


def run(options: argparse.Namespace) -> int:
    """Print the catalogue, or the part of it that was asked for."""
    specification, catalogue = resolved(options, Clock())
    if options.format == "json":
        output.print_json(_value(options, specification, catalogue))
    else:
        text = _text(options, specification, catalogue)
        if text:
            print(text)
    return FINE


def _text(options: argparse.Namespace, specification: Specification, catalogue: Catalogue) -> str:
    from codegen import show, show_dialects
    from codegen.review import review

    if options.notes:
        return "\n".join(str(note) for note in review(specification, catalogue))
    if options.dialects:
        return show_dialects.dialects(catalogue)
    if not options.name:
        return show.streams(catalogue)
    package, stream, event = _chosen(options, catalogue)
    if event is None:
        return show.stream(package, stream)
    return show.event(catalogue, package, stream, event, shutil.get_terminal_size().columns)


def _value(
    options: argparse.Namespace, specification: Specification, catalogue: Catalogue
) -> dict[str, Any]:
    from codegen.catalogue import to_json
    from codegen.review import review
    from codegen.show import event_value

    if options.notes:
        return {"notes": [vars(note) for note in review(specification, catalogue)]}
    if options.dialects:
        named = {each.name: [to_json(one) for one in each.dialects] for each in catalogue.streams}
        return {"dialects": {name: some for name, some in named.items() if some}}
    record: Any
    if options.name:
        package, stream, event = _chosen(options, catalogue)
        if event is not None:
            more = event_value(catalogue, package, stream, event)
            return {**cast(dict[str, Any], to_json(event)), **more}
        record = stream
    else:  # vectors are files of their own
        record = dataclasses.replace(catalogue, envelopes=(), flags="")
    return cast(dict[str, Any], to_json(record))


def _chosen(
    options: argparse.Namespace, catalogue: Catalogue
) -> tuple[Package, Stream, Event | None]:
    """The stream that was named, and the event if one was; SpecError where there is none of the name."""
    for package in catalogue.packages:
        for stream in package.streams:
            if stream.name == options.name:
                return package, stream, _event(options.tag, stream)
    action = "Name one of: " + ", ".join(stream.name for stream in catalogue.streams) + "."
    raise SpecError([Finding(options.name, "is not a stream", action)])


def _event(tag: str | None, stream: Stream) -> Event | None:
    if tag is None:
        return None
    for event in stream.events:
        if event.tag == tag:
            return event
    what = f"is not a tag of {stream.name}"
    raise SpecError([Finding(tag, what, f"See: codegen show {stream.name}")])
