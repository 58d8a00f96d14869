"""Ending by a signal without leaving an implementation behind.

Reads no files; turns the signals that end a process into SystemExit, so that every `finally` is run. Never ignores one for good.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = (signal.SIGTERM, signal.SIGHUP)
"""What ends a process that does not ask; an interrupt raises by itself."""


@contextmanager
def ending() -> Iterator[None]:
    """Within, each of ENDING raises SystemExit with 128 and its number, as a shell would tell it. Outside the main thread, nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # One that is ignored from the start (nohup) stays so.
    heard = [number for number in ENDING if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, _end) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def held() -> Iterator[None]:
    """Within, ENDING and an interrupt wait; the first one that came is sent again at the end. Outside the main thread, nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _: came.append(number))
        for number in (*ENDING, signal.SIGINT)
        if signal.getsignal(number) != signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if came:
            os.kill(os.getpid(), came[0])


def _end(number: int, frame: FrameType | None) -> None:
    # A second one must not cut short what the first one ends.
    for each in ENDING:
        signal.signal(each, signal.SIG_IGN)
    raise SystemExit(128 + number)
