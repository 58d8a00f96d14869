"""Where reports go: files, links, pipes, standard output that is full, closed or of another encoding.

Runs `codegen diff` on small specifications that the tests write. Never opens a device of the machine but /dev/full.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from codegen.__main__ import main
from tests.small_spec import fragment, write_spec

ROOT = Path(__file__).resolve().parent.parent
OLD = """\
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
"""
NEW = OLD + "        größe: {type: string}\n"
DIFF = ("diff", "old.yaml", "new.yaml")


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with spec/ and two documents."""
    monkeypatch.chdir(tmp_path)
    write_spec(tmp_path, OLD, [fragment()])
    for name, text in (("old.yaml", OLD), ("new.yaml", NEW)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def report(capsys: pytest.CaptureFixture[str]) -> str:
    """What is printed without --output."""
    assert main(list(DIFF)) == 0
    return capsys.readouterr().out


def test_a_link_is_written_through(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = report(capsys)
    for target in ("kept.txt", "new.txt"):
        (folder / "link").unlink(missing_ok=True)
        (folder / "link").symlink_to(target)
        (folder / "kept.txt").write_text("x")
        assert main([*DIFF, "--output", "link"]) == 0
        assert (folder / "link").is_symlink()
        assert (folder / target).read_text(encoding="utf-8") == expected


def test_permissions_stay(folder: Path) -> None:
    (folder / "out").write_text("x")
    (folder / "out").chmod(0o600)
    old = os.umask(0o077)
    try:
        for name in ("out", "fresh"):
            assert main([*DIFF, "--output", name]) == 0
            assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    finally:
        os.umask(old)


def test_a_pipe_is_written_into(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = report(capsys)
    os.mkfifo(folder / "pipe")
    got: list[str] = []
    reader = threading.Thread(
        target=lambda: got.append((folder / "pipe").read_text(encoding="utf-8"))
    )
    reader.start()
    assert main([*DIFF, "--output", "pipe"]) == 0
    reader.join(10)
    assert got == [expected] and stat.S_ISFIFO((folder / "pipe").stat().st_mode)


def test_a_hyphen_is_standard_output(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = report(capsys)
    assert main([*DIFF, "--output", "-"]) == 0
    assert capsys.readouterr().out == expected
    assert not (folder / "-").exists()


def test_nothing_is_left_behind(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "taken").mkdir()
    before = sorted(folder.rglob("*"))
    assert main([*DIFF, "--output", "taken"]) == 2
    assert "taken: cannot be written (Is a directory)" in capsys.readouterr().err
    assert main(["snapshot", "--spec", "spec", "taken", "--date", "2026-01-01"]) == 0
    (folder / "spec/snapshots/taken.json").unlink()
    (folder / "spec/snapshots/taken.json").mkdir()
    assert main(["snapshot", "taken", "--force"]) == 2
    assert [path for path in folder.rglob(".codegen-*")] == []
    assert sorted(folder.rglob("*")) != before  # the snapshots' folder, and no more
    assert {path.name for path in folder.rglob("*")} - {path.name for path in before} == {
        "snapshots",
        "taken.json",
    }


def run(folder: Path, *arguments: str, shell: str = "", **environment: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the program."""
    command = [sys.executable, "-m", "codegen", *arguments]
    if shell:
        command = ["sh", "-c", f'"$@" {shell}', "sh", *command]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_a_terminal_without_the_characters(folder: Path) -> None:
    code, out, err = run(folder, *DIFF, PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
    assert (code, err) == (0, "")
    assert r"old \u2192 new" in out and r"gr\xf6\xdfe" in out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_no_success(folder: Path) -> None:
    code, _, err = run(folder, *DIFF, shell="> /dev/full")
    assert code == 2
    assert err.splitlines() == [
        "standard output: cannot be used (No space left on device). Free it, or name another."
    ]


def test_standard_streams_that_are_closed(folder: Path) -> None:
    code, _, err = run(folder, "diff", "-", "new.yaml", shell="<&-")
    assert (code, err.count("\n"), "standard input" in err) == (2, 1, True)
    assert run(folder, *DIFF, shell=">&-") == (0, "", "")


def test_a_reader_that_leaves(folder: Path) -> None:
    code, out, err = run(folder, *DIFF, shell="| true")
    assert (code, out, err) == (0, "", "")
