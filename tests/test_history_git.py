"""A document over the commits of a repository that touch it: branches, renames, removals.

Reads repositories that the tests make. Never needs another one, and never reads the settings of who runs it.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from codegen.errors import SpecError
from codegen.history import walk
from codegen.sides import read_side
from tests.small_spec import write_spec

CASES = Path(__file__).resolve().parent / "cases_diff"
OLD, NEW = ((CASES / "event-added" / name).read_bytes() for name in ("old.yaml", "new.yaml"))


def _git(folder: Path, *arguments: str, day: str = "2026-01-01") -> None:
    who = {"NAME": "Test", "EMAIL": "test@example.org", "DATE": f"{day}T12:00:00Z"}
    settings = {
        f"GIT_{role}_{key}": text for role in ("AUTHOR", "COMMITTER") for key, text in who.items()
    }
    nothing = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(
        ["git", "-C", str(folder), *arguments],
        env={**os.environ, **settings, **nothing},
        check=True,
        capture_output=True,
    )


def _commit(folder: Path, files: dict[str, bytes | None], day: str) -> None:
    """A commit of a day in which files have these bytes, or are gone."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data) if data is not None else path.unlink()
    _git(folder, "add", "--all")
    _git(folder, "commit", "--quiet", "--message", "step", day=day)


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A repository without commits."""
    folder = tmp_path / "repository"
    folder.mkdir()
    _git(folder, "init", "--quiet", "--initial-branch", "main")
    return folder


@pytest.fixture
def repository(empty: Path) -> Path:
    """A repository whose document changes, breaks, is mended, goes and comes back."""
    for number, data in enumerate((OLD, NEW, b"openapi: [", NEW + b"\n# more\n", None, OLD)):
        _commit(empty, {"api/d.yaml": data}, f"2026-01-0{number + 1}")
    _commit(empty, {"other": b"not the document"}, "2026-01-07")
    return empty


def test_every_commit_that_touches_the_file(repository: Path, tmp_path: Path) -> None:
    spec = write_spec(tmp_path, "")
    found = walk(f"git:{repository}:api/d.yaml", spec)
    assert [step.counts for step in found.steps] == [{"s": 1}, {"s": 2}, {"s": 2}, {"s": 1}]
    assert [(label[:10], reason) for label, reason in found.unreadable][1:] == [
        ("2026-01-05", "the commit removes the file")
    ]
    (life,) = [life for life in found.lives if life.tag == "b"]
    assert life.came == found.steps[1].label and life.went == found.steps[3].label


def test_a_file_of_a_repository_is_a_side(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = write_spec(tmp_path, "")
    full = read_side(f"git:HEAD~5:{repository}/api/d.yaml", spec)
    monkeypatch.chdir(repository / "api")
    beside = read_side("git:HEAD~5:d.yaml", spec)
    assert full.catalogue.packages == beside.catalogue.packages
    assert [len(stream.events) for stream in full.catalogue.streams] == [2]
    with pytest.raises(SpecError):
        read_side("git:HEAD~2:d.yaml", spec)  # the commit that removed it


@pytest.mark.parametrize("text", ["git:", "git:x", "git::d.yaml", "git:/nowhere/at/all:d.yaml"])
def test_what_is_no_repository_is_an_error(text: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError):
        walk(text, write_spec(tmp_path, ""))


def test_a_merged_branch_is_one_step(empty: Path, tmp_path: Path) -> None:
    _commit(empty, {"d.yaml": OLD}, "2026-01-01")
    _git(empty, "checkout", "--quiet", "-b", "side")
    _commit(empty, {"d.yaml": NEW}, "2026-01-02")
    _git(empty, "checkout", "--quiet", "main")
    _commit(empty, {"d.yaml": b"# more\n" + OLD}, "2026-01-03")
    _git(empty, "checkout", "--quiet", "side")
    _commit(empty, {"other": b"x"}, "2026-01-04")
    _git(empty, "checkout", "--quiet", "main")
    _git(empty, "merge", "--quiet", "-X", "theirs", "--message", "merge", "side", day="2026-01-05")
    found = walk(f"git:{empty}:d.yaml", write_spec(tmp_path, ""))
    assert [(step.date, step.counts["s"]) for step in found.steps] == [
        ("2026-01-01", 1),
        ("2026-01-03", 1),
        ("2026-01-05", 2),
    ]
    assert [len(step.changes) for step in found.steps] == [0, 0, 1]


def test_a_renamed_file_is_followed(empty: Path, tmp_path: Path) -> None:
    _commit(empty, {"old name.yaml": OLD}, "2026-01-01")
    _commit(empty, {"old name.yaml": None, "api/größe.yaml": OLD}, "2026-01-02")
    _commit(empty, {"api/größe.yaml": NEW}, "2026-01-03")
    found = walk(f"git:{empty}:api/größe.yaml", write_spec(tmp_path, ""))
    assert [(step.date, step.counts["s"]) for step in found.steps] == [
        ("2026-01-01", 1),
        ("2026-01-02", 1),
        ("2026-01-03", 2),
    ]
    assert found.unreadable == []


def test_steps_are_in_the_order_of_commits(empty: Path, tmp_path: Path) -> None:
    for day, data in (("2026-01-05", OLD), ("2026-01-02", NEW), ("2026-01-03", OLD)):
        _commit(empty, {"d.yaml": data}, day)
    found = walk(f"git:{empty}:d.yaml", write_spec(tmp_path, ""))
    assert [step.counts["s"] for step in found.steps] == [1, 2, 1]


def test_a_file_that_is_gone_has_a_history(empty: Path, tmp_path: Path) -> None:
    _commit(empty, {"d.yaml": OLD}, "2026-01-01")
    _commit(empty, {"d.yaml": None}, "2026-01-02")
    found = walk(f"git:{empty}:d.yaml", write_spec(tmp_path, ""))
    assert ([step.date for step in found.steps], len(found.unreadable)) == (["2026-01-01"], 1)
