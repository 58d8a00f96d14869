"""The examples that resume, steer, parse, keep and call, run against the server that plays scenarios.

Reads `tests/examples`, a running server, and what its scenarios say. Never looks at our own accumulated object.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.example_process import EXAMPLES, run
from tests.scenario_answers import answered, text_of
from tests.serving import ask, serving

TEXT = text_of("responses", "text")


@pytest.fixture(scope="module")
def here() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture
def url(here: str) -> str:
    return f"{here}/v1/responses"


def commands(example: Path) -> list[list[str]]:
    """The lines of an example's docstring that say how to run it against the server that plays."""
    said = ast.get_docstring(ast.parse(example.read_text("utf-8"))) or ""
    return [shlex.split(line)[1:] for line in re.findall("^python .*//127.*$", said, re.MULTILINE)]


OTHERS = ("read_stream.py", "fastapi_proxy.py")
"""What does not take the server's address, and has tests of its own."""
PROGRAMS = [path for path in sorted(EXAMPLES.glob("*.py")) if path.name not in OTHERS]


@pytest.mark.parametrize("example", PROGRAMS, ids=lambda each: each.stem)
def test_the_docstring_says_how_to_run_it(here: str, tmp_path: Path, example: Path) -> None:
    [(name, *arguments)] = commands(example)
    given = [each.replace("//127.0.0.1:8484", here.removeprefix("http:")) for each in arguments]
    assert name == example.name and given != arguments
    done = run(name, *given, folder=tmp_path)
    assert done.code == 0, done.err
    assert done.out


@pytest.mark.parametrize(("fault", "cuts"), [("drop=1", 20), ("drop=5", 4), ("cut=4", 5)])
def test_resuming_gives_each_event_once(url: str, fault: str, cuts: int) -> None:
    done = run("resume_background.py", url, "background", f"X-Fault: {fault}")
    assert done.code == 0, done.err
    assert done.out == f"{text_of('responses', 'background')}\ncompleted\n"
    assert done.err.count("resuming after event") == cuts - 1
    size = 20 // cuts
    assert f"resuming after event {size - 1}\n" in done.err
    assert "error:" not in done.err


def test_resuming_gives_up_where_nothing_comes(url: str) -> None:
    done = run("resume_background.py", url, "background", "X-Fault: cut=0")
    assert done.code == 1
    assert done.err.endswith("gave up: no new event after None\n")


def test_resuming_shows_what_the_server_refuses(url: str) -> None:
    done = run("resume_background.py", url, "background", "X-Fault: tear=6")
    assert done.code == 1
    assert "warning: the body ended inside an event\n" in done.err
    assert '\n400: {"error"' in done.err  # of the last five events there is no sixth


def test_two_lanes_and_a_steer(url: str) -> None:
    socket = url.replace("http", "ws", 1)
    done = run("websocket_lanes.py", socket, "text", "refusal", "X-Fault: stall=16")
    [refused] = answered("responses", "refusal")["output"]
    assert done == (
        0,
        "steered: steering accepted\n"
        "steered: resp_text incomplete\n"
        "steered: resp_text_2 completed\n"
        f"steered: {TEXT}\n"
        "other: resp_refusal completed\n"
        f"other: {refused['content'][0]['refusal']}\n",
        "",
    )


def test_a_websocket_shows_problems_and_errors(url: str) -> None:
    socket = url.replace("http", "ws", 1)
    done = run("websocket_lanes.py", socket, "text", "refusal", "X-Fault: stall=15, gap=6")
    assert done.code == 0, done.err
    assert {
        "steered: warning: the number 6 came after 4",
        "other: warning: the number 6 came after 4",
    } <= {*done.err.splitlines()}
    done = run("websocket_lanes.py", socket, "text", "refusal", "X-Fault: error=2")
    assert (done.code, done.out) == (1, "")
    assert done.err.endswith(": The server broke off, as X-Fault asked.\n")
    done = run("websocket_lanes.py", socket, "text", "refusal", "X-Fault: cut=2")
    assert done.code == 1
    assert "ConnectionClosedError" in done.err.splitlines()[-1]


def test_structured_output(url: str) -> None:
    tide = json.loads(text_of("responses", "structured-output"))
    done = run("structured_output.py", url, "structured-output")
    first, second = tide["high"]
    assert done == (0, f"{tide['port']}: {first} and {second}, {tide['height']} m\n", "")


@pytest.mark.parametrize(
    ("model", "error"),
    [
        ("text", "pydantic_core._pydantic_core.ValidationError: 1 validation error for Tide"),
        ("refusal", "StreamError: the model refused: I cannot help"),
        ("incomplete", "StreamError: the answer is not complete: it ended with 'incomplete'"),
    ],
)
def test_output_that_is_not_structured(url: str, model: str, error: str) -> None:
    done = run("structured_output.py", url, model)
    assert (done.code, done.out) == (1, "")
    assert error in done.err


def body_of(here: str, faults: str) -> bytes:
    """What the server sends, as it is."""
    asked = {"model": "text", "stream": True}
    return ask(here, "/v1/responses", asked, headers={"X-Fault": faults}).body


def payloads(body: bytes) -> list[object]:
    """The JSON of each data line."""
    lines = body.decode().splitlines()
    return [json.loads(line[6:]) for line in lines if line.startswith("data: ")]


FAULTS = "unknown-event=4, unknown-field=6, comments, crlf, split"


def test_events_on_disk_are_those_that_came(here: str, url: str, tmp_path: Path) -> None:
    done = run("save_events.py", url, "text", "kept.jsonl", f"X-Fault: {FAULTS}", folder=tmp_path)
    assert (done.code, done.err) == (0, "info: unknown event 'telepathy.delta'\n")
    assert json.loads(done.out) == answered("responses", "text")
    kept = (tmp_path / "kept.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in kept] == payloads(body_of(here, FAULTS))


def test_bytes_on_disk_are_those_that_came(here: str, url: str, tmp_path: Path) -> None:
    done = run("save_bytes.py", url, "text", "kept.sse", f"X-Fault: {FAULTS}", folder=tmp_path)
    assert (done.code, done.err) == (0, 2 * "info: unknown event 'telepathy.delta'\n")
    assert json.loads(done.out) == answered("responses", "text")
    assert (tmp_path / "kept.sse").read_bytes() == body_of(here, FAULTS)


@pytest.mark.parametrize("example", ["save_events.py", "save_bytes.py"])
def test_a_stream_that_was_cut_is_kept_and_an_error(
    here: str, url: str, tmp_path: Path, example: str
) -> None:
    done = run(example, url, "text", "kept", "X-Fault: cut=8", folder=tmp_path)
    assert (done.code, done.out) == (1, "")
    assert "warning: the stream ended without its terminal event\n" in done.err
    kept, came = (tmp_path / "kept").read_bytes(), body_of(here, "cut=8")
    if example == "save_bytes.py":
        assert kept == came
    else:
        assert [json.loads(line) for line in kept.splitlines()] == payloads(came)


def test_functions_are_called_on_responses(url: str) -> None:
    done = run("tools_responses.py", url, "parallel-tool-calls", "text")
    calls = [
        (item["name"], item["arguments"])
        for item in answered("responses", "parallel-tool-calls")["output"]
    ]
    assert done == (0, called(calls) + f"{TEXT}\n", "")


def test_functions_are_called_on_chat(here: str) -> None:
    done = run("tools_chat.py", f"{here}/v1/chat/completions", "parallel-tool-calls", "text")
    [choice] = answered("chat", "parallel-tool-calls")["choices"]
    made = [each["function"] for each in choice["message"]["tool_calls"]]
    calls = [(each["name"], each["arguments"]) for each in made]
    assert done == (0, called(calls) + f"{text_of('chat', 'text')}\n", "")


def called(calls: list[tuple[str, str]]) -> str:
    """What is printed for calls of the function that knows the tide."""
    return "".join(
        f"{name} {arguments}: high tide in {json.loads(arguments)['port']} at 06:12\n"
        for name, arguments in calls
    )


def test_tools_are_called_on_messages(here: str) -> None:
    done = run("tools_messages.py", f"{here}/v1/messages", "parallel-tool-calls", "text")
    blocks = answered("messages", "parallel-tool-calls")["content"]
    tide, ports = [block for block in blocks if block["type"] == "tool_use"]
    assert done == (
        0,
        f"get_tide {tide['input']}: high tide in {tide['input']['port']} at 06:12\n"
        f"list_ports {ports['input']}: Saint-Malo, Büsum\n"
        f"{text_of('messages', 'text')}\n",
        "",
    )
