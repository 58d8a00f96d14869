"""The command line: what it prints, its exit codes, and that bad input changes nothing.

Reads small specifications that the tests write; runs `codegen.__main__.main` in this process, and as a program where
that is what is tested. Never touches spec/ or generated/ of the repository.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TypeAlias

import pytest

from codegen.__main__ import main
from codegen.documents import parse
from tests.small_spec import fragment, write_spec

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = """\
openapi: 3.1.0
info: {title: Small, version: "1"}
paths: {}
components:
  schemas:
    Ev:
      anyOf:
        - $ref: "#/components/schemas/Hello"
        - $ref: "#/components/schemas/Bye"
    Hello:
      type: object
      required: [type, text]
      properties:
        type: {const: hello}
        text: {type: string}
    Bye:
      type: object
      required: [type, reason]
      properties:
        type: {const: bye}
        reason: {type: [string, "null"], format: word}
        code: {type: integer, default: 1}
    Unused: {type: object, properties: {text: {type: string}}}
"""
WHOLE = DOCUMENT.replace("  Hello:\n", "  Hello:\n      description: Prose of the vendor.\n")
"""The same as a vendor has it, with prose."""
ENTRY = {"family": "text", "sentence": "A word.", "provenance": "documented"}
FRAGMENT = fragment(events={"hello": ENTRY, "bye": {**ENTRY, "stability": "beta"}})
OVERLAY = """\
overlay: 1.0.0
info: {{title: A correction, version: "1"}}
x-document: {document}
actions:
  - target: {target}
    remove: true
"""


@dataclass(frozen=True)
class Ran:
    """What a run of the command line gave."""

    code: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Ran]


@pytest.fixture(name="run")
def _run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> Ran:
        code = main(arguments)
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return run


@pytest.fixture(scope="module", name="made")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with spec/ and what `codegen generate` made of it, to be copied."""
    folder = tmp_path_factory.mktemp("made")
    write_spec(folder, DOCUMENT, [FRAGMENT])
    assert (
        main(["generate", "--spec", str(folder / "spec"), "--out", str(folder / "generated")]) == 0
    )
    return folder


@pytest.fixture(name="here")
def _here(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with spec/ and generated/, in which the test runs."""
    folder = tmp_path / "here"
    shutil.copytree(made, folder)
    monkeypatch.chdir(folder)
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@dataclass(frozen=True)
class Bad:
    """Input that cannot be used: the files that differ from the small specification, and what is said about them."""

    files: dict[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ("generate",)
    said: tuple[str, ...] = ()


@contextmanager
def serving(data: bytes) -> Iterator[str]:
    """The URL of a document on this machine, for as long as the block runs."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *arguments: object) -> None:
            return

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/d.yaml"
        finally:
            server.shutdown()
            thread.join()


D, F = "spec/documents/d.yaml", "spec/fragments/0.yaml"
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
        said=("nowhere/fragments: the folder does not exist. Name the right --spec or --into.",),
    ),
    "a file in place of the spec folder": Bad(
        {"file": ""},
        ("generate", "--spec", "file"),
        ("file/fragments: the folder does not exist. Name the right --spec or --into.",),
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


def test_generate_twice_changes_no_file_and_says_so(here: Path, run: Run) -> None:
    before = tree(here)
    ran = run("generate")
    assert (ran.code, ran.err) == (0, "")
    assert "no file changed" in ran.out
    assert ran.out.splitlines()[:3] == [
        "stream  direction  events  models  files changed",
        "------  ---------  ------  ------  -------------",
        "s       server          2       2              0",
    ]
    assert tree(here) == before


def test_generate_tells_of_a_tag_without_an_entry_and_check_fails(here: Path, run: Run) -> None:
    (here / F).write_text(fragment(events={"hello": ENTRY}))
    ran = run("generate")
    assert ran.code == 0
    assert f"warning: {F}" in ran.err and "the tag 'bye' of Ev has no entry" in ran.err
    ran = run("check")
    assert ran.code == 1
    assert f"{F}" in ran.out and "the tag 'bye' of Ev has no entry" in ran.out


def test_prose_comes_from_a_whole_document_and_only_when_asked_for(here: Path, run: Run) -> None:
    (here / "whole.yaml").write_text(WHOLE)
    events = here / "generated/stream_events/s/events.py"
    assert run("generate", "--document", "d=whole.yaml").code == 0
    assert "Prose of the vendor." not in events.read_text()
    assert run("generate", "--document", "d=whole.yaml", "--docs").code == 0
    assert "Prose of the vendor." in events.read_text()


def test_timings_name_the_stages(here: Path, run: Run) -> None:
    ran = run("generate", "--timings")
    found = [line.split()[0] for line in ran.out.splitlines() if line.endswith(" s")]
    assert found == ["load", "resolve", "emit", "format", "write"]


def test_check_names_each_file_that_differs(here: Path, run: Run) -> None:
    package = here / "generated/stream_events/s"
    assert run("check") == Ran(0, "generated is what spec gives\n", "")
    edited, deleted, extra = (package / name for name in ("events.py", "models.py", "old.py"))
    mark = edited.read_text().splitlines()[0]
    edited.write_text(edited.read_text() + "\n")
    deleted.unlink()
    extra.write_text(f"{mark}\n")
    (package / "notes.py").write_text("# not ours: nobody generated it\n")
    ran = run("check")
    assert ran.code == 1
    assert ran.out.splitlines() == [
        f"generated/stream_events/s/{name}: differs from what spec gives. Run: codegen generate"
        for name in ("events.py", "models.py", "old.py")
    ]
    assert run("generate").code == 0
    assert run("check").code == 0
    assert not extra.exists() and (package / "notes.py").exists()


def test_show_prints_streams_events_and_fields(here: Path, run: Run) -> None:
    assert run("show").out.splitlines()[2].split() == ["s", "server", "2", "2"]
    stream = run("show", "s").out.splitlines()
    assert stream[0] == "s: A stream."
    assert [stream[stream.index("bye  (Bye)") + at] for at in (1, 2)] == [
        "    A word.",
        "    type, reason, code?",
    ]
    event = run("show", "s", "bye").out.splitlines()
    assert event[:3] == [
        "bye of s: A word.",
        "class Bye, family text, beta, documented",
        "source d 1 2026-01-01 #/components/schemas/Bye",
    ]
    assert [line.split() for line in event[-3:]] == [
        ["type", "'bye'", "yes", "no"],
        ["reason", "string", "(word)", "yes", "yes"],
        ["code", "integer", "no", "no", "1"],
    ]


def test_show_prints_json(here: Path, run: Run) -> None:
    whole = json.loads(run("show", "--json").out)
    assert [package["name"] for package in whole["packages"]] == ["s"]
    stream = json.loads(run("show", "s", "--json").out)
    assert stream == whole["packages"][0]["streams"][0]
    assert [event["tag"] for event in stream["events"]] == ["bye", "hello"]
    assert json.loads(run("show", "s", "bye", "--json").out) == stream["events"][0]


def test_show_prints_notes_on_the_document(here: Path, run: Run) -> None:
    assert run("show", "--notes") == Ran(0, "", "")
    (here / D).write_text(DOCUMENT.replace("format: word", "nullable: true"))
    assert run("show", "--notes").out == (
        f"{D}:21 (#/components/schemas/Bye/properties/reason): nullable is used in OpenAPI 3.1; "
        "it is read as null. Nothing to do, or an overlay in spec/overlays/.\n"
    )


def test_cut_keeps_facts_and_records_the_source(here: Path, run: Run) -> None:
    (here / "whole.yaml").write_text(WHOLE)
    given = ["--url", "https://example.org/new.yaml", "--commit", "abcdef1", "--date", "2026-02-03"]
    assert run("cut", "whole.yaml", "--name", "d", *given) == Ran(0, f"{D}: 3 schemas\n", "")
    text = (here / D).read_text()
    assert "Prose" not in text and "Unused" not in text and "format: word" in text
    (entry,) = parse((here / "spec/sources.yaml").read_bytes(), "sources")["sources"]
    assert entry == {
        "name": "d",
        "url": "https://example.org/new.yaml",
        "version": "1",
        "commit": "abcdef1",
        "date": "2026-02-03",
        "sha256": hashlib.sha256(WHOLE.encode()).hexdigest(),
        "cut_sha256": hashlib.sha256(text.encode()).hexdigest(),
        "command": "codegen cut whole.yaml --name d",
    }
    before = tree(here)
    assert run("cut", "whole.yaml", "--name", "d").code == 0
    assert tree(here) == before


def test_cut_reads_a_url(here: Path, run: Run) -> None:
    with serving(WHOLE.encode()) as url:
        assert run("cut", url, "--name", "d").code == 0
    (entry,) = parse((here / "spec/sources.yaml").read_bytes(), "sources")["sources"]
    assert entry["url"] == url
    assert entry["sha256"] == hashlib.sha256(WHOLE.encode()).hexdigest()
    assert entry["command"] == f"codegen cut {url} --name d"


def test_cut_reads_standard_input(here: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(WHOLE.encode())))
    assert run("cut", "-", "--name", "d").code == 0
    (entry,) = parse((here / "spec/sources.yaml").read_bytes(), "sources")["sources"]
    assert entry["sha256"] == hashlib.sha256(WHOLE.encode()).hexdigest()
    assert entry["url"] == "https://example.org/d.yaml"  # where it comes from was recorded before


@pytest.mark.parametrize("command", [[], ["generate"], ["check"], ["cut"], ["show"]])
def test_help_has_an_example(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert f"example: codegen {' '.join(command)}".strip() in text


def test_a_wrong_option_is_unusable_input(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["generate", "--nope"])
    assert ended.value.code == 2
    assert "--nope" in capsys.readouterr().err


def program(
    *arguments: str, given: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """`python -m codegen` in the working folder, as a person runs it."""
    return subprocess.run(
        [sys.executable, "-m", "codegen", *arguments],
        input=given,
        capture_output=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
    )


def test_the_program_says_what_main_says(here: Path) -> None:
    done = program("show", "s", "gone")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"gone: is not a tag of s. See: codegen show s\n"
    done = program("cut", "-", "--name", "d", given=WHOLE.encode())
    assert (done.returncode, done.stdout, done.stderr) == (0, b"%s: 3 schemas\n" % D.encode(), b"")


@pytest.mark.parametrize("seed", ["0", "4711"])
def test_the_same_bytes_under_another_hash_seed_and_from_another_folder(
    here: Path, tmp_path: Path, seed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "out"
    shutil.copytree(here / "generated/.cache", out / ".cache")
    done = program("generate", "--spec", str(here / "spec"), "--out", str(out), PYTHONHASHSEED=seed)
    assert done.returncode == 0, done.stderr
    assert tree(out) == tree(here / "generated")


def test_the_whole_specification_has_the_streams_that_we_promise(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    rows = [line.split()[:3] for line in run("show").out.splitlines()[2:]]
    assert {name: (direction, int(events)) for name, direction, events in rows} == {
        "responses": ("server", 59),
        "responses-websocket-server": ("server", 62),
        "responses-websocket-client": ("client", 2),
        "beta-responses": ("server", 59),
        "beta-responses-websocket-server": ("server", 64),
        "beta-responses-websocket-client": ("client", 3),
        "chat": ("server", 1),
        "completions": ("server", 1),
        "images-edits": ("server", 2),
        "images-generations": ("server", 2),
        "messages": ("server", 8),
    }
