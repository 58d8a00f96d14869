"""The command line on input that cannot be used: what is said, and that nothing is changed.

Reads small specifications, written here, each with one fault. Expected is the whole message: where, what and what to do.
"""

from __future__ import annotations

import shutil
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.command_line import (
    D,
    F,
    DOCUMENT,
    ENTRY,
    FRAGMENT,
    OVERLAY,
    Run,
    WHOLE,
    here_fixture,
    made_fixture,
    run_fixture,
    tree,
)
from tests.small_spec import fragment


@dataclass(frozen=True)
class Bad:
    """Input that cannot be used: the files that differ from the small specification, and what is said about them."""

    files: dict[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ("generate",)
    said: tuple[str, ...] = ()


GIVE = "Give an OpenAPI document as YAML or JSON text."
SEE = "See codegen/fragment.schema.json."
ONE_OR_THE_OTHER = "Remove the entry, or add the event by an overlay in spec/overlays/."


def _overlays(first: str, second: str) -> dict[str, str]:
    """Two overlays of `document target` each."""
    texts = [OVERLAY.format(document=d, target=t) for d, t in (first.split(), second.split())]
    return {f"spec/overlays/{number}.yaml": text for number, text in enumerate(texts)}


BAD: Mapping[str, Bad] = {
    "a document that is not YAML": Bad(
        {D: "openapi: [1\nb: {"},
        said=(f"{D}:2: this is neither YAML nor JSON (did not find expected ',' or ']'). {GIVE}",),
    ),
    "a document that is cut off": Bad(
        {D: '{"openapi": "3.1.0",\n'},
        said=(
            f"{D}:2: this is neither YAML nor JSON (did not find expected node content). {GIVE}",
        ),
    ),
    "a document that is a list": Bad(
        {D: "- a\n"}, said=(f"{D}: the text is not a mapping of keys to values. {GIVE}",)
    ),
    "a document that is not OpenAPI": Bad(
        {D: "title: x\n"},
        said=(f"{D}:1 (#): this is not an OpenAPI document: `openapi` is missing. {GIVE}",),
    ),
    "a document of another version": Bad(
        {D: DOCUMENT.replace("3.1.0", "3.2.0")},
        said=(
            f"{D}:1 (#/openapi): OpenAPI 3.2.0 is not supported. "
            "Give a document of OpenAPI 3.0.x or 3.1.x.",
        ),
    ),
    "a document without the root union": Bad(
        {D: DOCUMENT.replace("    Ev:", "    Events:")},
        said=(
            f"{D}:5 (#/components/schemas): the union 'Ev' of stream s does not exist. "
            f"Correct `union` in {F} or add an overlay.",
        ),
    ),
    "a document with two missing refs": Bad(
        {D: DOCUMENT.replace("schemas/Bye", "schemas/Gone").replace("{type: string}", "{$ref: x}")},
        said=(
            f"{D}:9 (#/components/schemas/Ev/anyOf/1): $ref names the component 'Gone', "
            "which does not exist. Add an overlay in spec/overlays/.",
            f"{D}:15 (#/components/schemas/Hello/properties/text): $ref 'x' is not of the form "
            "#/components/schemas/NAME. Add an overlay in spec/overlays/.",
        ),
    ),
    "overlays that match nothing": Bad(
        _overlays("d $.components.schemas.Absent", "d $.paths.x"),
        said=(
            "spec/overlays/0.yaml:5 (#/actions/0): target $.components.schemas.Absent matches "
            "nothing in document d. Remove the action or correct its target.",
            "spec/overlays/1.yaml:5 (#/actions/0): target $.paths.x matches nothing in document d. "
            "Remove the action or correct its target.",
        ),
    ),
    "an overlay for an unknown document, and one that matches nothing": Bad(
        _overlays("e $.paths", "d $.paths.x"),
        said=(
            "spec/overlays/0.yaml:3 (#/x-document): there is no document 'e'. Name one of: d.",
            "spec/overlays/1.yaml:5 (#/actions/0): target $.paths.x matches nothing in document d. "
            "Remove the action or correct its target.",
        ),
    ),
    "a fragment with an unknown key": Bad(
        {F: FRAGMENT.replace('"table"', '"tabel"')},
        said=(
            f"{F}:1 (#): 'table' is a required property. {SEE}",
            f"{F}:1 (#): Additional properties are not allowed ('tabel' was unexpected). {SEE}",
        ),
    ),
    "a fragment with tags that the union does not have": Bad(
        {F: fragment(events={"hello": ENTRY, "bye": ENTRY, "gone": ENTRY}, terminal=["end"])},
        said=(
            f"{F}:1 (#/events/gone): stream s has no event 'gone' in Ev. {ONE_OR_THE_OTHER}",
            f"{F}:1 (#/terminal/0): stream s has no event 'end' in Ev. {ONE_OR_THE_OTHER}",
        ),
    ),
    "two fragments for one stream, and one that is no YAML": Bad(
        {"spec/fragments/1.yaml": FRAGMENT, "spec/fragments/2.yaml": "a: ["},
        said=(
            f"spec/fragments/1.yaml:1 (#/stream): {F} is of the stream s too. Rename one of them.",
            "spec/fragments/2.yaml:2: this is neither YAML nor JSON "
            f"(did not find expected node content). {GIVE}",
        ),
    ),
    "a stream that shares with none": Bad(
        {F: fragment(shares="other")},
        said=(
            f"{F}:1 (#/shares): shares: other is no stream of the same subpackage. "
            "Name a stream whose `module` starts with the same word.",
        ),
    ),
    "all findings of a stage": Bad(
        {D: "title: x\n", "spec/sources.yaml": "sources: []\n", **_overlays("e $.x", "f $.y")},
        said=(
            f"{D}:1 (#): this is not an OpenAPI document: `openapi` is missing. {GIVE}",
            "spec/overlays/0.yaml:3 (#/x-document): there is no document 'e'. Name one of: d.",
            "spec/overlays/1.yaml:3 (#/x-document): there is no document 'f'. Name one of: d.",
            "spec/sources.yaml:1 (#/sources): `sources` is not a list of entries. "
            "See the comment at the top of spec/sources.yaml.",
        ),
    ),
    "a spec folder that is not there": Bad(
        arguments=("generate", "--spec", "nowhere"),
        said=("nowhere/fragments: the folder does not exist. Name the right --spec.",),
    ),
    "a file in place of the spec folder": Bad(
        {"file": ""},
        ("generate", "--spec", "file"),
        ("file/fragments: the folder does not exist. Name the right --spec.",),
    ),
    "a file in place of the output folder": Bad(
        {"file": ""},
        ("generate", "--out", "file/below"),
        ("file: cannot be written (Not a directory). Free it, or name another --out.",),
    ),
    "a document that is not there": Bad(
        arguments=("generate", "--document", "d=absent.yaml"),
        said=(
            "absent.yaml: this cannot be read (No such file or directory). "
            "Check the path and its permissions.",
        ),
    ),
    "a document that is a folder": Bad(
        arguments=("generate", "--document", "d=spec"),
        said=("spec: this cannot be read (Is a directory). Check the path and its permissions.",),
    ),
    "a document that no fragment names": Bad(
        {"whole.yaml": WHOLE},
        ("generate", "--document", "e=whole.yaml"),
        ("--document e=whole.yaml: no fragment names it. Name one of: d.",),
    ),
    "a malformed --document": Bad(
        arguments=("generate", "--document", "whole.yaml"),
        said=("--document whole.yaml: is not NAME=PATH. Write --document openai=openapi.yaml.",),
    ),
    "an address of another kind": Bad(
        arguments=("generate", "--document", "d=ftp://127.0.0.1/d.yaml"),
        said=(
            "ftp://127.0.0.1/d.yaml: addresses with ftp:// are not read. "
            "Give a path or an http or https URL.",
        ),
    ),
    "prose without a document that has any": Bad(
        arguments=("generate", "--docs"),
        said=(
            "--docs: the documents in spec/documents/ have no prose. "
            "Give the whole document: --document NAME=PATH.",
        ),
    ),
    "unknown streams": Bad(
        arguments=("generate", "--stream", "t", "--stream", "s", "--stream", "u"),
        said=(
            "spec/fragments: there is no stream 't'. Name one of: s.",
            "spec/fragments: there is no stream 'u'. Name one of: s.",
        ),
    ),
    "check without a document": Bad(
        {D: "- a\n"}, ("check",), (f"{D}: the text is not a mapping of keys to values. {GIVE}",)
    ),
    "an unknown stream to show": Bad(
        arguments=("show", "t"), said=("t: is not a stream. Name one of: s.",)
    ),
    "an unknown tag to show": Bad(
        arguments=("show", "s", "gone"),
        said=("gone: is not a tag of s. See: codegen show s",),
    ),
    "a cut of what is not YAML": Bad(
        {"whole.yaml": "a: ["},
        ("cut", "whole.yaml", "--name", "d"),
        (
            f"whole.yaml:2: this is neither YAML nor JSON (did not find expected node content). {GIVE}",
        ),
    ),
    "a cut without the root union": Bad(
        {"whole.yaml": WHOLE.replace("    Ev:", "    Events:")},
        ("cut", "whole.yaml", "--name", "d"),
        (
            "whole.yaml:5 (#/components/schemas): the root schema Ev is not in components.schemas. "
            "Add an overlay in spec/overlays/, or report it upstream.",
        ),
    ),
    "a cut under a name that leads elsewhere": Bad(
        {"whole.yaml": WHOLE},
        ("cut", "whole.yaml", "--name", "../d"),
        (
            "spec/fragments: no fragment names the document '../d'. "
            "Add a fragment for it. Name one of: d.",
        ),
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_told_and_changes_nothing(name: str, here: Path, run: Run) -> None:
    bad = BAD[name]
    for path, text in bad.files.items():
        (here / path).write_text(text, encoding="utf-8")
    before = tree(here)
    ran = run(*bad.arguments)
    assert ran.err.splitlines() == list(bad.said)
    assert (ran.code, ran.out) == (2, "")
    assert tree(here) == before


def test_a_folder_in_place_of_a_file_stops_before_anything_is_written(here: Path, run: Run) -> None:
    taken = here / "generated/stream_events/s/events.py"
    taken.unlink()
    (taken / "mine").mkdir(parents=True)
    (here / "generated/stream_events/__init__.py").write_text("# stale\n")
    before = tree(here)
    ran = run("generate")
    assert ran.code == 2
    assert ran.err == (
        "generated/stream_events/s/events.py: is a folder, and a file goes there. "
        "Remove it, or name another --out.\n"
    )
    assert tree(here) == before


def test_a_file_in_place_of_a_folder_leaves_everything_as_it_is(here: Path, run: Run) -> None:
    shutil.rmtree(here / "generated/stream_events/s")
    (here / "generated/stream_events/s").write_text("")
    (here / "generated/stream_events/__init__.py").write_text("# stale\n")
    before = tree(here)
    ran = run("generate")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert ran.err.startswith("generated/stream_events/s: cannot be written")
    assert tree(here) == before


@pytest.mark.parametrize("arguments", [["generate", "--document"], ["cut", "--name", "d"]])
def test_a_url_that_does_not_answer(here: Path, run: Run, arguments: list[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: every connection is refused
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/d.yaml"
        before = tree(here)
        given = f"d={url}" if arguments[0] == "generate" else url
        ran = run(*arguments, given)
    assert ran.code == 2
    assert ran.err.startswith(f"{url}: the URL does not answer (")
    assert ran.err.endswith(
        "Check the address and the network, or download the document and give its path.\n"
    )
    assert tree(here) == before
