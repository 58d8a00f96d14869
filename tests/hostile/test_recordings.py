"""Recordings, archives and vectors that were made to break what reads them: an exit code and words, and none of the interpreter's."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from codegen.__main__ import main
from tests.serving import ROOT

DEEP = b"[" * 100_000
BODIES: dict[str, bytes] = {
    "deep.sse": b"data: " + b'{"a":' * 50_000 + b"\n\n",
    "deep.jsonl": DEEP + b"\n",
    "deep.har": DEEP,
    "nul.sse": b"\0" * 100_000,
    "all bytes.sse": bytes(range(256)) * 500,
    "no line.sse": b"data: " + b"x" * 3_000_000,
    "half.sse": b'data: {"type":"response.output_text.delta","delta":"\\ud800"}\n\n',
    "digits.sse": b'data: {"type":"response.created","sequence_number":' + b"9" * 5_000 + b"}\n\n",
    "large.sse": b'data: {"type":"response.created","sequence_number":1e400}\n\n',
    "length.sse": b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 6_000 + b"\r\n\r\ndata: {}\n\n",
    "status.sse": b"HTTP/1.1 " + b"9" * 5_000 + b" x\r\n\r\n",
    "gzip.sse": b"\x1f\x8b\x08\0" + b"\0" * 100,
    "kinds.jsonl": b'{"type":"x"}\n[1]\n3\n"a"\n{"type":[1]}\n{"type":"response.created","response":[1]}\n',
    "content.har": b'{"log":{"entries":[{"response":{"content":{"text":5}}}]}}',
    "log.har": b'{"log":[]}',
    "entries.har": b'{"log":{"entries":[1,null,{}]}}',
    "encoding.har": b'{"log":{"entries":[{"response":{"content":{"text":"////","encoding":"base64"},"headers":[1]},"request":{"url":5}}]}}',
    "bytes.har": b"\xff",
    "terminal.sse": b'event: \x1b[31mred\x1b]0;x\x07\ndata: {"type":"\\u001b[2J\\u009b\\u202e"}\n\n',
    "workflow.jsonl": b'{"type":"x\\n::error::pwned","sequence_number":"\\n::error::p"}\n',
    "long.sse": b"event: " + b"e" * 200_000 + b'\ndata: {"type":"' + b"t" * 200_000 + b'"}\n\n',
    "loop.sse": b'data: {"type":"response.output_text.delta","sequence_number":1,"output_index":99999999999999999999,"content_index":-1,"item_id":{},"delta":["x"]}\n\n',
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
def test_a_recording(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / name).write_bytes(BODIES[name])
    options = [["--format", each] for each in ("text", "json", "github", "junit")]
    for option in (*options, ["--final"], ["--summary"], ["--stream", "responses"]):
        code = main(["lint", str(tmp_path / name), *option])
        said = "".join(capsys.readouterr())
        assert code in (0, 1, 2) and "Recursion" not in said and "recursion" not in said
        assert len(said) < 200_000 or option == ["--final"]
        unseen = [each for each in said if not (each.isprintable() or each == "\n")]
        assert not unseen, (option, unseen[:5])
        assert not [line for line in said.splitlines() if line.startswith("::error::")]


@pytest.mark.parametrize("text", [DEEP, b"[1]", b'{"cases":[{"id":[1]}]}', b"\xff", b"NaN"])
@pytest.mark.parametrize("name", ["index.json", "v1/event/x.json"])
def test_vectors(
    name: str, text: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "generated" / "vectors", tmp_path / "vectors")
    (tmp_path / "vectors" / name).write_bytes(text)
    assert main(["vectors", "check", "--out", str(tmp_path)]) in (1, 2)
    said = "".join(capsys.readouterr())
    assert "ecursion" not in said and "Traceback" not in said
    assert json.dumps(said)
