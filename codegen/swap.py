"""Folders that change as a whole.

Reads and writes below one folder; beside it only a folder of its own, `.codegen-…`, which is gone at the end and, where a run was
killed, after the next one. Never leaves a mix of old and new files where the system can exchange two folders in one step
(Linux, renameat2(2)); elsewhere every single file is the old one or the new one.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = ".codegen-"
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_MOST = 20_000
"""Entries of a folder that are worth linking; a larger one is changed file by file."""


class _NotWhole(Exception):
    """This folder cannot be exchanged."""


@contextmanager
def exclusive(folder: Path) -> Iterator[None]:
    """Keep other runs from changing the folder while the block lasts; they wait. OSError where it cannot be made."""
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
    left = [*root.parent.glob(f"{_PREFIX}{root.name}.*"), *root.glob(f"{_PREFIX}{root.name}.*")]
    for path in left:
        shutil.rmtree(path, ignore_errors=True)


def _exchange(root: Path, changes: Mapping[str, bytes | None]) -> None:
    """Make the new folder beside the old one, of links to what stays, and put it in its place in one step."""
    if Path.cwd().is_relative_to(root):
        raise _NotWhole  # who started us stands in it, and would find themselves in the old one
    staged = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{root.name}.", dir=root.parent))
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
        shutil.rmtree(staged, ignore_errors=True)


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
    """Write everything first, then put each file in its place."""
    made: list[Path] = []
    _make(root, made)
    staged = ""
    try:
        staged = tempfile.mkdtemp(prefix=f"{_PREFIX}{root.name}.", dir=root)
        written = {path: data for path, data in changes.items() if data is not None}
        for number, (path, data) in enumerate(written.items()):
            _put(Path(staged) / str(number), data)
            _make((root / path).parent, made)
            target = root / path
            if target.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
            if target.exists():
                shutil.copymode(target, Path(staged) / str(number))
        for number, path in enumerate(written):
            os.replace(Path(staged) / str(number), root / path)
        for path in changes.keys() - written.keys():
            (root / path).unlink(missing_ok=True)
    except OSError:
        if staged:
            shutil.rmtree(staged, ignore_errors=True)
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        raise
    shutil.rmtree(staged, ignore_errors=True)


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
