"""Reads a response in the background to its end, through all cuts: python resume_background.py URL MODEL [HEADER...]

python resume_background.py https://api.openai.com/v1/responses gpt-4o "Authorization: Bearer $OPENAI_API_KEY"
python resume_background.py http://127.0.0.1:8484/v1/responses background "X-Fault: drop=5"

Prints the text as it comes, each event once; cuts and problems go to standard error. It gives up where an answer brings no new
event, and where the server cannot be reached at all.
"""

from __future__ import annotations

import sys

import httpx

from stream_events import responses


def follow(answer: httpx.Response, accumulator: responses.Accumulator) -> None:
    """Take the events of one body, up to its end or to where the connection breaks."""
    if answer.is_error:
        sys.exit(f"{answer.status_code}: {answer.read().decode()}")
    events = responses.read(answer.iter_bytes())
    try:
        for event in events:
            accumulator.add(event)
            if isinstance(event, responses.ResponseTextDeltaEvent):
                print(event.delta, end="", flush=True)
    except httpx.TransportError as error:
        print(f"cut: {error}", file=sys.stderr)
    for problem in events.problems:
        print(f"{problem.level}: {problem}", file=sys.stderr)


def main(url: str, model: str, *headers: str) -> None:
    body = {"model": model, "input": "Write at length.", "background": True, "stream": True}
    accumulator = responses.Accumulator()
    sent = dict(line.split(": ", 1) for line in headers)
    with httpx.Client(headers=sent, timeout=60) as client:
        with client.stream("POST", url, json=body) as answer:
            follow(answer, accumulator)
        before = None
        while not accumulator.is_over:
            last = accumulator.last_sequence_number
            if last is None or last == before:
                sys.exit(f"\ngave up: no new event after {last}")
            print(f"resuming after event {last}", file=sys.stderr)
            accumulator.resume()
            before = last
            again = f"{url}/{accumulator.at('id')}?stream=true&starting_after={last}"
            with client.stream("GET", again) as answer:
                follow(answer, accumulator)
    for problem in accumulator.problems:
        print(f"{problem.level}: {problem}", file=sys.stderr)
    print(f"\n{accumulator.final.status}")


main(*sys.argv[1:])
