"""Captures in every form: what curl writes, HAR files, folders, lines, and how the stream is told.

Reads small streams in these forms; checks which captures there are and of which stream. Never looks at rules of order.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from codegen.errors import SpecError
from codegen.lint.captures import captures_in, paths_of
from codegen.lint.detect import detect
from codegen.lint.heads import without_heads
from tests.lint import streams
from tests.lint.streams import PACKAGE, check, jsonl, sse

BODY = sse(streams.responses())
ONE = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nX-A: b\r\n\r\n"
TWO = b"HTTP/2 200 \r\ncontent-type: text/event-stream\r\n\r\n"
HEADS = {
    "http 1": (ONE, 4),
    "http 2": (TWO, 3),
    "continue": (b"HTTP/1.1 100 Continue\r\n\r\n" + ONE, 6),
    "redirect": (
        b"HTTP/1.1 301 Moved\r\nLocation: /v1\r\nContent-Type: text/html\r\n\r\n" + TWO,
        7,
    ),
    "proxy": (b"HTTP/1.1 200 Connection established\r\n\r\n" + TWO, 5),
    "lf only": (ONE.replace(b"\r\n", b"\n"), 4),
    "no reason": (b"HTTP/3 200\r\ncontent-type: text/event-stream\r\n\r\n", 3),
}


def detected(path: Path) -> list[str]:
    return [detect(capture, PACKAGE.streams).name for capture in captures_in(str(path))]


def write(tmp_path: Path, name: str, data: bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", HEADS)
def test_heads_stand_in_front_of_the_body(name: str, tmp_path: Path) -> None:
    head, lines = HEADS[name]
    found, body, counted = without_heads(head + BODY)
    assert found is not None and (found.status, found.content_type) == (200, "text/event-stream")
    assert (body, counted) == (BODY, lines)
    (result,) = check(write(tmp_path, "capture", head + BODY))
    assert not result.findings.counts and result.events == len(streams.responses())


def test_lines_are_counted_from_the_begin_of_the_file(tmp_path: Path) -> None:
    spoilt = BODY.replace(b'"delta": "lo"', b'"delta": 7')
    (result,) = check(write(tmp_path, "capture", ONE + spoilt))
    first = result.findings.kept[0]
    assert (ONE + spoilt).split(b"\n")[first.line - 1 + 1].startswith(b"data:")
    assert b'"delta": 7' in (ONE + spoilt).split(b"\n")[first.line]


def entry(url: str, text: str, mime: str = "text/event-stream", **more: Any) -> dict[str, Any]:
    content = {"mimeType": mime, "text": text, **more}
    headers = [{"name": "Content-Type", "value": mime}]
    return {
        "request": {"method": "POST", "url": url},
        "response": {"status": 200, "headers": headers, "content": content},
    }


def har(*entries: Any) -> bytes:
    return json.dumps({"log": {"version": "1.2", "entries": list(entries)}}).encode()


def test_a_har_file_has_several_streams(tmp_path: Path) -> None:
    chat = sse(streams.chat(), done=True)
    data = har(
        entry("https://a.example/style.css", "body {}", "text/css"),
        entry("https://a.example/v1/responses?x=1", BODY.decode()),
        entry(
            "https://a.example/v1/chat/completions",
            base64.b64encode(chat).decode(),
            encoding="base64",
        ),
        entry("https://a.example/v1/models", "{}", "application/json"),
    )
    path = write(tmp_path, "session.har", data)
    results = check(path)
    assert [(each.capture.name, each.stream) for each in results] == [
        (f"{path}#1", "responses"),
        (f"{path}#2", "chat"),
    ]
    assert [dict(each.findings.counts) for each in results] == [{}, {}]


def test_the_path_of_a_request_says_what_an_error_is_about(tmp_path: Path) -> None:
    text = '{"error": {"message": "no"}}'
    one = entry("https://a.example/v1/messages", text, "application/json")
    (result,) = check(write(tmp_path, "session.har", har(one)))
    assert result.stream == "messages"
    assert set(result.findings.counts) == {"content-type", "error-body"}


def test_messages_of_a_socket_in_a_har_file(tmp_path: Path) -> None:
    received = [{"type": "receive", "data": json.dumps(event)} for event in streams.socket()]
    sent = {"type": "send", "data": "{}"}
    one = {**entry("wss://a.example/v1/responses", ""), "_webSocketMessages": [sent, *received]}
    (result,) = check(write(tmp_path, "session", har(one)))
    assert result.stream == "responses-websocket-server"
    assert not result.findings.counts and result.lanes == ["a", "b"]


@pytest.mark.parametrize(
    "data",
    [b"{}", b'{"log": {}}', b'{"log": {"entries": 3}}', b"[", har(), har(7), har(entry("a", "x", encoding="base64")), b"\xff"],
)  # fmt: skip
def test_a_har_file_that_is_none_is_told(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(SpecError):
        list(captures_in(str(write(tmp_path, "session.har", data))))


def test_a_folder_has_the_captures_in_it(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / ".git").mkdir()
    for name in ("b.sse", "inner/a.jsonl", "readme.md", ".git/c.sse"):
        write(tmp_path, name, BODY)
    found = [str(Path(path).relative_to(tmp_path)) for path in paths_of([str(tmp_path)])]
    assert found == ["b.sse", "inner/a.jsonl"]


def test_what_does_not_exist_is_told_all_at_once(tmp_path: Path) -> None:
    with pytest.raises(SpecError) as caught:
        paths_of([str(tmp_path / "a"), str(tmp_path), str(tmp_path / "b")])
    assert len(caught.value.findings) == 3


@pytest.mark.parametrize(
    ("events", "stream"),
    [
        (streams.responses(), "responses"),
        (streams.socket(), "responses-websocket-server"),
        ([{key: value for key, value in each.items() if key != "object"} for each in streams.chat()], "chat"),
        ([{key: value for key, value in each.items() if key != "object"} for each in streams.completions()], "completions"),
        ([{"type": "error", "message": "no", "code": None, "param": None, "sequence_number": 0}], "responses"),
        ([{"type": "error", "error": {"type": "api_error", "message": "no"}}], "messages"),
        ([{"type": "ping"}, {"type": "response.created"}, {"type": "response.new"}], "responses"),
        ([{"type": "transcript.text.delta"}], ""),
        ([{"a": 1}], ""),
    ],
)  # fmt: skip
def test_the_stream_is_told_by_its_tags(events: list[Any], stream: str, tmp_path: Path) -> None:
    assert detected(write(tmp_path, "capture", jsonl(events))) == [stream]


def test_the_event_line_is_the_tag_where_the_payload_has_none(tmp_path: Path) -> None:
    data = b'event: response.output_text.delta\ndata: {"delta": "a"}\n\n'
    assert detected(write(tmp_path, "capture", data)) == ["responses"]


def test_a_long_stream_is_told_by_its_begin(tmp_path: Path) -> None:
    events = streams.responses()
    events[0]["response"]["instructions"] = "x" * 1_000_000
    for name, data in (("a", sse(events)), ("b", jsonl(events))):
        (result,) = check(write(tmp_path, name, data), "responses")
        assert not result.findings.counts


@pytest.mark.parametrize("name", ["sse", "jsonl"])
def test_events_longer_than_what_is_held(name: str, tmp_path: Path) -> None:
    events = streams.messages()
    events[3]["delta"]["text"] = "é" * 3_000_000
    data = sse(events) if name == "sse" else jsonl(events)
    (result,) = check(
        write(tmp_path, "capture", data.replace(b"\\u00e9", "é".encode())), "messages"
    )
    assert not result.findings.counts and result.events == len(events)
