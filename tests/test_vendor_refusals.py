"""What vendoring never does: write over what somebody wrote, leave its folder, or take for a copy what is none.

Reads generated/ and writes into temporary folders; every refusal must leave everything as it was.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from codegen.vendor_imports import NAME
from tests.test_vendor import GENERATED, ROOT, newer, texts, vendor


def refused(into: Path, capsys: pytest.CaptureFixture[str], out: Path = GENERATED) -> str:
    """What is said of a copy that is not made; everything below the folder's parent is as it was."""
    before = texts(into.parent)
    capsys.readouterr()
    assert vendor(into, "--stream", "chat", out=out) == 2
    assert texts(into.parent) == before
    return capsys.readouterr().err


def test_a_package_of_the_same_name_is_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "into" / NAME / "__init__.py"
    own.parent.mkdir(parents=True)
    own.write_text("mine = 1\n")
    assert f"{own}: is not of a copy" in refused(tmp_path / "into", capsys)


def test_files_beside_the_copy_stay(tmp_path: Path) -> None:
    vendor(tmp_path, "--stream", "chat", "--stream", "messages")
    for name in ("beside.py", f"{NAME}/notes.txt", f"{NAME}/messages/own.py"):
        (tmp_path / name).write_text("mine\n")
    assert vendor(tmp_path, "--stream", "chat") == 0
    kept = [path for path, data in texts(tmp_path).items() if data == b"mine\n"]
    assert sorted(kept) == ["beside.py", f"{NAME}/messages/own.py", f"{NAME}/notes.txt"]
    assert [path.name for path in (tmp_path / NAME / "messages").iterdir()] == ["own.py"]


@pytest.mark.parametrize("path", ["chat/events.py", "chat/dialects.py"])
def test_an_edited_file_is_neither_replaced_nor_removed(
    path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    into = tmp_path / "into"
    out = newer(tmp_path / "newer")
    vendor(into, "--stream", "chat")
    edited = into / NAME / path
    edited.write_text("mine\n")
    assert f"{edited}: was edited by hand. Take the edit out" in refused(into, capsys, out)
    edited.unlink()
    assert vendor(into, out=out) == 0


def test_a_run_that_was_cut_is_taken_up(tmp_path: Path) -> None:
    """Some files are new and the stamp is old, as after the power went."""
    into, out = tmp_path / "into", newer(tmp_path / "newer")
    vendor(into, "--stream", "chat")
    stamp = (into / NAME / "VENDORED.json").read_bytes()
    vendor(into, out=out)
    (into / NAME / "VENDORED.json").write_bytes(stamp)
    (into / NAME / "sse.py").unlink()
    assert vendor(into, out=out) == 0
    assert vendor(into, "--check", out=out) == 0


def small_files() -> None:
    """No file may be larger than this, as where the disk is full (setrlimit, POSIX)."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))


def test_a_disk_that_refuses_leaves_the_old_copy(tmp_path: Path) -> None:
    into, out = tmp_path / "into", newer(tmp_path / "newer")
    vendor(into, "--stream", "chat")
    before = texts(into)
    done = subprocess.run(
        [sys.executable, "-m", "codegen", "vendor", "--into", str(into), "--out", str(out)],
        preexec_fn=small_files,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and "cannot be written (File too large)" in done.stderr
    assert texts(into) == before


def test_links_are_not_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in (NAME, f"{NAME}/chat", f"{NAME}/sse.py"):
        link = tmp_path / name.replace("/", "-") / name
        link.parent.mkdir(parents=True)
        link.symlink_to(elsewhere)
        into = tmp_path / name.replace("/", "-")
        assert f"{link}: is a link. Move it away" in refused(into, capsys)
    assert list(elsewhere.iterdir()) == []


def test_a_folder_and_a_file_in_each_others_place_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a" / NAME / "sse.py").mkdir(parents=True)
    assert "is a folder, and a file goes there" in refused(tmp_path / "a", capsys)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / NAME).write_text("mine\n")
    assert "is a file, and a folder goes there" in refused(tmp_path / "b", capsys)
    (tmp_path / "c").write_text("mine\n")
    assert "is no folder" in refused(tmp_path / "c", capsys)


def test_a_check_without_a_copy_is_no_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert vendor(tmp_path, "--check") == 2
    assert "holds no copy with a VENDORED.json. Run: codegen vendor" in capsys.readouterr().err
    assert vendor(tmp_path / "nowhere", "--check") == 2
    assert vendor(tmp_path, "--check", out=tmp_path) == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda stamp: [],
        lambda stamp: {**stamp, "files": {"../../outside.py": "0" * 64}},
        lambda stamp: {**stamp, "files": {"/etc/hosts": "0" * 64}},
        lambda stamp: {**stamp, "files": ["a"]},
        lambda stamp: {**stamp, "chosen": "chat"},
        lambda stamp: {**stamp, "sources": [{"name": "x"}]},
        lambda stamp: {key: value for key, value in stamp.items() if key != "generator"},
    ],
)
def test_a_stamp_that_is_none_is_not_believed(
    change: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(change)
    outside = tmp_path / "outside.py"
    outside.touch()
    into = tmp_path / "into"
    vendor(into, "--stream", "chat")
    path = into / NAME / "VENDORED.json"
    path.write_text(json.dumps(change(json.loads(path.read_text("utf-8")))))
    assert "is not what codegen vendor writes" in refused(into, capsys)
    assert vendor(into, "--check") == 2
    assert outside.exists()
