"""Keeps a stream's events on disk, one JSON object a line, and reads them again: python save_events.py URL MODEL FILE [HEADER...]

python save_events.py https://api.openai.com/v1/responses gpt-4o kept.jsonl "Authorization: Bearer $OPENAI_API_KEY"
python save_events.py http://127.0.0.1:8484/v1/responses text kept.jsonl

Prints the final object that was accumulated from the file, as JSON; ends with an error where it is not the one of the stream.
The lines are what the server sent: properties and events that the package does not know are in them too. A block that is no
JSON object has no line, and is a StreamError; save_bytes.py keeps these as well.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import httpx

from stream_events import responses


def write(url: str, model: str, path: Path, headers: dict[str, str]) -> responses.Response:
    """Write each event as it comes; gives the stream's final object."""
    accumulator = responses.Accumulator()
    body = {"model": model, "input": "When is high tide?", "stream": True}
    with (
        path.open("w", encoding="utf-8") as file,
        httpx.stream("POST", url, json=body, headers=headers, timeout=60) as answer,
    ):
        if answer.is_error:
            sys.exit(f"{answer.status_code}: {answer.read().decode()}")
        events = responses.read(answer.iter_bytes())
        for event in events:
            accumulator.add(event)
            file.write(json.dumps(responses.encode(event)) + "\n")
    accumulator.end(events.outcome)
    for problem in [*events.problems, *accumulator.problems]:
        print(f"{problem.level}: {problem}", file=sys.stderr)
    return accumulator.final


def read(path: Path) -> responses.Response:
    """The final object of a file of events."""
    accumulator = responses.Accumulator()
    with path.open("rb") as file:
        accumulator.add_all(responses.decode(line) for line in file)
    return accumulator.final


def main(url: str, model: str, name: str, *headers: str) -> None:
    live = write(url, model, Path(name), dict(line.split(": ", 1) for line in headers))
    kept = read(Path(name))
    if kept != live:
        sys.exit("what was kept is not what came")
    print(json.dumps(responses.encode(kept)))


main(*sys.argv[1:])
