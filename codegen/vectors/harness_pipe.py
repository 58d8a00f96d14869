"""A child process whose pipes never block the caller.

Reads and writes the standard streams of one process; returns lines, or what happened instead. Never waits past a deadline,
never keeps more than the tail of standard error, and leaves no process behind: the child leads a group that is killed as one.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence

from codegen.vectors.harness_signals import held

MAX_LINE = 64 * 1024 * 1024
"""Bytes of an answer."""
_TAIL = 2000
_STEP = 64 * 1024


class Broken(Exception):
    """The process cannot go on; the text says why, for people."""


class Late(Broken):
    """It took too long."""


class Child:
    """A running process. Its standard input, output and error are pipes."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str] | None = None
    ) -> None:
        """Raises OSError where the command cannot be started."""
        self._process = _started(command, environment)
        self._read = bytearray()
        self._searched = 0
        self._tail = bytearray()
        self._selector = selectors.DefaultSelector()
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._stdin, self._stdout, self._stderr = (
            self._process.stdin.fileno(),
            self._process.stdout.fileno(),
            self._process.stderr.fileno(),
        )
        for number in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(number, False)
        for number in (self._stdout, self._stderr):
            self._selector.register(number, selectors.EVENT_READ)

    def line(self, question: bytes, deadline: float) -> bytes:
        """Write, and read one line, without its end; `deadline` by time.monotonic(). Raises Broken."""
        unsent = memoryview(question)
        while True:
            end = self._read.find(b"\n", self._searched)
            if end >= 0 and not unsent:
                line = bytes(self._read[:end])
                del self._read[: end + 1]
                self._searched = 0
                return line
            self._searched = len(self._read) if end < 0 else end
            if len(self._read) > MAX_LINE:
                raise Broken(f"more than {MAX_LINE} bytes on standard output for one question")
            unsent = self._turn(unsent, deadline)
            if self._stdout not in self._selector.get_map() and b"\n" not in self._read:
                raise Broken(self._ended())

    def all(self, pieces: Iterable[bytes], deadline: float) -> bytes:
        """Write piece by piece, close standard input, and read to the end. Raises Broken, also for another exit code than 0.

        A pipe may join what is written to it before it is read.
        """
        unsent = memoryview(b"")
        for piece in pieces:
            unsent = memoryview(piece)
            while unsent:
                unsent = self._turn(unsent, deadline)
        self.close_input()
        while self._selector.get_map():
            self._turn(unsent, deadline)
            if len(self._read) > MAX_LINE:
                raise Broken(f"more than {MAX_LINE} bytes on standard output")
        try:
            self._process.wait(max(deadline - time.monotonic(), 0.01))
        except subprocess.TimeoutExpired as error:
            raise Late("no end in time") from error
        if self._process.returncode:
            raise Broken(self._ended())
        return bytes(self._read)

    def close_input(self) -> None:
        """End standard input; a second call does nothing."""
        if self._process.stdin and not self._process.stdin.closed:
            if self._stdin in self._selector.get_map():
                self._selector.unregister(self._stdin)
            self._process.stdin.close()

    def end(self, text: bytes, seconds: float) -> None:
        """Write a last message, give the process some time to end by itself, and kill what is left of its group."""
        if self._process.returncode is None:
            try:
                self.all([text], time.monotonic() + seconds)
            except Broken:
                pass  # nothing is asked any more
        self.kill()

    def kill(self) -> None:
        """End the process and its children at once; a second call does nothing. A signal that would cut it short waits."""
        with held():
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
            self._process.wait()
            self.close_input()
            self._selector.close()
            for pipe in (self._process.stdout, self._process.stderr):
                if pipe:
                    pipe.close()

    def stderr(self) -> str:
        """The end of what the process wrote to standard error."""
        return self._tail.decode(errors="replace").strip()

    def _turn(self, unsent: memoryview, deadline: float) -> memoryview:
        """Move bytes where they can be moved; what is still to be written."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise Late("no answer in time")
        if unsent and self._stdin not in self._selector.get_map():
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        for key, _ in self._selector.select(left):
            if key.fd == self._stdin:
                unsent = self._write(unsent)
            else:
                self._take(key.fd)
        return unsent

    def _write(self, unsent: memoryview) -> memoryview:
        try:
            unsent = unsent[os.write(self._stdin, unsent[:_STEP]) :]
        except BrokenPipeError:
            # Whether that is a fault shows in what the process answers, or in that it has ended.
            unsent = memoryview(b"")
        except BlockingIOError:
            return unsent
        if not unsent:
            self._selector.unregister(self._stdin)
        return unsent

    def _take(self, number: int) -> None:
        try:
            piece = os.read(number, _STEP)
        except BlockingIOError:
            return
        if not piece:
            self._selector.unregister(number)
        elif number == self._stdout:
            self._read += piece
        else:
            self._tail += piece
            del self._tail[:-_TAIL]

    def _ended(self) -> str:
        """How it ended; standard output is closed already, so the rest takes no time, or is taken as closed only."""
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "closed its standard output"
        said = self.stderr().splitlines()
        how = f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return how + (f": {said[-1]}" if said else "")


def _started(
    command: Sequence[str], environment: Mapping[str, str] | None
) -> subprocess.Popen[bytes]:
    """A process. A signal that would end this one while it starts waits until it can be killed as well."""
    process = None
    try:
        with held():
            process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                env={**os.environ, **environment} if environment else None,
            )
    except BaseException:
        if process:
            os.killpg(process.pid, signal.SIGKILL)
        raise
    return process
