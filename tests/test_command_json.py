"""What commands print with --format json, by the schema of each. The formats of diff, drift and lint have tests of their own."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.command_line import ROOT, Run, here_fixture, made_fixture, run_fixture

SCHEMA = json.loads((ROOT / "codegen/commands/results.schema.json").read_bytes())
Ask = Callable[..., Any]


@pytest.fixture(name="ask")
def _ask(run: Run) -> Ask:
    def ask(*arguments: str, code: int = 0, name: str = "") -> Any:
        ran = run(*arguments, "--format", "json")
        assert ran.code == code, ran.err
        value = json.loads(ran.out)
        schema = {**SCHEMA, "$ref": f"#/$defs/{name or arguments[0]}"}
        jsonschema.Draft202012Validator(schema).validate(value)
        return value

    return ask


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_generate_and_check(here: Path, ask: Ask) -> None:
    value = ask("generate")
    assert value["changed"] == [] and value["files"] > 10
    assert value["streams"] == [{"name": "s", "direction": "server", "events": 2, "models": 2}]
    assert ask("check") == {"differing": [], "unruled": []}
    (here / "generated/stream_events/s/events.py").unlink()
    assert ask("check", code=1)["differing"] == ["stream_events/s/events.py"]
    assert ask("generate")["changed"] == ["stream_events/s/events.py"]


def test_show(here: Path, ask: Ask, run: Run) -> None:
    whole = ask("show")
    assert ask("show", "s") == whole["packages"][0]["streams"][0]
    assert ask("show", "s", "bye")["tag"] == "bye"
    assert ask("show", "--notes") == {"notes": []}
    assert ask("show", "--dialects") == {"dialects": {}}
    assert json.loads(run("show", "s", "--json").out) == ask("show", "s")


def test_cut_snapshot_and_history(here: Path, ask: Ask) -> None:
    cut = ask("cut", "spec/documents/d.yaml", "--name", "d")
    assert cut == {"path": "spec/documents/d.yaml", "schemas": 3}
    path = "spec/snapshots/d-1.json"
    made = ask("snapshot", "d-1", "--of", "spec/documents/d.yaml", "--date", "2026-01-01")
    assert made == {"path": path, "written": True, "events": {"s": 2}}
    again = ask("snapshot", "d-1", "--of", "spec/documents/d.yaml", "--date", "2026-01-01")
    assert again["written"] is False
    assert ask("history")["paths"] == [
        f"generated/reference/history.{end}" for end in ("md", "svg")
    ]


def test_vendor(here: Path, ask: Ask) -> None:
    made = ask("vendor", "--into", "other")
    assert (made["path"], made["streams"]) == ("other/stream_events", ["s"])
    assert made["files"] == len(made["changed"])
    assert ask("vendor", "--into", "other", "--check")["edited"] == {}
    (here / "other/stream_events/__init__.py").write_text("# by hand\n")
    edited = ask("vendor", "--into", "other", "--check", code=1)["edited"]
    assert edited == {"__init__.py": "was edited by hand"}


def test_docs(here: Path, ask: Ask) -> None:
    made = ask("docs", "--out", "site")
    assert (made["path"], made["streams"]) == ("site", ["s"])
    assert made["pages"] == len(list((here / "site").rglob("*.html")))


def test_vectors(monkeypatch: pytest.MonkeyPatch, ask: Ask, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)
    cases = ask("vectors", "list", "--operation", "sse", name="vectors list")["cases"]
    assert {case["operation"] for case in cases} == {"sse"}
    assert ask("vectors", "check", name="vectors check")["findings"] == []


def test_vectors_run(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(ROOT)
    command = ["--", sys.executable, "-m", "codegen.vectors.ours"]
    ran = run("vectors", "run", "--operation", "websocket", "--format", "json", *command)
    value = json.loads(ran.out)
    schema = {**SCHEMA, "$ref": "#/$defs/vectors run"}
    jsonschema.Draft202012Validator(schema).validate(value)
    assert value["totals"].keys() == {"passed"}


def test_adopt(here: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = here / "whole"
    _copy_spec(spec)
    given = ("--name", "99-x", "--from", "openai-client-3.57.0", "--spec", str(spec))
    value = ask("adopt", *given, "--stream", "completions")
    assert value["path"] == str(spec / "overlays/99-x.yaml")


def _copy_spec(into: Path) -> None:
    import shutil

    shutil.copytree(ROOT / "spec", into)
