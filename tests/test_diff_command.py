"""The command `diff`: exit codes, sides that cannot be read, output to a file.

Reads case folders. Never reaches a network.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from tests.diff_cases import ENTRY, FOLDER, _committed, run_diff, written_entries
from tests.drift_spec import overlay
from tests.small_spec import write_spec


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = write_spec(tmp_path, "")
    old, new = (f"d={FOLDER / 'event-added' / name}" for name in ("old.yaml", "new.yaml"))
    assert run_diff(spec, old, new) == 0
    assert run_diff(spec, old, new, "--fail-on", "dangerous") == 1
    assert run_diff(spec, old, new, "--fail-on", "none") == 0
    assert run_diff(spec, old, old, "--fail-on", "any") == 0
    assert run_diff(spec, new, old) == 1
    assert run_diff(spec, new, old, "--stream", "s") == 1
    capsys.readouterr()


@pytest.mark.parametrize(
    "sides",
    [
        ("nowhere.yaml", "nowhere.yaml"),
        ("git:HEAD", "spec"),
        ("git:no-such-revision:pyproject.toml", "spec"),
        ("git:--upload-pack=x:pyproject.toml", "spec"),
        ("file:///etc/passwd", "spec"),
        ("-", "-"),
    ],
)
def test_a_side_that_cannot_be_read_is_never_no_change(
    sides: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = write_spec(tmp_path, (FOLDER / "event-added" / "old.yaml").read_text("utf-8"))
    assert run_diff(spec, *sides, "--fail-on", "none") == 2
    assert capsys.readouterr().err


def test_a_document_without_our_streams_is_no_side(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = write_spec(tmp_path, "")
    path = tmp_path / "other.yaml"
    path.write_text("openapi: 3.1.0\ncomponents: {schemas: {X: {type: string}}}\n", "utf-8")
    old = f"d={FOLDER / 'event-added' / 'old.yaml'}"
    assert run_diff(spec, old, str(path)) == 2
    assert run_diff(spec, old, f"d={path}") == 1  # named, it is the document with its streams gone
    assert "stream s removed" in capsys.readouterr().out


def test_accepted_through_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = write_spec(tmp_path, "")
    old, new = (f"d={FOLDER / 'event-removed' / name}" for name in ("old.yaml", "new.yaml"))
    assert run_diff(spec, old, new) == 1
    entry = {**ENTRY, "id": "event-removed/b", "reason": "nobody used it"}
    written_entries(spec, entry, {**entry, "id": "event-removed/c"})
    capsys.readouterr()
    assert run_diff(spec, old, new, "--fail-on", "any") == 0
    assert "matches no change" not in capsys.readouterr().out
    ours = spec / "documents" / "d.yaml"
    ours.write_bytes((FOLDER / "event-removed" / "new.yaml").read_bytes())
    assert run_diff(spec, old, "spec", "--fail-on", "any") == 0
    said = capsys.readouterr().out
    assert "nobody used it" in said and "event-removed/c matches no change" in said


def test_output_goes_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = write_spec(tmp_path, "")
    old, new = (f"d={FOLDER / 'event-added' / name}" for name in ("old.yaml", "new.yaml"))
    path = tmp_path / "out" / "changes.json"
    run_diff(spec, old, new, "--format", "json", "--output", str(path))
    assert json.loads(path.read_bytes())["summary"]["dangerous"] == 1
    assert capsys.readouterr().out.startswith("1 change: 1 dangerous")


def test_a_change_keeps_its_id_when_all_else_is_equal() -> None:
    change = _committed().changes[0]
    assert dataclasses.replace(change, events=(), places=()).id == change.id


def test_our_overlays_between_spec_and_a_document_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = FOLDER / "event-added" / "old.yaml"
    action = {"target": "$.components.schemas.A", "update": {"properties": {"n": {}}}}
    spec = write_spec(tmp_path, document.read_text("utf-8"), overlays=[overlay(action)] * 2)
    raw = f"d={document}"
    notice = (
        "spec has 2 overlays for d, the other side none: what these change is told too. For upstream's changes alone, "
        "compare git:HEAD:spec/documents/d.yaml in place of spec, or run codegen drift."
    )
    for sides in (("spec", raw), (raw, "spec")):
        run_diff(spec, *sides)
        assert " ".join(capsys.readouterr().out.split()).startswith(notice)
        for format_ in ("json", "markdown", "github", "html", "sarif"):
            run_diff(spec, *sides, "--format", format_)
            assert "spec has 2 overlays for d, the other side none" in capsys.readouterr().out
    for sides in ((raw, raw), ("spec", "spec")):
        run_diff(spec, *sides, "--format", "json")
        assert json.loads(capsys.readouterr().out)["notice"] == ""
    for path in (spec / "overlays").iterdir():
        path.unlink()
    run_diff(spec, "spec", raw)
    assert "overlays" not in capsys.readouterr().out
