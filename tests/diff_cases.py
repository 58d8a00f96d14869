"""Case folders of changes, and both sides of one with streams as a fragment says.

Reads tests/cases_diff; returns comparisons. Never judges one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from codegen.__main__ import main
from codegen.changes import Comparison
from codegen.compare import compare
from codegen.documents import parse, read_bytes
from codegen.sides import Side, from_bytes, read_side
from tests.small_spec import fragment, write_spec

FOLDER = Path(__file__).parent / "cases_diff"
SERVER: Mapping[str, Any] = {}
ROOT = Path(__file__).resolve().parent.parent
SNAPSHOTS = ("openai-2026-07-15", "openai-2026-08-21")


def compared(case: Path, folder: Path, changes: Mapping[str, Any]) -> Comparison:
    streams: Any = [{"stream": "s", "union": "Ev"}]
    if (case / "streams.yaml").exists():
        text = b"streams:\n" + (case / "streams.yaml").read_bytes()
        streams = parse(text, "streams.yaml")["streams"]
    return compare(*sides_of(case, spec_of(folder, streams, changes)))


def spec_of(folder: Path, streams: Any, changes: Mapping[str, Any]) -> Path:
    texts = []
    for each in streams:
        value = json.loads(fragment(**{"module": each["stream"], **each, **changes}))
        if value["transport"] == "websocket":
            del value["framing"]
        texts.append(json.dumps(value))
    return write_spec(folder, "", texts)


def sides_of(case: Path, spec: Path) -> tuple[Side, Side]:
    old, new = (
        from_bytes(read_bytes(case / name), name, spec, "d") for name in ("old.yaml", "new.yaml")
    )
    return old, new


def _committed() -> Comparison:
    old, new = (read_side(name, ROOT / "spec") for name in SNAPSHOTS)
    return compare(old, new)


ENTRY: Mapping[str, Any] = {"id": "x", "reason": "y", "who": "z", "events": {"s": "all"}}


def written_entries(folder: Path, *entries: Mapping[str, Any]) -> Path:
    path = folder / "accepted.yaml"
    path.write_text(json.dumps({"accepted": entries}), "utf-8")
    return path


def run_diff(folder: Path, *arguments: str) -> int:
    return main(["diff", *arguments, "--spec", str(folder)])
