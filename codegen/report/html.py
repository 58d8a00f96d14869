"""A comparison as one page that needs no network.

Reads a `Comparison` with the catalogues of both sides; returns HTML. Never lets a name of a document become markup, and
never loads anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jinja2

from codegen import show
from codegen.catalogue import Catalogue, Field, Package
from codegen.changes import Change, Comparison, Reach
from codegen.diff_events import sited
from codegen.emit.render import TEMPLATES
from codegen.kinds import LEVELS
from codegen.report.rows import Row, rows
from codegen.report.text import summary

TEMPLATE = "diff.html.jinja"


def render(comparison: Comparison) -> str:
    """The page: summary, filters by stream and level, rows, and old beside new for each changed event."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found = rows(comparison.changes)
    return environment.get_template(TEMPLATE).render(
        old=comparison.old,
        new=comparison.new,
        summary=summary(comparison),
        levels=[level for level in LEVELS if any(row.level == level for row in found)],
        streams=sorted({name for change in comparison.changes for name in change.streams}),
        rows=[_row(row) for row in found],
        events=list(_events(comparison)),
        accepted=[
            {"sentence": rows([change])[0].sentence, "reason": entry.reason, "who": entry.who}
            for change, entry in comparison.accepted
        ],
    )


def _row(row: Row) -> dict[str, Any]:
    streams = sorted({name for change in row.changes for name in change.streams})
    places = [place for change in row.changes for place in change.places]
    return {
        "level": row.level,
        "sentence": row.sentence,
        "reach": row.reach,
        "streams": " ".join(streams),
        "beneath": [inner.sentence for inner in row.beneath],
        "places": [{"old": place.old, "new": place.new} for place in places[:20]],
    }


def _events(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """Each event that something reaches: its properties on both sides, and what changed."""
    old, new = (_fields(catalogue) for catalogue in comparison.catalogues)
    reached: dict[Reach, list[Change]] = {}
    for change in comparison.changes:
        for event in change.events:
            reached.setdefault(event, []).append(change)
    for event, changes in sorted(reached.items()):
        renamed = [change for change in changes if change.kind == "event-renamed"]
        moved = [change for change in changes if change.kind == "event-moved"]
        key = (moved[0].old if moved else event.stream, renamed[0].old if renamed else event.tag)
        before = old.get(key, {})
        after = new.get((event.stream, event.tag), {})
        names = [*after, *(name for name in before if name not in after)]
        yield {
            "stream": event.stream,
            "tag": event.tag,
            "old_tag": key[1],
            "level": min((change.level for change in changes), key=LEVELS.index),
            "sentences": [row.sentence for row in rows(changes)],
            "fields": [
                {
                    "name": name,
                    "old": before.get(name, "—"),
                    "new": after.get(name, "—"),
                    "same": before.get(name) == after.get(name),
                }
                for name in names
            ],
        }


def _fields(catalogue: Catalogue) -> dict[tuple[str, str], dict[str, str]]:
    """(stream, tag) → property → its type in words."""
    return {
        (name, event.tag): {
            field.name: _type(field, side.package)
            for field in side.package.model(event.model).fields
        }
        for name, side in sited(catalogue).items()
        for event in side.stream.events
    }


def _type(field: Field, package: Package) -> str:
    null = " or null" if field.type.null else ""
    return show.spelled(field.type, {}) + null + ("" if field.required else ", optional")
