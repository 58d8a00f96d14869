"""A comparison as SARIF 2.1.0 (OASIS), for code scanning.

Reads a `Comparison`; returns JSON text. Never gives a result without a rule: the rules are the kinds of change.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codegen import VERSION, yaml_lines
from codegen.changes import Change, Comparison
from codegen.kinds import KINDS
from codegen.report.rows import rows
from codegen.visible import visible, visible_json

LEVELS = {"breaking": "error", "dangerous": "warning", "additive": "note", "info": "note"}
SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def render(comparison: Comparison, spec: Path = Path("spec")) -> str:
    """One run with one result per change; what was accepted is suppressed.

    spec  the folder in whose documents/ the lines of results are looked up
    """
    return log([run(comparison, spec)])


def log(runs: list[dict[str, Any]]) -> str:
    """The text of a log with some runs."""
    value = {"$schema": SCHEMA, "version": "2.1.0", "runs": runs}
    return visible_json(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def run(comparison: Comparison, spec: Path) -> dict[str, Any]:
    """The comparison as one run; entries of spec/accepted.yaml that are done with are notifications of the tool."""
    places = _Places(spec, comparison.old.startswith("spec"))
    results = [_result(change, places) for change in comparison.changes]
    for change, entry in comparison.accepted:
        suppression = {"kind": "external", "justification": entry.reason}
        results.append({**_result(change, places), "suppressions": [suppression]})
    notes = [
        ("warning", f"accepted until {entry.until}, no longer: {entry.id}")
        for entry in comparison.expired
    ]
    notes += [
        ("note", f"accepted, and matches no change: {entry.id}") for entry in comparison.unmatched
    ]
    if comparison.notice:
        notes.insert(0, ("note", comparison.notice))
    invocation = {
        "executionSuccessful": True,
        "toolExecutionNotifications": notifications(notes),
    }
    return {
        "tool": {"driver": _driver()},
        "columnKind": "unicodeCodePoints",
        "results": results,
        "invocations": [invocation],
    }


def notifications(notes: Iterable[tuple[str, str]]) -> list[dict[str, Any]]:
    """Levels and messages as notifications (SARIF 2.1.0, section 3.58)."""
    return [{"level": level, "message": {"text": message}} for level, message in notes]


@dataclass(frozen=True)
class _Places:
    """Lines in the documents of a folder spec/; `is_old`: whether these are the old side and not the new one."""

    spec: Path
    is_old: bool
    _lines: dict[str, dict[str, int]] = field(default_factory=dict)

    def line(self, change: Change) -> int:
        """The first line of what changed, or of what it stands in; 1 where the document is no file here."""
        lines = self._document(change.document)
        pointers = [place.old if self.is_old else place.new for place in change.places]
        return min((yaml_lines.nearest(lines, pointer) or 1 for pointer in pointers), default=1)

    def _document(self, name: str) -> dict[str, int]:
        if name not in self._lines:
            path = self.spec / "documents" / f"{name}.yaml"
            self._lines[name] = yaml_lines.index(path.read_bytes()) if path.is_file() else {}
        return self._lines[name]


def _driver() -> dict[str, Any]:
    rules = [
        {
            "id": kind.id,
            "shortDescription": {"text": kind.id.replace("-", " ")},
            "fullDescription": {"text": kind.reason},
            "defaultConfiguration": {"level": LEVELS[kind.received]},
        }
        for kind in KINDS.values()
    ]
    return {"name": "codegen diff", "version": VERSION, "rules": rules}


def _result(change: Change, places: _Places) -> dict[str, Any]:
    (row,) = rows([change])
    text = visible(f"{row.sentence}; {row.reach}")
    digest = hashlib.sha256(f"{change.document} {change.id}".encode()).hexdigest()
    return {
        "ruleId": change.kind,
        "ruleIndex": list(KINDS).index(change.kind),
        "level": LEVELS[change.level],
        "message": {"text": text},
        "locations": [_location(change, places.line(change))],
        "partialFingerprints": {"change/v1": digest},
        "properties": {"id": change.id, "level": change.level, "streams": list(change.streams)},
    }


def _location(change: Change, line: int) -> dict[str, Any]:
    """Code scanning asks for a file: the cut of the document; where in it, the logical locations say."""
    uri = f"spec/documents/{change.document}.yaml"
    places = {place.new for place in change.places}
    return {
        "physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": line}},
        "logicalLocations": [
            {"fullyQualifiedName": pointer, "kind": "object"} for pointer in sorted(places)
        ],
    }
