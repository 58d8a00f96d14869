"""A drift for programs and as a page.

Reads a `Drift`; returns JSON, SARIF or HTML. Never leaves out a source that failed, and never changes the meaning of a key of the
JSON: what is new gets a new one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from codegen.changes import Comparison
from codegen.drift_report import headline, origin, says_more, unmatched
from codegen.drift_verdicts import Drift, Verdict
from codegen.errors import Finding
from codegen.report import html, json_report, sarif
from codegen.sources import Entry
from codegen.visible import visible_json

FORMAT = 1
"""Version of the JSON, which codegen/drift.schema.json describes."""
TEMPLATE = "drift.html.jinja"


def render_json(drift: Drift) -> str:
    """For programs."""
    value = {
        "format": FORMAT,
        "sources": [_json(verdict) for verdict in drift.verdicts],
        "unmatched": [entry.id for entry in drift.unmatched],
    }
    return visible_json(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def _json(verdict: Verdict) -> dict[str, Any]:
    comparison = verdict.comparison
    return {
        "name": verdict.entry.name,
        "kind": "document" if isinstance(verdict.entry, Entry) else "client",
        "state": verdict.state,
        "found": verdict.found,
        "quiet": verdict.quiet,
        "errors": _findings(verdict.errors),
        "todo": _findings(verdict.todo),
        "comparison": json_report.value(comparison) if comparison else None,
    }


def _findings(findings: Iterable[Finding]) -> list[dict[str, str]]:
    return [{"where": each.where, "what": each.what, "action": each.action} for each in findings]


def render_sarif(drift: Drift, spec: Path = Path("spec")) -> str:
    """One run per source; what is no change is a notification of the tool (SARIF 2.1.0, section 3.20.21)."""
    runs = [_run(verdict, spec) for verdict in drift.verdicts]
    told = [("note", unmatched(each)) for each in drift.unmatched]
    if told and runs:
        runs[0]["invocations"][0]["toolExecutionNotifications"] += sarif.notifications(told)
    return sarif.log(runs)


def _run(verdict: Verdict, spec: Path) -> dict[str, Any]:
    level = "error" if verdict.failed else "warning" if verdict.quiet else "note"
    notes = [(level, headline(verdict)), *(("error", str(each)) for each in verdict.errors)]
    notes += [("warning", str(each)) for each in verdict.todo]
    comparison = verdict.comparison or Comparison("spec", verdict.entry.name, ())
    run = sarif.run(comparison, spec)
    (invocation,) = run["invocations"]
    invocation["executionSuccessful"] = not verdict.failed
    invocation["toolExecutionNotifications"][:0] = sarif.notifications(notes)
    return {**run, "automationDetails": {"id": f"drift/{verdict.entry.name}/"}}


def render_html(drift: Drift) -> str:
    """One page that needs no network: the sources, and within it the page of `codegen diff` for each that moved."""
    sources = [
        {
            "headline": headline(verdict),
            "origin": origin(verdict),
            "state": "quiet" if verdict.quiet else verdict.state.replace(" ", "-"),
            "findings": [str(each) for each in (*verdict.errors, *verdict.todo)],
            "page": (
                html.render(verdict.comparison) if verdict.comparison and says_more(verdict) else ""
            ),
        }
        for verdict in drift.verdicts
    ]
    told = [unmatched(each) for each in drift.unmatched]
    return html.page(TEMPLATE, sources=sources, unmatched=told)
