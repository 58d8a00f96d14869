"""Running vectors: the harness against implementations that are right, wrong, dying, slow and noisy.

Reads three small cases written here, their expectations by HTML 9.2.6; runs real processes. Never waits for a time to pass,
but where an implementation hangs and the limit is what is tested.
"""

from __future__ import annotations

import json
import shutil
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main
from codegen.vectors.harness import Runner, question
from codegen.vectors.harness_protocol import read_protocol
from codegen.vectors.run import Result, run
from codegen.vectors.run_cases import read_cases
from tests.runners.standin import CLAIMS

ROOT = Path(__file__).resolve().parent.parent
PROTOCOL = read_protocol(ROOT / "generated" / "vectors")
PYTHON = sys.executable
LIMIT = 60.0

Json = dict[str, Any]
EVENT = {"event": "message", "data": "a"}


def case(name: str, text: str, expect: Json, **more: Any) -> Json:
    """A case as a file has it."""
    return {
        "id": name,
        "comment": "c",
        "flags": ["Flag"],
        "given": {"text": text},
        "verdict": "valid",
        "expect": expect,
        **more,
    }


CASES = [
    case("one", "data: a\n\n", {"events": [EVENT], "last_event_id": ""}),
    case(
        "cr", "data: a\r\n\r\n: c\r", {"events": [EVENT], "last_event_id": ""}, flags=["Cr", "Flag"]
    ),
    case(
        "limit",
        "data: aa\n\n",
        {"error": "limit"},
        options={"max_event_bytes": 1},
        verdict="invalid",
    ),
    case("end", "data: a\n", {"events": []}, options={"flush_incomplete": True}),
]
PAYLOAD = case("tag", '{"type":"x","n":1.0}', {"tag": "x", "payload": '{"type":"x","n":1.0}'})


def write(folder: Path, cases: list[Json] = CASES, event: list[Json] = [PAYLOAD]) -> Path:
    """A folder of vectors; its parent is what --out names."""
    v1 = folder / "vectors" / "v1"
    v1.mkdir(parents=True, exist_ok=True)
    schema = Path("schemas", "protocol.schema.json")
    (folder / "vectors" / "schemas").mkdir(exist_ok=True)
    shutil.copy(ROOT / "generated" / "vectors" / schema, folder / "vectors" / schema)
    head = {"format": "stream-events-vectors/1", "source": "s", "notes": {}}
    sse = {**head, "operation": "sse", "cases": cases}
    (v1 / "sse.json").write_text(json.dumps(sse))
    one = {**head, "operation": "event", "stream": "responses", "cases": event}
    (v1 / "event.json").write_text(json.dumps(one))
    return folder


def standin(way: str, *more: str) -> list[str]:
    """The command of a stand-in."""
    return [PYTHON, "-m", "tests.runners.standin", way, *more]


@pytest.fixture(autouse=True)
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `tests.runners` can be found."""
    monkeypatch.chdir(ROOT)


def results(folder: Path, command: list[str], limit: float = LIMIT) -> dict[str, Result]:
    """What came of each case."""
    runner = Runner(command, PROTOCOL)
    cases = read_cases(write(folder) / "vectors")
    try:
        return {one.case.id: one for one in run(cases, runner, runner.claims(), limit)}
    finally:
        runner.stop()


def test_a_right_one_passes_what_it_claims_and_the_rest_is_skipped(tmp_path: Path) -> None:
    found = results(tmp_path, standin("right"))
    assert {name: one.result for name, one in found.items()} == {
        "one": "passed",
        "cr": "passed",
        "limit": "passed",
        "end": "skipped",
        "tag": "passed",
    }
    assert found["end"].why == "has no such option"


def test_a_cut_that_matters_fails_the_case_and_is_named(tmp_path: Path) -> None:
    found = results(tmp_path, standin("cut-matters"))
    assert (found["one"].result, found["one"].cut) == ("failed", "split at byte 1")
    assert found["one"].why == ".events: expected 1 entries, got 0"


def test_noise_on_standard_error_is_no_fault(tmp_path: Path) -> None:
    assert results(tmp_path, standin("floods-stderr"))["one"].result == "passed"


@pytest.mark.parametrize(
    ("way", "why"),
    [
        ("dies", "ended with exit code 3"),
        ("killed", "ended by signal 9"),
        ("says-garbage", "answered what is no JSON object: Traceback"),
        ("says-half", "ended with exit code 0"),
        ("says-list", "answered what is no JSON object: []"),
        ("says-deep", "answered what is no JSON object: [[["),
        ("answers-other", "answered another seq when asked 2: 1"),
        ("answers-without-result", "the answer has no result"),
        ("answers-a-list", "the answer has no result"),
        ("answers-an-object", "the answer has no result"),
        ("answers-a-deep-seq", "answered another seq when asked 2"),
        (
            "answers-a-list-as-error",
            "the answer is not in the protocol (error: ['limit'] is not of",
        ),
        ("answers-a-text-as-output", "the answer is not in the protocol (output: '' is not"),
        (
            "answers-more",
            "the answer is not in the protocol (Additional properties are not allowed",
        ),
        (
            "skips-without-reason",
            "the answer is not in the protocol ('reason' is a required property)",
        ),
        ("closes-stdout", "closed its standard output"),
    ],
)
def test_what_is_no_answer_crashes_one_case_and_the_next_starts_anew(
    tmp_path: Path, way: str, why: str
) -> None:
    found = results(tmp_path, standin(way, str(tmp_path / "done")))
    assert (found["one"].result, found["one"].cut) == ("crashed", "whole")
    assert found["one"].why.startswith(why)
    assert [found[name].result for name in ("cr", "limit", "tag")] == ["passed"] * 3


def test_what_hangs_is_killed_at_the_limit_with_its_children(tmp_path: Path) -> None:
    found = results(tmp_path, standin("hangs", str(tmp_path / "done")), limit=2.0)
    assert (found["one"].result, found["one"].why) == ("crashed", "no answer in time")
    assert found["cr"].result == "passed"


def test_one_that_stops_reading_is_asked_no_more(tmp_path: Path) -> None:
    found = results(tmp_path, standin("reads-no-more", str(tmp_path / "done")))
    assert found["one"].result == "crashed"
    assert found["cr"].result == "passed"


def test_a_question_shows_neither_the_expectation_nor_the_id(tmp_path: Path) -> None:
    keys = {"do", "seq", "operation", "given", "options"}
    for one in read_cases(write(tmp_path) / "vectors"):
        assert set(question(one, [b""], 1)) - {"stream"} == keys


@pytest.mark.parametrize(
    "command",
    [["./absent"], standin("silent"), [PYTHON, "-c", "print('[]')"], [PYTHON, "-c", "print('{}')"]],
)
def test_what_is_no_implementation_is_the_callers_fault(
    tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["vectors", "run", "--out", str(write(tmp_path)), "--", *command]) == 2
    assert "cannot be used as an implementation" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("claims", "told"),
    [
        ({"operations": ["see"]}, "operations/0: "),
        ({"asserts": ["events", "evnts"]}, "asserts/1: 'evnts' is not one of"),
        ({"blurs": ["number"]}, "blurs/0: 'number' is not one of"),
        ({"assert": ["events"]}, "'assert' was unexpected"),
        ({"dialects": "one"}, "dialects: 'one' is not of type 'array'"),
        ({"version": 1}, "version: 1 is not of type 'string'"),
    ],
)
def test_a_claim_that_the_protocol_does_not_know_is_told(
    tmp_path: Path, claims: Json, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = json.dumps({**CLAIMS, **claims})
    command = [PYTHON, "-c", "import sys; print(sys.argv[1])", text]
    assert main(["vectors", "run", "--out", str(write(tmp_path)), "--", *command]) == 2
    error = capsys.readouterr().err
    assert "the answer to start is not in the protocol" in error and told in error


def run_command(folder: Path, *arguments: str, way: str | tuple[str, ...] = "right") -> int:
    """`codegen vectors run` on the small vectors."""
    options = ["vectors", "run", "--out", str(folder), "--time-limit", "60", *arguments]
    return main([*options, "--", *standin(*([way] if isinstance(way, str) else way))])


def test_the_command_prints_a_table_by_operation_and_flag(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(write(tmp_path)) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        ["standin", "1", "Python"],
        [],
        ["operation", "passed", "skipped"],
        ["sse", "3", "1"],
        ["event", "1", "·"],
        ["all", "4", "1"],
        [],
        ["flag", "passed", "skipped"],
        ["Cr", "1", "·"],
        ["Flag", "4", "1"],
    ]


def test_the_command_writes_junit_and_json(tmp_path: Path) -> None:
    junit, found = tmp_path / "junit.xml", tmp_path / "found.json"
    for name, path in (("junit", junit), ("json", found)):
        files = ("--format", name, "--output", str(path))
        assert run_command(write(tmp_path), *files, way="cut-matters") == 1
    suites = ElementTree.parse(junit).getroot()
    assert [(one.get("name"), one.get("tests"), one.get("failures")) for one in suites] == [
        ("sse", "4", "2"),
        ("event", "1", "0"),
    ]
    assert (suites.get("skipped"), suites.get("errors")) == ("1", "0")
    value = json.loads(found.read_text())
    assert value["format"] == "stream-events-vectors-result/1"
    assert {one["id"]: one.get("cut") for one in value["cases"] if one["result"] == "failed"} == {
        "one": "split at byte 1",
        "cr": "split at byte 1",
    }
    assert value["flags"]["Cr"] == {"failed": 1}


def test_a_known_failure_is_none_and_one_that_passes_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = tmp_path / "known.txt"
    write(tmp_path, [CASES[0]], [PAYLOAD])
    known.write_text("# of the stand-in\n\none  # pieces\n")
    choice = ("--operation", "sse", "--known", str(known))
    assert run_command(tmp_path, *choice, way="cut-matters") == 0
    assert run_command(tmp_path, *choice) == 1
    assert "take it off" in capsys.readouterr().err
    known.write_text("one # a\none # a\ntwo # a\ntag\n")
    assert run_command(tmp_path, *choice) == 2
    err = capsys.readouterr().err
    assert "one is listed twice" in err and "two is the id of no case" in err
    assert f"{known}:4: tag has no reason" in err and f"{known}:1: " not in err


def test_a_known_failure_that_was_not_judged_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = tmp_path / "known.txt"
    known.write_text("one # pieces\nend # options\ntag # why\n")
    choice = ("--operation", "sse", "--known", str(known))
    assert run_command(write(tmp_path), *choice, "--case", "one", way="cut-matters") == 0
    told = capsys.readouterr().err
    assert "end is on the list of known failures and was not in this run" in told
    assert "tag is on the list of known failures and was not in this run" in told
    assert run_command(tmp_path, "--known", str(known)) == 1
    told = capsys.readouterr().err
    assert "end is on the list of known failures and was skipped (has no such option)" in told
    assert "not in this run" not in told


def test_nothing_judged_is_no_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path)
    assert run_command(tmp_path, "--case", "end") == 2
    assert "was judged on none of 1 cases" in capsys.readouterr().err
    assert run_command(tmp_path, "--operation", "diff") == 2
    assert run_command(tmp_path / "absent") == 2


def test_one_shot_takes_bytes_and_prints_events(tmp_path: Path) -> None:
    write(tmp_path)
    assert run_command(tmp_path, "--one-shot", way="one-shot") == 0
    assert run_command(tmp_path, "--one-shot", "--operation", "sse", way="silent") == 1


def test_the_command_after_the_dashes_may_hold_dashes(tmp_path: Path) -> None:
    options = ["vectors", "run", "--out", str(write(tmp_path)), "--"]
    shell = [
        "sh",
        "-c",
        'test "$1" = -- && test "$2" = --json && exec "$3" -m tests.runners.standin right',
    ]
    assert main([*options, *shell, "sh", "--", "--json", PYTHON]) == 0


def test_the_list_has_a_line_per_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vectors", "list", "--out", str(write(tmp_path)), "--operation", "sse"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "cr\tsse\t-\tvalid\tCr,Flag"
