"""`codegen serve` as a process of its own, and reading from it over HTTP.

Reads `spec/`; yields the address that the server prints. Never outlives the `with` block that started it.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
TIMEOUT = 20


@contextmanager
def serving(*options: str) -> Iterator[str]:
    """The address of a running server."""
    command = [sys.executable, "-m", "codegen", "serve", "--port", "0", *options]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stderr is not None
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://"), process.stderr.read()
        yield address
    finally:
        process.terminate()
        process.wait(TIMEOUT)
        process.stdout.close()
        process.stderr.close()


class Answer(NamedTuple):
    """What came: status, headers by lower name, body so far, and whether the connection broke."""

    status: int
    headers: dict[str, str]
    body: bytes
    is_broken: bool = False

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


def ask(
    address: str, path: str, body: Any = None, *, headers: dict[str, str] | None = None
) -> Answer:
    """GET, or POST where there is a body: a JSON value, or bytes as they are."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=TIMEOUT)
    try:
        connection.request("GET" if data is None else "POST", path, data, headers or {})
        reply = connection.getresponse()
        found = {name.lower(): value for name, value in reply.getheaders()}
        try:
            return Answer(reply.status, found, reply.read())
        except http.client.IncompleteRead as error:
            return Answer(reply.status, found, error.partial, True)
    finally:
        connection.close()
