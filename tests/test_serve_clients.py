"""The official clients play every built-in scenario, and get the final object that the accumulator gets.

Reads `spec/scenarios` through a running `codegen serve`; the clients are `openai` and `anthropic` for Python and `openai`
for Node (tests/node). A difference stands in DIFFERENCES with who is right: a new one fails, and so does one that is gone.
Never compares what a client adds by itself (`plain` has the rules).
"""

from __future__ import annotations

import json
import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

from codegen.scenarios.scenario import Scenario
from tests.serving import ROOT, ask, serving
from tests.test_official_clients_live import differences
from tests.test_serve_scenarios import SCENARIOS, module_of

PATHS = {
    "responses": "/v1/responses",
    "chat": "/v1/chat/completions",
    "completions": "/v1/completions",
    "messages": "/v1/messages",
    "images-generations": "/v1/images/generations",
    "images-edits": "/v1/images/edits",
}
NODE = ROOT / "tests" / "node"

REASONS: dict[str, tuple[str, str]] = {
    "terminal-not-completed": ("ours", "the client has a final object after response.completed only"),
    "length-raises": ("both", "the client raises where the answer was cut off; ours gives it with its finish_reason"),
    "reasoning-lost": ("ours", "the client keeps the last piece of an undeclared text, not all of it"),
}  # fmt: skip
"""Reason → who is right (ours, client, neither, both), and what happens."""

DIFFERENCES: dict[str, dict[str, dict[str, str]]] = {
    "responses stream": {
        "failed": {"client raises RuntimeError": "terminal-not-completed"},
        "incomplete": {"client raises RuntimeError": "terminal-not-completed"},
    },
    "chat stream": {"length": {"client raises LengthFinishReasonError": "length-raises"}},
    "node chat stream": {"reasoning": {".choices[].message.reasoning_content": "reasoning-lost"}},
}  # fmt: skip
"""Call → scenario → what differs, and why. Places in lists are left out of the paths."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A running server."""
    with serving() as found:
        yield found


def _responses_create(client: openai.OpenAI, name: str) -> Any:
    *_, last = client.responses.create(model=name, input="x", stream=True)
    return last.to_dict()["response"]


def _responses_stream(client: openai.OpenAI, name: str) -> Any:
    with client.responses.stream(model=name, input="x") as stream:
        return stream.get_final_response().to_dict()


def _chat_create(client: openai.OpenAI, name: str) -> Any:
    chunks = client.chat.completions.create(model=name, messages=[], stream=True)
    return [chunk.to_dict() for chunk in chunks]


def _chat_stream(client: openai.OpenAI, name: str) -> Any:
    with client.chat.completions.stream(model=name, messages=[]) as stream:
        return stream.get_final_completion().to_dict()


def _completions_create(client: openai.OpenAI, name: str) -> Any:
    chunks = client.completions.create(model=name, prompt="x", stream=True)
    return [chunk.to_dict() for chunk in chunks]


def _images_generate(client: openai.OpenAI, name: str) -> Any:
    *_, last = client.images.generate(model=name, prompt="x", stream=True)
    return last.to_dict()


def _images_edit(client: openai.OpenAI, name: str) -> Any:
    *_, last = client.images.edit(model=name, prompt="x", image=b"\x89PNG\r\n", stream=True)
    return last.to_dict()


def _messages_stream(client: anthropic.Anthropic, name: str) -> Any:
    with client.messages.stream(model=name, max_tokens=9, messages=[]) as stream:
        return stream.get_final_message().to_dict()


CALLS: dict[str, tuple[str, Callable[[Any, str], Any]]] = {
    "responses create": ("responses", _responses_create),
    "responses stream": ("responses", _responses_stream),
    "chat create": ("chat", _chat_create),
    "chat stream": ("chat", _chat_stream),
    "completions create": ("completions", _completions_create),
    "images generate": ("images-generations", _images_generate),
    "images edit": ("images-edits", _images_edit),
    "messages stream": ("messages", _messages_stream),
}
"""Call → stream, and the client's final object; where `create` gives chunks alone, our accumulator adds theirs up."""
ADDED = ("parsed", "parsed_arguments", "parsed_output", "output_parsed", "output_text")
"""Properties that clients add: texts as values, and all text of a response."""
NODE_CALLS = [call for call in CALLS if call != "messages stream"]


def scenarios_of(call: str) -> list[Scenario]:
    """The scenarios that a call plays."""
    return [each for each in SCENARIOS if each.stream == CALLS[call][0]]


def added_up(call: str, result: Any) -> Any:
    """The final object of a result; chunks that a client read are added up by our accumulator."""
    if not isinstance(result, list):
        return result
    module = module_of(CALLS[call][0])
    accumulator = module.Accumulator()
    accumulator.add_all(module.decode(chunk) for chunk in result)
    return module.encode(accumulator.final)


def plain(value: Any, call: str) -> Any:
    """A JSON value without what clients add: ADDED; and, but for Responses, without null, which a stream's chunks do not
    say, and the `index` of a tool call."""
    if isinstance(value, list):
        return [plain(item, call) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {name: plain(item, call) for name, item in value.items() if name not in ADDED}
    if call.startswith("responses"):
        return kept
    return {
        name: item
        for name, item in kept.items()
        if item is not None and not (name == "index" and "function" in kept)
    }


def ours(address: str, call: str, scenario: Scenario) -> Any:
    """Our final object, read from the same server."""
    module = module_of(scenario.stream)
    answer = ask(address, PATHS[scenario.stream], {"model": scenario.name, "stream": True})
    accumulator = module.Accumulator()
    reader = module.read([answer.body])
    accumulator.add_all(reader)
    assert (reader.outcome, accumulator.problems) in (
        ("complete", []),
        ("error", []),
    ), scenario.name
    found = module.encode(accumulator.final)
    assert plain(found, call) == plain(scenario.final, call)
    return found


def found_in(call: str, mine: Any, result: Callable[[], Any]) -> set[str]:
    """What differs between our final object and a client's."""
    try:
        other = added_up(call, result())
    except Exception as error:
        return {f"client raises {type(error).__name__}"}
    return set(differences(plain(mine, call), plain(other, call)))


def judged(call: str, found: dict[str, set[str]]) -> None:
    """Fail where differences are not those of the table."""
    known = {name: set(paths) for name, paths in DIFFERENCES.get(call, {}).items()}
    assert {name: paths for name, paths in found.items() if paths} == known


@pytest.mark.parametrize("call", CALLS)
def test_the_python_client_gets_our_final_object(address: str, call: str) -> None:
    client: Any
    if call == "messages stream":
        client = anthropic.Anthropic(api_key="none", base_url=address, max_retries=0)
    else:
        client = openai.OpenAI(api_key="none", base_url=f"{address}/v1", max_retries=0)
    found = {}
    for scenario in scenarios_of(call):
        mine = ours(address, call, scenario)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # pydantic's, on union members
            found[scenario.name] = found_in(
                call, mine, lambda: CALLS[call][1](client, scenario.name)
            )
    client.close()
    judged(call, found)


@pytest.fixture(scope="module")
def node(address: str) -> dict[tuple[str, str], Any]:
    """What the Node client gets of every scenario, all in one process."""
    if shutil.which("node") is None or not (NODE / "node_modules" / "openai").is_dir():
        pytest.skip("the Node client is not installed: npm ci in tests/node")
    jobs = [(call, each.name) for call in NODE_CALLS for each in scenarios_of(call)]
    done = subprocess.run(
        ["node", str(NODE / "play.mjs")],
        input=json.dumps({"address": address, "jobs": jobs}),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    return dict(zip(jobs, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("call", NODE_CALLS)
def test_the_node_client_gets_our_final_object(
    address: str, node: dict[tuple[str, str], Any], call: str
) -> None:
    found = {}
    for scenario in scenarios_of(call):
        result = node[call, scenario.name]
        mine = ours(address, call, scenario)
        if "raises" in result:
            found[scenario.name] = {f"client raises {result['raises']}"}
        else:
            found[scenario.name] = found_in(call, mine, lambda: result["final"])
    judged(f"node {call}", found)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda each: f"{each.stream}/{each.name}")
def test_without_stream_the_answer_is_the_final_object(address: str, scenario: Scenario) -> None:
    answer = ask(address, PATHS[scenario.stream], {"model": scenario.name})
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    if scenario.stream.startswith("images-"):
        assert answer.json["data"] == [{"b64_json": scenario.final["b64_json"]}]
        assert answer.json["usage"] == scenario.final["usage"]
    else:
        assert answer.json == scenario.final


def test_every_reason_is_used_and_every_difference_has_one() -> None:
    used = {
        reason
        for table in DIFFERENCES.values()
        for paths in table.values()
        for reason in paths.values()
    }
    assert used == set(REASONS)
    assert {right for right, _ in REASONS.values()} <= {"ours", "client", "neither", "both"}


def test_the_python_client_gets_our_final_object_over_a_websocket(address: str) -> None:
    client = openai.OpenAI(
        api_key="none", base_url=f"{address}/v1", websocket_base_url=f"ws{address[4:]}/v1"
    )
    found = {}
    with client.responses.connect(websocket_connection_options={"proxy": None}) as connection:
        for scenario in scenarios_of("responses create"):
            connection.send(
                {"type": "response.create", "model": scenario.name, "input": "x", "stream_id": "a"}
            )
            event = connection.recv()
            while event.type not in (
                "response.completed",
                "response.failed",
                "response.incomplete",
            ):
                event = connection.recv()
            made = event.to_dict()["response"]
            found[scenario.name] = set(differences(scenario.final, plain(made, "responses")))
    client.close()
    assert {name: paths for name, paths in found.items() if paths} == {}
