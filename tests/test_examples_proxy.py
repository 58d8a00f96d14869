"""The proxy of the examples: the bytes that come out of it are those that went in, and it counts on the side.

Reads a running server and the proxy in front of it. Never waits for time to pass: what has to last is stalled.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.example_process import Proxy, proxying
from tests.scenario_answers import answered, text_of
from tests.serving import TIMEOUT, ask, serving

PATH = "/v1/responses"
ASKED = {"model": "text", "stream": True}
WHOLE = (
    f"completed, {answered('responses', 'text')['usage']['total_tokens']} tokens, "
    f"{len(text_of('responses', 'text'))} characters"
)
RECORDING = (
    b"\xef\xbb\xbf: a comment\nretry: 3000\nid: 7\nevent: ping\ndata\n\n"
    b"data: no JSON\n\ndata: [1, 2]\r\n\r\nnonsense\n\nevent: response.odd\ndata: {\ndata: }\r\r"
    b'data: {"type": "response.odd", "sequence_number": 0}\n\n'
    b"\n\n\n:\n\ndata: \xff\xfe\x00\n\ndata: [DONE]\n\ndata: behind the end\n\ndata: and without an end"
)


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recordings")
    (folder / "broken.sse").write_bytes(RECORDING)
    return folder


@pytest.fixture(scope="module")
def here(recordings: Path) -> Iterator[str]:
    with serving("--captures", str(recordings)) as address:
        yield address


@pytest.fixture(scope="module")
def proxy(here: str) -> Iterator[Proxy]:
    with proxying(here) as found:
        yield found


@pytest.mark.parametrize(
    ("fault", "counted"),
    [
        ("", f"200: {WHOLE}, 0 problems"),
        ("comments", f"200: {WHOLE}, 0 problems"),
        ("crlf", f"200: {WHOLE}, 0 problems"),
        ("bytewise", f"200: {WHOLE}, 0 problems"),
        ("split", f"200: {WHOLE}, 0 problems"),
        ("unknown-event", f"200: {WHOLE}, 1 problems"),
        ("unknown-field=6", f"200: {WHOLE}, 0 problems"),
        ("gap=6", f"200: {WHOLE}, 2 problems"),
        ("after-terminal", f"200: {WHOLE}, 1 problems"),
        ("tear", "200: in_progress, None tokens, 0 characters"),
        ("drop", "200: in_progress, None tokens, 0 characters"),
        ("error", "200: failed, None tokens, 0 characters"),
        ("error-body", "200: failed, None tokens, 0 characters, 1 problems"),
        ("rate-limit=7", "429: failed, None tokens, 0 characters, 1 problems"),
    ],
)
def test_what_comes_out_is_what_went_in(here: str, proxy: Proxy, fault: str, counted: str) -> None:
    straight = ask(here, PATH, ASKED, headers={"X-Fault": fault})
    through = ask(proxy.address, PATH, ASKED, headers={"X-Fault": fault})
    assert through._replace(headers={}) == straight._replace(headers={})
    assert len(straight.body) > 50
    assert straight.is_broken == (fault == "drop")
    assert {**through.headers, "date": ""} == {**straight.headers, "date": ""}
    assert f"{PATH} {counted}" in proxy.line(f"{PATH} [24]")


def test_blocks_that_are_broken_go_through(here: str, proxy: Proxy) -> None:
    headers = {"X-Play": "broken.sse"}
    assert ask(here, PATH, ASKED, headers=headers).body == RECORDING
    assert ask(proxy.address, PATH, ASKED, headers=headers).body == RECORDING
    assert "None, None tokens, 0 characters" in proxy.line(f"{PATH} 200")


@pytest.mark.parametrize(
    "response",
    [
        None,
        3,
        {"usage": 3, "output": [3, {"content": "x"}], "status": 4},
        {"usage": {"total_tokens": "many"}, "output": {"a": [1]}},
        {"usage": [], "output": [{"type": "message", "content": [{"type": "output_text"}]}]},
    ],
)
def test_values_of_wrong_types_go_through(
    here: str, proxy: Proxy, recordings: Path, response: object
) -> None:
    event = {"type": "response.completed", "sequence_number": 0, "response": response}
    body = f"data: {json.dumps(event)}\n\n".encode()
    (recordings / "wrong.sse").write_bytes(body)
    answer = ask(proxy.address, PATH, ASKED, headers={"X-Play": "wrong.sse"})
    assert (answer.body, answer.is_broken) == (body, False)
    assert "0 characters" in proxy.line(f"{PATH} 200")


def begun(proxy: Proxy, fault: str) -> tuple[http.client.HTTPConnection, bytes]:
    """A client that has the begin of a stream: its connection, and what it got."""
    client = http.client.HTTPConnection(urlsplit(proxy.address).netloc, timeout=TIMEOUT)
    client.request("POST", PATH, json.dumps(ASKED), {"X-Fault": fault})
    got = b""
    reply = client.getresponse()
    while got.count(b"\n\n") < 6:
        got += reply.read1()
    reply.close()
    return client, got


def so_far(got: bytes) -> str:
    """What is counted of a stream of which a client got so much."""
    found = [json.loads(line[6:]) for line in got.split(b"\n") if line.startswith(b"data: ")]
    text = "".join(event.get("delta", "") for event in found)
    assert text
    return f"in_progress, None tokens, {len(text)} characters, 1 problems"  # it is truncated


def test_two_clients_do_not_wait_for_each_other(here: str, proxy: Proxy) -> None:
    whole = ask(here, PATH, ASKED).body
    client, got = begun(proxy, "stall=6")
    try:
        assert whole.startswith(got)
        assert ask(proxy.address, PATH, ASKED).body == whole
        assert f"{WHOLE}, 0 problems" in proxy.line(f"{PATH} 200")
    finally:
        client.close()
    assert so_far(got) in proxy.line(f"{PATH} 200")


def test_a_client_that_goes_away_ends_its_stream_and_no_other(here: str, proxy: Proxy) -> None:
    whole = ask(here, PATH, ASKED).body
    for _ in range(3):
        client, got = begun(proxy, "stall=6")
        client.close()
        assert so_far(got) in proxy.line(f"{PATH} 200")
    assert ask(proxy.address, PATH, ASKED).body == whole
    assert f"{WHOLE}, 0 problems" in proxy.line(f"{PATH} 200")


def test_a_server_that_is_not_there() -> None:
    with proxying("http://127.0.0.1:1") as proxy:
        answer = ask(proxy.address, PATH, ASKED)
    assert answer.status == 502
    assert "connect" in answer.json["detail"].lower()
