"""What accumulates from what real servers sent, against final objects that others worked out.

Reads the recordings in ../shared/captures and what `expected/` says of each. A terminal response is compared whole; for chat
the oracle has the message of each choice and the usage. Every recording runs whole, byte by byte and in pieces of 7 bytes.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NamedTuple

import pytest

from stream_events import chat, completions, responses
from stream_events.sse import ServerSentEvent, encode
from tests.shared import shared

CHATGPT = "responses-chatgpt-"
ITEMS_STAND_IN = (
    f"{CHATGPT}codex-sessions-reasoning-session-two-tool-calls-streaming",
    f"{CHATGPT}streaming-tools-tool-call-completed-response-without-output",
)
"""Recordings whose terminal response has an empty output: the items that were streamed stand in."""

TERMINAL_WINS = {
    "responses-openai-openai-compaction-1": "encrypted_content is another in the terminal response",
    "responses-openai-test-openai-responses-model-web-search-tool-stream": "so too",
    "responses-openai-test-openai-responses-moderation-stream": "so too",
    "responses-openai-test-openai-responses-phase-streamed-on-part-start": "so too",
    "responses-openrouter-test-openai-responses-raw-cot-stream-openrouter": "properties that only the items had",
    "responses-openai-openai-shell-container-1": "the delta is cut by those who published it; the done event has all",
}
"""Recordings whose sources disagree otherwise: the terminal response is taken, as the later one."""

TWO_CALLS = "chat-cerebras-cererebras-structured-output-tools-1"
"""Two calls of one index, each with an id and a name of its own. The oracle has joined them; that is no call any model made."""

FAILED = "chat-openrouter-test-openrouter-stream-error"
"""It ends with an error: there is no final object, and what came before is in the snapshot."""

PROBLEMS: dict[str, dict[str, int]] = {
    TWO_CALLS: {"wrong-index": 1},
    "chat-openai-chatwithbasicaudiooutputasync": {"not-finished": 1},
    "chat-snowflake-test-snowflake-model-streaming": {"not-finished": 1},
    "chat-snowflake-test-snowflake-thinking-streaming": {"not-finished": 1},
    "responses-openai-openai-shell-container-1": {"disagreement": 1},
}
"""Recording → problems above level info: a repeated index; no finish reason in any chunk (one of them OpenAI's, whose audio
ends with the expiry time alone); a text cut by those who published it."""


class Capture(NamedTuple):
    """A recording: its name, the subpackage for it, its bytes, and what is expected."""

    name: str
    api: Any
    body: bytes
    expected: dict[str, Any]


def captures() -> list[Capture]:
    """The recordings of Responses and chat streams; none where the machine does not have them."""
    try:
        manifest = json.loads(shared("captures/manifest.json").read_text("utf-8"))
    except pytest.skip.Exception:
        return []
    found = []
    for entry in manifest["entries"]:
        api = {"responses": responses, "chat": chat}.get(entry["api"])
        if api is None:
            continue
        body = shared(f"captures/{entry['file']}").read_bytes()
        if entry["format"] == "jsonl":
            lines = [line for line in body.decode().split("\n") if line.strip()]
            done = ["[DONE]"] if api is chat else []
            events = [ServerSentEvent("message", line.strip(), "") for line in (*lines, *done)]
            body = b"".join(map(encode, events))
        if "text_completion" in entry["event_types"]:
            api = completions
        expected = json.loads(shared(f"captures/{entry['expected']}").read_text("utf-8"))
        found.append(Capture(entry["name"], api, body, expected))
    return found


CAPTURES = captures()
IDS = [capture.name for capture in CAPTURES]


def test_all_recordings_are_here() -> None:
    shared("captures/manifest.json")
    assert Counter(capture.api for capture in CAPTURES) == {responses: 31, chat: 45, completions: 1}
    disagreeing = {each.name for each in CAPTURES if each.expected.get("inconsistencies")}
    assert disagreeing == {*ITEMS_STAND_IN, *TERMINAL_WINS}
    assert PROBLEMS.keys() <= set(IDS)


def accumulated(capture: Capture, size: int) -> Any:
    """The accumulator after the whole body, cut into chunks of `size` bytes; 0 for one chunk."""
    body = capture.body
    chunks = [body[at : at + size] for at in range(0, len(body), size)] if size else [body]
    accumulator = capture.api.Accumulator()
    accumulator.add_all(capture.api.read(chunks))
    return accumulator


@pytest.mark.parametrize("size", [0, 1, 7])
@pytest.mark.parametrize("capture", CAPTURES, ids=IDS)
def test_final(capture: Capture, size: int) -> None:
    accumulator = accumulated(capture, size)
    if capture.name == FAILED:
        with pytest.raises(chat.StreamError, match="Token limit reached"):
            _ = accumulator.final
        final = chat.encode(accumulator.completion)
    else:
        final = capture.api.encode(accumulator.final)
    if capture.api is responses:
        expected = capture.expected["final"]
        if capture.name in ITEMS_STAND_IN:
            assert expected["output"] == []
            assert final["output"] == done_items(capture.body)
            expected = {**expected, "output": final["output"]}
        assert final == expected
    else:
        expected = capture.expected["final"]
        if capture.name == TWO_CALLS:
            assert_two_calls(final, expected)
            expected = {**expected, "choices": choices(final)}
        if capture.api is completions:  # the oracle looks for the text where only chat has it
            (choice,) = expected["choices"]
            assert choice["content"] is None
            expected = {**expected, "choices": [{**choice, "content": joined(capture.body)}]}
        assert choices(final) == expected["choices"]
        assert final.get("usage") == expected["usage"]


@pytest.mark.parametrize("capture", CAPTURES, ids=IDS)
def test_problems(capture: Capture) -> None:
    """Servers did nothing wrong that is not in the table, and OpenAI's only what stands there."""
    found = [each for each in accumulated(capture, 0).problems if each.level != "info"]
    assert dict(Counter(each.kind for each in found)) == PROBLEMS.get(capture.name, {})


@pytest.mark.parametrize("capture", CAPTURES, ids=IDS)
def test_nothing_is_shared(capture: Capture) -> None:
    """Events stay as they were, and a snapshot does not change when the stream goes on."""
    accumulator = capture.api.Accumulator()
    events = list(capture.api.read([capture.body]))
    before = [plain(capture, event) for event in events]
    halfway = len(events) // 2
    for event in events[:halfway]:
        accumulator.add(event)
    snapshot = accumulator._snapshot()
    shown = None if snapshot is None else json.dumps(capture.api.encode(snapshot))
    for event in events[halfway:]:
        accumulator.add(event)
    assert [plain(capture, event) for event in events] == before
    assert shown == (None if snapshot is None else json.dumps(capture.api.encode(snapshot)))


def plain(capture: Capture, event: Any) -> str:
    """An event as JSON text."""
    known = not isinstance(event, capture.api.UnknownEvent)
    return json.dumps(capture.api.encode(event) if known else event.data)


def payloads(body: bytes) -> list[Any]:
    """The payloads of a body, by the shortest way there is."""
    lines = [line[5:].strip() for line in body.splitlines() if line.startswith(b"data:")]
    return [json.loads(line) for line in lines if line and line != b"[DONE]"]


def done_items(body: bytes) -> list[Any]:
    """The finished items by their index."""
    done = [each for each in payloads(body) if each["type"] == "response.output_item.done"]
    return [each["item"] for each in sorted(done, key=lambda each: int(each["output_index"]))]


def joined(body: bytes) -> str:
    """The text of a text completion with one choice."""
    return "".join(choice["text"] for each in payloads(body) for choice in each["choices"])


def assert_two_calls(final: dict[str, Any], expected: dict[str, Any]) -> None:
    """The two calls hold what the one of the oracle holds, each its own."""
    one, two = choices(final)[0]["tool_calls"]
    both = expected["choices"][0]["tool_calls"][0]
    assert (one["arguments"] + two["arguments"]) == both["arguments"]
    assert one["id"] != two["id"] and {one["id"], two["id"]} >= {both["id"]}
    json.loads(one["arguments"]), json.loads(two["arguments"])


def choices(final: dict[str, Any]) -> list[dict[str, Any]]:
    """The choices of a completion in the oracle's form."""
    return [choice_of(choice) for choice in final["choices"]]


def choice_of(choice: dict[str, Any]) -> dict[str, Any]:
    message = choice.get("message", {"content": choice.get("text")})
    names = ("role", "content", "refusal", "reasoning_content", "reasoning")
    logprobs = (choice.get("logprobs") or {}).get("content") or []
    return {
        "index": choice["index"],
        **{name: message.get(name) for name in names},
        "tool_calls": [
            {
                "index": number,
                "id": call.get("id"),
                "type": call.get("type"),
                "name": call["function"].get("name"),
                "arguments": call["function"].get("arguments"),
            }
            for number, call in enumerate(message.get("tool_calls") or [])
        ],
        "finish_reason": choice.get("finish_reason"),
        "logprob_tokens": len(logprobs),
    }
