"""Structured output as a pydantic model: python structured_output.py URL MODEL [HEADER...]

python structured_output.py https://api.openai.com/v1/responses gpt-4o "Authorization: Bearer $OPENAI_API_KEY"
python structured_output.py http://127.0.0.1:8484/v1/responses structured-output

Prints the parsed object. A refusal, and an answer that was cut off, is a StreamError; JSON that does not fit the model is
pydantic's ValidationError.
"""

from __future__ import annotations

import sys
from typing import Any

import httpx
from pydantic import BaseModel, ConfigDict

from stream_events import responses


class Tide(BaseModel):
    """What the model is asked to answer with; `extra` is what strict schemas call additionalProperties: false."""

    model_config = ConfigDict(extra="forbid")
    port: str
    high: list[str]
    height: float


def main(url: str, model: str, *headers: str) -> None:
    schema = {"type": "json_schema", "name": "tide", "strict": True}
    body: dict[str, Any] = {"model": model, "input": "When is high tide?", "stream": True}
    body["text"] = {"format": {**schema, "schema": Tide.model_json_schema()}}
    accumulator = responses.Accumulator()
    sent = dict(line.split(": ", 1) for line in headers)
    with httpx.stream("POST", url, json=body, headers=sent, timeout=60) as answer:
        if answer.is_error:
            sys.exit(f"{answer.status_code}: {answer.read().decode()}")
        accumulator.add_all(responses.read(answer.iter_bytes()))
    for problem in accumulator.problems:
        print(f"{problem.level}: {problem}", file=sys.stderr)
    tide = accumulator.parsed(Tide.model_validate_json)  # typed as Tide
    print(f"{tide.port}: {' and '.join(tide.high)}, {tide.height} m")


main(*sys.argv[1:])
