"""Catalogue snapshots as files: what they may be called, what is not written over, which one is compared with, damage.

Reads small specifications that the tests write, and the committed snapshots. Never writes to spec/ of the repository.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main
from codegen.snapshot_choice import newest_snapshot
from tests.small_spec import fragment, write_spec

SPEC = Path(__file__).resolve().parent.parent / "spec"
DOCUMENT = """\
openapi: 3.1.0
info: {title: Small, version: "1"}
paths: {}
components:
  schemas:
    Ev:
      anyOf: [{$ref: "#/components/schemas/Hello"}]
    Hello:
      type: object
      required: [type]
      properties:
        type: {const: hello}
        word: {$ref: "#/components/schemas/Word"}
    Word:
      type: string
      enum: [a, b]
"""
ADDED = json.dumps(
    {
        "overlay": "1.0.0",
        "info": {"title": "A correction", "version": "1"},
        "x-document": "d",
        "actions": [
            {"target": "$.components.schemas.Word", "update": {"enum": ["c"]}},
            {"target": "$.components.schemas.Hello.required", "update": "word"},
        ],
    }
)


@pytest.fixture(name="spec")
def _spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder spec/ with one document; the working folder is the one above."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "up.yaml").write_text(DOCUMENT, encoding="utf-8")
    return write_spec(tmp_path, DOCUMENT, [fragment()])


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Exit code and what a command prints."""
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out + captured.err


@pytest.mark.parametrize("name", ["spec", "sdk", "git", "x" * 300, "", "-", "a/b", "a\nb"])
def test_names_that_no_side_could_have(
    spec: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = said(capsys, "snapshot", "--", name)
    assert (code, "is not a name for a snapshot" in text) == (2, True)
    assert not list(spec.glob("snapshots/*"))


@pytest.mark.parametrize(
    "day", ["20260101", "2026-W01-1", "2026-1-1", "2026-02-30", "2026-01-01 ", "soon"]
)
def test_days_are_days(spec: Path, day: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = said(capsys, "snapshot", "kept", "--date", day)
    assert (code, "YYYY-MM-DD" in text) == (2, True)
    assert not list(spec.glob("snapshots/*"))


def test_other_facts_are_not_written_over(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["snapshot", "kept"]) == 0
    path = spec / "snapshots" / "kept.json"
    before = path.read_bytes()
    respelled = DOCUMENT.replace(
        "type: string\n      enum: [a, b]", "anyOf: [{type: string, enum: [a, b]}]"
    )
    (spec / "documents" / "d.yaml").write_text(respelled, encoding="utf-8")
    assert main(["snapshot", "kept"]) == 0  # the same facts
    (spec / "overlays" / "0.yaml").write_text(ADDED, encoding="utf-8")
    capsys.readouterr()
    code, text = said(capsys, "snapshot", "kept")
    assert (code, "there is a snapshot with other facts" in text, "--force" in text) == (
        2,
        True,
        True,
    )
    assert json.loads(path.read_bytes())["packages"] == json.loads(before)["packages"]
    assert main(["snapshot", "kept", "--force"]) == 0
    assert json.loads(path.read_bytes())["packages"] != json.loads(before)["packages"]


def test_what_is_no_snapshot_is_not_written_over(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (spec / "snapshots").mkdir()
    (spec / "snapshots" / "kept.json").write_text("mine", encoding="utf-8")
    assert said(capsys, "snapshot", "kept")[0] == 2
    (spec / "snapshots" / "folder.json").mkdir()
    for more in ((), ("--force",)):
        code, text = said(capsys, "snapshot", "folder", *more)
        assert (code, "folder.json" in text) == (2, True)
    assert (spec / "snapshots" / "kept.json").read_text() == "mine"
    assert sorted(path.name for path in (spec / "snapshots").iterdir()) == [
        "folder.json",
        "kept.json",
    ]


def test_a_bare_diff_compares_like_with_like(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (spec / "overlays" / "0.yaml").write_text(ADDED, encoding="utf-8")
    assert main(["snapshot", "up", "--of", "up.yaml", "--date", "2026-03-01"]) == 0
    assert "2 changes" in said(capsys, "diff", "--fail-on", "none")[1]  # there is only upstream's
    assert main(["snapshot"]) == 0
    code, text = said(capsys, "diff", "--fail-on", "any")
    assert (code, text.splitlines()[-1][:9]) == (0, "0 changes")
    (spec / "overlays" / "0.yaml").unlink()
    assert "2 changes" in said(capsys, "diff", "--fail-on", "none")[1]
    assert Path(newest_snapshot(spec)).name == "spec-2026-01-01.json"


def test_the_committed_tree_is_compared_with_itself() -> None:
    path = Path(newest_snapshot(SPEC))
    assert path.name.startswith("spec-")
    assert json.loads(path.read_bytes())["of"] == "spec"


def test_history_is_not_that_of_our_corrections(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["snapshot", "up", "--of", "up.yaml", "--date", "2026-03-01"]) == 0
    assert main(["snapshot"]) == 0
    assert main(["history"]) == 0
    page = Path("generated/reference/history.md").read_text(encoding="utf-8")
    assert "| up |" in page and "| spec-2026-01-01 |" not in page


def _without(key: str, *path: str) -> Callable[[dict[str, Any]], None]:
    def edit(tree: dict[str, Any]) -> None:
        for step in path:
            tree = tree[step]
        del tree[key]

    return edit


def _put(value: object, *path: str) -> Callable[[dict[str, Any]], None]:
    def edit(tree: dict[str, Any]) -> None:
        for step in path[:-1]:
            tree = tree[step]
        tree[path[-1]] = value

    return edit


FIELD = ("packages", "s", "models", "Hello", "fields", "word", "type")
WORD = ("packages", "s", "aliases", "Word", "type")
DAMAGE = {
    "model": _without("Hello", "packages", "s", "models"),
    "alias": _without("Word", "packages", "s", "aliases"),
    "type": _without("type", *FIELD[:-1]),
    "kind": _put("strange", *FIELD, "kind"),
    "cycle": _put({"kind": "ref", "name": "Word"}, *WORD),
    "cycle in a union": _put(
        {"kind": "union", "members": [{"kind": "ref", "name": "Word"}]}, *WORD
    ),
    "members": _put([7], *WORD, "members"),
    "event": _put("Nothing", "packages", "s", "streams", "s", "events", "hello"),
    "date": _put("20260101", "date"),
    "no date": _put(None, "date"),
    "digests": _put({"d": 7}, "written"),
    "packages": _put([], "packages"),
    "format": _put(9, "snapshot"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_snapshot_is_named(
    spec: Path, damage: Callable[[dict[str, Any]], None], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["snapshot", "kept"]) == 0
    path = spec / "snapshots" / "kept.json"
    tree = json.loads(path.read_bytes())
    damage(tree)
    path.write_text(json.dumps(tree), encoding="utf-8")
    for arguments in (["diff", "kept"], ["diff"], ["diff", "spec", "kept"]):
        code, text = said(capsys, *arguments)
        assert (code, "spec/snapshots/kept.json: " in text) == (2, True), text


def test_one_damaged_file_among_others_is_named(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["snapshot"]) == 0
    for text in ("{", "[]", "{}", '{"snapshot": 1}', "\x00"):
        (spec / "snapshots" / "other.json").write_text(text, encoding="utf-8")
        code, printed = said(capsys, "diff")
        assert (code, "snapshots/other.json" in printed) == (2, True), printed
        assert "name both sides" in printed
        assert main(["diff", "spec-2026-01-01"]) == 0


@pytest.mark.parametrize(
    "sides", [["", "spec"], ["spec", ""], ["x" * 5000], ["a\x00b"], ["-", "-"]]
)
def test_sides_that_are_none(
    spec: Path, sides: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, text = said(capsys, "diff", *sides)
    assert code == 2 and text.count(": ") >= 1


def test_a_file_without_a_day_is_left_out_of_history(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["snapshot", "up", "--of", "up.yaml", "--date", "2026-03-01"]) == 0
    (spec / "snapshots" / "undated.json").write_text(
        json.dumps({"openapi": "3.1.0", "components": {"schemas": _schemas()}}), encoding="utf-8"
    )
    code, text = said(capsys, "history")
    assert (code, "undated is left out: its day is not known" in text) == (0, True)


def _schemas() -> dict[str, Any]:
    hello = {"type": "object", "required": ["type"], "properties": {"type": {"const": "hello"}}}
    return {"Ev": {"anyOf": [{"$ref": "#/components/schemas/Hello"}]}, "Hello": hello}
