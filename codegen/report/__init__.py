"""The formats in which a comparison is told.

Reads a `Comparison`; returns text. Never writes it anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from codegen.changes import Comparison
from codegen.report import github, html, json_report, markdown, sarif, text

FORMATS: Mapping[str, Callable[[Comparison], str]] = {
    "text": text.render,
    "json": json_report.render,
    "markdown": markdown.render,
    "github": github.render,
    "html": html.render,
    "sarif": sarif.render,
}
