"""A drift for programs and as a page.

Reads a `Drift`; returns JSON, SARIF or HTML. Never leaves out a source that failed, and never changes the meaning of a key of the
JSON: what is new gets a new one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import jinja2

from codegen.changes import Comparison
from codegen.drift import Drift, Verdict
from codegen.drift_report import headline, origin, says_more, unmatched
from codegen.emit.render import TEMPLATES
from codegen.errors import Finding
from codegen.report import html, json_report, sarif
from codegen.sources import Entry

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
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


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


def render_sarif(drift: Drift) -> str:
    """One run per source; what is no change is a notification of the tool (SARIF 2.1.0, section 3.20.21)."""
    runs = []
    whole: dict[str, Any] = {}
    for verdict in drift.verdicts:
        comparison = verdict.comparison or Comparison("spec", verdict.entry.name, ())
        whole = json.loads(sarif.render(comparison))
        notes = [("error", str(each)) for each in verdict.errors]
        notes += [("warning", str(each)) for each in verdict.todo]
        level = "error" if verdict.failed else "warning" if verdict.quiet else "note"
        invocation = {
            "executionSuccessful": not verdict.failed,
            "toolExecutionNotifications": [
                {"level": level, "message": {"text": message}}
                for level, message in [(level, headline(verdict)), *notes]
            ],
        }
        automation = {"id": f"drift/{verdict.entry.name}/"}
        run = {**whole["runs"][0], "invocations": [invocation], "automationDetails": automation}
        runs.append(run)
    return json.dumps({**whole, "runs": runs}, indent=1, ensure_ascii=False) + "\n"


def render_html(drift: Drift) -> str:
    """One page that needs no network: the sources, and within it the page of `codegen diff` for each that moved."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
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
    template = environment.get_template(TEMPLATE)
    return template.render(sources=sources, unmatched=[unmatched(each) for each in drift.unmatched])
