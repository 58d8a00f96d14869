"""The runners of other projects' clients, started as the harness starts them.

Reads two bodies written here; expected is what the documentation of these projects says of such a body. Never checks a score:
the page `generated/reference/conformance.md` is where those stand.
"""

from __future__ import annotations

import json
import shutil
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from codegen.vectors.harness import Runner, question
from codegen.vectors.harness_pipe import Child
from codegen.vectors.harness_protocol import read_protocol
from codegen.vectors.run import BAD, run
from codegen.vectors.run_cases import FORMAT, Case, read_cases
from codegen.vectors.run_conformance import Peer, read_peers

HERE = Path(__file__).resolve().parent
PEERS = {peer.name: peer for peer in read_peers(HERE / "runners" / "peers.json")}
PROTOCOL = read_protocol(HERE.parent / "generated" / "vectors")
START = {"do": "start", "format": FORMAT}
SSE = ("httpx-sse", "eventsource-parser")
CLIENTS = ("openai (Python) stream", "openai (Node.js) stream")
CREATE = ("openai (Python) create", "openai (Node.js) create")


def case(operation: str, stream: str | None, given: Any, expect: Any) -> Case:
    """A case with one expectation."""
    return Case("id", operation, stream, (), given, {}, "valid", {"": expect})


def body(*payloads: dict[str, Any]) -> dict[str, str]:
    """Payloads as a body that names its events."""
    lines = [f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in payloads]
    return {"text": "".join(lines)}


def response(status: str, *content: str) -> dict[str, Any]:
    """A response with one message for each text."""
    output = [
        {
            "type": "message",
            "id": f"m{place}",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        }
        for place, text in enumerate(content)
    ]
    return {"id": "r", "object": "response", "status": status, "output": output}


CREATED = {"type": "response.created", "sequence_number": 0, "response": response("in_progress")}
COMPLETED = {
    "type": "response.completed",
    "sequence_number": 1,
    "response": response("completed", "Hello"),
}
CHUNKS = [
    {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
    }
    for delta, reason in (
        ({"role": "assistant", "content": "Hel"}, None),
        ({"content": "lo"}, "stop"),
    )
]


@pytest.fixture(autouse=True)
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `tests.runners` can be found."""
    monkeypatch.chdir(HERE.parent)


def peer(name: str) -> Peer:
    """A peer; skips the test where Node.js or its packages are not there."""
    found = PEERS[name]
    if found.command[0] == "node":
        if not shutil.which("node"):
            pytest.skip("node is absent on this machine")
        if not (HERE / "node" / "node_modules").exists():
            pytest.skip("tests/node has no packages; run: make node")
    return found


def result(name: str, one: Case) -> tuple[str, str]:
    """What came of a case."""
    runner = Runner(peer(name).command, PROTOCOL)
    try:
        [found] = run([one], runner, runner.claims(), 60)
    finally:
        runner.stop()
    return found.result, found.why


@pytest.mark.parametrize("name", SSE)
def test_events_are_read_from_any_pieces(name: str) -> None:
    given = {"text": ": c\n\nevent: x\ndata: é\ndata: b\n\ndata: [DONE]\n\n"}
    events = [{"event": "x", "data": "é\nb"}, {"event": "message", "data": "[DONE]"}]
    expect = {"events": events, "last_event_id": ""}
    assert result(name, case("sse", None, given, expect)) == ("passed", "")


@pytest.mark.parametrize("name", CLIENTS)
@pytest.mark.parametrize("operation", ["stream", "accumulate"])
def test_a_response_comes_out_of_its_stream(name: str, operation: str) -> None:
    expect: dict[str, Any] = {"final": COMPLETED["response"], "text": "Hello"}
    given: dict[str, Any] = {"events": [CREATED, COMPLETED]}
    if operation == "stream":
        given, expect["tags"] = body(CREATED, COMPLETED), [CREATED["type"], COMPLETED["type"]]
    found = case(operation, "responses", given, expect)
    assert result(name, found) == ("passed", "")


STREAMS = (
    "responses",
    "beta-responses",
    "chat",
    "completions",
    "images-generations",
    "images-edits",
)


@pytest.mark.parametrize("name", CREATE)
@pytest.mark.parametrize("stream", STREAMS)
def test_events_come_as_they_are(name: str, stream: str) -> None:
    payloads: list[dict[str, Any]] = [CREATED, {"type": "x.new", "sequence_number": 2}]
    tags = ["response.created", "x.new"]
    if stream in ("chat", "completions"):
        payloads = [{"type": "x", "object": tag, "choices": []} for tag in tags]
    given, expect = body(*payloads), {"tags": tags}
    assert result(name, case("stream", stream, given, expect)) == ("passed", "")


@pytest.mark.parametrize("name", CLIENTS)
def test_a_completion_comes_out_of_its_chunks(name: str) -> None:
    text = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in CHUNKS) + "data: [DONE]\n\n"
    expect = {"tags": ["chat.completion.chunk"] * 2, "text": "Hello"}
    one = case("stream", "chat", {"text": text}, expect)
    runner = Runner(peer(name).command, PROTOCOL)
    try:
        claims = runner.claims()
        only = replace(claims, asserts=frozenset({"tags", "text"}))
        [found] = run([one], runner, only, 60)
        answer = runner.ask(one, [text.encode()], time.monotonic() + 60)
    finally:
        runner.stop()
    assert found.result == "passed"
    assert answer["output"]["final"]["choices"][0]["message"]["content"] == "Hello"


@pytest.mark.parametrize("name", CLIENTS)
def test_an_error_that_the_client_raises_is_the_last_tag(name: str) -> None:
    given = body(CREATED, {"type": "error", "error": {"message": "busy"}})
    one = case("stream", "responses", given, {"tags": ["response.created", "error"], "text": ""})
    assert result(name, one) == ("passed", "")


def protocol() -> Draft202012Validator:
    """The schema of one message of the protocol, as it is published."""
    schemas = HERE.parent / "generated" / "vectors" / "schemas"
    return Draft202012Validator(json.loads((schemas / "protocol.schema.json").read_text()))


def test_what_is_asked_is_in_the_protocol() -> None:
    asked = [case("stream", "responses", {"text": "a"}, {}), case("sse", None, {"text": "a"}, {})]
    for message in (START, *(question(one, [b"a"], 1) for one in asked)):
        protocol().validate(message)


@pytest.mark.parametrize("name", PEERS)
def test_what_it_answers_is_in_the_protocol(name: str) -> None:
    child = Child(peer(name).command)
    deadline = time.monotonic() + 60
    try:
        for message in (START, question(case("sse", None, {"text": "a"}, {}), [b"a"], 1)):
            answer = child.line(json.dumps(message).encode() + b"\n", deadline)
            protocol().validate(json.loads(answer))
    finally:
        child.kill()


@pytest.mark.parametrize("name", [*SSE, *CREATE, *CLIENTS])
def test_its_version_is_the_pinned_one(name: str) -> None:
    runner = Runner(peer(name).command, PROTOCOL)
    claims = runner.claims()
    runner.stop()
    package = json.loads((HERE / "node" / "package.json").read_text())["dependencies"]
    pins = (HERE.parent / "pyproject.toml").read_text()
    if claims.language == "JavaScript":
        assert claims.version == package[claims.implementation]
    else:
        assert f'"{claims.implementation}=={claims.version}"' in pins


def test_the_runner_of_the_readme_is_right(tmp_path: Path) -> None:
    peer("eventsource-parser")  # skips where there is no Node.js
    vectors = HERE.parent / "generated" / "vectors"
    code = (vectors / "README.md").read_text().partition("```js\n")[2].partition("```")[0]
    (tmp_path / "runner.mjs").write_text(code)
    runner = Runner(["node", str(tmp_path / "runner.mjs")], PROTOCOL)
    cases = [one for one in read_cases(vectors) if one.operation == "sse"]
    try:
        found = list(run(cases, runner, runner.claims(), 60))
    finally:
        runner.stop()
    assert [(one.case.id, one.why) for one in found if one.result in BAD] == []
    assert sum(one.result == "passed" for one in found) > len(cases) / 2


def test_the_page_is_about_the_vectors_as_they_are() -> None:
    generated = HERE.parent / "generated"
    text = (generated / "reference" / "conformance.md").read_text()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    ours = {row[0]: row[1] for row in rows if len(row) == len(PEERS) + 1}
    for operation, count in Counter(
        one.operation for one in read_cases(generated / "vectors")
    ).items():
        assert ours[operation] == f"{count} / {count}", "run: make conformance"
    for name in PEERS:
        assert f"| {name} |" in text
