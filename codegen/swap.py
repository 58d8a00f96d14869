"""Folders that change as a whole.

Reads and writes below one folder; beside it only a folder of its own, `.codegen-…`, which is gone at the end and, where a run was
killed, after the next one. Never leaves a mix of old and new files where the system can exchange two folders in one step
(Linux, renameat2(2)); elsewhere every single file is the old one or the new one.
"""

from __future__ import annotations

import ctypes
import errno
import glob
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

_PREFIX = ".codegen-"
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_MOST = 20_000
"""Entries of a folder that are worth linking; a larger one is changed file by file."""


class _NotWhole(Exception):
    """This folder cannot be exchanged."""


def aside(path: Path) -> str:
    """How the names of what is made on the way to a new `path` begin."""
    return f"{_PREFIX}{path.name[:50]}."


def left_aside(path: Path, folder: Path) -> list[Path]:
    """What runs left in a folder that were killed on the way to a new `path`; within `exclusive`."""
    return [left for left in folder.glob(glob.escape(aside(path)) + "*") if not left.is_symlink()]


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Keep other runs from changing a folder or a file while the block lasts; they wait. OSError where what it lies in cannot be made."""
    parent = Path(os.path.realpath(folder)).parent
    _make(parent, [])
    try:
        import fcntl
    except ImportError:  # no such locks on this system: two runs at once are told apart by nobody
        yield
        return
    held = os.open(parent, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def change(folder: Path, changes: Mapping[str, bytes | None]) -> None:
    """Write files below a folder, or remove them where the value is None; within `exclusive`.

    changes  by path below the folder, none of which leads through a link
    Raises OSError, and leaves what was there, where that fails.
    """
    root = Path(os.path.realpath(folder))
    _tidy(root)
    if not changes:
        return
    try:
        _exchange(root, changes)
    except (_NotWhole, OSError):
        _one_by_one(root, changes)


def _tidy(root: Path) -> None:
    """Remove what a run left that was killed: nobody else has the lock."""
    for path in (*left_aside(root, root.parent), *left_aside(root, root)):
        if path.is_dir():
            _remove(path)


def _remove(folder: Path) -> None:
    """Remove a folder of ours, also where it took over from the old one that nobody may write into a part of it."""
    for each, _, _ in os.walk(folder):
        with suppress(OSError):
            os.chmod(each, 0o700)
    shutil.rmtree(folder, ignore_errors=True)


def _exchange(root: Path, changes: Mapping[str, bytes | None]) -> None:
    """Make the new folder beside the old one, of links to what stays, and put it in its place in one step."""
    if Path.cwd().is_relative_to(root):
        raise _NotWhole  # who started us stands in it, and would find themselves in the old one
    staged = Path(tempfile.mkdtemp(prefix=aside(root), dir=root.parent))
    try:
        if root.exists():
            _link(root, staged, root.stat().st_dev)
        else:
            staged.chmod(0o755)
        for path, data in changes.items():
            _put(staged / path, data)
        if root.exists():
            _swap(staged, root)
            _keep(staged, root, changes)
        else:
            os.rename(staged, root)
    finally:
        _remove(staged)


def _link(old: Path, new: Path, device: int) -> None:
    """Fill a new folder with links to the files of the old one; links stay links, and are not followed."""
    count = 0
    waiting = [(old, new)]
    while waiting:
        source, target = waiting.pop()
        for entry in os.scandir(source):
            count += 1
            made = target / entry.name
            if entry.is_symlink():
                os.symlink(os.readlink(entry.path), made)
            elif entry.is_dir() and entry.stat().st_dev == device:
                made.mkdir()
                waiting.append((Path(entry.path), made))
            elif entry.is_file() and count <= _MOST:
                os.link(entry.path, made)
            else:
                raise _NotWhole
        shutil.copystat(source, target)


def _put(path: Path, data: bytes | None) -> None:
    """Write a file anew: what is there may be a link to the one that others still read."""
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644
    if path.exists() or path.is_symlink():
        path.unlink()
    if data is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(data)
    path.chmod(mode)


def _swap(one: Path, other: Path) -> None:
    call = (
        getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
        if os.name == "posix"
        else None
    )
    if call is None:
        raise _NotWhole
    paths = os.fsencode(one), os.fsencode(other)
    if call(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], _RENAME_EXCHANGE) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(other))


def _keep(old: Path, new: Path, changes: Mapping[str, bytes | None]) -> None:
    """Take over what somebody wrote into the old folder while the new one was made."""
    for folder, _, names in os.walk(old):
        for name in names:
            path = Path(folder) / name
            within = path.relative_to(old)
            target = new / within
            if within.as_posix() not in changes and not _is_same(path, target):
                with suppress(OSError):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    os.replace(path, target)


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.is_symlink() or os.path.samestat(one.lstat(), other.lstat())
    except OSError:
        return False


def _one_by_one(root: Path, changes: Mapping[str, bytes | None]) -> None:
    """Write everything first, then put each file in its place; where that fails, the old ones are put back."""
    made: list[Path] = []
    moves: list[_Move] = []
    _make(root, made)
    staged = None
    try:
        staged = Path(tempfile.mkdtemp(prefix=aside(root), dir=root))
        for number, (path, data) in enumerate(changes.items()):
            _make((root / path).parent, made)
            moves.append(_Move.prepared(root / path, staged / str(number), data))
        _make_all(moves)
    except OSError as error:
        if staged is not None:
            _remove(staged)
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        if _PREFIX in str(error.filename):  # says nothing to who does not know what we do there
            raise OSError(error.errno, error.strerror, str(root)) from error
        raise
    _remove(staged)


class _Move(NamedTuple):
    """A file that comes into the place of another: `new` and `old` are None where there is none."""

    target: Path
    new: Path | None
    old: Path | None

    @classmethod
    def prepared(cls, target: Path, aside: Path, data: bytes | None) -> _Move:
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
        new, old = aside.with_suffix(".new"), aside.with_suffix(".old")
        if data is not None:
            _put(new, data)
        if not target.exists():
            return cls(target, new if data is not None else None, None)
        try:
            os.link(target, old)
        except OSError:  # another device, or a file system that has no links
            shutil.copy2(target, old)
        if data is not None:
            shutil.copymode(target, new)
        return cls(target, new if data is not None else None, old)

    def make(self) -> None:
        if self.new is not None:
            os.replace(self.new, self.target)
        elif self.old is not None:
            self.target.unlink()

    def undo(self) -> None:
        if self.old is not None:
            os.replace(self.old, self.target)
        else:
            self.target.unlink(missing_ok=True)


def _make_all(moves: Sequence[_Move]) -> None:
    """Make all moves or none; OSError that names the place which forbids it."""
    count = 0
    try:
        for move in moves:
            move.make()
            count += 1
    except OSError as error:
        for move in reversed(moves[:count]):
            with suppress(OSError):
                move.undo()
        raise OSError(error.errno, error.strerror, str(moves[count].target)) from error


def _make(folder: Path, made: list[Path]) -> None:
    """Make a folder and those above it, and note which are new."""
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    for each in reversed(missing):
        each.mkdir()
        made.append(each)
