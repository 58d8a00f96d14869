"""A comparison as JSON, for programs.

Reads a `Comparison`; returns JSON text that `codegen/changes.schema.json` describes. Never changes the meaning of a key:
what is new gets a new one.
"""

from __future__ import annotations

import json
from typing import Any

from codegen.changes import Accepted, Change, Comparison
from codegen.kinds import KINDS, LEVELS
from codegen.report.rows import counts, sentence
from codegen.visible import visible_json

FORMAT = 1


def render(comparison: Comparison) -> str:
    """The whole comparison, changes in its order."""
    return visible_json(json.dumps(value(comparison), indent=1, ensure_ascii=False) + "\n")


def value(comparison: Comparison) -> dict[str, Any]:
    """The comparison as a JSON value."""
    levels = [change.level for change in comparison.changes]
    return {
        "format": FORMAT,
        "old": comparison.old,
        "new": comparison.new,
        "notice": comparison.notice,
        "summary": {level: levels.count(level) for level in LEVELS},
        "rows": counts(comparison.changes),
        "spelling": comparison.spelling,
        "changes": [change_value(change) for change in comparison.changes],
        "accepted": [
            {"change": change_value(change), "entry": _entry(entry)}
            for change, entry in comparison.accepted
        ],
        "unmatched": [_entry(entry) for entry in comparison.unmatched],
        "expired": [_entry(entry) for entry in comparison.expired],
    }


def change_value(change: Change) -> dict[str, Any]:
    """One change as a JSON value."""
    return {
        "id": change.id,
        "kind": change.kind,
        "level": change.level,
        "text": sentence(change),
        "reason": KINDS[change.kind].reason,
        "subject": change.subject,
        "old": change.old,
        "new": change.new,
        "document": change.document,
        "places": [{"old": place.old, "new": place.new} for place in change.places],
        "events": [
            {"stream": event.stream, "tag": event.tag, "direction": event.direction}
            for event in change.events
        ],
        "beneath": [change_value(inner) for inner in change.beneath],
    }


def _entry(entry: Accepted) -> dict[str, Any]:
    return {
        "id": entry.id,
        "reason": entry.reason,
        "who": entry.who,
        "until": entry.until,
        "events": {stream: list(tags) or "all" for stream, tags in entry.events},
        "comparison": entry.comparison,
    }
