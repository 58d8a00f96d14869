"""Small documents and what `codegen diff` writes of them.

Reads nothing by itself; writes below the folder that a test was given. Never touches spec/ of the repository.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main
from codegen.report import FORMATS
from tests.small_spec import fragment, write_spec

FORMAT_NAMES = sorted(FORMATS)


def document(**properties: Any) -> str:
    """A document with one event `hello` that has these properties, all optional."""
    hello = {
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"const": "hello"}, **properties},
    }
    schemas = {"Ev": {"anyOf": [{"$ref": "#/components/schemas/Hello"}]}, "Hello": hello}
    return _openapi(schemas)


def _openapi(schemas: dict[str, Any]) -> str:
    info = {"title": "Small", "version": "1"}
    whole = {"openapi": "3.1.0", "info": info, "paths": {}, "components": {"schemas": schemas}}
    return json.dumps(whole, indent=1)


@pytest.fixture(name="folder")
def folder_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with spec/ and an old document."""
    monkeypatch.chdir(tmp_path)
    write_spec(tmp_path, document(), [fragment()])
    (tmp_path / "old.json").write_text(document(), encoding="utf-8")
    return tmp_path


def shown(folder: Path, new: str, format_: str, *more: str) -> str:
    """What `codegen diff` writes, old document to new."""
    (folder / "new.json").write_text(new, encoding="utf-8")
    arguments = ["diff", "old.json", "new.json", "--format", format_, "--fail-on", "none"]
    assert main([*arguments, "--output", "out", *more]) == 0
    return (folder / "out").read_text(encoding="utf-8")


ONE = document(n={"type": "integer"})
"""One property more than the old document has."""
