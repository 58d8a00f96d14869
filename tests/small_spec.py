"""Small specifications for tests, and the packages that come out of them.

Reads texts of documents, fragments and overlays; writes spec/ folders and generated packages below the folder that a
test was given, and imports the packages. Never touches spec/ or generated/ of the repository.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

FRAGMENT: Mapping[str, Any] = {
    "stream": "s",
    "document": "d",
    "union": "Ev",
    "module": "s",
    "table": "EVENTS",
    "direction": "server",
    "transport": "sse",
    "framing": {"event_line": "none", "done": False},
    "tag": "type",
    "terminal": [],
    "sentence": "A stream.",
    "events": {},
}
SOURCES = f"""\
sources:
- name: d
  url: https://example.org/d.yaml
  version: "1"
  commit: ""
  date: "2026-01-01"
  sha256: "{0:064}"
  cut_sha256: "{0:064}"
  command: codegen cut d.yaml --name d
"""


def fragment(**changes: Any) -> str:
    """The text of a fragment: that of a stream `s` over the union `Ev` of the document `d`, with changes."""
    return json.dumps({**FRAGMENT, **changes})


def write_spec(
    folder: Path, document: str, fragments: Iterable[str] = (), overlays: Iterable[str] = ()
) -> Path:
    """A spec folder below `folder` with one document `d`; its path. Without fragments it has that of `fragment()`."""
    spec = folder / "spec"
    for name in ("documents", "fragments", "overlays"):
        (spec / name).mkdir(parents=True, exist_ok=True)
    (spec / "sources.yaml").write_text(SOURCES, encoding="utf-8")
    (spec / "documents" / "d.yaml").write_text(document, encoding="utf-8")
    for number, text in enumerate(fragments or [fragment()]):
        (spec / "fragments" / f"{number}.yaml").write_text(text, encoding="utf-8")
    for number, text in enumerate(overlays):
        (spec / "overlays" / f"{number}.yaml").write_text(text, encoding="utf-8")
    return spec


def write_package(files: Mapping[str, str], root: Path) -> None:
    """Write the package stream_events of `files`, not formatted, as the folder `root`."""
    for path, text in files.items():
        if path.startswith("stream_events/"):
            target = root / path.removeprefix("stream_events/")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")


def import_package(files: Mapping[str, str], folder: Path, name: str) -> ModuleType:
    """The package stream_events of `files`, written below `folder` and imported under a name of its own."""
    root = folder / name
    write_package(files, root)
    spec = importlib.util.spec_from_file_location(
        name, root / "__init__.py", submodule_search_locations=[str(root)]
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def submodule(package: ModuleType, name: str) -> Any:
    """A module of an imported package, such as `s.models`."""
    return importlib.import_module(f"{package.__name__}.{name}")
