"""Requests that are not the usual ones: resuming, recordings, limits, the page.

Reads a running `codegen serve`. Never sends anything to another address than the one that it printed.
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from codegen.serve.faults import FAULTS
from codegen.serve.running import is_loopback, names_of
from stream_events import responses
from tests.command_line import interruptible
from tests.serving import ROOT, TIMEOUT, Answer, ask, serving
from tests.shared import shared


@pytest.fixture(scope="module")
def captures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with recordings, beside a file that is not to be read."""
    folder = tmp_path_factory.mktemp("served")
    (folder / "secret.sse").write_bytes(b"data: secret\n\n")
    inner = folder / "captures"
    (inner / "deep").mkdir(parents=True)
    (inner / "deep" / "one.sse").write_bytes(b': hi\r\ndata: {"a": 1}\r\n\r\ndata: rest')
    (inner / "lines.jsonl").write_bytes(b'{"type": "a", "sequence_number": 0}\n\n{"type": "b"}\n')
    (inner / "broken.jsonl").write_bytes(b"{")
    (inner / "notes.md").write_bytes(b"# no recording")
    (inner / "link.sse").symlink_to(folder / "secret.sse")
    (inner / "loop.sse").symlink_to(inner / "loop.sse")
    return inner


@pytest.fixture(scope="module")
def address(captures: Path) -> Iterator[str]:
    """A running server with recordings and a small limit."""
    with serving("--captures", str(captures), "--max-body", "2000") as found:
        yield found


def played(address: str, name: str, path: str = "/v1/responses") -> Answer:
    """What is streamed under a name."""
    return ask(address, path, {"stream": True}, headers={"X-Play": name})


def test_a_stream_goes_on_where_it_was_cut(address: str) -> None:
    body = {"model": "background", "stream": True}
    first = ask(address, "/v1/responses", body, headers={"X-Fault": "drop=8"})
    accumulator = responses.Accumulator()
    for event in responses.read([first.body]):
        accumulator.add(event)
    assert (first.is_broken, accumulator.last_sequence_number) == (True, 7)
    path = "/v1/responses/resp_background?stream=true&starting_after=7"
    rest = ask(address, path)
    accumulator.resume()
    accumulator.add_all(responses.read([rest.body]))
    whole = ask(address, "/v1/responses", {"model": "background"}).json
    assert responses.encode(accumulator.final) == whole
    assert accumulator.problems == []
    assert ask(address, "/v1/responses/resp_background").json == whole
    again = ask(address, "/v1/responses/resp_background?stream=true", headers={"X-Fault": "cut=1"})
    assert again.body.count(b"\n\n") == 1


def test_only_what_was_played_can_be_resumed(address: str) -> None:
    answer = ask(address, "/v1/responses/resp_never?stream=true&starting_after=1")
    assert (answer.status, answer.json["error"]["type"]) == (404, "invalid_request_error")
    ask(address, "/v1/responses", {"model": "text"})
    for number in ("x", "", "1" * 30, "٣", "--1"):
        query = f"stream=true&starting_after={number}".encode().decode("latin-1")
        assert ask(address, f"/v1/responses/resp_text?{_quoted(query)}").status == 400
    last = ask(address, "/v1/responses/resp_text?stream=true&starting_after=999")
    assert (last.status, b"the last event has the number" in last.body) == (400, True)
    end = ask(address, "/v1/responses/resp_text?stream=true&starting_after=22")
    assert (end.status, end.body) == (200, b"")


def _quoted(text: str) -> str:
    return "".join(letter if letter.isascii() else f"%{ord(letter):02X}" for letter in text)


def test_a_response_that_follows_one_that_was_never_played(address: str) -> None:
    body = {"model": "text", "previous_response_id": "resp_nowhere"}
    answer = ask(address, "/v1/responses", body)
    assert (answer.status, answer.json["error"]["code"]) == (400, "previous_response_not_found")


def test_any_model_plays_the_first_scenario(address: str) -> None:
    answer = ask(address, "/v1/messages", {"model": "claude-of-tomorrow", "stream": True})
    assert (answer.status, answer.headers["x-play"]) == (200, "text")
    assert ask(address, "/v1/images", {"stream": True}).headers["x-play"] == "image"


def test_recordings_come_byte_for_byte(address: str, captures: Path) -> None:
    answer = played(address, "deep/one.sse")
    assert answer.body == (captures / "deep" / "one.sse").read_bytes()
    assert answer.headers["content-type"].startswith("text/event-stream")
    lines = played(address, "lines.jsonl")
    assert lines.body.startswith(b'event: a\ndata: {"type":"a","sequence_number":0}\n\nevent: b\n')
    whole = ask(address, "/v1/responses", {}, headers={"X-Play": "lines.jsonl"})
    assert (whole.status, "has no final object" in whole.body.decode()) == (400, True)


@pytest.mark.parametrize(
    "name",
    ["../secret.sse", "deep/../../secret.sse", "link.sse", "loop.sse", "notes.md", "deep", "broken.jsonl", "absent.sse",
     "/etc/passwd", "..%2fsecret.sse", "x" * 5000 + ".sse"],
)  # fmt: skip
def test_nothing_else_is_a_recording(address: str, captures: Path, name: str) -> None:
    for chosen in (name, str(captures.parent / "secret.sse")):
        answer = played(address, chosen)
        assert (answer.status, answer.json["error"]["code"]) == (404, "play_not_found")
        assert b"data: secret" not in answer.body


def test_without_a_folder_nothing_is_a_recording() -> None:
    with serving() as plain:
        assert played(plain, "deep/one.sse").status == 404


def test_real_recordings_are_played_and_read() -> None:
    manifest = json.loads(shared("captures/manifest.json").read_text("utf-8"))
    entries = [entry for entry in manifest["entries"] if entry["api"] == "responses"]
    folder = shared("captures")
    with serving("--captures", str(folder)) as here:
        for entry in entries:
            answer = played(here, entry["file"])
            events = list(responses.read([answer.body]))
            assert len(events) == entry["events"] - entry["event_types"].get("[DONE]", 0)
            if entry["format"] == "sse":
                assert answer.body == (folder / entry["file"]).read_bytes()


@pytest.mark.parametrize("body", [b"{", b"[1]", b"\xff", b'"x"', b"[" * 1500])
def test_a_body_that_is_no_request(address: str, body: bytes) -> None:
    for path in ("/v1/responses", "/v1/messages"):
        answer = ask(address, path, body)
        assert answer.status == 400
        assert answer.json["error"]["type"] == "invalid_request_error"


def test_a_body_over_the_limit(address: str) -> None:
    assert ask(address, "/v1/responses", b" " * 3000).status == 413
    connection = socket.create_connection(_place(address), TIMEOUT)
    with connection:
        head = (
            b"POST /v1/responses HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        connection.sendall(head + b"1000\r\n" + b" " * 4096 + b"\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 413")


def _place(address: str) -> tuple[str, int]:
    place = urlsplit(address)
    assert place.hostname is not None and place.port is not None
    return place.hostname, place.port


def test_half_open_clients_harm_nobody(address: str) -> None:
    waiting = [socket.create_connection(_place(address), TIMEOUT) for _ in range(20)]
    begun = b"POST /v1/responses HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{"
    for at, connection in enumerate(waiting):
        connection.sendall(begun if at % 2 else begun[:30])
    assert ask(address, "/v1/responses", {"model": "text"}).status == 200
    for connection in waiting:
        connection.close()
    assert ask(address, "/v1/responses", {"model": "text"}).status == 200


def test_a_slow_client_gets_all_of_it(address: str) -> None:
    """It does not read until another client was served; then every byte is there."""
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.settimeout(TIMEOUT)
        slow.connect(_place(address))
        body = b'{"model": "image", "stream": true}'
        head = f"Host: localhost\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
        slow.sendall(b"POST /v1/responses HTTP/1.1\r\n" + head.encode() + body)
        other = ask(address, "/v1/responses", {"model": "image", "stream": True}).body
        got = b""
        while piece := slow.recv(512):
            got += piece
    assert got.count(b"event: response.") == other.count(b"event: response.")
    assert got.endswith(b"\r\n0\r\n\r\n")


def test_another_host_name_is_refused(address: str) -> None:
    """A page of another site cannot reach the server by a name that points here."""
    assert ask(address, "/", headers={"Host": "evil.example"}).status == 400


def test_the_list_as_json_and_as_a_page(address: str) -> None:
    found = ask(address, "/").json
    assert {each["stream"] for each in found["streams"]} == {
        "responses", "chat", "completions", "messages", "images-generations", "images-edits",
    }  # fmt: skip
    assert [each["name"] for each in found["recordings"]] == [
        "broken.jsonl", "deep/one.sse", "lines.jsonl",
    ]  # fmt: skip
    page = ask(address, "/", headers={"Accept": "text/html,*/*"})
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    text = page.body.decode()
    names = [play["name"] for each in found["streams"] for play in each["plays"]]
    assert all(
        f"<dt>{name}</dt>" in text for name in names + [each["name"] for each in found["faults"]]
    )


def test_the_curl_lines_work(address: str) -> None:
    """One of each kind, run by a shell as a reader would."""
    if shutil.which("curl") is None:
        pytest.skip("there is no curl on this machine")
    found = ask(address, "/").json
    rows = [each["plays"][-1] for each in found["streams"]]
    rows += [row for row in found["faults"] if row["name"].startswith(("cut", "rate"))]
    rows += found["recordings"][1:2]
    environment = {**os.environ, "NO_PROXY": "*"}
    for line in [row["curl"] for row in rows] + [found["resume"]]:
        done = subprocess.run(
            ["sh", "-c", line], capture_output=True, timeout=TIMEOUT, env=environment
        )
        assert done.returncode == 0, line
        assert b"data:" in done.stdout or b"Too many requests" in done.stdout, line


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    for options, what in (
        (["--captures", str(tmp_path / "no")], "is no folder"),
        (["--port", "70000"], "is not from 0 to 65535"),
        (["--spec", str(tmp_path)], "fragments"),
        (["--host", "192.0.2.1", "--port", "0"], "192.0.2.1:0"),
    ):
        command = [sys.executable, "-m", "codegen", "serve", *options]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT)
        assert (done.returncode, what in done.stderr) == (2, True), done.stderr


def test_each_client_has_its_own_stream(address: str) -> None:
    """All requests are made before any answer is read."""
    names = ["text", "mcp", "reasoning", "image", "text"]
    waiting = []
    for name in names:
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=TIMEOUT)
        connection.request("POST", "/v1/responses", json.dumps({"model": name, "stream": True}))
        waiting.append(connection)
    for name, connection in reversed(list(zip(names, waiting))):
        final = responses.final([connection.getresponse().read()])
        assert final.id == f"resp_{name}"
        connection.close()


def test_it_stops_while_a_client_is_stalled() -> None:
    with serving() as here:
        connection = http.client.HTTPConnection(urlsplit(here).netloc, timeout=TIMEOUT)
        connection.request("POST", "/v1/responses", '{"stream": true}', {"X-Fault": "stall=1"})
        reply = connection.getresponse()
        assert reply.read1()
    with pytest.raises(http.client.HTTPException):  # the end of the body never came
        reply.read()
    connection.close()


def test_a_form_is_read_for_its_fields(address: str) -> None:
    head = {"Content-Type": "multipart/form-data; boundary=b"}
    field = b'--b\r\nContent-Disposition: form-data; name="stream"\r\n\r\ntrue\r\n'
    answer = ask(address, "/v1/images/edits", field + b"--b--\r\n", headers=head)
    assert answer.body.count(b"event: image_edit.") == 3
    assert ask(address, "/v1/images/edits", b"x", headers=head).status in (200, 400)
    bare = {"Content-Type": "multipart/form-data"}
    assert ask(address, "/v1/images/edits", field, headers=bare).status == 400


def test_every_vector_is_played_by_its_id(address: str) -> None:
    """Byte for byte where it has bytes, framed where it has events."""
    folder = ROOT / "generated" / "vectors" / "v1"
    if not folder.is_dir():
        pytest.skip("there are no vectors")
    cases = [
        (path.parent.name, case)
        for operation in ("sse", "stream", "accumulate")
        for path in sorted((folder / operation).rglob("*.json"))
        for case in json.loads(path.read_bytes())["cases"]
    ]
    assert ask(address, "/").json["vectors"] == [case["id"] for _, case in cases]
    for _, case in cases[::7]:
        answer = played(address, case["id"])
        given = case["given"]
        if "text" in given:
            assert answer.body == given["text"].encode(), case["id"]
        elif "base64" in given:
            assert answer.body == base64.b64decode(given["base64"]), case["id"]
        else:
            assert answer.body.count(b"data: ") == sum(isinstance(e, dict) for e in given["events"])


@pytest.mark.parametrize("fault", [name for name in FAULTS if name != "stall"])
def test_no_fault_breaks_on_a_recording(address: str, fault: str) -> None:
    for name in ("deep/one.sse", "lines.jsonl"):
        headers = {
            "X-Play": name,
            "X-Fault": fault if FAULTS[fault].default is None else f"{fault}=1",
        }
        for path in ("/v1/responses", "/v1/messages"):
            answer = ask(address, path, {"stream": True}, headers=headers)
            assert answer.status == (429 if fault == "rate-limit" else 200)


def test_an_interrupt_ends_it_without_a_word() -> None:
    command = [sys.executable, "-m", "codegen", "serve", "--port", "0"]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        preexec_fn=interruptible,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().startswith("http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        try:
            assert (process.wait(TIMEOUT), process.stderr.read()) == (0, "")
        finally:
            process.kill()  # or the test would wait for ever where it fails


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with recordings that are spoilt."""
    folder = tmp_path_factory.mktemp("recordings")
    files = {
        "deep.jsonl": b"[" * 200_000,
        "deep.sse": b"data: " + b"[" * 200_000 + b"\n\n",
        "half.jsonl": b'{"type": "x", "text": "\\ud800"}\n',
        "tags.jsonl": b'{"type": "a\\nb: c"}\n{"type": 3}\n',
        "müll 潮.sse": b"data: {}\n\n",
        "two\nlines.sse": b"data: {}\n\n",
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    with serving("--captures", str(folder)) as found:
        yield found


@pytest.mark.parametrize(
    ("name", "status", "body"),
    [
        ("deep.jsonl", 404, b"is not JSON in each line"),
        ("deep.sse", 200, b"data: [[["),
        ("half.jsonl", 200, b'event: x\ndata: {"type":"x","text":"\\ud800"}\n\n'),
        ("tags.jsonl", 200, b'data: {"type":"a\\nb: c"}\n\ndata: {"type":3}\n\n'),
        ("müll 潮.sse".encode().decode("latin-1"), 200, b"data: {}\n\n"),
    ],
)
def test_a_spoilt_recording_breaks_nothing(odd: str, name: str, status: int, body: bytes) -> None:
    answer = ask(odd, "/v1/responses", {"stream": True}, headers={"X-Play": name})
    assert answer.status == status and body in answer.body


def test_the_page_lists_no_name_that_no_header_can_have(odd: str) -> None:
    names = [each["name"] for each in ask(odd, "/").json["recordings"]]
    assert "müll 潮.sse" in names and "two\nlines.sse" not in names


@pytest.mark.parametrize("previous", [["x"], {"a": 1}, 3, "\ud800"])
def test_a_previous_response_may_be_anything(odd: str, previous: object) -> None:
    answer = ask(odd, "/v1/responses", {"previous_response_id": previous})
    assert answer.status == 400
    assert answer.json["error"]["code"] == "previous_response_not_found"


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/nope", None, 404),
        ("/v1/responses/", None, 404),
        ("/v1/messages", None, 405),
        ("/", {}, 405),
    ],
)
def test_what_there_is_not_is_said_as_the_api_says_it(
    odd: str, path: str, body: object, status: int
) -> None:
    answer = ask(odd, path, body)
    assert answer.status == status
    assert "GET / lists what there is" in answer.json["error"]["message"]
    assert (answer.json.get("type") == "error") == (path == "/v1/messages")


def test_many_slow_clients_keep_nobody_else_waiting(odd: str) -> None:
    place = urlsplit(odd)
    begins = (
        b"POST /v1/resp",
        b"POST /v1/responses HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{",
        b"POST /v1/responses HTTP/1.1\r\nHost: localhost\r\nX-Fault: stall=2\r\n"
        b'Content-Length: 15\r\n\r\n{"stream":true}',
    )
    with ExitStack() as stack:
        for number in range(300):
            one = socket.create_connection((place.hostname, place.port), timeout=20)
            stack.enter_context(one)
            one.sendall(begins[number % len(begins)])
        assert ask(odd, "/v1/responses", {"model": "text"}).status == 200


@pytest.mark.parametrize(
    ("host", "is_alone"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("127.0.0.2", True), ("0.0.0.0", False),
     ("::", False), ("192.0.2.1", False), ("example.org", False)],
)  # fmt: skip
def test_only_addresses_of_this_machine_are_loopback(host: str, is_alone: bool) -> None:
    assert is_loopback(host) == is_alone
    assert (
        bool(names_of(host)) == is_alone
    )  # other pages' names are refused where nobody else may come


def test_an_address_of_ipv6_is_answered_and_foreign_names_are_not() -> None:
    if not socket.has_ipv6:
        pytest.skip("there is no IPv6 here")
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("there is no loopback address of IPv6 here")
    with serving("--host", "::1") as found:
        assert found.startswith("http://[::1]:")
        assert ask(found, "/").status == 200
        assert ask(found, "/", headers={"Host": "rebound.example"}).status == 400
