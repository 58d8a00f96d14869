"""Scenarios of any size, for whoever measures.

Reads a scenario for what its final object has besides the answer, a size and a seed; returns a scenario, which `compose`
makes into events as any other. Pure: the same size and seed give the same scenario. Never measures anything.
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from codegen.scenarios.scenario import Scenario, Streaming, Value

WORDS = "the tide turns twice a day and a quay of grey stone holds forty boats until nine 潮 café".split()


def workload(kind: str, base: Scenario, size: int, seed: int = 0) -> Scenario:
    """A scenario of that kind (see KINDS) with about `size` pieces of text; of images, `size` bytes each."""
    final, streaming = KINDS[kind](size, random.Random(seed))
    merged = {**base.final, **final}
    return replace(base, name=f"{kind}-{size}", final=merged, streaming=streaming)


def _words(count: int, chance: random.Random) -> str:
    """Text of so many words, which are as many pieces."""
    return " ".join(chance.choices(WORDS, k=count))


def _arguments(count: int, chance: random.Random) -> str:
    """Arguments of a call, as JSON of so many words."""
    return json.dumps({"note": _words(max(count - 1, 1), chance)}, ensure_ascii=False)


def _message(name: str, count: int, chance: random.Random) -> Value:
    part = {
        "type": "output_text",
        "text": _words(count, chance),
        "annotations": [],
        "logprobs": [],
    }
    return {
        "id": f"msg_{name}",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }


def tools(count: int, chance: random.Random) -> list[Value]:
    """Function tools as a real request has them: a description and a schema with several properties."""
    return [
        {
            "type": "function",
            "name": f"tool_{number}",
            "description": _words(30, chance),
            "strict": True,
            "parameters": {
                "type": "object",
                "properties": {
                    f"property_{at}": {"type": "string", "description": _words(12, chance)}
                    for at in range(6)
                },
                "required": [f"property_{at}" for at in range(6)],
                "additionalProperties": False,
            },
        }
        for number in range(count)
    ]


def _text(size: int, chance: random.Random) -> tuple[Value, Streaming]:
    """One message, with ten tools in the lifecycle events."""
    return {"tools": tools(10, chance), "output": [_message("1", size, chance)]}, Streaming()


def _mixed(size: int, chance: random.Random) -> tuple[Value, Streaming]:
    """Reasoning, two parallel calls, an MCP call, a web search and a message, a fifth of the pieces each but the search."""
    share = max(size // 5, 1)
    reasoning = {
        "id": "rs_1",
        "type": "reasoning",
        "summary": [{"type": "summary_text", "text": _words(share, chance)}],
    }
    calls = [
        {
            "id": f"fc_{number}",
            "type": "function_call",
            "call_id": f"call_{number}",
            "name": f"tool_{number}",
            "arguments": _arguments(share, chance),
            "status": "completed",
        }
        for number in range(2)
    ]
    mcp = {
        "id": "mcp_1",
        "type": "mcp_call",
        "server_label": "harbour",
        "name": "berths",
        "arguments": _arguments(share, chance),
        "output": "[]",
        "status": "completed",
    }
    action = {"type": "search", "query": _words(3, chance)}
    search = {"id": "ws_1", "type": "web_search_call", "status": "completed", "action": action}
    output = [reasoning, *calls, mcp, search, _message("1", share, chance)]
    return {"tools": tools(10, chance), "output": output}, Streaming(order="interleaved")


def _chat(size: int, chance: random.Random) -> tuple[Value, Streaming]:
    """Text, and two tool calls, a third of the pieces each."""
    share = max(size // 3, 1)
    calls = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": f"tool_{number}", "arguments": _arguments(share, chance)},
        }
        for number in range(2)
    ]
    message = {
        "role": "assistant",
        "content": _words(share, chance),
        "refusal": None,
        "tool_calls": calls,
    }
    choice = {"index": 0, "finish_reason": "tool_calls", "logprobs": None, "message": message}
    return {"choices": [choice]}, Streaming(order="interleaved")


def _messages(size: int, chance: random.Random) -> tuple[Value, Streaming]:
    """Thinking, text, and the input of a tool, a third of the pieces each."""
    share = max(size // 3, 1)
    content: list[Value] = [
        {"type": "thinking", "thinking": _words(share, chance), "signature": "c2lnbmF0dXJl"},
        {"type": "text", "text": _words(share, chance)},
        {
            "type": "tool_use",
            "id": "toolu_1",
            "name": "tool_1",
            "input": {"note": _words(share, chance)},
        },
    ]
    return {"stop_reason": "tool_use", "content": content}, Streaming()


def _images(size: int, chance: random.Random) -> tuple[Value, Streaming]:
    """A response with one image and three previews of it, `size` bytes each."""

    def image() -> str:
        return base64.b64encode(chance.randbytes(size)).decode()

    item: dict[str, Any] = {
        "id": "ig_1",
        "type": "image_generation_call",
        "status": "completed",
        "result": image(),
    }
    previews = {0: tuple(image() for _ in range(3))}
    return {"output": [item]}, Streaming(previews=previews)


KINDS: dict[str, Callable[[int, random.Random], tuple[Value, Streaming]]] = {
    "text": _text,
    "mixed": _mixed,
    "images": _images,
    "chat": _chat,
    "messages": _messages,
}
"""Kind → what makes it. text, mixed and images take a scenario of `responses`, the others one of their own stream."""
