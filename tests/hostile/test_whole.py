"""Nothing is half written: killed, starved, read-only and crowded runs leave the old tree or the new one.

`HOSTILE_KILLS=300 pytest tests/hostile/test_whole.py` (make hostile) kills as often; the suite does it 20 times.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen.__main__ import main
from codegen.adopt import adopt
from codegen.errors import SpecError
from codegen.files import write
from codegen.swap import aside, change, exclusive
from tests.hostile import documents
from tests.hostile.killing import (
    KILLED,
    bound_by_permissions,
    contents,
    in_child,
    killed_at,
    leftovers,
    mounted_read_only,
    operations,
    starved,
)
from tests.small_spec import write_spec
from tests.test_adopt import CLIENTS, prepared

KILLS = int(os.environ.get("HOSTILE_KILLS", "20")) // 4
"""How often each of the four commands is killed."""
OLD, NEW = documents.plain(), documents.with_text("property", "more")


def generating(folder: Path) -> Callable[[], int]:
    arguments = ["generate", "--spec", str(folder / "spec"), "--out", str(folder / "out")]
    return lambda: main(arguments)


def cutting(folder: Path) -> Callable[[], int]:
    into = str(folder / "spec" / "documents")
    return lambda: main(
        ["cut", str(folder / "new.json"), "--name", "d", "--into", into, "--date", "2026-01-02"]
    )


def shooting(folder: Path) -> Callable[[], int]:
    arguments = [
        "snapshot",
        "--spec",
        str(folder / "spec"),
        "taken",
        "--date",
        "2026-01-01",
        "--force",
    ]
    return lambda: main(arguments)


def ready(folder: Path) -> Path:
    """A folder with spec/, out/ from it, and a document that is to come."""
    write_spec(folder, json.dumps(OLD))
    (folder / "new.json").write_text(json.dumps(NEW))
    assert in_child(generating(folder)) == 0
    return folder


def killed_all_over(
    pristine: Path, tree: str, command: Callable[[Path], Callable[[], object]], seed: str
) -> None:
    """Kill a command at random operations; the tree is the old one or the new one, and the next run sets all right."""
    whole = pristine.parent / "whole"
    shutil.copytree(pristine, whole, symlinks=True)
    old = contents(whole / tree)
    count = operations(command(whole))
    new = contents(whole / tree)
    assert old != new
    chance = random.Random(seed)
    for kill in range(KILLS):
        work = pristine.parent / f"work-{kill}"
        shutil.copytree(pristine, work, symlinks=True)
        number = chance.randrange(count)
        assert killed_at(number, command(work)) == KILLED
        found = contents(work / tree)
        assert found in (old, new), f"a mix after operation {number}"
        if found == old:
            assert in_child(command(work)) == 0
            assert leftovers(work / tree) == []
        assert contents(work / tree) == new
        shutil.rmtree(work)


def test_generate_killed(tmp_path: Path) -> None:
    pristine = ready(tmp_path / "pristine")
    write_spec(pristine, json.dumps(NEW))
    killed_all_over(pristine, "out", generating, "generate")


def test_cut_killed(tmp_path: Path) -> None:
    killed_all_over(ready(tmp_path / "pristine"), "spec", cutting, "cut")


def test_snapshot_killed(tmp_path: Path) -> None:
    killed_all_over(ready(tmp_path / "pristine"), "spec", shooting, "snapshot")


def test_adopt_killed(tmp_path: Path) -> None:
    client, union, _ = CLIENTS["an event comes"]
    pristine = tmp_path / "pristine"
    pristine.mkdir()
    _, side = prepared(pristine, client + union)
    killed_all_over(
        pristine, "spec", lambda work: lambda: adopt(work / "spec", side, "30-client"), "adopt"
    )


def test_what_a_killed_run_left_is_gone_after_the_next(tmp_path: Path) -> None:
    folder = ready(tmp_path / "f")
    write_spec(folder, json.dumps(NEW))
    for number in range(0, 400, 100):
        if killed_at(number, generating(folder)) == 0:
            break
    assert in_child(generating(folder)) == 0
    assert leftovers(folder / "out") == []


@pytest.mark.parametrize("command", [generating, cutting, shooting], ids=lambda each: each.__name__)
@pytest.mark.parametrize("size", [0, 100, 3000])
def test_a_full_disk(
    command: Callable[[Path], Callable[[], int]], size: int, tmp_path: Path
) -> None:
    folder = ready(tmp_path / "f")
    write_spec(folder, json.dumps(documents.with_text("tag", "x" * 5000)))
    (folder / "new.json").write_text(json.dumps(documents.with_text("tag", "x" * 5000)))
    before = contents(folder)
    folders = sorted(path for path in folder.rglob("*") if path.is_dir())
    assert in_child(command(folder), lambda: starved(size)) == 2
    assert contents(folder) == before
    assert leftovers(folder / "out") == leftovers(folder / "spec") == []
    kept = [
        path
        for path in folder.rglob("*")
        if path.is_dir() and path.name not in (".cache", "snapshots")
    ]
    assert sorted(kept) == [path for path in folders if path.name != ".cache"]


def adopting(folder: Path) -> Callable[[], int]:
    client, union, _ = CLIENTS["an event comes"]
    kept = folder.parent / "client"
    _, side = prepared(kept, client + union)

    def work() -> int:
        try:
            adopt(folder / "spec", side, "30-client")
        except SpecError as error:
            assert error.findings
            return 2
        return 0

    return work


COMMANDS = [generating, cutting, shooting, adopting]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="there are no such permissions here")
@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each.__name__)
@pytest.mark.parametrize(
    "parts", [".", "out spec", "out/stream_events/s spec/documents spec/overlays spec/snapshots"]
)
def test_permissions_forbid_to_write(
    parts: str, command: Callable[[Path], Callable[[], int]], tmp_path: Path
) -> None:
    folder = ready(tmp_path / "f")
    write_spec(folder, json.dumps(NEW))
    for part in ("overlays", "snapshots"):
        (folder / "spec" / part).mkdir(exist_ok=True)
    work = command(folder)
    before = contents(folder)
    shut = [
        path
        for part in parts.split()
        for path in (folder / part, *(folder / part).rglob("*"))
        if path.is_dir()
    ]
    for path in shut:
        path.chmod(0o555)
    try:
        assert in_child(work, bound_by_permissions if os.getuid() == 0 else lambda: None) == 2
        assert contents(folder) == before
        assert leftovers(folder / "out") == leftovers(folder / "spec") == []
    finally:
        for path in shut:
            path.chmod(0o755)


def may_mount() -> bool:
    """Whether this process may mount anything, found by trying in another one."""
    return in_child(lambda: 0, lambda: mounted_read_only(Path(__file__).parent)) == 0


@pytest.mark.skipif(not may_mount(), reason="this process may not mount")
@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("part", [".", "out", "spec"])
def test_a_mount_forbids_to_write(
    part: str, command: Callable[[Path], Callable[[], int]], tmp_path: Path
) -> None:
    folder = ready(tmp_path / "f")
    write_spec(folder, json.dumps(NEW))
    work, before = command(folder), contents(folder)
    is_shut = part == "." or (part == "out") == (command is generating)
    assert in_child(work, lambda: mounted_read_only(folder / part)) == (2 if is_shut else 0)
    if is_shut:
        assert contents(folder) == before
    assert leftovers(folder / "out") == leftovers(folder / "spec") == []


def test_two_runs_at_once(tmp_path: Path) -> None:
    """Each of two specifications is written over and over; what is there at the end is one of them, whole."""
    trees = []
    for name, tree in (("a", OLD), ("b", NEW)):
        write_spec(tmp_path / name, json.dumps(tree))
        assert (
            main(
                [
                    "generate",
                    "--spec",
                    str(tmp_path / name / "spec"),
                    "--out",
                    str(tmp_path / name / "out"),
                ]
            )
            == 0
        )
        trees.append(contents(tmp_path / name / "out"))
    texts = [
        {path: data.decode() for path, data in tree.items() if isinstance(data, bytes)}
        for tree in trees
    ]
    out = tmp_path / "out"
    pids = []
    for files in texts:
        pid = os.fork()
        if pid == 0:
            try:
                for _ in range(20):
                    write(files, out)
            finally:
                os._exit(0)
        pids.append(pid)
    for pid in pids:
        os.waitpid(pid, 0)
    assert contents(out) in trees


def test_links_are_not_followed(tmp_path: Path) -> None:
    folder = ready(tmp_path / "f")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept.py").write_text("# Generated by codegen: but not here\n")
    (folder / "out" / "link").symlink_to(outside)
    (folder / "out" / "file.py").symlink_to(outside / "kept.py")
    before = contents(outside)
    write_spec(folder, json.dumps(NEW))
    assert main(["generate", "--spec", str(folder / "spec"), "--out", str(folder / "out")]) == 0
    assert contents(outside) == before
    assert (folder / "out" / "link").is_symlink() and (folder / "out" / "file.py").is_symlink()


@pytest.mark.parametrize(
    "where", ["stream_events", "stream_events/s", "stream_events/s/events.py", "catalogue"]
)
def test_a_link_in_the_way_is_an_error(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_spec(tmp_path, json.dumps(OLD))
    out, outside = tmp_path / "out", tmp_path / "outside"
    outside.mkdir()
    (out / where).parent.mkdir(parents=True)
    (out / where).symlink_to(outside / "x.py" if where.endswith(".py") else outside)
    assert main(["generate", "--spec", str(tmp_path / "spec"), "--out", str(out)]) == 2
    assert "link" in capsys.readouterr().err
    assert contents(outside) == {} and (out / where).is_symlink()


def test_only_what_has_our_header_is_deleted(tmp_path: Path) -> None:
    folder = ready(tmp_path / "f")
    mine = {"stream_events/mine.py": "print('mine')\n", "notes.md": "mine\n", "stream_events/s/data.bin": "\0", "late.py": "x\n" * 300 + "# Generated by codegen\n"}  # fmt: skip
    for path, text in mine.items():
        (folder / "out" / path).write_text(text)
    (folder / "out" / "stream_events" / "old.py").write_text(
        "# Generated by codegen 0: do not edit\n"
    )
    assert main(["generate", "--spec", str(folder / "spec"), "--out", str(folder / "out")]) == 0
    assert {path: (folder / "out" / path).read_text() for path in mine} == mine
    assert not (folder / "out" / "stream_events" / "old.py").exists()


def test_a_folder_in_which_somebody_stands_is_changed_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = ready(tmp_path / "f")
    write_spec(folder, json.dumps(NEW))
    monkeypatch.chdir(folder / "out")
    inode = Path.cwd().stat().st_ino
    assert main(["generate", "--spec", "../spec", "--out", "."]) == 0
    assert (folder / "out").stat().st_ino == inode
    assert b"more" in (folder / "out" / "stream_events" / "s" / "models.py").read_bytes()


def test_permissions_and_other_files_stay(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "own").mkdir(parents=True)
    (out / "own" / "text").write_text("x")
    (out / "own" / "text").chmod(0o600)
    (out / "script").write_text("old")
    (out / "script").chmod(0o755)
    out.chmod(0o750)
    with exclusive(out):
        change(out, {"script": b"new", "deep/er": b"y", "own/gone": None})
    assert contents(out) == {"deep/er": b"y", "own/text": b"x", "script": b"new"}
    modes = [
        path.stat().st_mode & 0o777
        for path in (out, out / "own" / "text", out / "script", out / "deep/er")
    ]
    assert modes == [0o750, 0o600, 0o755, 0o644]


@pytest.mark.skipif(not may_mount(), reason="this process may not mount")
def test_a_mount_within_that_cannot_be_changed(tmp_path: Path) -> None:
    """The folder cannot be exchanged as a whole, and one of its files cannot be replaced: the others are put back."""
    folder = ready(tmp_path / "f")
    write_spec(folder, json.dumps(NEW))
    before = contents(folder)
    assert (
        in_child(generating(folder), lambda: mounted_read_only(folder / "out/stream_events/s")) == 2
    )
    assert contents(folder) == before
    assert leftovers(folder / "out") == []


def test_the_first_moves_are_undone(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "a").mkdir(parents=True)
    (out / "b").mkdir()
    for name in ("a/old", "a/gone", "b/last"):
        (out / name).write_text(name)
    before = contents(out)
    (out / "b").chmod(0o555)
    changes = {"a/old": b"new", "a/gone": None, "a/more": b"more", "b/last": b"new"}

    def work() -> int:
        with exclusive(out):
            change(out, changes)
        return 0

    assert in_child(work, bound_by_permissions if os.getuid() == 0 else lambda: None) == 99
    (out / "b").chmod(0o755)
    assert contents(out) == before and leftovers(out) == []


@pytest.mark.parametrize("name", ["out[1]", "o*t", "-", "ö" * 100, "out.b"])
def test_what_was_left_is_removed_whatever_the_folder_is_called(name: str, tmp_path: Path) -> None:
    write_spec(tmp_path, json.dumps(OLD))
    out = tmp_path / name
    command = ["generate", "--spec", str(tmp_path / "spec"), "--out", str(out)]
    assert killed_at(operations(lambda: main(command)) // 2, lambda: main(command)) in (0, KILLED)
    shutil.rmtree(out, ignore_errors=True)
    assert killed_at(6, lambda: main(command)) == KILLED
    left = tmp_path / (aside(out) + "12345678")
    left.mkdir(exist_ok=True)
    assert main(command) == 0
    assert leftovers(out) == []
