"""The chunks of a chat completion, and of a text completion.

Reads a scenario of the stream `chat` or `completions`; returns payloads. Never says a thing in two chunks, but for the
head that every chunk has.
"""

from __future__ import annotations

from codegen.scenarios.pieces import cut, ordered
from codegen.scenarios.scenario import Scenario, Value

TEXTS = ("reasoning_content", "content", "refusal")
"""Texts of a message in the order in which servers send them."""


def chunks(scenario: Scenario) -> list[Value]:
    """The role of each choice, its texts and calls in pieces, why it ended; then the usage in a chunk of its own."""
    final = scenario.final
    parts = [_choice(choice, scenario) for choice in final["choices"]]
    head = _head(final, "chat.completion.chunk")
    made = [{**head, "choices": [piece]} for piece in ordered(parts, scenario.streaming)]
    return [*made, *_usage(final, head)]


def text_chunks(scenario: Scenario) -> list[Value]:
    """The pieces of each choice's text, why it ended; then the usage in a chunk of its own."""
    final, pieces = scenario.final, scenario.streaming.pieces
    parts = []
    for choice in final["choices"]:
        row = {"index": choice["index"], "logprobs": None, "finish_reason": None}
        texts = [{**row, "text": piece} for piece in cut(choice["text"], pieces)]
        parts.append([*texts, {**row, "text": "", "finish_reason": choice["finish_reason"]}])
    head = _head(final, "text_completion")
    made = [{**head, "choices": [piece]} for piece in ordered(parts, scenario.streaming)]
    return [*made, *_usage(final, head)]


def _head(final: Value, kind: str) -> Value:
    own = ("choices", "usage", "object")
    return {**{name: value for name, value in final.items() if name not in own}, "object": kind}


def _usage(final: Value, head: Value) -> list[Value]:
    return [{**head, "choices": [], "usage": final["usage"]}] if final.get("usage") else []


def _choice(choice: Value, scenario: Scenario) -> list[Value]:
    row = {"index": choice["index"], "logprobs": None, "finish_reason": None}
    deltas = _deltas(choice["message"], scenario)
    end = {**row, "delta": {}, "finish_reason": choice["finish_reason"]}
    return [*({**row, "delta": delta} for delta in deltas), end]


def _deltas(message: Value, scenario: Scenario) -> list[Value]:
    pieces = scenario.streaming.pieces
    made: list[Value] = [{"role": message["role"], "content": None, "refusal": None}]
    for name in TEXTS:
        made += [{name: piece} for piece in cut(message.get(name) or "", pieces)]
    calls = [
        _call(number, call, pieces) for number, call in enumerate(message.get("tool_calls", ()))
    ]
    return [*made, *({"tool_calls": [piece]} for piece in ordered(calls, scenario.streaming))]


def _call(index: int, call: Value, pieces: str | int) -> list[Value]:
    """A tool call: what it is in the first piece, its arguments in those after it."""
    function = call["function"]
    first = {"index": index, **call, "function": {**function, "arguments": ""}}
    more = [
        {"index": index, "function": {"arguments": piece}}
        for piece in cut(function["arguments"], pieces)
    ]
    return [first, *more]
