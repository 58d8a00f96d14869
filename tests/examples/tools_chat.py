"""A loop of function calls on chat completions, until the model asks for none: python tools_chat.py URL MODEL MODEL [HEADER...]

python tools_chat.py https://api.openai.com/v1/chat/completions gpt-4o gpt-4o "Authorization: Bearer $OPENAI_API_KEY"
python tools_chat.py http://127.0.0.1:8484/v1/chat/completions parallel-tool-calls text

The first model is asked first, the second one with the results. Prints each call with its result, then the answer.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import httpx

from stream_events import chat

PORT = {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]}
TIDE = {"name": "get_tide", "description": "High tide.", "parameters": PORT}


def get_tide(port: str, **more: Any) -> str:
    """The function that the model may call; a model may send more arguments than it was told of."""
    return f"high tide in {port} at 06:12"


FUNCTIONS = {"get_tide": get_tide}


def ask(client: httpx.Client, url: str, **body: Any) -> chat.Accumulator:
    """One turn, whose problems are shown."""
    accumulator = chat.Accumulator()
    body |= {"tools": [{"type": "function", "function": TIDE}], "stream": True}
    with client.stream("POST", url, json=body) as answer:
        if answer.is_error:
            sys.exit(f"{answer.status_code}: {answer.read().decode()}")
        accumulator.add_all(chat.read(answer.iter_bytes()))
    for problem in accumulator.problems:
        print(f"{problem.level}: {problem}", file=sys.stderr)
    return accumulator


def main(url: str, first: str, second: str, *headers: str) -> None:
    said: list[dict[str, Any]] = [{"role": "user", "content": "When is high tide?"}]
    sent = dict(line.split(": ", 1) for line in headers)
    with httpx.Client(headers=sent, timeout=60) as client:
        turn = ask(client, url, model=first, messages=said)
        while calls := turn.final.choices[0].message.tool_calls:
            said.append(chat.encode(turn.final.choices[0].message))
            for call in calls:
                if not isinstance(call, chat.ChatCompletionMessageToolCall):
                    sys.exit(f"a call of another kind: {call}")
                result = FUNCTIONS[call.function.name](**json.loads(call.function.arguments))
                print(f"{call.function.name} {call.function.arguments}: {result}")
                said.append({"role": "tool", "tool_call_id": call.id, "content": result})
            turn = ask(client, url, model=second, messages=said)
    print(turn.text())


main(*sys.argv[1:])
