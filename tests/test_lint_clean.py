"""Streams that are right have no finding, in any form, and however they are cut.

Reads small streams; checks that the linter is silent on each. Never looks at what a finding says.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.lint.blocks import payload_blocks, sse_blocks
from tests.lint import streams
from tests.lint.streams import check

CLEAN = {
    "responses": (streams.sse(streams.responses()), "responses"),
    "responses-lines": (streams.jsonl(streams.responses()), "responses"),
    "chat": (streams.sse(streams.chat(), done=True), "chat"),
    "chat-lines": (streams.jsonl(streams.chat()), "chat"),
    "completions": (streams.sse(streams.completions(), done=True), "completions"),
    "messages": (streams.sse(streams.messages()), "messages"),
    "generations": (streams.sse(streams.images()), "images-generations"),
    "edits": (streams.sse(streams.images("image_edit")), "images-edits"),
    "socket": (streams.jsonl(streams.socket()), "responses-websocket-server"),
}


@pytest.mark.parametrize("name", CLEAN)
def test_a_right_stream_has_no_finding(name: str, tmp_path: Path) -> None:
    data, stream = CLEAN[name]
    path = tmp_path / "capture"
    path.write_bytes(data)
    (result,) = check(path)
    assert result.stream == stream
    assert [(each.id, each.event, each.path, each.message) for each in result.findings.kept] == []
    assert result.outcome == "complete"


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_all_line_ends_are_the_same(end: bytes, tmp_path: Path) -> None:
    path = tmp_path / "capture"
    path.write_bytes(
        b"\xef\xbb\xbf: hello\n\n".replace(b"\n", end) + CLEAN["messages"][0].replace(b"\n", end)
    )
    (result,) = check(path)
    assert not result.findings.counts
    assert result.events == len(streams.messages())


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_blocks_do_not_depend_on_the_chunks(size: int) -> None:
    data = CLEAN["messages"][0].replace(b"\n", b"\r\n")
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert list(sse_blocks(pieces, 1)) == list(sse_blocks([data], 1))
    data = CLEAN["socket"][0].replace(b"\n", b"\r\n")
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert list(payload_blocks(pieces, 1)) == list(payload_blocks([data], 1))


def test_several_responses_one_after_the_other_are_right_where_payloads_stand_alone(
    tmp_path: Path,
) -> None:
    second = streams.responses()
    for event in second:
        if "response" in event:
            event["response"]["id"] = "resp_2"
    path = tmp_path / "capture.jsonl"
    path.write_bytes(streams.jsonl(streams.responses() + second))
    (result,) = check(path)
    assert not result.findings.counts
