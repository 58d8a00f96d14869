"""The vectors in generated/: the package passes all of them, they are well formed, and the README's runner runs."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from codegen.catalogue import Catalogue, Envelope
from codegen.emit.vectors_envelopes import files_of
from codegen.emit.vectors_text import canonical
from codegen.envelopes import read_envelopes
from codegen.errors import SpecError
from codegen.vectors import ours
from codegen.vectors.check import check
from codegen.vectors.check_coverage import LOCAL_KINDS, PAYLOAD_KINDS, STREAM_KINDS, expectations
from codegen.vectors.run_cases import Case
from tests.vectors.cases import FOLDER, cases, fault

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted((FOLDER / "v1").rglob("*.json"))
NAMES = [path.relative_to(FOLDER / "v1").with_suffix("").as_posix() for path in FILES]


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_package_passes(path: Path) -> None:
    ids = {case["id"] for case in json.loads(path.read_bytes())["cases"]}
    chosen = [case for case in cases() if case.id in ids]
    assert len(chosen) == len(ids)
    assert {case.id: text for case in chosen if (text := fault(case))} == {}


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_package_tells_every_problem(path: Path) -> None:
    """The package, whose vectors these are, gives the advice too, and the levels."""
    file = json.loads(path.read_bytes())
    for raw in file["cases"]:
        if raw["verdict"] == "invalid" or file["operation"] in ("sse", "diff"):
            continue
        case = next(each for each in cases() if each.id == raw["id"])
        found = ours.output(case.operation, case.stream or "", case.given, case.options)
        assert _told(found) in [_told(expect) for expect in expectations(raw)], case.id


def _told(value: dict[str, Any]) -> list[list[str]]:
    sides = value.get("lanes", [value])
    return [sorted(json.dumps(one, sort_keys=True) for one in side["problems"]) for side in sides]


def byte_cases() -> list[Case]:
    return [case for case in cases() if case.operation in ("sse", "stream")]


@pytest.mark.parametrize("size", [1, 2, 7])
def test_cuts_change_nothing(size: int) -> None:
    for case in byte_cases():
        body = case.body()
        pieces = [body[at : at + size] for at in range(0, len(body), size)]
        given = {"chunks": [base64.b64encode(piece).decode() for piece in pieces]}
        cut = Case(**{**vars(case), "given": given})
        assert fault(cut) == "", case.id


def test_nothing_to_remark() -> None:
    assert check(FOLDER) == []


def test_kinds_are_those_of_the_runtime() -> None:
    """Each kind of problem that the runtime's sources name is one that the vectors cover, or is an implementation's own."""
    found: set[str] = set()
    for path in (ROOT / "templates" / "runtime").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        found |= set(re.findall(r'(?:report|Problem)\(\s*"([a-z-]+)"', text))
        found |= set(re.findall(r'kind = "([a-z-]+)"', text))
        found |= set(re.findall(r'kind = "[a-z-]+" if .* else "([a-z-]+)"', text))
    assert found == PAYLOAD_KINDS | STREAM_KINDS | LOCAL_KINDS.keys()


def test_expectations_are_made_without_the_package() -> None:
    code = (
        "import sys; import codegen.emit.vectors, codegen.envelopes, codegen.envelopes_scenarios;"
    )
    code += "sys.exit(any(name.split('.')[0] in ('stream_events', 'templates') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


# --- the linter -------------------------------------------------------------------------------------------------------


def small(folder: Path) -> Path:
    """A copy of the vectors to spoil."""
    shutil.copytree(FOLDER, folder / "vectors")
    shutil.copytree(FOLDER.parent / "catalogue", folder / "catalogue")
    return folder / "vectors"


Spoil = Callable[[dict[str, Any]], Any]

WRONG = {"kind": "wrng-type", "level": "warning", "path": ".a"}
LANE_WRONG = {"kind": "wrng-type", "level": "warning"}

SPOILED: list[tuple[str, str, Spoil, str]] = [
    ("id-twice", "v1/sse/fields.json", lambda file: file["cases"].append(file["cases"][0]), "is in v1/sse/fields.json too"),
    ("no-expectation", "v1/sse/fields.json", lambda file: file["cases"][0].pop("expect"), "'expect' is a required property"),
    ("empty-expectation", "v1/sse/fields.json", lambda file: file["cases"][0]["expect"].clear(), "'events' is a required property"),
    ("unexplained", "v1/sse/fields.json", lambda file: file["notes"].pop("Retry"), "nothing explains the flag Retry"),
    ("unused", "v1/sse/lines.json", lambda file: file["notes"].update(Other=file["notes"]["Limit"]), "no case has the flag Other"),
    ("property", "v1/diff/kinds.json", lambda file: file["cases"][0].update(more=1), "Additional properties are not allowed"),
    ("chunks", "v1/sse/lines.json", lambda file: file["cases"][4]["given"].update(chunks=[1, 2]), "the chunks are 3 bytes of 21"),
    ("base64", "v1/sse/lines.json", lambda file: file["cases"][0].update(given={"base64": "YQ=="}), "this is text"),
    ("bad-base64", "v1/sse/lines.json", lambda file: file["cases"][0].update(given={"base64": "Y"}), "the base64 cannot be read"),
    ("base64-text", "v1/sse/lines.json", lambda file: file["cases"][0].update(given={"base64": "é"}), "the base64 cannot be read"),
    ("payload", "v1/event/messages.json", lambda file: _expecting(file).update(payload="{"), "the payload that it expects is no JSON"),
    ("deep-payload", "v1/event/messages.json", lambda file: _expecting(file).update(payload="[" * 100_000), "is no JSON"),
    ("problem", "v1/event/messages.json", lambda file: _expecting(file).update(problems=[WRONG]), "a problem of no known kind: wrng-type"),
    ("lane", "v1/websocket/lanes.json", lambda file: file["cases"][0]["expect"]["lanes"][0].update(problems=[LANE_WRONG]), "no known kind: wrng-type"),
    ("label", "v1/sse/lines.json", lambda file: _twice(file["cases"][0]), "two alternatives with the label a"),
    ("verdict", "v1/sse/lines.json", lambda file: file["cases"][0].update(verdict="invalid"), "'valid' was expected"),
    ("tag", "v1/event/messages.json", lambda file: _without_tag(file, "ping"), "has the tag ping of messages"),
    ("kind", "v1/accumulate/responses/order.json", lambda file: _without(file, "sequence-back"), "problem sequence-back"),
    ("index", "index.json", lambda file: file["files"][0].update(cases=0), "0 is less than the minimum"),
    ("hash", "index.json", lambda file: file["files"][0].update(sha256="0" * 64), "sha256 is not"),
    ("file", "index.json", lambda file: file["files"].pop(), "is not in it"),
]  # fmt: skip


def _expecting(file: dict[str, Any]) -> Any:
    """The expectation of the first case that expects a payload."""
    return next(each["expect"] for each in file["cases"] if "payload" in each["expect"])


def _twice(case: dict[str, Any]) -> None:
    alternative = {"label": "a", "expect": case["expect"]}
    case.update(verdict="acceptable", expect={"alternatives": [alternative, alternative]})


def _without_tag(file: dict[str, Any], tag: str) -> None:
    file["cases"] = [each for each in file["cases"] if each["expect"].get("tag") != tag]


def _without(file: dict[str, Any], kind: str) -> None:
    file["cases"] = [each for each in file["cases"] if kind not in json.dumps(each["expect"])]


@pytest.mark.parametrize(("name", "spoil", "told"), [each[1:] for each in SPOILED], ids=[each[0] for each in SPOILED])  # fmt: skip
def test_linter_tells(name: str, spoil: Spoil, told: str, tmp_path: Path) -> None:
    folder = small(tmp_path)
    file = json.loads((folder / name).read_bytes())
    spoil(file)
    (folder / name).write_text(canonical(file), encoding="utf-8")
    found = [str(finding) for finding in check(folder)]
    assert any(told in text for text in found), found


def test_linter_tells_of_another_spelling(tmp_path: Path) -> None:
    folder = small(tmp_path)
    path = folder / "v1" / "sse" / "lines.json"
    path.write_text(json.dumps(json.loads(path.read_bytes()), indent=2), encoding="utf-8")
    assert any("canonical" in str(finding) for finding in check(folder))


@pytest.mark.parametrize("name", ["protocol", "diff", "index"])
def test_linter_tells_of_a_schema_that_is_missing(tmp_path: Path, name: str) -> None:
    folder = small(tmp_path)
    (folder / "schemas" / f"{name}.schema.json").unlink()
    assert f"{name}.schema.json: is missing" in " ".join(map(str, check(folder)))


@pytest.mark.parametrize("name", ["index.json", "v1/sse/lines.json", "schemas/sse.schema.json"])
@pytest.mark.parametrize("text", ["", "[]\n"])
def test_linter_tells_of_what_is_no_object(tmp_path: Path, name: str, text: str) -> None:
    folder = small(tmp_path)
    (folder / name).write_text(text, encoding="utf-8")
    assert any(str(folder / name) in str(finding) for finding in check(folder))


def test_linter_tells_of_no_index(tmp_path: Path) -> None:
    folder = small(tmp_path)
    (folder / "index.json").unlink()
    assert any("index.json" in str(finding) for finding in check(folder))


def test_linter_tells_of_an_empty_readme(tmp_path: Path) -> None:
    folder = small(tmp_path)
    for text in ("", " \n"):
        (folder / "README.md").write_text(text, encoding="utf-8")
        assert ["README.md: is missing or empty" in str(one) for one in check(folder)] == [True]
    (folder / "README.md").unlink()
    assert ["README.md: is missing or empty" in str(one) for one in check(folder)] == [True]


def test_linter_tells_of_no_vectors(tmp_path: Path) -> None:
    assert "holds no vectors" in str(check(tmp_path)[0])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (
            {"a": ["\u2028\x7f\ufeff", "é\n"]},
            '{\n "a": [\n  "\\u2028\\u007f\\ufeff",\n  "é\\n"\n ]\n}\n',
        ),
        (["\ud83d", {}, []], '[\n "\\ud83d",\n {},\n []\n]\n'),
        ([1, 2], "[1, 2]\n"),
        ([1, 1.0, None], "[\n 1,\n 1.0,\n null\n]\n"),
    ],
)
def test_canonical(value: Any, text: str) -> None:
    assert canonical(value) == text
    assert json.loads(text) == value


# --- envelopes --------------------------------------------------------------------------------------------------------

CASE = """
cases:
  - id: one
    comment: A case.
    flags: [Flag]
    spec: {document: d, section: s}
    given: {text: a}
    expect: {events: [], last_event_id: ""}
"""
FLAG = 'Flag: {kind: framing, description: "What.", effect: "Why."}\n'


@pytest.mark.parametrize(
    ("name", "text", "flags", "told"),
    [
        ("sse/a", CASE, "Other: {kind: framing, description: a, effect: b}", "nothing says what the flag 'Flag'"),
        ("sse/a", CASE, FLAG + "Other: {kind: framing, description: a, effect: b}", "no case has the flag 'Other'"),
        ("sse/a", CASE.replace("id: one", "id: One"), FLAG, "does not match"),
        ("sse/a", CASE.replace("comment: A case.", "more: 1"), FLAG, "'comment' is a required property"),
        ("other/a", CASE, FLAG, "the folder 'other' is no operation"),
        ("event/a", "stream: x" + CASE, FLAG, "there is no stream 'x'"),
        ("stream/s/a", "stream: t" + CASE, FLAG, "Move it to stream/t/"),
    ],
)  # fmt: skip
def test_envelope_faults(tmp_path: Path, name: str, text: str, flags: str, told: str) -> None:
    path = tmp_path / f"{name}.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    (tmp_path / "flags.yaml").write_text(flags, encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        read_envelopes(tmp_path, ["s", "t"])
    assert any(told in str(finding) for finding in caught.value.findings), caught.value.findings


def test_no_envelopes(tmp_path: Path) -> None:
    assert read_envelopes(tmp_path, []) == ((), "")


def test_envelope_of_another_stream_is_left_out() -> None:
    envelope = Envelope("stream/s/a", "stream", "s", "x", "[]")
    assert files_of(Catalogue(envelopes=(envelope,))) == {}


def test_links_are_the_reports_of_all_files() -> None:
    case = {"flags": ["F"], "spec": {"report": "https://example.org/1"}, "given": {}}
    other = {"flags": ["F"], "spec": {"document": "d", "section": "s"}, "given": {}}
    notes = {"F": {"kind": "framing", "description": "a", "effect": "b"}}
    envelopes = tuple(
        Envelope(f"sse/{name}", "sse", "", "x", json.dumps([each]))
        for name, each in (("a", case), ("b", other))
    )
    files = files_of(Catalogue(envelopes=envelopes, flags=json.dumps(notes)))
    links = [file["notes"]["F"]["links"] for file in files.values()]
    assert links == [["https://example.org/1"]] * 2


def test_each_kind_of_problem_is_explained() -> None:
    text = (FOLDER / "problems.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| `([a-z-]+)` \| [a-z, ]+ \| \S", text, re.M))
    assert rows == PAYLOAD_KINDS | STREAM_KINDS
    assert all(f"`{kind}`" in text for kind in LOCAL_KINDS)


def test_notes_are_the_same_in_all_files() -> None:
    notes: dict[str, Any] = {}
    for path in (FOLDER / "v1").rglob("*.json"):
        for flag, note in json.loads(path.read_bytes())["notes"].items():
            assert notes.setdefault(flag, note) == note, f"{path}: {flag}"


# --- runners ----------------------------------------------------------------------------------------------------------


def asked(case: Case, seq: int, size: int) -> dict[str, Any]:
    """The question for a case of bytes, cut into pieces of a size."""
    body = case.body()
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    given = {"chunks": [base64.b64encode(piece).decode() for piece in pieces]}
    question = {"do": "run", "seq": seq, "operation": case.operation, "given": given}
    return {**question, "options": case.options, **({"stream": case.stream} if case.stream else {})}


def conversation(command: list[str], questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers of a runner to all questions, each checked against the protocol's schema, as the questions are."""
    schema = json.loads((FOLDER / "schemas" / "protocol.schema.json").read_bytes())
    validator = jsonschema.Draft202012Validator(schema)
    start = {"do": "start", "format": "stream-events-vectors/1"}
    lines = [start, *questions, {"do": "stop"}]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.split("\n") if line]
    for message in [*lines, *answers]:
        validator.validate(message)
    outputs = json.loads((FOLDER / "schemas" / "output.schema.json").read_bytes())
    for question, answer in zip(questions, answers[1:]):
        if answer["result"] == "ok":
            ref = {**outputs, "anyOf": [{"$ref": f"#/$defs/{question['operation']}"}]}
            jsonschema.Draft202012Validator(ref).validate(answer["output"])
    assert len(answers) == len(questions) + 1
    return answers[1:]


def readme_runner() -> str:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"```js\n(.*?)```", text, re.S)
    assert len(found) == 1
    return str(found[0])


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node on this machine")
@pytest.mark.parametrize("size", [1, 5, 10_000])
def test_readme_runner(tmp_path: Path, size: int) -> None:
    path = tmp_path / "runner.mjs"
    path.write_text(readme_runner(), encoding="utf-8")
    chosen = [case for case in cases() if case.operation == "sse" and not case.options]
    assert len(chosen) > 30
    questions = [asked(case, seq, size) for seq, case in enumerate(chosen)]
    for case, answer in zip(chosen, conversation(["node", str(path)], questions), strict=True):
        assert fault(case, lambda *_: dict(answer["output"])) == "", case.id


def test_our_runner() -> None:
    chosen = [case for case in cases() if case.operation in ("sse", "stream")][:60]
    questions = [asked(case, seq, 11) for seq, case in enumerate(chosen)]
    answers = conversation([sys.executable, "-m", "codegen.vectors.ours"], questions)
    for case, answer in zip(chosen, answers, strict=True):
        if case.verdict == "invalid":
            assert answer["error"] == "limit"
        else:
            assert fault(case, lambda *_: dict(answer["output"])) == "", case.id


def test_our_runner_says_what_failed() -> None:
    question = {
        "do": "run",
        "seq": 7,
        "operation": "event",
        "stream": "chat",
        "given": {"text": "["},
    }
    assert ours.answer(question) == {"seq": 7, "result": "error", "error": "decode"} | {
        "message": ours.answer(question)["message"]  # type: ignore[index]
    }
    unknown = ours.answer({**question, "stream": "none"})
    assert unknown is not None and unknown["error"] == "KeyError"
