"""An implementation under test that is started once per cut of a case: bytes in, JSON lines out.

Starts a command for each cut of a case and makes one answer of its lines. Never asks what needs options: a port of a few lines has
none.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

from codegen.errors import Finding, SpecError
from codegen.vectors.harness import Crashed, crash
from codegen.vectors.harness_pipe import Broken, Child
from codegen.vectors.judge import Claims
from codegen.vectors.judge_values import plain_text
from codegen.vectors.run_cases import FRAMED, Case

LIST = {"sse": "events", "stream": "tags"}
"""Operation → the key of its output that the lines make up."""


class OneShot:
    """A command that reads one body and prints what it makes of it."""

    def __init__(self, command: Sequence[str], streams: Sequence[str], seconds: float) -> None:
        """seconds: the limit for each start."""
        self._command = command
        self._streams = streams
        self._seconds = seconds

    def claims(self) -> Claims:
        """What every command of this kind is asked. SpecError where it cannot be started."""
        try:
            Child(self._command).kill()
        except OSError as error:
            what = f"cannot be started: {error}"
            where = " ".join(self._command)
            raise SpecError([Finding(where, what, "Give a command that exists.")]) from error
        return Claims(
            implementation=self._command[0],
            version="",
            language="",
            operations=frozenset(FRAMED),
            streams=frozenset(self._streams),
            dialects=frozenset(),
            asserts=frozenset(LIST.values()),
        )

    def ready(self) -> None:
        """Nothing is to be started before a case."""

    def ask(self, case: Case, pieces: list[bytes], deadline: float) -> dict[str, Any]:
        """The answer that its lines make. Raises Crashed. The deadline of the case does not count: each start has its own."""
        if case.options:
            return {"result": "skipped", "reason": "a command without a protocol has no options"}
        environment = {
            "STREAM_EVENTS_OPERATION": case.operation,
            "STREAM_EVENTS_STREAM": case.stream or "",
        }
        try:
            child = Child(self._command, environment)
        except OSError as error:
            raise Crashed(f"cannot be started again: {error}") from error
        try:
            text = child.all(pieces, time.monotonic() + self._seconds)
            return {"result": "ok", "output": _output(text, case)}
        except Broken as error:
            raise crash(error) from error
        finally:
            child.kill()

    def stop(self) -> None:
        """Nothing is running."""


def _output(text: bytes, case: Case) -> dict[str, Any]:
    rows: list[Any] = []
    for line in text.splitlines():
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            said = plain_text(line.decode(errors="replace"))
            raise Crashed(f"printed what is no JSON object: {said[:100]}")
        rows.append(row if case.operation == "sse" else row.get("tag"))
    return {LIST[case.operation]: rows}
