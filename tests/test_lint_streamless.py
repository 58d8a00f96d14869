"""Bodies in which no stream is recognisable, byte order marks, and what broken JSON hides.

Reads captures that the tests write; runs the command or the linter. Never needs a stream's name.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from codegen.__main__ import main
from tests.lint import streams
from tests.lint.streams import check, sse

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
LIMITED = b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\n\r\n"
ERROR = b'{"error": {"message": "slow down"}}'
RIGHT = sse(streams.responses())
PRETTY = b"".join(
    f"event: {each['type']}\ndata: {json.dumps(each, indent=1)}\n\n".encode()
    for each in streams.responses()
)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (LIMITED + ERROR, ["http-status"]),
        (HEAD + ERROR, ["error-body"]),
        (HEAD + json.dumps(streams.response("completed", [])).encode(), ["json-body"]),
        (RIGHT.replace(b"data: ", b""), ["no-data-field"]),
        (PRETTY, ["no-data-field"]),
        (b"HTTP/1.1 502 Bad Gateway\r\n\r\n<html></html>", ["http-status"]),
    ],
)
def test_what_stands_in_place_of_a_stream(
    data: bytes, expected: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "capture.sse"
    path.write_bytes(data)
    assert main(["lint", "--format", "json", "--fail-on", "info", str(path)]) == 1
    (capture,) = json.loads(capsys.readouterr().out)["captures"]
    assert [each["id"] for each in capture["findings"]] == expected


def test_a_byte_order_mark_is_no_missing_event_line(tmp_path: Path) -> None:
    path = tmp_path / "capture.sse"
    path.write_bytes(b"\xef\xbb\xbf" + RIGHT)
    (result,) = check(path)
    assert not result.findings.kept


def test_broken_json_is_one_finding_of_its_event(tmp_path: Path) -> None:
    path = tmp_path / "capture.sse"
    path.write_bytes(RIGHT[:-3] + b"\n\n")  # without the last bracket
    (result,) = check(path)
    last = [each.id for each in result.findings.kept if each.event == result.events]
    assert last == ["not-json"]


def test_the_text_says_the_line_and_counts_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "capture.sse"
    one = {**streams.chat()[4]}
    path.write_bytes(HEAD + sse([one], done=True) + b"data: {}\n\n")
    main(["lint", str(path)])
    out = capsys.readouterr().out
    assert " 1 event, " in out
    assert "warning after-done-marker: the stream at line 8: data came after [DONE]" in out


def test_groups_of_rules_are_listed_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "--list-rules"]) == 0
    assert capsys.readouterr().out.split("\n").count("payload:") == 1


def test_a_summary_leaves_out_the_folder_in_common(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a/one.sse", "b/two.sse"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(RIGHT)
    main(["lint", "--summary", str(tmp_path)])
    lines = capsys.readouterr().out.split("\n")
    assert [line.split()[0] for line in lines[1:3]] == ["a/one.sse", "b/two.sse"]


@pytest.mark.parametrize(
    ("at", "path", "says"),
    [
        (4, ["delta"], 'It is a string, such as "text".'),
        (4, ["logprobs"], "It is an array, such as []."),
        (0, ["response", "object"], 'It is "response".'),
        (0, ["response", "top_p"], "It is a number, such as 0.5, or null."),
    ],
)
def test_a_missing_property_is_described(
    at: int, path: list[str], says: str, tmp_path: Path
) -> None:
    events = streams.responses()
    node = events[at]
    for name in path[:-1]:
        node = node[name]
    del node[path[-1]]
    capture = tmp_path / "capture.sse"
    capture.write_bytes(sse(events))
    (result,) = check(capture)
    (found,) = (each for each in result.findings.kept if each.id == "missing-property")
    assert found.right == f"The required property is there. {says}"


def test_an_object_without_its_tag_lacks_a_property(tmp_path: Path) -> None:
    events = streams.responses()
    events[2] = {**events[2], "item": {k: v for k, v in events[2]["item"].items() if k != "type"}}
    capture = tmp_path / "capture.sse"
    capture.write_bytes(sse(events))
    (result,) = check(capture)
    first = result.findings.kept[0]
    assert (first.id, first.path, first.event) == ("missing-property", ".item.type", 3)
