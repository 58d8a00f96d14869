"""The official client, `openai`, as a judge: both read the same recordings over HTTP from a server on this machine.

Reads ../shared/captures through `tests.stream_server`. The final object of the client's and ours are equal as JSON, or the
difference stands in DIFFERENCES with who is right: a new one fails, and so does one that is gone. Never compares what the
client adds by itself (`added_by_client` has the rule).
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import openai
import pytest

from stream_events import chat, completions, responses
from tests.shared import shared
from tests.stream_server import body_of, chunks, entries, serving

LEGACY = "chat-openai-test-completion-streaming-with-events-with-content-2"
"""A recording of the legacy completions, which the manifest counts as chat."""


class Reason(NamedTuple):
    """Why two results differ: who is right (ours, client, neither, both) and what happens."""

    right: str
    why: str


REASONS = {
    "output-fallback": Reason("ours", "the terminal event's output is empty; the streamed items stand in for it"),
    "terminal-not-completed": Reason("ours", "the client has a final object after response.completed only"),
    "error-then-failed": Reason("ours", "the client raises at the error event and never reads response.failed after it"),
    "unannounced-part": Reason("ours", "the client fails with IndexError on a delta for a part that was not announced"),
    "labels-joined": Reason("ours", "the client joins strings that are repeated, not continued, such as role"),
    "numbers-added": Reason("ours", "the client adds numbers and booleans: false twice is 0"),
    "empty-labels": Reason("both", "a label that is empty in every chunk: the client keeps \"\", ours leaves it out"),
    "calls-joined": Reason("ours", "a new id and name at a used index is a new tool call; the client joins the two"),
    "pieces-kept": Reason("both", "ours keeps the pieces as they came; the client joins their texts, and their labels too"),
    "first-chunk-only": Reason("ours", "the client takes undeclared and top-level fields from the first chunk alone"),
    "usage-lost": Reason("ours", "usage came before the last chunk; the client keeps that of the last chunk"),
    "chunk-skipped": Reason("ours", "the client skips chunks whose `object` is not chat.completion.chunk"),
    "no-choices": Reason("ours", "the client fails with TypeError on a chunk without choices"),
    "length-raises": Reason("both", "the client raises where the answer was cut off; ours gives it with its finish_reason"),
    "both-raise": Reason("both", "the stream carries an error: the client raises APIError, ours StreamError at `final`"),
}  # fmt: skip

Table = dict[str, dict[str, str]]
ROLE = {".choices[].message.role": "labels-joined"}
DETAILS = {".choices[].message.reasoning_details": "pieces-kept"}
GROQ = {".x_groq.usage": "first-chunk-only"}
EMPTY = {".service_tier": "empty-labels", ".system_fingerprint": "empty-labels"}
LENGTH = {"client raises LengthFinishReasonError": "length-raises"}
FAILS = {"client raises APIError": "both-raise", "ours raises StreamError": "both-raise"}

DIFFERENCES: dict[str, Table] = {
    "responses create": {
        "responses-chatgpt-codex-sessions-reasoning-session-two-tool-calls-streaming": {".output": "output-fallback"},
        "responses-chatgpt-streaming-tools-tool-call-completed-response-without-output": {".output": "output-fallback"},
        "responses-openai-openai-error-1": {"client raises APIError": "error-then-failed"},
    },
    "responses stream": {
        "responses-bedrock-providers-bedrock-mantle-responses-chat-streams-through-the-responses-surface": {
            "client raises IndexError": "unannounced-part"
        },
        "responses-chatgpt-codex-sessions-reasoning-session-two-tool-calls-streaming": {".output": "output-fallback"},
        "responses-chatgpt-streaming-tools-tool-call-completed-response-without-output": {".output": "output-fallback"},
        "responses-openai-openai-error-1": {"client raises APIError": "error-then-failed"},
        "responses-openai-streaming-grammar-incomplete-mid-tool-call": {
            "client raises RuntimeError": "terminal-not-completed"
        },
    },
    "chat create": {"chat-openrouter-test-openrouter-stream-error": {"client raises APIError": "both-raise"}},
    "chat stream": {
        "chat-azure-azure-o4-mini-simple-streaming": {
            ".prompt_filter_results": "chunk-skipped", ".latency_checkpoint": "first-chunk-only",
        },
        "chat-azure-test-chat-async-streaming-with-events-with-no-content-3": {
            ".prompt_filter_results": "chunk-skipped", ".choices[].content_filter_results": "first-chunk-only",
        },
        "chat-azure-test-chat-streaming": {
            ".prompt_filter_results": "chunk-skipped", ".choices[].content_filter_results": "first-chunk-only",
        },
        "chat-cerebras-cererebras-structured-output-tools-1": {
            **ROLE, ".choices[].message.tool_calls": "calls-joined", ".time_info": "first-chunk-only",
        },
        "chat-copilot-streaming-tools-raw-stream-emits-required-zero-arg-tool-call": {
            "client raises AssertionError": "chunk-skipped"
        },
        "chat-deepinfra-or-local-test-chat-streaming": ROLE,
        "chat-doubleword-finish-reason-matrix-streaming-tool-calls": {**ROLE, **DETAILS},
        "chat-doubleword-response-identity-edge-streaming-identity-contract-vs-reality": LENGTH,
        "chat-doubleword-streaming-tools-streaming-tools-smoke-1": {**ROLE, **DETAILS},
        "chat-groq-groq-kimi-k2-simple-streaming": {**GROQ, ".service_tier": "first-chunk-only"},
        "chat-groq-groq-reasoning": GROQ,
        "chat-groq-groq-tool-call": GROQ,
        "chat-groq-test-groq-model-web-search-tool-stream": {
            ".choices[].message.executed_tools[].arguments": "labels-joined", ".x_groq": "first-chunk-only",
        },
        "chat-groq-test-tool-use-failed-error-streaming-with-text-1": {
            **GROQ, ".choices[].message.channel": "labels-joined",
        },
        "chat-huggingface-huggingface-kimi-k2-tool-streaming": {**GROQ, ".service_tier": "first-chunk-only"},
        "chat-llama-cpp-llama-cpp-gpt-oss-simple-streaming": {".timings": "first-chunk-only"},
        "chat-mistral-multimodal-content-streaming-agent-sends-audio": {".p": "first-chunk-only"},
        "chat-mistral-terminal-metadata-matrix-streaming-mistral-small-tiny-plain-two": LENGTH,
        "chat-ollama-chat-function-calling-ollama-qwen3-can-use-tools-with-multi-turn-streaming-conversations-1": ROLE,
        "chat-openai-chatwithbasicaudiooutputasync": {"client raises TypeError": "no-choices"},
        "chat-openai-test-openai-moderation-stream": {".usage": "usage-lost"},
        "chat-openrouter-glm-tool-streaming": {
            **ROLE, **DETAILS, ".choices[].native_finish_reason": "first-chunk-only",
        },
        "chat-openrouter-test-openrouter-stream-error": FAILS,
        "chat-perplexity-perplexity-text": {**ROLE, ".choices[].finish_reason": "chunk-skipped"},
        "chat-snowflake-test-snowflake-model-streaming": {**ROLE, **EMPTY},
        "chat-snowflake-test-snowflake-thinking-streaming": {**ROLE, **DETAILS, **EMPTY},
        "chat-venice-prompt-caching-streaming-probe": LENGTH,
        "chat-venice-raw-stream-capture-matrix-stream-raw-exposes-terminal-cost": {
            ".cost": "first-chunk-only",
            ".choices[].message.reasoning_encrypted": "numbers-added",
        },
        "chat-venice-streaming-tools-streaming-tools-smoke": {
            **ROLE, ".service_tier": "first-chunk-only", ".cost": "first-chunk-only",
        },
        "chat-vercel-gateway-claude-sonnet-4-tool-streaming": {".generationId": "first-chunk-only"},
        "chat-vercel-gateway-gemini-3-pro-preview-thinking-streaming": {
            **DETAILS, ".generationId": "first-chunk-only",
        },
        "chat-vercel-gateway-gpt-5-simple-streaming": {
            ".service_tier": "first-chunk-only", ".generationId": "first-chunk-only",
        },
        "chat-zai-zai-glm-4-7-flash-thinking-streaming": ROLE,
        "chat-zai-zai-glm-4-7-flash-thinking-streaming-1": ROLE,
    },
    "completions create": {},
}  # fmt: skip
"""Call → recording → what differs, and why. Places in lists are left out of the paths."""


def _responses_create(client: openai.OpenAI, url: str) -> Any:
    last: Any = None
    for last in client.responses.create(model="m", input="x", stream=True):
        pass
    return last.response.to_dict()


def _responses_stream(client: openai.OpenAI, url: str) -> Any:
    with client.responses.stream(model="m", input="x") as stream:
        return stream.get_final_response().to_dict()


def _chat_create(client: openai.OpenAI, url: str) -> Any:
    stream = client.chat.completions.create(model="m", messages=[], stream=True)
    return [chunk.to_dict() for chunk in stream]


def _chat_stream(client: openai.OpenAI, url: str) -> Any:
    with client.chat.completions.stream(model="m", messages=[]) as stream:
        return stream.get_final_completion().to_dict()


def _completions_create(client: openai.OpenAI, url: str) -> Any:
    stream = client.completions.create(model="m", prompt="x", stream=True)
    return [chunk.to_dict() for chunk in stream]


def _our_response(url: str) -> Any:
    return responses.encode(responses.final(chunks(url)))


def _our_completion(url: str) -> Any:
    accumulator = chat.Accumulator()
    accumulator.add_all(chat.read(chunks(url)))
    return chat.encode(accumulator.final)


def _our_chunks(url: str) -> Any:
    return [chat.encode(event) for event in chat.read(chunks(url))]


def _our_texts(url: str) -> Any:
    return [completions.encode(event) for event in completions.read(chunks(url))]


Call = tuple[str, Callable[[openai.OpenAI, str], Any], Callable[[str], Any]]
CALLS: dict[str, Call] = {
    "responses create": ("responses", _responses_create, _our_response),
    "responses stream": ("responses", _responses_stream, _our_response),
    "chat create": ("chat", _chat_create, _our_chunks),
    "chat stream": ("chat", _chat_stream, _our_completion),
    "completions create": ("chat", _completions_create, _our_texts),
}
"""Call → the recordings' API, the client's result and ours. Where `create` gives chunks alone, the chunks are compared."""


def recordings(call: str) -> list[str]:
    """The recordings that a call reads."""
    if call == "completions create":
        return [LEGACY]
    return [name for name in entries(CALLS[call][0]) if name != LEGACY]


def added_by_client(value: Any, call: str) -> Any:
    """A JSON value without what the client adds: `parsed` and `parsed_arguments`; and in what its `stream` for chat made,
    null where the stream had nothing, and the `index` of a tool call, which only chunks have."""
    if isinstance(value, list):
        return [added_by_client(item, call) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {
        name: added_by_client(item, call)
        for name, item in value.items()
        if name not in ("parsed", "parsed_arguments")
    }
    if call != "chat stream":
        return kept
    return {
        name: item
        for name, item in kept.items()
        if item not in (None, {}) and not (name == "index" and "function" in kept)
    }


def differences(ours: Any, theirs: Any, path: str = "") -> Iterator[str]:
    """The outermost paths at which two JSON values differ; a list of another length differs as a whole."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for name in {**ours, **theirs}:
            if name not in ours or name not in theirs:
                yield f"{path}.{name}"
            else:
                yield from differences(ours[name], theirs[name], f"{path}.{name}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for mine, other in zip(ours, theirs):
            yield from differences(mine, other, f"{path}[]")
    elif ours != theirs or isinstance(ours, bool) != isinstance(theirs, bool):
        yield path


def _attempt(read: Callable[[], Any]) -> tuple[Any, str]:
    """A result, or the name of the exception in its place: what the client raises is part of what is compared."""
    try:
        return read(), ""
    except Exception as error:
        return None, type(error).__name__


def compared(call: str, url: str) -> set[str]:
    """What differs between the client and us on one recording."""
    _, theirs, ours = CALLS[call]
    client = openai.OpenAI(api_key="none", base_url=url, max_retries=0)
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", UserWarning
        )  # pydantic's, where the client takes the wrong member of a union
        other, raised = _attempt(lambda: theirs(client, url))
    client.close()
    mine, refused = _attempt(lambda: ours(f"{url}/x"))
    found = {f"client raises {raised}"} if raised else set()
    found |= {f"ours raises {refused}"} if refused else set()
    if not found:
        found = set(differences(added_by_client(mine, call), added_by_client(other, call)))
    return found


@pytest.mark.parametrize("call", CALLS)
def test_our_final_object_is_that_of_the_official_client(call: str) -> None:
    shared("captures/manifest.json")  # skips here, not in the server's thread
    with serving(lambda name: body_of(CALLS[call][0], name)) as address:
        found = {name: compared(call, f"{address}/{name}") for name in recordings(call)}
    expected = {name: set(paths) for name, paths in DIFFERENCES[call].items()}
    assert {name: paths for name, paths in found.items() if paths} == expected


def test_every_reason_is_used_and_every_difference_has_one() -> None:
    used = Counter(
        reason
        for table in DIFFERENCES.values()
        for paths in table.values()
        for reason in paths.values()
    )
    assert set(used) == set(REASONS)
    assert {reason.right for reason in REASONS.values()} <= {"ours", "client", "neither", "both"}


def test_the_comparison_sees_what_it_is_for() -> None:
    assert list(differences({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3, "c": 0}]})) == [
        ".a[].b",
        ".a[].c",
    ]
    assert list(differences([1], [1, 2])) == [""]
    assert list(differences({"a": True}, {"a": 1})) == [".a"]
    assert added_by_client({"parsed": None, "a": None}, "responses stream") == {"a": None}
