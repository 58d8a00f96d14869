"""What a command is doing, for who waits for it.

Takes sentences from the stages, by `doing`; writes plain short lines to standard error: on a terminal once a second has passed and then
every few seconds, with --verbose all of them at once, otherwise nothing. Never writes to standard output, and never an escape sequence.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from codegen.visible import visible

FIRST, NEXT = 1.0, 5.0
"""Seconds until the first line on a terminal, and between two."""


class _Teller(Protocol):
    def now(self, what: str, done: int, of: int) -> None:
        """Take what is being done now."""


_CURRENT: ContextVar[_Teller | None] = ContextVar("progress", default=None)


def doing(what: str, done: int = 0, of: int = 0) -> None:
    """Say what is being done from now on: a few words, where it can be counted with how much of how much is done."""
    teller = _CURRENT.get()
    if teller is not None:
        teller.now(what, done, of)


@contextmanager
def shown(is_verbose: bool, is_quiet: bool) -> Iterator[None]:
    """Tell within the block what is being done, where somebody wants to know."""
    if is_verbose:
        token = _CURRENT.set(_AtOnce())
    elif not is_quiet and sys.stderr.isatty():
        token = _CURRENT.set(ticking := _Ticking())
    else:
        yield
        return
    try:
        if is_verbose:
            yield
        else:
            with ticking.running():
                yield
    finally:
        _CURRENT.reset(token)


class _AtOnce:
    """Tells each thing once, when it begins."""

    def __init__(self) -> None:
        self._last = ""

    def now(self, what: str, done: int, of: int) -> None:
        if what != self._last:
            print(visible(f"… {what}"), file=sys.stderr)
        self._last = what


class _Ticking:
    """Tells from time to time what is being done at that moment.

    It writes past Python's buffer, whose lock a process that is forked at the same moment would find taken for ever.
    """

    def __init__(self) -> None:
        self._what, self._count, self._start = "", "", time.monotonic()
        self._ended = threading.Event()

    def now(self, what: str, done: int, of: int) -> None:
        if what != self._what:
            self._what, self._start = what, time.monotonic()
        self._count = f": {done:,} of {of:,}" if of else f": {done:,}" if done else ""

    @contextmanager
    def running(self) -> Iterator[None]:
        thread = threading.Thread(target=self._run, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ended.set()
            thread.join()

    def _run(self) -> None:
        pause = FIRST
        while not self._ended.wait(pause):
            pause = NEXT
            if self._what:
                seconds = time.monotonic() - self._start
                line = visible(f"… {self._what}{self._count} ({seconds:.0f} s)") + "\n"
                try:
                    os.write(sys.stderr.fileno(), line.encode(sys.stderr.encoding, "replace"))
                except (OSError, ValueError):
                    return
