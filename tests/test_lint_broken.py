"""Captures that are spoilt, packed, odd or of something else: what the linter says of them, and that it goes on.

Reads small files that the tests write. Never looks at rules of order.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
import xml.etree.ElementTree as xml
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main
from codegen.errors import SpecError
from codegen.lint.captures import paths_of
from tests.lint import streams
from tests.lint.streams import check, jsonl, sse

BODY = sse(streams.responses())
HEAD = b"HTTP/2 200 \r\ncontent-type: text/event-stream\r\n\r\n"


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def archive(*contents: dict[str, Any] | None) -> bytes:
    """An archive with an exchange for each content."""
    request = {"url": "https://example.org/v1/responses"}
    entries = [{"request": request, "response": {"status": 200, "content": c}} for c in contents]
    return json.dumps({"log": {"entries": entries}}).encode()


def content(body: bytes) -> dict[str, Any]:
    text = base64.b64encode(body).decode()
    return {"mimeType": "text/event-stream", "encoding": "base64", "text": text}


def test_content_of_an_archive_may_be_compressed(tmp_path: Path) -> None:
    (result,) = check(write(tmp_path, "x.har", archive(content(gzip.compress(BODY)))))
    assert not result.findings.counts and result.events == len(streams.responses())


@pytest.mark.parametrize(
    "spoilt",
    [
        {"text": "&&&", "encoding": "base64", "mimeType": "text/event-stream"},
        content(b"\x1f\x8b\0"),
    ],
)
def test_an_exchange_that_cannot_be_read_hides_no_other(
    spoilt: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, "x.har", archive(spoilt, content(BODY)))
    assert main(["lint", str(path)]) == 2
    told = capsys.readouterr()
    assert "x.har#1: responses" in told.out and "no findings" in told.out
    assert "x.har#0: its content is spoilt" in told.err


def test_an_exchange_of_another_api_hides_none_after_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    value = json.loads(archive(content(b'data: {"type": "other"}\n\n'), content(BODY)))
    value["log"]["entries"][0]["request"]["url"] = "https://example.org/news"
    assert main(["lint", str(write(tmp_path, "x.har", json.dumps(value).encode()))]) == 2
    assert "x.har#1: responses" in capsys.readouterr().out


@pytest.mark.parametrize(
    "odd",
    [
        None,
        3,
        {"request": None, "response": None},
        {"request": {"url": 3}, "response": {"status": "x", "headers": [3, {}], "content": None}},
        {"response": {"headers": [{"name": 3, "value": None}], "content": {"mimeType": None}}},
        {"_webSocketMessages": 3},
    ],
)
def test_entries_of_an_archive_may_be_odd(odd: Any, tmp_path: Path) -> None:
    value = json.loads(archive(content(BODY)))
    value["log"]["entries"].insert(0, odd)
    (result,) = check(write(tmp_path, "x.har", json.dumps(value).encode()))
    assert result.events == len(streams.responses())


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (gzip.compress(BODY), "compressed (gzip)"),
        (HEAD + gzip.compress(BODY), "compressed (gzip)"),
        (BODY.decode().encode("utf-16"), "UTF-16"),
        (b'{"error": {"message": "no"}}', "it is an error"),
    ],
)
def test_what_is_no_text_or_no_stream_is_told(
    data: bytes, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lint", str(write(tmp_path, "capture", data))]) == 2
    assert says in capsys.readouterr().err


def test_lines_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf" + jsonl(streams.responses())
    (result,) = check(write(tmp_path, "capture", data))
    assert not result.findings.counts


def test_a_stream_whose_blank_lines_are_missing_is_recognised(tmp_path: Path) -> None:
    data = BODY.replace(b"\n\n", b"\n")
    (result,) = check(write(tmp_path, "capture", data))
    assert result.stream == "responses" and result.findings.worst == "error"


@pytest.mark.parametrize("name", ["x" * 5000, "missing"])
def test_what_does_not_exist_is_told(name: str) -> None:
    with pytest.raises(SpecError, match="does not exist"):
        paths_of([name])


def test_a_folder_with_nothing_but_hidden_files_has_no_captures(tmp_path: Path) -> None:
    (tmp_path / ".old").mkdir()
    write(tmp_path / ".old", "x.sse", BODY)
    with pytest.raises(SpecError, match="no captures"):
        paths_of([str(tmp_path)])


@pytest.mark.parametrize("form", ["text", "json", "github", "junit"])
def test_names_of_files_may_be_odd(
    form: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    os.mkdir(tmp_path / "a b\n\"c'")
    odd = os.fsencode(tmp_path) + b"/a b\n\"c'/\xff<&>\x1b.sse"
    with open(odd, "wb") as file:
        file.write(BODY.replace(b'"delta": "lo"', b'"delta": 7'))
    assert main(["lint", str(tmp_path), "--format", form]) == 1
    text = capfd.readouterr().out
    assert "\x1b" not in text
    if form == "json":
        assert json.loads(text)["totals"]["captures"] == 1
    elif form == "junit":
        assert xml.fromstring(text).find("testsuite") is not None
    elif form == "github":
        assert all(line.startswith("::") for line in text.splitlines())


def test_the_same_capture_gives_the_same_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, "x.sse", BODY.replace(b'"delta": "lo"', b'"delta": 7') + BODY)
    texts = []
    for _ in range(2):
        main(["lint", str(path), "--format", "json"])
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]


def test_a_stream_of_another_api_than_said_is_an_error(tmp_path: Path) -> None:
    (result,) = check(write(tmp_path, "x.sse", BODY), "chat")
    assert [each.id for each in result.findings.kept if each.level == "error"] == ["wrong-stream"]


@pytest.mark.parametrize(
    ("dialect", "tag"),
    [("open-responses", "acme:thing"), ("routing-provider", "response.routing.completed")],
)
def test_events_of_the_dialects_own_are_of_the_stream(
    dialect: str, tag: str, tmp_path: Path
) -> None:
    path = write(tmp_path, "x.sse", sse([{"type": tag, "sequence_number": 0}]))
    (result,) = check(path, "responses", dialect)
    found = {each.id for each in result.findings.kept}
    assert "no-terminal" in found and "wrong-stream" not in found


def test_events_of_another_dialect_are_not_of_the_stream(tmp_path: Path) -> None:
    path = write(tmp_path, "x.sse", sse([{"type": "acme:thing", "sequence_number": 0}]))
    for dialect in (None, "routing-provider"):
        (result,) = check(path, "responses", dialect)
        assert "wrong-stream" in {each.id for each in result.findings.kept}
