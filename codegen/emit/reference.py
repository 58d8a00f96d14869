"""The reference for people: Markdown below `reference/`, which reads well as it stands and which `codegen docs` makes a site of.

Reads the catalogue; returns pages: a start page, one for each stream and each event, the payload models, the dialects, the notation of
rules. Never measures anything: conformance, performance and history are written by commands of their own, and only linked.
"""

from __future__ import annotations

from codegen import VERSION
from codegen.catalogue import Catalogue
from codegen.emit import reference_rules
from codegen.emit.reference_dialects import dialects
from codegen.emit.reference_events import events
from codegen.emit.reference_pages import (
    DIALECTS,
    NOTATION,
    START,
    Pages,
    in_order,
    packages_in_order,
)
from codegen.emit.reference_streams import streams
from codegen.emit.reference_types import models
from codegen.emit.reference_words import code, escaped, link, prose
from codegen.emit.render import MARK, Files, render

FOLDER = "reference"
HEAD = f"<!-- {MARK} {VERSION} from spec/ and templates/reference/: do not edit, run codegen generate. -->\n\n"


def emit(catalogue: Catalogue) -> Files:
    """reference/… by path."""
    pages = Pages(catalogue)
    files: Files = {
        START: _start(catalogue, pages),
        NOTATION: _notation(),
        **streams(catalogue, pages),
        **events(catalogue, pages),
        **models(catalogue, pages),
        **dialects(catalogue, DIALECTS),
    }
    return {f"{FOLDER}/{path}": HEAD + text.strip() + "\n" for path, text in files.items()}


def _start(catalogue: Catalogue, pages: Pages) -> str:
    rows = [
        (
            link(escaped(stream.name), pages.stream(stream), START),
            prose(stream.sentence),
            str(len(stream.events)),
            escaped(stream.transport),
            escaped(stream.direction),
        )
        for _, stream in in_order(catalogue)
    ]
    packages = [
        (
            link(escaped(package.name), pages.models(package), START),
            len(package.models),
            len(package.aliases),
        )
        for package in packages_in_order(catalogue)
    ]
    sources = [
        (
            escaped(source.name),
            escaped(source.version),
            escaped(source.date),
            code(source.sha256[:12]),
        )
        for source in catalogue.sources
    ]
    return render("reference/start.jinja", streams=rows, packages=packages, sources=sources)


def _notation() -> str:
    said = {
        verb: words.format(source="SOURCE", place="PATH", when="")
        for verb, words in reference_rules.WORDS.items()
    }
    return render("reference/notation.jinja", verbs=[(code(verb), said[verb]) for verb in said])
