"""What the formats say of spec/accepted.yaml, and how to accept a change.

Reads comparisons of small documents that the tests write; the judge of SARIF is its schema. Never touches spec/ of the repository.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic_sarif.model import (  # type: ignore[import-untyped]
    StaticAnalysisResultsFormatSarifVersion210JsonSchema as Sarif,
)

from codegen.__main__ import main
from tests.report_documents import FORMAT_NAMES, ONE, document, folder_fixture, shown


def put_accepted(folder: Path, *entries: dict[str, Any]) -> None:
    rows = [{"reason": "Seen.", "who": "us", "events": {"s": "all"}, **each} for each in entries]
    (folder / "spec/accepted.yaml").write_text(json.dumps({"accepted": rows}), encoding="utf-8")


def only_id(folder: Path, new: str) -> str:
    (change,) = json.loads(shown(folder, new, "json"))["changes"]
    return str(change["id"])


@pytest.mark.parametrize("format_", FORMAT_NAMES)
def test_every_format_tells_of_accepted_changes(folder: Path, format_: str) -> None:
    id_ = only_id(folder, ONE)
    put_accepted(folder, {"id": id_})
    text = shown(folder, ONE, format_)
    assert "Seen." in text


@pytest.mark.parametrize("format_", FORMAT_NAMES)
def test_every_format_tells_of_expired_entries(folder: Path, format_: str) -> None:
    id_ = only_id(folder, ONE)
    put_accepted(folder, {"id": id_, "until": "2020-01-01"})
    text = shown(folder, ONE, format_)
    assert "2020-01-01" in text or format_ == "github" and "no longer accepted" in text


@pytest.mark.parametrize("format_", FORMAT_NAMES)
def test_every_format_tells_of_entries_that_match_nothing(folder: Path, format_: str) -> None:
    put_accepted(folder, {"id": "event-removed/gone"})
    (folder / "spec/documents/d.yaml").write_text(ONE, encoding="utf-8")
    arguments = ["diff", "old.json", "spec", "--format", format_, "--output", "out"]
    assert main(arguments) == 0
    text = (folder / "out").read_text(encoding="utf-8").replace("\\", "")
    assert "event-removed/gone" in text
    if format_ == "sarif":
        Sarif.model_validate_json(text)


def test_how_to_accept_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for format_ in ("text", "markdown", "html"):
        assert "spec/accepted.yaml" in shown(folder, ONE, format_)
        assert "spec/accepted.yaml" not in shown(folder, document(), format_)
    with pytest.raises(SystemExit):
        main(["diff", "--help"])
    assert "spec/accepted.yaml" in re.sub(r"\s+", " ", capsys.readouterr().out)


def test_the_printed_entry_accepts_the_change(folder: Path) -> None:
    lines = shown(folder, ONE, "text", "--verbose").splitlines()
    start = next(at for at, line in enumerate(lines) if line.strip().startswith("- id: "))
    entry = [line[6:] for line in lines[start:] if line.startswith("      ")]
    text = "\n".join(["accepted:", *entry]).replace('""', '"seen"')
    (folder / "spec/accepted.yaml").write_text(text, encoding="utf-8")
    value = json.loads(shown(folder, ONE, "json"))
    assert (value["changes"], len(value["accepted"])) == ([], 1)
