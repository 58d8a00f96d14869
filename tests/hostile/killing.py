"""Runs that are killed, starved or crowded, each in a process of its own.

Reads a callable; runs it in a forked child that dies by SIGKILL right before the n-th thing it does to the disk, or that may not write more
than some bytes. Never sleeps and never depends on how fast the machine is.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
import sys
from collections.abc import Callable
from pathlib import Path

KILLED = -signal.SIGKILL
_EVENTS = frozenset(
    "os.rename os.link os.symlink os.mkdir os.rmdir os.remove os.chmod os.utime shutil.rmtree tempfile.mkdtemp tempfile.mkstemp".split()
)
Work = Callable[[], object]


def killed_at(number: int, work: Work) -> int:
    """Run `work` and kill it right before its n-th operation on the disk, from 0; the exit code, 0 where it had fewer."""
    left = [number]

    def count() -> None:
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return in_child(work, lambda: _watch(count))


def operations(work: Work) -> int:
    """How many operations on the disk `work` has, found by running it."""
    reading, writing = os.pipe()
    code = in_child(work, lambda: _watch(lambda: os.write(writing, b".") and None))
    os.close(writing)
    assert code == 0
    with os.fdopen(reading, "rb") as pipe:
        return len(pipe.read())


def _watch(count: Callable[[], None]) -> None:
    """Call `count` before each operation; there is no way to stop that, so this is for a child."""

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        mode = arguments[2] if event == "open" else 0
        writes = isinstance(mode, int) and mode & (os.O_WRONLY | os.O_RDWR)
        if event in _EVENTS or writes or event == "ctypes.dlsym":
            count()

    sys.addaudithook(watch)


def in_child(work: Work, prepare: Work = lambda: None) -> int:
    """The exit code of `work` in a child: what it returned, if that is a number; 99 where it raised."""
    pid = os.fork()
    if pid == 0:
        code = 99
        try:
            silent = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silent, 1)
            os.dup2(silent, 2)
            sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")
            prepare()
            found = work()
            code = found if isinstance(found, int) else 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def starved(size: int) -> None:
    """Let this process write no file larger than some bytes (EFBIG, as ENOSPC would come)."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def bound_by_permissions() -> None:
    """Take from the superuser what lets it write where the permissions forbid it (CAP_DAC_OVERRIDE); nobody else has it."""
    libc = ctypes.CDLL(None)
    head, held = struct.pack("Ii", 0x20080522, 0), (ctypes.c_uint32 * 6)()
    assert libc.capget(head, held) == 0
    held[0], held[1] = held[0] & ~2, held[1] & ~2
    assert libc.capset(head, held) == 0


def mounted_read_only(folder: Path) -> None:
    """Mount a folder read-only for this process alone; PermissionError where it may not (CAP_SYS_ADMIN)."""
    libc, path = ctypes.CDLL(None, use_errno=True), os.fsencode(folder)
    new_namespace, read_only, remount, bind, recursive, private = (
        0x20000,
        1,
        32,
        4096,
        16384,
        1 << 18,
    )
    for failed in (
        lambda: libc.unshare(new_namespace),
        lambda: libc.mount(None, b"/", None, recursive | private, None),
        lambda: libc.mount(path, path, None, bind, None),
        lambda: libc.mount(None, path, None, bind | remount | read_only, None),
    ):
        if failed():
            raise PermissionError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def contents(folder: Path) -> dict[str, bytes | str]:
    """What a folder holds, the cache and what a killed run left aside; links by where they lead."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        within = path.relative_to(folder)
        if any(part == ".cache" or part.startswith(".codegen-") for part in within.parts):
            continue
        if path.is_symlink():
            found[within.as_posix()] = os.readlink(path)
        elif path.is_file():
            found[within.as_posix()] = path.read_bytes()
    return found


def leftovers(folder: Path) -> list[str]:
    """What a killed run left, in a folder and beside it."""
    return [path.name for path in (*folder.parent.glob(".codegen-*"), *folder.rglob(".codegen-*"))]
