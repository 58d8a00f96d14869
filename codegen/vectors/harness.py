"""An implementation under test, by the runner protocol.

Starts a command, asks it case by case, and returns its answers. Never shows it what is expected or the id of a case, and
never fails because of what it does: whatever is no answer is a `Crashed`, and the next question starts it anew.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Sequence
from typing import Any

from codegen.errors import Finding, SpecError
from codegen.vectors.harness_pipe import Broken, Child, Late
from codegen.vectors.harness_protocol import START, Protocol
from codegen.vectors.judge import Claims
from codegen.vectors.judge_values import plain_text
from codegen.vectors.run_cases import FORMAT, FRAMED, Case

START_LIMIT = 60.0
"""Seconds until the answer to `start`: an interpreter and its imports may take long where a case does not."""
_STOP_LIMIT = 2.0
_STARTS = 3
"""How often in a row it may fail to start again before the other cases are given up."""


class Crashed(Exception):
    """The process died, was too slow, or broke the protocol; the text says which."""


class TimedOut(Crashed):
    """It was too slow."""


class Runner:
    """A command that speaks the protocol. Start it with `claims`, end it with `stop`."""

    def __init__(
        self, command: Sequence[str], protocol: Protocol, start_limit: float = START_LIMIT
    ) -> None:
        """start_limit: seconds until the answer to `start`."""
        self._command = command
        self._protocol = protocol
        self._start_limit = start_limit
        self._child: Child | None = None
        self._seq = 0
        self._refused = 0

    def claims(self) -> Claims:
        """What it says about itself. SpecError where it does not start or does not say it."""
        where = " ".join(self._command)
        try:
            return self._start()
        except (OSError, Crashed) as error:
            action = "Give a command that speaks the runner protocol (generated/vectors/README.md)."
            what = f"cannot be used as an implementation: {error}"
            raise SpecError([Finding(where, what, action)]) from error

    def ready(self) -> None:
        """Start it anew where it is gone. Raises Crashed."""
        if self._child is not None:
            return
        if self._refused >= _STARTS:
            raise Crashed("cannot be started again")
        try:
            self._start()
            self._refused = 0
        except (OSError, Crashed) as error:
            self._refused += 1
            raise Crashed(f"cannot be started again: {error}") from error

    def ask(self, case: Case, pieces: list[bytes], deadline: float) -> dict[str, Any]:
        """Its answer, with a `result` of the protocol. Raises Crashed; then the process is gone until `ready`."""
        self._seq += 1
        answer = self._exchange(question(case, pieces, self._seq), deadline)
        fault = self._fault(answer)
        if fault:
            self._kill()
            raise Crashed(fault)
        return answer

    def stop(self) -> None:
        """End the process; it gets a moment to do so itself."""
        child, self._child = self._child, None
        if child is not None:
            child.end(b'{"do":"stop"}\n', _STOP_LIMIT)

    def _fault(self, answer: dict[str, Any]) -> str:
        seq, result = answer.get("seq"), answer.get("result")
        if seq != self._seq or isinstance(seq, bool):
            got = f": {seq}" if isinstance(seq, (int, float)) else ""
            return f"answered another seq when asked {self._seq}{got}"
        if not isinstance(result, str) or result not in self._protocol.results:
            return "the answer has no result that is ok, error or skipped"
        fault = self._protocol.fault(result, answer)
        return f"the answer is not in the protocol ({fault})" if fault else ""

    def _start(self) -> Claims:
        self._kill()
        self._child = Child(self._command)
        start = {"do": "start", "format": FORMAT}
        answer = self._exchange(start, time.monotonic() + self._start_limit)
        fault = self._protocol.fault(START, answer)
        if fault:
            self._kill()
            raise Crashed(f"the answer to start is not in the protocol ({fault})")
        return _claims(answer)

    def _exchange(self, message: dict[str, Any], deadline: float) -> dict[str, Any]:
        assert self._child is not None
        try:
            text = json.dumps(message, separators=(",", ":")).encode() + b"\n"
            line = self._child.line(text, deadline)
        except Broken as error:
            self._kill()
            raise crash(error) from error
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            self._kill()
            said = plain_text(line.decode(errors="replace"))
            raise Crashed(f"answered what is no JSON object: {said[:100]}")
        return answer

    def _kill(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child = None


def crash(error: Broken) -> Crashed:
    """What a broken process is to a run."""
    return TimedOut(str(error)) if isinstance(error, Late) else Crashed(str(error))


def question(case: Case, pieces: list[bytes], seq: int) -> dict[str, Any]:
    """The message that asks a case: what is given, never what is expected."""
    given = case.given
    if case.operation in FRAMED:
        given = {"chunks": [base64.b64encode(piece).decode() for piece in pieces]}
    message: dict[str, Any] = {"do": "run", "seq": seq, "operation": case.operation}
    if case.stream is not None:
        message["stream"] = case.stream
    return {**message, "given": given, "options": case.options}


def _claims(answer: dict[str, Any]) -> Claims:
    """What an answer to `start` says that fits the protocol."""
    return Claims(
        implementation=plain_text(answer["implementation"]),
        version=plain_text(answer["version"]),
        language=plain_text(answer["language"]),
        operations=frozenset(answer["operations"]),
        streams=frozenset(answer["streams"]),
        dialects=frozenset(answer.get("dialects", [])),
        asserts=frozenset(answer["asserts"]),
        blurs=frozenset(answer.get("blurs", [])),
    )
