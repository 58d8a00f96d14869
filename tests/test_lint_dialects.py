"""The stream checker on whole exchanges of each dialect: what its server always does is no fault there.

Reads tests/dialects, whose exchanges follow each server's description; checks findings above level info. Responses are
written out short in the cases of two dialects, so that what their schemas require is not judged there.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.lint.streams import check

CASES = sorted((Path(__file__).parent / "dialects").glob("*/*.yaml"))
SHORT = {"missing-property", "no-usage", "not-given"}
FOUND = {
    "elixir-server/cut": {"no-terminal"},
    "gateway/chat-cut": {"no-done", "cut-short"},
    "gateway/chat-error": {"error-event", "unknown-value"},  # its finish_reason says error
    "gateway/images-cut": {"no-terminal"},
    "gateway/images-error": {"error-event"},
    "gateway/images-error-at-once": {"error-event"},
    "gateway/messages-cut": {"no-terminal"},
    "gateway/messages-error": {"error-event"},
    "gateway/responses-cut": {"no-terminal"},
    "gateway/responses-error": {"error-event"},
    "open-responses/cut": {"no-terminal", "index-gap"},
    "open-responses/error": {"error-event", "unknown-value", "index-gap"},
    "open-responses/terminal-without-output": {"unannounced", "never-done"},
    "routing-provider/cut": {"no-terminal"},
    "routing-provider/error": {"error-event"},
    "routing-provider/parallel-tool-calls": {"unknown-value"},  # an item that failed
    "routing-provider/rewritten": {"disagreement"},  # the rewriting is what is told
}
"""Case → findings above info; none in any other."""


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_exchanges_of_a_dialect(path: Path, tmp_path: Path) -> None:
    case = YAML(typ="safe").load(path.read_text("utf-8"))
    (tmp_path / "body.sse").write_text(case["body"], "utf-8")
    stream = case.get("stream", "responses")
    if stream == "images":
        stream = "images-edits" if "image_edit" in case["body"] else "images-generations"
    (result,) = check(tmp_path / "body.sse", stream, path.parent.name)
    found = {each.id for each in result.findings.kept if each.level != "info"}
    name = f"{path.parent.name}/{path.stem}"
    is_short = name.startswith(("open-responses/", "gateway/responses-"))
    assert found - (SHORT if is_short else set()) == FOUND.get(name, set())
