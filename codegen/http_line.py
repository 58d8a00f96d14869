"""Connections to a server that is not trusted.

Reads nothing itself: `Line.open` gives the answer behind a URL after all redirects. Never follows a redirect to another
scheme, from https to http or into a private network, and never stays connected past its deadline.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import threading
import time
import unicodedata
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from typing import IO, Any

from codegen.limits import limit

_ACTION = "Check the address and the network, or download the document and give its path."


@dataclass(frozen=True)
class Limits:
    """How long and how much.

    seconds  from the first connection to the last byte, redirects, pauses and all attempts included
    size     bytes of the document, on the wire and after decompression
    pauses   seconds before each further attempt; as many attempts more as there are pauses
    """

    seconds: float = field(default_factory=lambda: limit("FETCH_SECONDS"))
    size: int = field(default_factory=lambda: limit("MAX_BYTES"))
    pauses: tuple[float, ...] = ()


class Failure(Exception):
    """No whole body came. `passing`: another attempt may fare better."""

    def __init__(self, what: str, *, passing: bool, action: str = _ACTION) -> None:
        super().__init__(what)
        self.passing = passing
        self.action = action


class Line:
    """The connections of one attempt: hung up at the deadline, however slowly the other side talks."""

    def __init__(self, deadline: float, limits: Limits) -> None:
        self.limits = limits
        self._deadline = deadline
        self._socket: socket.socket | None = None
        self._private: bool | None = None
        self._alarm = threading.Timer(max(0.0, deadline - time.monotonic()), self._hang_up)
        self._alarm.daemon = True

    def __enter__(self) -> Line:
        self._alarm.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._alarm.cancel()

    def open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        """The answer after all redirects."""
        # Built by hand: build_opener() would add handlers for file:, ftp: and data:, which a redirect could reach.
        opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.ProxyHandler(),
            urllib.request.UnknownHandler(),
            _HttpHandler(self),
            _HttpsHandler(self),
            urllib.request.HTTPDefaultErrorHandler(),
            Redirects(),
            urllib.request.HTTPErrorProcessor(),
        ):
            opener.add_handler(handler)
        answer = opener.open(request, timeout=max(0.001, self._deadline - time.monotonic()))
        assert isinstance(answer, http.client.HTTPResponse)
        return answer

    def connected(self, to: socket.socket) -> None:
        """Watch a socket from now on."""
        self._socket = to

    def require_public(self, address: str) -> None:
        """Refuse a redirect into a private network, unless the first address was in one itself.

        Asked after the connection is made and before anything is sent: what a name means may change in between.
        """
        private = _is_private(address)
        if self._private is None:
            self._private = private
        elif private and not self._private:
            what = f"the server redirects to the private address {address}"
            raise Failure(what, passing=False)

    def require_time(self) -> None:
        """Raise where the deadline has passed."""
        if time.monotonic() >= self._deadline:
            what = f"the answer took longer than {self.limits.seconds:g} seconds"
            raise Failure(what, passing=False)

    def _hang_up(self) -> None:
        if self._socket is not None:
            try:
                # Past SSLSocket.shutdown, which would pull the TLS state from under the thread that reads.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
            except OSError:
                pass  # closed already


_UNICAST = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


def _is_private(host: str) -> bool:
    """Whether an IP address, however it is spelled, is not one of the public network; False for a name, save this machine's."""
    name = (
        unicodedata.normalize("NFKC", host).replace("\u3002", ".").strip("[]").rstrip(".").lower()
    )
    try:
        return not _is_public(ipaddress.ip_address(name.partition("%")[0]))
    except ValueError:
        pass
    try:  # 127.1, 0x7f000001, 0177.0.0.1: what the system's resolver takes for an address is one
        return not _is_public(ipaddress.IPv4Address(socket.inet_aton(name)))
    except (OSError, ValueError):
        return name == "localhost" or name.endswith(".localhost")


def _is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address is a public host's (RFC 6890); one of IPv6 that stands for one of IPv4 is judged by that."""
    if isinstance(address, ipaddress.IPv4Address):
        return address.is_global and not address.is_multicast
    inside = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
    if address in _NAT64:
        inside = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return _is_public(inside) if inside else address in _UNICAST and address.is_global


class _HttpConnection(http.client.HTTPConnection):
    """Tells the line of its socket. `target`: the host asked for where a proxy stands between, else empty."""

    line: Line
    target: str

    def connect(self) -> None:
        """Connect, then refuse what must not be reached."""
        super().connect()
        self.line.connected(self.sock)
        try:
            self.line.require_public(self.target or str(self.sock.getpeername()[0]))
        except Failure:
            self.close()
            raise


class _HttpsConnection(http.client.HTTPSConnection, _HttpConnection):
    """The same below TLS: the address is checked before the handshake."""

    def connect(self) -> None:
        """Connect; the socket to watch is the one with TLS."""
        super().connect()
        self.line.connected(self.sock)


class _HttpHandler(urllib.request.HTTPHandler):
    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Open over a connection that the line watches."""
        return self.do_open(_connecting(_HttpConnection, self._line, req), req)


class _HttpsHandler(urllib.request.HTTPSHandler):
    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Open over a connection that the line watches."""
        return self.do_open(_connecting(_HttpsConnection, self._line, req), req)


def _connecting(kind: type[_HttpConnection], line: Line, request: urllib.request.Request) -> Any:
    """What `do_open` calls to make a connection: `kind`, with the line and the target set."""

    def connection(host: str, **options: Any) -> _HttpConnection:
        made = kind(host, **options)
        made.line, made.target = line, _behind_proxy(request)
        return made

    return connection


def _behind_proxy(request: urllib.request.Request) -> str:
    """The host that a proxy is asked for, "" without one. A proxy resolves names itself; addresses are refused still."""
    wanted = urllib.parse.urlsplit(request.full_url)
    is_direct = request.host == urllib.parse.unquote(
        wanted.netloc
    )  # as the request itself reads it
    return "" if is_direct else urllib.parse.unquote(wanted.hostname or "")


class Redirects(urllib.request.HTTPRedirectHandler):
    """Redirects from http to http or https, and from https to https."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        """The next request; the base class has refused what is neither http, https nor ftp."""
        fp.close()
        allowed = ("https",) if req.type == "https" else ("http", "https")
        if urllib.parse.urlsplit(newurl).scheme not in allowed:
            what = (
                f"the server answers {code} {msg} and redirects to {newurl}, which is not followed"
            )
            raise Failure(what, passing=False)
        return super().redirect_request(req, fp, code, msg, headers, newurl)
