"""A comparison as SARIF 2.1.0 (OASIS), for code scanning.

Reads a `Comparison`; returns JSON text. Never gives a result without a rule: the rules are the kinds of change.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from codegen import VERSION
from codegen.changes import Change, Comparison
from codegen.kinds import KINDS
from codegen.report.rows import reach, sentence

LEVELS = {"breaking": "error", "dangerous": "warning", "additive": "note", "info": "note"}
SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def render(comparison: Comparison) -> str:
    """One run with one result per change; what was accepted is suppressed."""
    results = [_result(change) for change in comparison.changes]
    for change, entry in comparison.accepted:
        suppression = {"kind": "external", "justification": entry.reason}
        results.append({**_result(change), "suppressions": [suppression]})
    run = {"tool": {"driver": _driver()}, "columnKind": "unicodeCodePoints", "results": results}
    value = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


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


def _result(change: Change) -> dict[str, Any]:
    text = f"{sentence(change)}; reaches {reach(change.events)}"
    digest = hashlib.sha256(f"{change.document} {change.id}".encode()).hexdigest()
    return {
        "ruleId": change.kind,
        "ruleIndex": list(KINDS).index(change.kind),
        "level": LEVELS[change.level],
        "message": {"text": text},
        "locations": [_location(change)],
        "partialFingerprints": {"change/v1": digest},
        "properties": {"id": change.id, "level": change.level, "streams": list(change.streams)},
    }


def _location(change: Change) -> dict[str, Any]:
    """Code scanning asks for a file: the cut of the document; where in it, the logical locations say."""
    uri = f"spec/documents/{change.document}.yaml"
    places = {place.new for place in change.places}
    return {
        "physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": 1}},
        "logicalLocations": [
            {"fullyQualifiedName": pointer, "kind": "object"} for pointer in sorted(places)
        ],
    }
