"""The runner protocol from the side of an implementation, as short as a port would have it.

Reads messages from standard input; writes answers to standard output. Never knows what is expected.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]


class Skip(Exception):
    """The implementation has nothing for this case; the text says why."""


class Failure(Exception):
    """The implementation refused; `kind` is the protocol's word."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def serve(claims: Json, output: Callable[[Json], Json]) -> None:
    """Answer every message; `output` makes the output of one `run` message, or raises."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["do"] == "stop":
            return
        reply = claims if message["do"] == "start" else _reply(message, output)
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()


def pieces(message: Json) -> list[bytes]:
    """The bytes of a framed case, cut as the harness wants."""
    return [base64.b64decode(chunk) for chunk in message["given"]["chunks"]]


def _reply(message: Json, output: Callable[[Json], Json]) -> Json:
    seq = message["seq"]
    try:
        return {"seq": seq, "result": "ok", "output": output(message)}
    except Skip as error:
        return {"seq": seq, "result": "skipped", "reason": str(error)}
    except Failure as error:
        return {"seq": seq, "result": "error", "error": error.kind, "message": str(error)}
    except Exception as error:  # what a user would see
        kind = type(error).__name__
        return {"seq": seq, "result": "error", "error": kind, "message": str(error)}
