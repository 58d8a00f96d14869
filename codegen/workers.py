"""Processes beside ours that work for us.

Reads nothing; ends the process that it runs in when the one that started it is gone. Never keeps a process waiting for work that
nobody will give it: a killed run would otherwise leave its workers behind.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading


def die_with_parent() -> None:
    """To be called first in a worker: end it as soon as its parent has ended, however that came about.

    Ctrl-C reaches every process of a terminal; it is the parent that answers to it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_wait, daemon=True).start()


def _wait() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
