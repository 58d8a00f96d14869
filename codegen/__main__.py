"""The command line.

Reads arguments, calls the stages, prints what they return. Never decides anything about a specification. Exit codes: 0
fine, 1 a finding, 2 the input could not be used.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from codegen import (
    VERSION,
    adopt_command,
    commands_diff,
    commands_drift,
    commands_lint,
    commands_serve,
    commands_vectors,
    commands_vendor,
    installed,
    output,
    show,
    show_dialects,
)
from codegen.catalogue import Catalogue, to_json
from codegen.errors import Finding, SpecError
from codegen.limits import raised

if TYPE_CHECKING:
    from codegen.load import Specification

FINE, FOUND, UNUSABLE = 0, 1, 2


class Clock:
    """Seconds per stage, for --timings."""

    def __init__(self) -> None:
        self.stages: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of the block to a stage."""
        start = time.perf_counter()
        yield
        self.stages[name] = self.stages.get(name, 0.0) + time.perf_counter() - start

    def __str__(self) -> str:
        return "\n".join(f"{name:<10}{seconds:8.2f} s" for name, seconds in self.stages.items())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    output.prepare()
    options = _parser().parse_args(arguments)
    try:
        installed.require_own_folder(options)
        with raised(options.limit):
            code: int = options.run(options)
        sys.stdout.flush()
    except SpecError as error:
        for finding in error.findings:
            print(finding, file=sys.stderr)
        return UNUSABLE
    except (RecursionError, MemoryError) as error:
        what = f"the input needs more than this process has ({type(error).__name__})"
        print(Finding("codegen", what, "Give a smaller document."), file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:
        output.abandon()
        return FINE
    except OSError as error:
        print(output.unwritable(error), file=sys.stderr)
        output.abandon()
        return UNUSABLE
    return code


def _resolved(options: argparse.Namespace, clock: Clock) -> tuple[Specification, Catalogue]:
    from codegen.load import load
    from codegen.resolve import resolve

    documents = dict(_pair(text) for text in getattr(options, "document", []))
    with clock.stage("load"):
        specification = load(
            options.spec,
            documents=documents,
            docs=getattr(options, "docs", False),
            streams=tuple(getattr(options, "stream", ())),
        )
    with clock.stage("resolve"):
        return specification, resolve(specification)


def _pair(text: str) -> tuple[str, str]:
    name, equals, location = text.partition("=")
    if not equals or not name or not location:
        raise SpecError(
            [
                Finding(
                    f"--document {text}",
                    "is not NAME=PATH",
                    "Write --document openai=openapi.yaml.",
                )
            ]
        )
    return name, location


def generate(options: argparse.Namespace) -> int:
    """Write generated/ and tell what changed."""
    from codegen.emit import emit
    from codegen.files import formatted, write
    from codegen.review import review, unruled

    clock = Clock()
    specification, catalogue = _resolved(options, clock)
    with clock.stage("emit"):
        files = emit(catalogue)
    with clock.stage("format"):
        files = formatted(files, options.out)
    if options.stream:
        _require_no_others(files, options)
    with clock.stage("write"):
        changed = write(files, options.out)
    notes = review(specification, catalogue)
    for note in unruled(specification, catalogue):
        print(f"warning: {note}", file=sys.stderr)
    print(show.streams(catalogue, changed))
    print(
        f"{len(files)} files, {len(changed)} changed"
        if changed
        else f"{len(files)} files, no file changed"
    )
    if notes:
        print(f"{len(notes)} notes on the specification: codegen show --notes")
    if options.timings:
        print(clock)
    return FINE


def _require_no_others(files: dict[str, str], options: argparse.Namespace) -> None:
    """Refuse to let some streams take the place of all."""
    from codegen.files import check as differing

    lost = [path for path in differing(files, options.out) if path not in files]
    if lost:
        what = f"holds {len(lost)} files of other streams, such as {lost[0]}, which --stream would remove"
        raise SpecError([Finding(str(options.out), what, "Name another --out.")])


def check(options: argparse.Namespace) -> int:
    """Tell which files of generated/ are not what spec/ gives."""
    from codegen.emit import emit
    from codegen.files import check as differing
    from codegen.files import formatted
    from codegen.review import unruled

    specification, catalogue = _resolved(options, Clock())
    stale = differing(formatted(emit(catalogue), options.out), options.out)
    for path in stale:
        print(
            f"{options.out / path}: differs from what {options.spec} gives. Run: codegen generate"
        )
    notes = unruled(specification, catalogue)
    for note in notes:
        print(note)
    if stale or notes:
        return FOUND
    print(f"{options.out} is what {options.spec} gives")
    return FINE


def cut(options: argparse.Namespace) -> int:
    """Cut an upstream document and record where it came from."""
    from codegen.cut_command import cut_document

    path, schemas = cut_document(
        options.document,
        options.name,
        options.into,
        url=options.url,
        commit=options.commit,
        date=options.date,
    )
    print(f"{path}: {schemas} schemas")
    return FINE


def show_command(options: argparse.Namespace) -> int:
    """Print the catalogue."""
    from codegen.review import review

    specification, catalogue = _resolved(options, Clock())
    if options.notes:
        for note in review(specification, catalogue):
            print(note)
        return FINE
    if options.dialects:
        print(show_dialects.dialects(catalogue))
        return FINE
    if options.json and not options.name:
        streams = dataclasses.replace(
            catalogue, envelopes=(), flags=""
        )  # vectors are files of their own
        print(json.dumps(to_json(streams), indent=1, ensure_ascii=False))
        return FINE
    if not options.name:
        print(show.streams(catalogue))
        return FINE
    package, stream = next(
        (
            (package, stream)
            for package in catalogue.packages
            for stream in package.streams
            if stream.name == options.name
        ),
        (None, None),
    )
    if package is None or stream is None:
        action = "Name one of: " + ", ".join(stream.name for stream in catalogue.streams) + "."
        raise SpecError([Finding(options.name, "is not a stream", action)])
    events = [event for event in stream.events if options.tag in (None, event.tag)]
    if not events:
        raise SpecError(
            [
                Finding(
                    options.tag,
                    f"is not a tag of {stream.name}",
                    f"See: codegen show {stream.name}",
                )
            ]
        )
    if options.json:
        print(
            json.dumps(to_json(events[0] if options.tag else stream), indent=1, ensure_ascii=False)
        )
    elif options.tag:
        print(show.event(catalogue, package, stream, events[0]))
    else:
        print(show.stream(package, stream))
    return FINE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="codegen",
        description="Typed models for the event streams of LLM APIs, generated from the specification.",
        epilog="example: codegen generate. Exit codes: 0 fine, 1 a finding, 2 the input could not be used.",
    )
    parser.add_argument("--version", action="version", version=f"codegen {VERSION}")
    parser.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=NUMBER",
        help="raise a limit that an error named (repeatable)",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    one = _command(
        commands,
        "generate",
        generate,
        "write the package, the catalogue and all else",
        "codegen generate",
    )
    _folders(one)
    one.add_argument(
        "--stream",
        action="append",
        default=[],
        metavar="NAME",
        help="only this stream (repeatable)",
    )
    one.add_argument(
        "--document",
        action="append",
        default=[],
        metavar="NAME=PATH",
        help="a whole document in place of the cut",
    )
    one.add_argument(
        "--docs",
        action="store_true",
        help="put the document's prose into docstrings (needs --document)",
    )
    one.add_argument("--timings", action="store_true", help="print the seconds of each stage")

    one = _command(
        commands, "check", check, "tell whether generated/ is what spec/ gives", "codegen check"
    )
    _folders(one)

    one = _command(
        commands,
        "cut",
        cut,
        "keep the facts of an upstream document",
        "codegen cut openapi.yaml --name openai",
    )
    one.add_argument("document", metavar="DOCUMENT", help="a path, a URL, or - for standard input")
    one.add_argument(
        "--name", required=True, help="name of the document; the fragments name its roots"
    )
    one.add_argument(
        "--into",
        type=Path,
        default=Path("spec/documents"),
        metavar="DIR",
        help="default: %(default)s",
    )
    one.add_argument(
        "--url", default="", help="where the newest version lies, for spec/sources.yaml"
    )
    one.add_argument(
        "--commit", default="", help="commit of the upstream repository, for spec/sources.yaml"
    )
    one.add_argument(
        "--date", default="", help="date of the document, YYYY-MM-DD, for spec/sources.yaml"
    )

    one = _command(
        commands,
        "show",
        show_command,
        "print the catalogue",
        "codegen show responses response.output_text.delta",
    )
    one.add_argument("name", nargs="?", metavar="STREAM")
    one.add_argument("tag", nargs="?", metavar="TAG")
    one.add_argument(
        "--spec", type=Path, default=Path("spec"), metavar="DIR", help="default: %(default)s"
    )
    one.add_argument("--json", action="store_true", help="print JSON")
    one.add_argument("--notes", action="store_true", help="print what is odd in the documents")
    one.add_argument(
        "--dialects", action="store_true", help="print how servers depart from the streams"
    )
    commands_diff.register(commands)
    commands_drift.register(commands)
    commands_serve.register(commands)
    commands_lint.register(commands)
    commands_vectors.register(commands)
    adopt_command.register(commands)
    commands_vendor.register(commands)
    installed.defaults(commands.choices.items())
    return parser


def _command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    run: object,
    summary: str,
    example: str,
) -> argparse.ArgumentParser:
    one = commands.add_parser(name, help=summary, description=summary, epilog=f"example: {example}")
    one.set_defaults(run=run)
    return one


def _folders(one: argparse.ArgumentParser) -> None:
    one.add_argument(
        "--spec", type=Path, default=Path("spec"), metavar="DIR", help="default: %(default)s"
    )
    one.add_argument(
        "--out", type=Path, default=Path("generated"), metavar="DIR", help="default: %(default)s"
    )


if __name__ == "__main__":
    sys.exit(main())
