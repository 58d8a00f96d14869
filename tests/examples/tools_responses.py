"""A loop of function calls on Responses, until the model asks for none: python tools_responses.py URL MODEL MODEL [HEADER...]

python tools_responses.py https://api.openai.com/v1/responses gpt-4o gpt-4o "Authorization: Bearer $OPENAI_API_KEY"
python tools_responses.py http://127.0.0.1:8484/v1/responses parallel-tool-calls text

The first model is asked first, the second one with the results. Prints each call with its result, then the answer.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import httpx

from stream_events import responses

PORT = {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]}
TOOLS = [{"type": "function", "name": "get_tide", "description": "High tide.", "parameters": PORT}]


def get_tide(port: str, **more: Any) -> str:
    """The function that the model may call; a model may send more arguments than it was told of."""
    return f"high tide in {port} at 06:12"


FUNCTIONS = {"get_tide": get_tide}


def ask(client: httpx.Client, url: str, **body: Any) -> responses.Accumulator:
    """One turn, whose problems are shown."""
    accumulator = responses.Accumulator()
    with client.stream("POST", url, json={**body, "tools": TOOLS, "stream": True}) as answer:
        if answer.is_error:
            sys.exit(f"{answer.status_code}: {answer.read().decode()}")
        accumulator.add_all(responses.read(answer.iter_bytes()))
    for problem in accumulator.problems:
        print(f"{problem.level}: {problem}", file=sys.stderr)
    return accumulator


def main(url: str, first: str, second: str, *headers: str) -> None:
    sent = dict(line.split(": ", 1) for line in headers)
    with httpx.Client(headers=sent, timeout=60) as client:
        turn = ask(client, url, model=first, input="When is high tide?")
        while calls := [
            item for item in turn.final.output if isinstance(item, responses.FunctionToolCall)
        ]:
            results: list[dict[str, str]] = []
            for call in calls:
                result = FUNCTIONS[call.name](**json.loads(call.arguments))
                print(f"{call.name} {call.arguments}: {result}")
                answered = {"call_id": call.call_id, "output": result}
                results.append({"type": "function_call_output", **answered})
            last = turn.final.id
            turn = ask(client, url, model=second, previous_response_id=last, input=results)
    print(turn.text())


main(*sys.argv[1:])
