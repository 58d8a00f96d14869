"""Keeps a stream on disk byte for byte while it is read, and reads it again: python save_bytes.py URL MODEL FILE [HEADER...]

python save_bytes.py https://api.openai.com/v1/responses gpt-4o kept.sse "Authorization: Bearer $OPENAI_API_KEY"
python save_bytes.py http://127.0.0.1:8484/v1/responses text kept.sse "X-Fault: comments, crlf"

Prints the final object that was accumulated from the file, as JSON; ends with an error where it is not the one of the stream.
The file holds comments and broken blocks too, and is what `codegen lint FILE` takes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import httpx

from stream_events import responses


def keeping(chunks: Iterable[bytes], file: BinaryIO) -> Iterator[bytes]:
    """The same chunks, each of them written before it is read."""
    for chunk in chunks:
        file.write(chunk)
        yield chunk


def final(chunks: Iterable[bytes]) -> responses.Response:
    """The final object of a stream, whose problems are shown."""
    accumulator = responses.Accumulator()
    accumulator.add_all(responses.read(chunks))
    for problem in accumulator.problems:
        print(f"{problem.level}: {problem}", file=sys.stderr)
    return accumulator.final


def main(url: str, model: str, name: str, *headers: str) -> None:
    body = {"model": model, "input": "When is high tide?", "stream": True}
    sent = dict(line.split(": ", 1) for line in headers)
    with (
        Path(name).open("wb") as file,
        httpx.stream("POST", url, json=body, headers=sent, timeout=60) as answer,
    ):
        if answer.is_error:
            sys.exit(f"{answer.status_code}: {answer.read().decode()}")
        live = final(keeping(answer.iter_bytes(), file))
    with Path(name).open("rb") as file:
        kept = final(file)  # a file is an iterable of bytes, too
    if kept != live:
        sys.exit("what was kept is not what came")
    print(json.dumps(responses.encode(kept)))


main(*sys.argv[1:])
