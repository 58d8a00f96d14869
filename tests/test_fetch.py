"""Documents over HTTP: what a server can do wrong, and what is made of it.

Reads answers of a server on the loopback interface; expected values follow from RFC 9110 (conditional requests, redirects,
Content-Length), RFC 1952 (gzip) and RFC 6890 (private addresses). Never asks another machine.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterator
from http.client import HTTPMessage
from typing import Any
from urllib.request import Request

import pytest

from codegen.errors import SpecError
from codegen.fetch import PATIENT, Answer, fetch, fetch_if_changed
from codegen.http_line import Failure, Limits, Line, Redirects
from tests.loopback import Loopback, Reply, serving

BODY = b"openapi: 3.1.0\n" * 20_000
SHORT = Limits(seconds=0.3)
TWICE = Limits(pauses=(0.25,))


@pytest.fixture(name="server")
def _server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serving() as loopback:
        yield loopback


def told(call: Callable[[], Any]) -> str:
    """What the error of a call says, without the address and the advice."""
    with pytest.raises(SpecError) as caught:
        call()
    (finding,) = caught.value.findings
    return finding.what


def never(seconds: float) -> None:
    """A pause that must not come."""
    raise AssertionError(f"a pause of {seconds} seconds")


def test_a_document(server: Loopback) -> None:
    url = server.put("/d", Reply(BODY, etag='"1"'))
    assert fetch_if_changed(url, "") == Answer(BODY, '"1"')
    assert "If-None-Match" not in server.requests[0][1]


def test_an_etag_that_holds_spares_the_body(server: Loopback) -> None:
    url = server.put("/d", Reply(BODY, etag='W/"1"'))
    assert fetch_if_changed(url, 'W/"1"') == Answer(None, 'W/"1"')
    assert server.requests[0][1]["If-None-Match"] == 'W/"1"'


def test_an_etag_that_no_longer_holds_gives_the_body(server: Loopback) -> None:
    url = server.put("/d", Reply(BODY, etag='"2"'))
    assert fetch_if_changed(url, '"1"') == Answer(BODY, '"2"')


def test_not_modified_without_a_question_is_an_error(server: Loopback) -> None:
    url = server.put("/d", Reply(status=304, length=None))
    assert told(lambda: fetch(url)) == "the server answers 304 Not Modified"


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_a_passing_error_is_asked_again(server: Loopback, status: int) -> None:
    url = server.put("/d", Reply(status=status), Reply(BODY))
    waited: list[float] = []
    assert fetch_if_changed(url, "", TWICE, waited.append).data == BODY
    assert (waited, server.asked("/d")) == ([0.25], 2)


def test_pauses_grow_and_the_last_error_is_told(server: Loopback) -> None:
    url = server.put("/d", Reply(status=500), Reply(status=502), Reply(status=503))
    waited: list[float] = []
    limits = Limits(pauses=(1.0, 4.0, 10.0))
    what = told(lambda: fetch_if_changed(url, "", limits, waited.append))
    assert what == "the server answers 503 Service Unavailable"
    assert (waited, server.asked("/d")) == ([1.0, 4.0, 10.0], 4)
    assert PATIENT.pauses == tuple(waited) and sum(waited) < PATIENT.seconds


def test_no_pause_goes_past_the_time_limit(server: Loopback) -> None:
    url = server.put("/d", Reply(status=500))
    waited: list[float] = []
    limits = Limits(seconds=5.0, pauses=(60.0,))
    told(lambda: fetch_if_changed(url, "", limits, waited.append))
    assert (waited, server.asked("/d")) == ([], 1)


@pytest.mark.parametrize("status", [204, 206, 400, 401, 403, 404, 410, 501])
def test_an_error_that_stays_is_told_at_once(server: Loopback, status: int) -> None:
    url = server.put("/d", Reply(b"" if status == 204 else b"x", status, length=None))
    what = told(lambda: fetch_if_changed(url, "", TWICE, never))
    assert what.startswith(f"the server answers {status} ")


def test_a_truncated_body_is_asked_again_and_then_an_error(server: Loopback) -> None:
    cut_short = Reply(BODY[:1000], length=len(BODY))
    url = server.put("/d", cut_short, Reply(BODY))
    assert fetch_if_changed(url, "", TWICE, lambda _: None).data == BODY
    url = server.put("/d", cut_short)
    assert told(lambda: fetch(url)) == "the answer ends after 1,000 of 300,000 bytes"


def test_a_truncated_chunked_body_is_an_error(server: Loopback) -> None:
    chunked = {"Transfer-Encoding": "chunked"}
    whole = b"5\r\nhello\r\n0\r\n\r\n"
    url = server.put("/d", Reply(whole, headers=chunked, length=None))
    # The handler speaks HTTP/1.0, in which a client need not know chunks; http.client reads them all the same.
    assert fetch(url) == b"hello"
    url = server.put("/d", Reply(whole[:7], headers=chunked, length=None))
    assert told(lambda: fetch(url)) == "the answer ends before its last chunk"


def test_bytes_after_the_announced_length_are_not_read(server: Loopback) -> None:
    url = server.put("/d", Reply(BODY, length=15))
    assert fetch(url) == BODY[:15]


def test_an_endless_body_ends_at_the_size_limit(server: Loopback) -> None:
    def endless(write: Callable[[bytes], Any]) -> None:
        while not server.ended.is_set():
            write(b"a: 1\n" * 1000)

    url = server.put("/d", Reply(length=None, then=endless))
    what = told(lambda: fetch_if_changed(url, "", Limits(size=100_000, pauses=(0.0,))))
    assert what == "the answer has more than 100,000 bytes (limit MAX_BYTES)"
    assert server.asked("/d") == 1


def test_a_length_above_the_limit_is_refused_before_the_body(server: Loopback) -> None:
    url = server.put("/d", Reply(length=10**12))
    assert told(lambda: fetch(url)).startswith("the answer has more than ")


@pytest.mark.parametrize("head", [b"", b"HTTP/1.0 200 OK\r\n", b"HTTP/1.0 200 OK\r\n\r\n"])
def test_a_server_that_says_a_byte_now_and_then_ends_at_the_time_limit(
    server: Loopback, head: bytes
) -> None:
    def drip(write: Callable[[bytes], Any]) -> None:
        while not server.ended.wait(0.01):
            write(b"x")

    url = server.put("/d", Reply(head, status=0, then=drip))
    limits = Limits(seconds=0.3, pauses=(0.0,))
    what = told(lambda: fetch_if_changed(url, "", limits))
    assert what == "the answer took longer than 0.3 seconds"


def test_a_server_that_says_nothing_ends_at_the_time_limit(server: Loopback) -> None:
    url = server.put("/d", Reply(length=10**6, then=lambda _: server.ended.wait()))
    assert told(lambda: fetch(url, SHORT)) == "the answer took longer than 0.3 seconds"


@pytest.mark.parametrize("target", ["file:///etc/passwd", "data:,x", "gopher://h/x"])
def test_no_redirect_to_another_scheme(server: Loopback, target: str) -> None:
    url = server.put("/d", Reply(status=302, headers={"Location": target}))
    what = told(lambda: fetch_if_changed(url, "", TWICE, never))
    assert what.startswith("the server answers 302 ") and target in what
    assert what.endswith("is not allowed")


def test_no_redirect_to_ftp(server: Loopback) -> None:
    url = server.put("/d", Reply(status=301, headers={"Location": "ftp://127.0.0.1/x"}))
    assert told(lambda: fetch(url)) == (
        "the server answers 301 Moved Permanently and redirects to ftp://127.0.0.1/x, which is not followed"
    )


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed(server: Loopback, status: int) -> None:
    server.put("/there", Reply(BODY, etag='"1"'))
    url = server.put("/d", Reply(status=status, headers={"Location": "/there"}))
    assert fetch(url) == BODY
    assert fetch_if_changed(url, '"1"') == Answer(None, '"1"')


def test_redirects_in_a_circle_end(server: Loopback) -> None:
    url = server.put("/d", Reply(status=302, headers={"Location": "/d"}))
    assert told(lambda: fetch(url)).startswith("the server answers 302 ")
    assert server.asked("/d") < 12


@pytest.mark.parametrize("target", ["http://127.0.0.1/x", "http://10.1.2.3/x", "http://[::1]/x"])
def test_no_redirect_into_a_private_network(
    server: Loopback, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The server stands in for a proxy, so that the first address can be a public one.
    monkeypatch.delenv("no_proxy")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.setenv("http_proxy", server.address)
    url = "http://public.example/d"
    server.put(url, Reply(status=302, headers={"Location": target}))
    what = told(lambda: fetch(url))
    assert what.startswith("the server redirects to the private address ")
    assert server.asked(url) == len(server.requests) == 1
    server.put(url, Reply(status=302, headers={"Location": "http://other.example/x"}))
    server.put("http://other.example/x", Reply(BODY))
    assert fetch(url) == BODY


@pytest.mark.parametrize(
    "address",
    "127.0.0.1 ::1 10.0.0.1 172.16.0.1 192.168.0.1 169.254.169.254 fe80::1%eth0 fd00::1 0.0.0.0 "
    "::ffff:127.0.0.1 localhost LOCALHOST. 100.64.0.1".split(),
)
def test_private_addresses(address: str) -> None:
    line = Line(0.0, Limits())
    line.require_public("93.184.216.34")
    line.require_public("2606:4700::1111")
    with pytest.raises(Failure, match="the server redirects to the private address"):
        line.require_public(address)
    line = Line(0.0, Limits())
    line.require_public(address)  # who names a private address may be led to another
    line.require_public("127.0.0.2")


@pytest.mark.parametrize(
    "source, target, followed",
    [
        ("https://a.example/", "https://b.example/", True),
        ("https://a.example/", "http://a.example/", False),
        ("http://a.example/", "https://a.example/", True),
        ("http://a.example/", "http://b.example/", True),
        ("http://a.example/", "ftp://a.example/", False),
    ],
)
def test_a_redirect_never_gives_up_tls(source: str, target: str, followed: bool) -> None:
    given = (Request(source), io.BytesIO(), 302, "Found", HTTPMessage(), target)
    if followed:
        request = Redirects().redirect_request(*given)
        assert request is not None and request.full_url == target
        return
    with pytest.raises(Failure, match="which is not followed"):
        Redirects().redirect_request(*given)


def test_gzip(server: Loopback) -> None:
    packed = Reply(gzip.compress(BODY), headers={"Content-Encoding": "gzip"})
    url = server.put("/d", packed)
    assert fetch(url) == BODY
    assert server.requests[0][1]["Accept-Encoding"] == "gzip"


@pytest.mark.parametrize(
    "body, what",
    [
        (gzip.compress(BODY)[:-10], "the answer ends in the middle of its gzip data"),
        (b"", "the answer ends in the middle of its gzip data"),
        (gzip.compress(BODY) + b"more", "bytes follow the end of the gzip data"),
        (b"openapi: 3.1.0", "the answer is not gzip data "),
        (
            gzip.compress(bytes(50_000_000)),
            "the answer has more than 1,000,000 bytes (limit MAX_BYTES)",
        ),
    ],
    ids=["truncated", "empty", "trailing bytes", "not gzip", "bomb"],
)
def test_bad_gzip(server: Loopback, body: bytes, what: str) -> None:
    url = server.put("/d", Reply(body, headers={"Content-Encoding": "gzip"}))
    assert told(lambda: fetch(url, Limits(size=1_000_000))).startswith(what)


def test_an_encoding_that_was_not_asked_for_is_an_error(server: Loopback) -> None:
    url = server.put("/d", Reply(b"x", headers={"Content-Encoding": "br"}))
    assert (
        told(lambda: fetch(url))
        == "the answer has the Content-Encoding br, which was not asked for"
    )


def test_a_length_that_is_no_number_is_an_error(server: Loopback) -> None:
    url = server.put("/d", Reply(b"x", headers={"Content-Length": "ten"}, length=None))
    assert told(lambda: fetch(url)).startswith("the URL does not answer (invalid literal")


def test_chunks_that_end_early(server: Loopback) -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    for chunks in (b"5\r\nopena", b"5\r\nopen", b"5\r\nopena\r\n", b""):
        url = server.put("/d", Reply(head + chunks, status=0))
        assert told(lambda: fetch(url)) == "the answer ends before its last chunk"
