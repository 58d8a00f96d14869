"""Streams an answer with nothing but the standard library: python with_urllib.py URL MODEL [HEADER...]

python with_urllib.py https://api.openai.com/v1/responses gpt-4o "Authorization: Bearer $OPENAI_API_KEY"
python with_urllib.py http://127.0.0.1:8484/v1/responses text "X-Fault: gap=6"

Prints the text as it comes, then status and usage; what the stream did wrong goes to standard error.
"""

from __future__ import annotations

import json
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from stream_events import responses


def main(url: str, model: str, *headers: str) -> None:
    accumulator = responses.Accumulator()
    body = {"model": model, "input": "When is high tide?", "stream": True}
    sent = dict(line.split(": ", 1) for line in ("Content-Type: application/json", *headers))
    try:
        answer = urlopen(Request(url, json.dumps(body).encode(), sent), timeout=60)
    except HTTPError as error:
        sys.exit(f"{error.code}: {error.read().decode()}")
    with answer:
        # read1 gives what is there, where read waits until it has all it was asked for
        events = responses.read(iter(answer.read1, b""))
        for event in events:
            accumulator.add(event)
            if isinstance(event, responses.ResponseTextDeltaEvent):
                print(event.delta, end="", flush=True)
    accumulator.end(events.outcome, events.problems)
    for problem in accumulator.problems:
        print(f"{problem.level}: {problem}", file=sys.stderr)
    final = accumulator.final  # StreamError where the stream failed or broke off
    print(f"\n{final.status}, {final.usage.total_tokens if final.usage else 'unknown'} tokens")
    if final.error is not None:
        sys.exit(f"{final.error.code}: {final.error.message}")


main(*sys.argv[1:])
