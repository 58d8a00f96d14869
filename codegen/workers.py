"""Processes beside ours that work for us.

Reads nothing; gives a pool of processes that end with the one that started them, however that ends. Never keeps a process waiting for
work that nobody will give it: a killed run would otherwise leave its workers behind.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager


@contextmanager
def pool(number: int | None) -> Iterator[ProcessPoolExecutor]:
    """So many processes, of which an interrupt waits for none: a task may take seconds, and nobody wants it any more."""
    made = ProcessPoolExecutor(max_workers=number, initializer=_begin)
    try:
        yield made
    except KeyboardInterrupt:
        for process in multiprocessing.active_children():
            process.kill()
        made.shutdown(wait=False, cancel_futures=True)
        raise
    except BaseException:
        made.shutdown()
        raise
    made.shutdown()


def _begin() -> None:
    # Ctrl-C reaches every process of a terminal; it is the parent that answers to it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
