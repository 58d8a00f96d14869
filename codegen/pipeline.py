"""The stages that several commands begin with: from spec/ to the catalogue, and to the files.

Reads the specification that the options name; returns what the stages return, and how long each took. Never prints and never writes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from codegen.errors import Finding, SpecError
from codegen.progress import doing

if TYPE_CHECKING:
    from codegen.catalogue import Catalogue
    from codegen.load import Specification

STAGES = {
    "load": "reading the specification",
    "resolve": "resolving names and types",
    "emit": "making the files",
    "format": "formatting",
    "write": "writing",
}


class Clock:
    """Tells each stage when it begins, and keeps its seconds for --timings."""

    def __init__(self) -> None:
        self.stages: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time of the block to a stage."""
        doing(STAGES[name])
        start = time.perf_counter()
        yield
        self.stages[name] = self.stages.get(name, 0.0) + time.perf_counter() - start

    def __str__(self) -> str:
        return "\n".join(f"{name:<10}{seconds:8.2f} s" for name, seconds in self.stages.items())


def resolved(options: argparse.Namespace, clock: Clock) -> tuple[Specification, Catalogue]:
    """The specification and its catalogue. SpecError for what is wrong with it."""
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


def emitted(catalogue: Catalogue, options: argparse.Namespace, clock: Clock) -> dict[str, str]:
    """The files of the catalogue, formatted."""
    from codegen.emit import emit
    from codegen.files import formatted

    with clock.stage("emit"):
        files = emit(catalogue)
    with clock.stage("format"):
        return formatted(files, options.out)


def _pair(text: str) -> tuple[str, str]:
    name, equals, location = text.partition("=")
    if equals and name and location:
        return name, location
    action = "Write --document openai=openapi.yaml."
    raise SpecError([Finding(f"--document {text}", "is not NAME=PATH", action)])
