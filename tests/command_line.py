"""A small specification in a folder of its own, and the command line run on it.

Reads nothing outside the folder; returns what was printed, and the exit code. Never runs in the checkout.
"""

from __future__ import annotations

import signal
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest

from codegen.__main__ import main
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


D, F = "spec/documents/d.yaml", "spec/fragments/0.yaml"
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
def run_fixture(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> Ran:
        code = main(arguments)
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return run


@pytest.fixture(scope="module", name="made")
def made_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with spec/ and what `codegen generate` made of it, to be copied."""
    folder = tmp_path_factory.mktemp("made")
    write_spec(folder, DOCUMENT, [FRAGMENT])
    assert (
        main(["generate", "--spec", str(folder / "spec"), "--out", str(folder / "generated")]) == 0
    )
    return folder


@pytest.fixture(name="here")
def here_fixture(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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


def interruptible() -> None:
    """Let a new process be interrupted, also where the tests run in the background of a shell, which forbids it to all below."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
