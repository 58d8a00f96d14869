"""An end to work that might not come to one by itself.

Reads the name of a limit; interrupts what runs within the block when its seconds are over, a regular expression of others too. Does
nothing outside of the main thread and on systems without interval timers, and never leaves an alarm behind.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from codegen.limits import exceeded, limit


@contextmanager
def in_time(name: str, where: str, what: str) -> Iterator[None]:
    """Raise the SpecError of a limit in seconds where the block takes longer; `what` is said to number more."""
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def over(*_: object) -> None:
        raise exceeded(where, what, name)

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, limit(name))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
