"""Running the server.

Reads an application and an address; listens until it is stopped. Never listens on another interface than the one it is
given, and never hangs on a client when it is stopped.
"""

from __future__ import annotations

import ipaddress
import socket
import sys

import uvicorn
from starlette.applications import Starlette

from codegen.errors import Finding, SpecError

BACKLOG = 1024
"""Clients that may knock at once; the system may allow fewer."""
MAX_MESSAGE = 4 * 1024 * 1024


def is_loopback(host: str) -> bool:
    """Whether an address or a name is of this machine alone."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def names_of(host: str) -> tuple[str, ...]:
    """What a request's Host header may name, so that no page of another site gets here by a name of its own; anything where
    other machines may come."""
    return ("localhost", "127.0.0.1", "::1", "[::1]", host.lower()) if is_loopback(host) else ()


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes a free one. SpecError where the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        where, what = f"{host}:{port}", error.strerror or str(error)
        action = "Name another --host or --port; --port 0 takes a free one."
        raise SpecError([Finding(where, what, action)]) from None
    made.listen(BACKLOG)
    return made


def address(made: socket.socket) -> str:
    """The URL of a listening socket."""
    host, port = made.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def server(app: Starlette) -> uvicorn.Server:
    """A server for the application; `run(sockets=[…])` serves, `should_exit = True` stops it."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http="h11",
            ws="websockets-sansio",
            ws_max_size=MAX_MESSAGE,
            log_level="critical",
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
    )


def listen_and_serve(app: Starlette, host: str, port: int) -> None:
    """Serve until the process is told to stop; the first line of output is the URL."""
    made = listen(host, port)
    try:
        print(address(made), flush=True)
        if not is_loopback(host):
            print(f"warning: {host} can be reached from other machines", file=sys.stderr)
        server(app).run(sockets=[made])
    except KeyboardInterrupt:
        pass  # Ctrl-C is how it is stopped
