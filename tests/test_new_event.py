"""What a new event costs the maintainer: nothing to have it, and one line, which the build says, to have it everywhere.

Reads spec/ of the repository and writes changed copies below temporary folders; runs `generate`, `check`, `lint` and `vectors` on them.
Never names an output of its own accord: wherever the siblings of the new event are, it has to be.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.small_spec import fragment, write_spec

ROOT = Path(__file__).resolve().parent.parent
TAG, CLASS = "response.video.delta", "ResponseVideoDeltaEvent"
FIELDS = {"type": "string", "item_id": "string", "delta": "string", "sequence_number": "integer"}
SIBLINGS = {
    "response.compaction.compacting": "ResponseCompactionCompactingEvent",
    "response.mcp_list_tools.failed": "ResponseMCPListToolsFailedEvent",
}
"""Tag → class of events that only the document, its overlays and the fragment know: no scenario, no vector by hand has them."""
LINE = re.compile(r"^(?:warning: )?(\S+):(\d+) \(#/events\): .+? has no entry\. Add under `events`: (.+)$", re.M)  # fmt: skip


@dataclass(frozen=True)
class Ran:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


def run(folder: Path, *arguments: str) -> Ran:
    """A command of the generator, in a folder."""
    done = subprocess.run(
        [sys.executable, "-m", "codegen", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def copied(stream: str, folder: Path) -> Path:
    """A folder with what of spec/ is about one stream, its document whole, and what was formatted before."""
    spec = folder / "spec"
    for name in ("documents", "overlays"):
        shutil.copytree(ROOT / "spec" / name, spec / name)
    for name in ("sources.yaml", f"fragments/{stream}.yaml", f"scenarios/{stream}.yaml"):
        (spec / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "spec" / name, spec / name)
    shutil.copytree(ROOT / f"spec/scenarios/{stream}", spec / f"scenarios/{stream}")
    if (ROOT / "generated/.cache").is_dir():
        shutil.copytree(ROOT / "generated/.cache", folder / "generated/.cache")
    return folder


def edited(path: Path, change: Callable[[str], str]) -> None:
    """Change a file; a change that changes nothing is a mistake of the test."""
    before = path.read_text("utf-8")
    after = change(before)
    assert after != before
    path.write_text(after, "utf-8")


def with_event(document: str) -> str:
    """The document with one more event in the union of the stream."""
    fields = {name: {"type": kind} for name, kind in FIELDS.items()}
    fields["type"] |= {"enum": [TAG], "x-stainless-const": True}  # type: ignore[dict-item]
    schema = {"type": "object", "properties": fields, "required": list(fields)}
    member = f'        - $ref: "#/components/schemas/{CLASS}"\n'
    begin, union, rest = document.partition("    ResponseStreamEvent:\n      anyOf:\n")
    return f"{begin}    {CLASS}: {json.dumps(schema)}\n{union}{member}{rest}"


@pytest.fixture(scope="module", name="made")
def made_fixture(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ran, Ran]:
    """A folder whose document has a new event, generated; then, with the line that was said, generated again: both runs."""
    folder = copied("responses", tmp_path_factory.mktemp("new"))
    edited(folder / "spec/documents/openai.yaml", with_event)
    first = run(folder, "generate")
    shutil.copytree(folder / "generated/stream_events", folder / "without/stream_events")
    (said,) = LINE.finditer(first.err)
    number = int(said[2])

    def with_line(text: str) -> str:
        lines = text.splitlines()
        assert lines[number - 1] == "events:"
        return "\n".join([*lines[:number], f"  {said[3]}", *lines[number:], ""])

    edited(folder / said[1], with_line)
    return folder, first, run(folder, "generate")


Made = tuple[Path, Ran, Ran]


def test_without_a_line_it_works_and_the_line_is_said(made: Made) -> None:
    folder, first, _ = made
    assert first.code == 0
    assert first.err.count("warning") == 1 and "spec/fragments/responses.yaml" in first.err
    assert used(folder / "without") == USED


def test_with_the_line_nothing_is_left_to_say(made: Made) -> None:
    folder, _, second = made
    assert (second.code, second.err) == (0, "")
    assert run(folder, "check") == Ran(0, "generated is what spec gives\n", "")
    lacking = run(folder, "vectors", "check").out.splitlines()  # vectors of other streams, by hand
    assert [line for line in lacking if ": no case " not in line or TAG in line] == []


def mentions(generated: Path, word: str, tag: str) -> set[str]:
    """The files with a word as such, in their name or text; in a name it is blanked, and so is the tag that it belongs to."""
    whole, own = (re.compile(rf"(?<![\w.]){re.escape(each)}(?![\w.]*\w)") for each in (word, tag))
    found = set()
    for path in generated.rglob("*"):
        name = path.relative_to(generated).as_posix()
        if path.is_file() and not name.startswith(".cache/") and "__pycache__" not in name:
            page = name.removesuffix(".md")  # whose name is a tag
            if whole.search(page) or whole.search(path.read_text("utf-8")):
                found.add(own.sub("·", whole.sub("·", page)))
    return found


@pytest.mark.parametrize("tag", SIBLINGS)
def test_it_is_in_every_output_that_a_sibling_is_in(made: Made, tag: str) -> None:
    generated = made[0] / "generated"
    tags = mentions(generated, tag, tag)
    classes = mentions(generated, SIBLINGS[tag], tag)
    assert {path.split("/")[0] for path in tags | classes} >= {
        "catalogue",
        "stream_events",
        "vectors",
    }
    assert tags <= mentions(generated, TAG, TAG)
    assert classes <= mentions(generated, CLASS, TAG)


USE = """
import json, sys, typing
from stream_events import responses

payload = json.loads(sys.argv[1])
event = responses.decode(payload)
accumulator = responses.Accumulator()
accumulator.add(event)
wrong = responses.problems(responses.decode({**payload, "delta": 3}))
print(json.dumps({
    "class": type(event).__name__,
    "table": responses.EVENTS[payload["type"]].__name__,
    "union": type(event) in typing.get_args(responses.Event),
    "back": responses.encode(event) == payload,
    "missing": list(responses.missing(responses.decode({"type": payload["type"]}))),
    "problems": [str(each.kind) for each in wrong],
    "unknown": [each.kind for each in accumulator.problems if "unknown" in each.kind],
}))
"""
PAYLOAD = {"type": TAG, "item_id": "i", "delta": "d", "sequence_number": 0}
USED = {
    "class": CLASS,
    "table": CLASS,
    "union": True,
    "back": True,
    "missing": ["item_id", "delta", "sequence_number"],
    "problems": ["wrong-type"],
    "unknown": [],
}


def used(folder: Path) -> object:
    """What the package in a folder makes of the new event."""
    done = subprocess.run(
        [sys.executable, "-c", USE, json.dumps(PAYLOAD)],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_types_tables_and_the_accumulator_have_it(made: Made) -> None:
    assert used(made[0] / "generated") == USED


def test_its_entry_is_in_catalogue_and_docstring(made: Made) -> None:
    catalogue = json.loads((made[0] / "generated/catalogue/responses.json").read_text("utf-8"))
    (event,) = [each for each in catalogue["events"] if each["tag"] == TAG]
    assert (event["model"], event["rules"]) == (CLASS, ["ignore"])
    events = (made[0] / "generated/stream_events/responses/events.py").read_text("utf-8")
    assert event["sentence"] in events.split(f"class {CLASS}", 1)[1][:200]


def test_its_vectors_hold(made: Made) -> None:
    vectors = json.loads((made[0] / "generated/vectors/v1/event/responses.json").read_text("utf-8"))
    assert sum(TAG in json.dumps(case) for case in vectors["cases"]) > 3


def test_lint_reads_it(made: Made) -> None:
    text = "".join(
        f"event: {each['type']}\ndata: {json.dumps(each)}\n\n"
        for each in (PAYLOAD, {**PAYLOAD, "sequence_number": 1, "delta": 3})
    )
    (made[0] / "capture.sse").write_text(text)
    ran = run(made[0], "lint", "capture.sse", "--stream", "responses", "--format", "json")
    told = json.loads(ran.out)
    (capture,) = told["captures"]
    assert capture["counts"] == {"no-terminal": 1, "not-first": 1, "wrong-type": 1}


def test_a_new_field_of_the_chat_chunk_needs_no_line(tmp_path: Path) -> None:
    folder = copied("chat", tmp_path)
    begin = "    CreateChatCompletionStreamResponse:\n      type: object\n      properties:\n"
    field = "        surprise:\n          type: integer\n"
    edited(
        folder / "spec/documents/openai.yaml", lambda text: text.replace(begin, begin + field, 1)
    )
    ran = run(folder, "generate")
    assert (ran.code, ran.err) == (0, "")
    assert "surprise" in (folder / "generated/catalogue/models/chat.json").read_text("utf-8")
    code = 'from stream_events import chat; print(chat.decode({"surprise": 3}).surprise)'
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(folder / "generated")},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "3\n", done.stderr


UNION = """\
openapi: 3.1.0
components:
  schemas:
    Ev: {anyOf: [{$ref: '#/components/schemas/Hello'}]}
    Hello: {type: object, required: [type], properties: {type: {type: string, const: hello.you.all}}}
"""


def test_streams_that_are_alike_need_one_line_for_both(tmp_path: Path) -> None:
    twin = {"stream": "t", "like": "s", "module": "s.socket", "shares": "s", "transport": "websocket"}  # fmt: skip
    values = json.loads(fragment(**twin))
    del values["events"], values["framing"]
    write_spec(tmp_path, UNION, [fragment(), json.dumps(values)])
    ran = run(tmp_path, "generate")
    (said,) = LINE.finditer(ran.err)
    assert said[1] == "spec/fragments/0.yaml"
    assert said[3].startswith('"hello.you.all": {family: other, ')


def test_the_family_that_is_said_is_that_of_the_nearest_event(tmp_path: Path) -> None:
    near = {"family": "audio", "sentence": "It is near.", "provenance": "documented"}
    document = UNION + UNION.splitlines()[-1].replace("Hello:", "Near:", 1).replace(".all", ".two")
    document = document.replace("anyOf: [", "anyOf: [{$ref: '#/components/schemas/Near'}, ")
    write_spec(tmp_path, document + "\n", [fragment(events={"hello.you.two": near})])
    (said,) = LINE.finditer(run(tmp_path, "generate").err)
    assert said[3].startswith('"hello.you.all": {family: audio, ')
