"""Random chat completions, and chunks that stand for them.

Reads a seeded generator; returns chunks beside the completion that they add up to. The completion is made whole first and
then cut; nothing here accumulates, and nothing looks at the package.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.consistent import interleaved
from tests.consistent_items import Value, cut, text


@dataclass(frozen=True)
class ChatStream:
    """The chunks of a completion, and the completion. Nothing comes before a choice's role."""

    chunks: list[Value]
    completion: Value


def chat_stream(chance: random.Random) -> ChatStream:
    """A completion of one to three choices, whose chunks come interleaved, with or without usage at the end."""
    head = {
        "id": "chatcmpl-1",
        "created": 7,
        "model": "m",
        "service_tier": "default",
        "system_fingerprint": "fp",
    }
    made = [_choice(index, chance) for index in range(chance.randrange(1, 4))]
    usage = (
        {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
        if chance.randrange(2)
        else None
    )
    chunks: list[Value] = [
        {"choices": [piece], "usage": None}
        for piece in interleaved([pieces for _, pieces in made], chance)
    ]
    chunks += [{"choices": [], "usage": usage}] if usage else []
    completion = {
        **head,
        "object": "chat.completion",
        "choices": [choice for choice, _ in made],
        "usage": usage,
    }
    return ChatStream(
        [{**head, "object": "chat.completion.chunk", **chunk} for chunk in chunks], completion
    )


def _choice(index: int, chance: random.Random) -> tuple[Value, list[Value]]:
    """A choice and its pieces."""
    message: Value = {"role": "assistant", "content": None}
    deltas: list[list[Value]] = []
    for name in ("content", "refusal", "reasoning_content", "reasoning"):
        if chance.randrange(2):
            message[name] = text(chance)
            deltas.append([{name: piece} for piece in cut(message[name], chance)])
    calls = [_call(number, chance) for number in range(chance.choice((0, 0, 1, 2, 3)))]
    if calls:
        message["tool_calls"] = [call for call, _ in calls]
        deltas.append(
            [
                {"tool_calls": [piece]}
                for piece in interleaved([pieces for _, pieces in calls], chance)
            ]
        )
    if chance.randrange(5) == 0:
        whole = text(chance)
        message["function_call"] = {"name": "f", "arguments": whole}
        pieces = [{"function_call": {"arguments": piece}} for piece in cut(whole, chance)]
        deltas.append([{"function_call": {"name": "f", "arguments": ""}}, *pieces])
    if chance.randrange(5) == 0:
        audio, more = _audio(chance)
        message["audio"] = audio
        deltas.append(more)
    parts: list[Value] = [{"delta": {"role": "assistant"}}]
    parts += [{"delta": delta} for delta in interleaved(deltas, chance)]
    finish = chance.choice(("stop", "length", "tool_calls", "content_filter"))
    choice: Value = {"index": index, "message": message, "finish_reason": finish}
    tokens = _with_logprobs(parts, chance) if chance.randrange(3) == 0 else None
    if tokens is not None:
        choice["logprobs"] = {"content": tokens, "refusal": None}
    last = {"delta": {}, "finish_reason": finish}
    return choice, [{"index": index, "finish_reason": None, **part} for part in [*parts, last]]


def _call(index: int, chance: random.Random) -> tuple[Value, list[Value]]:
    """A tool call and its pieces; id, type and name come in the first, and now and then in later ones again."""
    call: Value = {"id": f"call_{chance.randrange(10**6)}", "type": "function"}
    function = {"name": f"f{index}", "arguments": text(chance)}
    pieces = [{"index": index, **call, "function": {"name": function["name"], "arguments": ""}}]
    for piece in cut(function["arguments"], chance):
        again = chance.choice(
            ({}, {}, {"id": call["id"]}, {"id": ""}, {"type": "function"}, {"id": None})
        )
        name = chance.choice(({}, {}, {"name": function["name"]}, {"name": ""}, {"name": None}))
        pieces.append({"index": index, **again, "function": {**name, "arguments": piece}})
    return {**call, "function": function}, pieces


def _audio(chance: random.Random) -> tuple[Value, list[Value]]:
    """An audio answer and its pieces."""
    audio: Value = {
        "id": "audio_1",
        "data": "QUJDREVG",
        "transcript": text(chance),
        "expires_at": 9,
    }
    pieces: list[Value] = [{"audio": {"id": "audio_1"}}]
    pieces += [{"audio": {"transcript": piece}} for piece in cut(audio["transcript"], chance)]
    pieces += [{"audio": {"data": piece}} for piece in ("QUJD", "REVG")]
    return audio, [*pieces, {"audio": {"expires_at": 9}}]


def _with_logprobs(parts: list[Value], chance: random.Random) -> list[Value] | None:
    """Put log probabilities beside some pieces; all of them, in order, or None where no piece got any."""
    tokens: list[Value] | None = None
    for part in parts:
        if chance.randrange(2):
            own = [
                {"token": "t", "bytes": [116], "logprob": -0.5 * n, "top_logprobs": []}
                for n in range(chance.randrange(3))
            ]
            part["logprobs"] = {"content": own, "refusal": None}
            tokens = [*(tokens or []), *own]
    return tokens
