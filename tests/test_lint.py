"""The command `lint`: what it prints in each format, and its exit codes.

Reads small streams that the tests write; runs the command in this process. Never looks at single kinds of finding, which
`test_lint_findings.py` has.
"""

from __future__ import annotations

import io
import json
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import jsonschema
import pytest

from codegen.__main__ import main
from codegen.lint.kinds import KINDS
from codegen.lint.summary import write
from tests.lint import streams
from tests.lint.spoiled import SPOILED, WITH_UNKNOWN
from tests.lint.streams import check, jsonl, numbered, sse

SCHEMA = json.loads(Path("codegen/lint/report.schema.json").read_text())


@pytest.fixture
def clean(tmp_path: Path) -> str:
    path = tmp_path / "clean.sse"
    path.write_bytes(sse(streams.responses()))
    return str(path)


def spoilt(tmp_path: Path, id: str) -> str:
    path = tmp_path / f"{id}.sse"
    path.write_bytes({**SPOILED, **WITH_UNKNOWN}[id][0])
    return str(path)


@pytest.mark.parametrize(
    ("id", "fail_on", "code"),
    [
        ("disagreement", "error", 1),
        ("disagreement", "none", 0),
        ("usage-sum", "error", 0),
        ("usage-sum", "warning", 1),
        ("unknown-property", "warning", 0),
        ("unknown-property", "info", 1),
    ],
)
def test_the_exit_code_is_1_from_a_level_on(
    id: str, fail_on: str, code: int, tmp_path: Path
) -> None:
    assert main(["lint", spoilt(tmp_path, id), "--fail-on", fail_on]) == code


def test_a_right_stream_ends_with_0(clean: str) -> None:
    assert main(["lint", clean, "--fail-on", "info"]) == 0


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b"\n\n", "empty"),
        (b"hello", "no payload"),
        (b'data: {"type": "new"}\n\n', "no stream has the tags new"),
    ],
)
def test_what_cannot_be_used_ends_with_2(
    data: bytes, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "capture"
    path.write_bytes(data)
    assert main(["lint", str(path)]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["lint"], ["lint", "absent"], ["lint", "{}", "--stream", "no"], ["lint", "{}", "--dialect", "no"]],
)  # fmt: skip
def test_arguments_that_cannot_be_used_end_with_2(arguments: list[str], clean: str) -> None:
    assert main([each.format(clean) for each in arguments]) == 2


def test_others_are_checked_where_one_cannot_be_used(
    clean: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "a.sse"
    empty.write_bytes(b"")
    assert main(["lint", str(tmp_path), "--format", "json"]) == 2
    report = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in report["captures"]] == [clean]
    assert [each["name"] for each in report["unusable"]] == [str(empty)]


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(sse(streams.messages())))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert main(["lint", "-", "--fail-on", "info"]) == 0
    assert "-: messages" in capsys.readouterr().out


def test_text_has_a_timeline_with_the_findings_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["lint", spoilt(tmp_path, "disagreement")])
    lines = capsys.readouterr().out.splitlines()
    at = next(number for number, line in enumerate(lines) if "output_text.done" in line)
    assert lines[at].split()[:3] == ["7", "6", "response.output_text.done"]
    assert "output[0].content[0]" in lines[at] and '"Hallo"' in lines[at]
    assert lines[at].split()[-1] == "5"  # as many characters as were streamed
    assert "error disagreement" in lines[at + 1]
    assert any(line.lstrip().startswith("right:") for line in lines)


def test_a_timeline_tells_many_deltas_as_a_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = streams.responses()
    events[5:6] = [streams.delta("l")] + [streams.delta("o")] + [streams.delta("\x1b[2J")] * 100
    path = tmp_path / "capture.sse"
    path.write_bytes(sse(numbered(events)))
    main(["lint", str(path)])
    short = capsys.readouterr().out
    assert "101 more of these" in short and "\x1b" not in short
    main(["lint", str(path), "--timeline", "all"])
    whole = capsys.readouterr().out
    assert whole.count("response.output_text.delta") > 100
    main(["lint", str(path), "--timeline", "none"])
    assert "output_text.delta" not in capsys.readouterr().out.split("capture.sse:")[0]


def test_json_is_as_its_schema_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    paths = [spoilt(tmp_path, id) for id in ("disagreement", "unknown-property", "missing-source")]
    assert main(["lint", *paths, "--format", "json"]) == 1
    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, SCHEMA)
    assert report["totals"]["captures"] == 3
    first = report["captures"][0]["findings"][0]
    assert (first["id"], first["event"], first["sequence"]) == ("disagreement", 7, 6)
    assert first["source"].startswith("spec/fragments/responses.yaml")


def test_github_has_an_annotation_for_each_sort(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = streams.responses()
    events[4]["a%\nb,"] = events[5]["a%\nb,"] = 1
    path = tmp_path / "a,b.sse"
    path.write_bytes(sse(events))
    main(["lint", str(path), "--format", "github"])
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("::notice file=")
    assert "a%2Cb.sse,line=13,title=unknown-property at event 5" in line
    assert "a%25" in line.split("::")[2] and "and 1 more, at events 6" in line


def test_junit_fails_at_the_level_that_was_asked_for(
    tmp_path: Path, clean: str, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [clean, spoilt(tmp_path, "usage-sum")]
    main(["lint", *paths, "--format", "junit"])
    root = xml.fromstring(capsys.readouterr().out)
    assert [each.get("failures") for each in root] == ["0", "0"]
    assert [len(each) for each in root] == [1, 1]
    main(["lint", *paths, "--format", "junit", "--fail-on", "warning"])
    root = xml.fromstring(capsys.readouterr().out)
    failure = root[1][0].find("failure")
    assert failure is not None and failure.get("type") == "usage-sum"


def test_junit_is_xml_whatever_the_stream_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = streams.responses()
    events[4]["type"] = "<\x00&\ud800>"
    path = tmp_path / "capture.jsonl"
    path.write_bytes(jsonl(events))
    main(["lint", str(path), "--format", "junit"])
    assert xml.fromstring(capsys.readouterr().out).tag == "testsuites"


def test_final_is_the_accumulated_object_and_nothing_else(
    clean: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lint", clean, "--final"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out) == streams.responses()[-1]["response"]
    assert "no findings" in printed.err


def test_final_is_null_where_there_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["lint", spoilt(tmp_path, "no-terminal"), "--final"])
    printed = capsys.readouterr()
    assert json.loads(printed.out) is None
    assert "no final object: the stream ended before its terminal event" in printed.err


def test_a_socket_has_a_final_object_for_each_lane(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "capture.jsonl"
    path.write_bytes(jsonl(streams.socket()))
    assert main(["lint", str(path), "--final"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["resp_1", "resp_1"]


def test_a_summary_has_a_row_for_each_capture_and_totals(
    clean: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = spoilt(tmp_path, "usage-sum")
    assert main(["lint", clean, other, "--summary"]) == 0
    printed = capsys.readouterr()
    rows = [line.split() for line in printed.out.splitlines() if line.strip()]
    assert [row[0] for row in rows[:3]] == ["capture", Path(clean).name, Path(other).name]
    assert rows[2][-2:] == ["usage-sum", "1"]
    assert " ".join(rows[3][:5]) == "2 captures, 1 without findings"
    assert not printed.err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_colours(clean: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    results = check(Path(clean))
    table = Terminal()
    write(results, table)
    assert "\x1b[" in table.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    plain, nowhere = Terminal(), io.StringIO()
    for file in (plain, nowhere):
        write(results, file)
        assert "\x1b[" not in file.getvalue()
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "1")
    write(results, nowhere)
    assert "\x1b[" in nowhere.getvalue()


def test_quiet_prints_only_what_was_found(
    clean: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lint", clean, "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    bad = spoilt(tmp_path, "disagreement")
    assert main(["lint", clean, bad, "-q"]) == 1
    told = capsys.readouterr()
    assert told.out.startswith(f"{bad}: ") and clean not in told.out and not told.err


def test_verbose_tells_on_standard_error_what_is_read(
    clean: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lint", clean, "--verbose", "--format", "json"]) == 0
    told = capsys.readouterr()
    assert told.err == f"… reading {clean}, bytes\n"
    json.loads(told.out)


def test_rules_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "--list-rules"]) == 0
    printed = capsys.readouterr().out
    listed = {line.split()[0] for line in printed.split("\n\n")[0].splitlines() if line[:2] == "  "}
    assert listed == set(KINDS)
    assert "stages: message_start, then *, then message_delta, then message_stop" in printed
    assert "total_tokens = input_tokens + output_tokens" in printed


def test_the_stream_may_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "capture"
    path.write_bytes(b'{\n "error": {"message": "no"}\n}\n')
    assert main(["lint", str(path)]) == 2
    assert main(["lint", str(path), "--stream", "chat"]) == 1
    assert "error error-body" in capsys.readouterr().out
