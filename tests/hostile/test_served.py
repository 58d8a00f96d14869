"""`codegen serve` with 1,000 clients at once, some of them slow, silent or half gone: each gets its own stream.

Plays a recording of its own to each. Never sleeps: who is late goes on when all the quick ones have got theirs.
"""

from __future__ import annotations

import asyncio
import resource
import socket
import struct
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.serving import ask, serving

CLIENTS = 1_000
KINDS = ("quick", "late", "slow", "silent", "half", "leaving", "vanishing", "unsent")
SERVED = ("quick", "late", "slow")
"""Kinds that get their whole stream, asking at once, asking late, and reading slowly."""
GONE = ("silent", "leaving", "vanishing", "unsent")
"""Kinds that go without having read anything. What a client gets that has closed its own side, is a beginning."""
LIMIT = 240
"""Seconds after which something hangs."""


def kind_of(number: int) -> str:
    return KINDS[number % len(KINDS)]


def recording(number: int) -> bytes:
    """What one client gets and no other: more than fits between the two ends where it reads slowly."""
    count, text = (1_000, "x" * 100) if kind_of(number) == "slow" else (40, "")
    lines = (f'data: {{"client":{number},"event":{at},"text":"{text}"}}\n\n' for at in range(count))
    return "".join(lines).encode()


def request(number: int, length: int = 15) -> bytes:
    """A request for the recording."""
    head = f"POST /v1/responses HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Play: {number}.sse\r\n"
    return f'{head}Content-Length: {length}\r\n\r\n{{"stream":true}}'.encode()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that may have all these connections, and so may this process."""
    folder = tmp_path_factory.mktemp("recordings")
    for number in range(CLIENTS):
        (folder / f"{number}.sse").write_bytes(recording(number))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CLIENTS + 200
    if hard != resource.RLIM_INFINITY and hard < wanted:
        pytest.skip(f"a process may open {hard} files here, and {wanted} are needed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    try:
        with serving("--captures", str(folder)) as found:
            yield found
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


class Crowd:
    """All clients. None asks before all are connected; the others go on when the quick ones have got their streams."""

    def __init__(self, address: str) -> None:
        place = urlsplit(address)
        self._place = place.hostname or "", place.port or 0
        self._connected = asyncio.Barrier(CLIENTS)
        self._quick = asyncio.Barrier(CLIENTS)

    async def client(self, number: int) -> bytes:
        """One client from its first byte to its last; what it got of a body."""
        made, kind = socket.socket(), kind_of(number)
        made.setblocking(False)
        if kind == "slow":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        await asyncio.get_running_loop().sock_connect(made, self._place)
        reader, writer = await asyncio.open_connection(sock=made, limit=4096)
        try:
            await self._connected.wait()
            writer.write(first_bytes(number))
            if kind == "half":
                writer.write_eof()
            got = await body(reader) if kind == "quick" else b""
            await self._quick.wait()
            if kind == "late":
                writer.write(request(number)[-1:])
            if kind == "vanishing":  # the connection is reset, and not closed
                made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return got if kind in ("quick", *GONE) else await body(reader)
        finally:
            writer.close()


def first_bytes(number: int) -> bytes:
    """What a client sends before the quick ones have got their streams."""
    kind = kind_of(number)
    if kind == "silent":
        return b""
    if kind == "late":
        return request(number)[:-1]
    return request(number, 99) if kind == "unsent" else request(number)


async def body(reader: asyncio.StreamReader) -> bytes:
    """The body of an answer in chunks, as far as it comes; all that came where the answer is another one."""
    head = await reader.readuntil(b"\r\n\r\n")
    if b"transfer-encoding: chunked" not in head.lower():
        return head + await reader.read()
    got = []
    try:
        while size := int(await reader.readuntil(b"\r\n"), 16):
            got.append((await reader.readexactly(size + 2))[:-2])
    except (asyncio.IncompleteReadError, ConnectionResetError):
        pass
    return b"".join(got)


def test_each_of_a_thousand_clients_gets_its_own_stream(address: str) -> None:
    async def everybody() -> list[bytes]:
        crowd = Crowd(address)
        clients = [crowd.client(number) for number in range(CLIENTS)]
        return await asyncio.wait_for(asyncio.gather(*clients), LIMIT)

    for number, got in enumerate(asyncio.run(everybody())):
        if kind_of(number) in SERVED:
            assert got == recording(number), (number, kind_of(number), got[:300])
        else:
            assert recording(number).startswith(got), (number, kind_of(number), got[:300])
    answer = ask(address, "/v1/responses", {"model": "text"})
    assert answer.status == 200


def test_a_client_that_has_closed_its_side_keeps_nobody_waiting(address: str) -> None:
    """Its stream is long, and the server's standard error is a pipe that nobody reads."""
    place = urlsplit(address)
    for _ in range(40):
        with socket.create_connection((place.hostname, place.port), timeout=20) as one:
            one.sendall(request(KINDS.index("slow")))
            one.shutdown(socket.SHUT_WR)
            while one.recv(65_536):
                pass
    assert ask(address, "/v1/responses", {"model": "text"}).status == 200
