"""Test vectors for any language: `vectors/`.

Reads the catalogue; returns JSON files in one spelling, their schemas, an index, a README and the list
of problems. Never runs what was
generated: expectations follow from the catalogue or were written by hand.
"""

from __future__ import annotations

import hashlib
from typing import Any

from codegen.catalogue import Catalogue
from codegen.emit.render import MARK, TEMPLATES, Files
from codegen.emit.vectors_envelopes import FORMAT, file_of, files_of, flags
from codegen.emit.vectors_events import event_cases
from codegen.emit.vectors_outputs import outputs
from codegen.emit.vectors_schemas import schemas
from codegen.emit.vectors_text import canonical

TEXTS = ("README.md", "problems.md")
"""What is told in words, as it stands in the templates."""


def emit(catalogue: Catalogue) -> Files:
    """vectors/v1/… (the cases), vectors/schemas/…, vectors/index.json and the texts."""
    values = {**_events(catalogue), **files_of(catalogue)}
    files = {path: canonical(values[path]) for path in sorted(values)}
    entries = [_entry(path, files[path], values[path]) for path in files]
    index = {"format": FORMAT, "source": f"{MARK}: all vector files", "files": entries}
    for name, schema in {**schemas(), "output": outputs()}.items():
        files[f"vectors/schemas/{name}.schema.json"] = canonical(schema)
    files["vectors/index.json"] = canonical(index)
    for name in TEXTS:
        text = (TEMPLATES / "vectors" / name).read_text(encoding="utf-8")
        files[f"vectors/{name}"] = text
    return files


def _events(catalogue: Catalogue) -> dict[str, dict[str, Any]]:
    notes = flags(catalogue)
    return {
        f"vectors/v1/event/{stream.name}.json": file_of(
            "event", stream.name, "the types of the catalogue", event_cases(package, stream), notes
        )
        for package in catalogue.packages
        for stream in package.streams
    }


def _entry(path: str, text: str, value: dict[str, Any]) -> dict[str, Any]:
    entry = {
        "path": path.removeprefix("vectors/"),
        "sha256": hashlib.sha256(text.encode("utf-8")).hexdigest(),
        "operation": value["operation"],
        "stream": value.get("stream"),
        "cases": len(value["cases"]),
    }
    return {name: item for name, item in entry.items() if item is not None}
