"""Drift in every format.

Reads verdicts on small specifications; the judges are the formats' own schemas. Never loads anything that a page names.
"""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic_sarif.model import (  # type: ignore[import-untyped]
    StaticAnalysisResultsFormatSarifVersion210JsonSchema as Sarif,
)
from referencing import Registry, Resource

from codegen import drift_data, drift_report
from codegen.__main__ import main
from codegen.drift_verdicts import FINE, Drift, Verdict
from codegen.sides import Side
from tests.drift_spec import (
    DOCUMENT,
    MOVED,
    alone,
    judged,
    releases_fixture,
    server_fixture,
    spec_fixture,
)
from tests.loopback import Loopback, Reply

ROOT = Path(__file__).resolve().parent.parent


class Page(HTMLParser):
    """What a page would load, its headings, and the pages within it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.pages: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect."""
        values = dict(attrs)
        self.loaded += [f"{tag} {key}" for key in ("src", "href") if values.get(key, "#")[:1] != "#"]  # type: ignore[index]
        self.pages += [values["srcdoc"] or ""] if "srcdoc" in values else []


@pytest.fixture(name="mixed")
def _mixed(spec: Path, server: Loopback, releases: dict[str, Side]) -> Drift:
    """One source that moved, one that did not answer, one that has not moved."""
    moved = alone_of(spec, server, Reply(MOVED.encode()))
    failed = alone_of(spec, server, Reply(status=404))
    still = alone_of(spec, server, Reply(DOCUMENT.encode()))
    return Drift((moved, failed, still))


def alone_of(spec: Path, server: Loopback, reply: Reply) -> Verdict:
    server.put("/d.yaml", reply)
    return alone(judged(spec))


def test_text_fits_100_columns(mixed: Drift) -> None:
    text = drift_report.render_text(mixed)
    assert max(map(len, text.splitlines())) <= 100
    assert "event wait added" in text and "d: not moved since 2026-02-01" in text
    assert text.count("\x1b") == 0


def test_json_is_as_its_schema_says(mixed: Drift) -> None:
    folder = ROOT / "codegen"
    schema, inner = (
        json.loads((folder / f"{name}.schema.json").read_text()) for name in ("drift", "changes")
    )
    registry: Registry[Any] = Registry().with_resource(
        "changes.schema.json", Resource.from_contents(inner)
    )
    value = json.loads(drift_data.render_json(mixed))
    jsonschema.Draft202012Validator(schema, registry=registry).validate(value)
    assert [each["state"] for each in value["sources"]] == ["moved", "unreachable", "not moved"]
    assert value["sources"][0]["comparison"]["changes"][0]["id"] == "event-added/wait"


def test_sarif_is_valid(mixed: Drift) -> None:
    runs = Sarif.model_validate_json(drift_data.render_sarif(mixed)).runs
    assert [len(run.results) for run in runs] == [1, 0, 0]
    assert [run.invocations[0].executionSuccessful for run in runs] == [True, False, True]


def test_the_page_needs_no_network(mixed: Drift) -> None:
    page = Page(drift_data.render_html(mixed))
    assert page.loaded == [] and len(page.pages) == 1
    assert Page(page.pages[0]).loaded == [] and "event wait added" in page.pages[0]


def test_markdown_fits_an_issue(mixed: Drift) -> None:
    text = drift_report.render_markdown(Drift(mixed.verdicts * 300))
    assert len(text) < 65_536 and text.endswith("run `codegen drift`.\n")
    assert "### 🟠 dangerous (1)" in drift_report.render_markdown(mixed)


def test_annotations_are_one_line_each(mixed: Drift) -> None:
    lines = drift_report.render_github(mixed).splitlines()
    assert sum(line.startswith("::error") for line in lines) == 2
    assert any(line.startswith("::warning title=to do::") for line in lines)


def test_output_goes_to_a_file_and_a_summary_is_printed(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["drift", "--format", "markdown", "--output", "drift.md"]) == FINE
    assert Path("drift.md").read_text().startswith("# Drift\n")
    assert capsys.readouterr().out == "d: not moved since 2026-02-01\n"
