"""The command line: what it prints, its exit codes, and that bad input changes nothing.

Reads small specifications that the tests write; runs `codegen.__main__.main` in this process, and as a program where
that is what is tested. Never touches spec/ or generated/ of the repository.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

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
      description: Prose of the document.
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


@pytest.fixture(name="run")
def _run(capsys: pytest.CaptureFixture[str]) -> Any:
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
    assert main(["generate", "--spec", str(folder / "spec"), "--out", str(folder / "generated")]) == 0
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


BAD = {}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_told_and_changes_nothing(name: str, here: Path, run: Any) -> None:
    bad = BAD[name]
    for path, text in bad.files.items():
        (here / path).parent.mkdir(parents=True, exist_ok=True)
        (here / path).write_text(text, encoding="utf-8")
    before = tree(here)
    ran = run(*bad.arguments)
    assert ran.err.splitlines() == list(bad.said)
    assert (ran.code, ran.out) == (2, "")
    assert tree(here) == before
