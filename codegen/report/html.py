"""A comparison as one page that needs no network.

Reads a `Comparison` with the catalogues of both sides; returns HTML. Never lets a name of a document become markup, and
never loads anything.
"""

from __future__ import annotations

from typing import Any

import jinja2

from codegen.changes import Comparison
from codegen.emit.render import TEMPLATES
from codegen.kinds import LEVELS
from codegen.report.beside import events
from codegen.report.rows import Row, rows, sentence
from codegen.report.text import HOW, summary
from codegen.visible import visible_lines

TEMPLATE = "diff.html.jinja"
PLACES = 20
"""How many places of a row are listed; the others are counted."""


def render(comparison: Comparison) -> str:
    """The page: summary, filters by stream and level, rows, and old beside new for each changed event."""
    found = rows(comparison.changes)
    return page(
        TEMPLATE,
        old=comparison.old,
        new=comparison.new,
        notice=comparison.notice,
        summary=summary(comparison),
        levels=[level for level in LEVELS if any(row.level == level for row in found)],
        streams=sorted({name for change in comparison.changes for name in change.streams}),
        rows=[_row(row) for row in found],
        events=list(events(comparison)),
        accepted=[
            {
                "sentence": sentence(change),
                "reason": entry.reason,
                "who": entry.who,
                "until": entry.until,
            }
            for change, entry in comparison.accepted
        ],
        expired=[{"id": entry.id, "until": entry.until} for entry in comparison.expired],
        unmatched=[entry.id for entry in comparison.unmatched],
        how=HOW if comparison.changes else "",
    )


def page(template: str, **values: Any) -> str:
    """A template of HTML; every value is escaped, and shown where a reader would obey it."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda value: visible_lines(value) if isinstance(value, str) else value,
    )
    return environment.get_template(template).render(**values)


def _row(row: Row) -> dict[str, Any]:
    streams = sorted({name for change in row.changes for name in change.streams})
    places = [place for change in row.changes for place in change.places]
    return {
        "level": row.level,
        "sentence": row.sentence,
        "reach": row.reach,
        "streams": " ".join(streams),
        "beneath": [inner.sentence for inner in row.beneath],
        "places": [{"old": place.old, "new": place.new} for place in places[:PLACES]],
        "more": max(0, len(places) - PLACES),
        "ids": [change.id for change in row.changes],
    }
