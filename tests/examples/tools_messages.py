"""A loop of tool calls on Anthropic's Messages, until the model asks for none: python tools_messages.py URL MODEL MODEL [HEADER...]

python tools_messages.py https://api.anthropic.com/v1/messages MODEL MODEL "x-api-key: $KEY" "anthropic-version: 2023-06-01"
python tools_messages.py http://127.0.0.1:8484/v1/messages parallel-tool-calls text

The first model is asked first, the second one with the results. Prints each call with its result, then the answer.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import httpx

from stream_events import messages

PORT = {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]}
TOOLS = [
    {"name": "get_tide", "description": "High tide.", "input_schema": PORT},
    {"name": "list_ports", "description": "All ports.", "input_schema": {"type": "object"}},
]


def get_tide(port: str, **more: Any) -> str:
    """A tool that the model may call; a model may send more input than it was told of."""
    return f"high tide in {port} at 06:12"


def list_ports() -> str:
    """A tool without input."""
    return "Saint-Malo, Büsum"


RUN: dict[str, Callable[..., str]] = {"get_tide": get_tide, "list_ports": list_ports}


def ask(client: httpx.Client, url: str, **body: Any) -> messages.Accumulator:
    """One turn, whose problems are shown."""
    accumulator = messages.Accumulator()
    body |= {"tools": TOOLS, "max_tokens": 1000, "stream": True}
    with client.stream("POST", url, json=body) as answer:
        if answer.is_error:
            sys.exit(f"{answer.status_code}: {answer.read().decode()}")
        accumulator.add_all(messages.read(answer.iter_bytes()))
    for problem in accumulator.problems:
        print(f"{problem.level}: {problem}", file=sys.stderr)
    return accumulator


def main(url: str, first: str, second: str, *headers: str) -> None:
    said: list[dict[str, Any]] = [{"role": "user", "content": "When is high tide?"}]
    sent = dict(line.split(": ", 1) for line in headers)
    with httpx.Client(headers=sent, timeout=60) as client:
        turn = ask(client, url, model=first, messages=said)
        while turn.final.stop_reason == "tool_use":
            said.append({"role": "assistant", "content": messages.encode(turn.final)["content"]})
            results: list[dict[str, str]] = []
            for block in turn.final.content:
                if isinstance(block, messages.ResponseToolUseBlock):
                    result = RUN[block.name](**block.input)
                    print(f"{block.name} {block.input}: {result}")
                    answered = {"tool_use_id": block.id, "content": result}
                    results.append({"type": "tool_result", **answered})
            said.append({"role": "user", "content": results})
            turn = ask(client, url, model=second, messages=said)
    print(turn.text())


main(*sys.argv[1:])
