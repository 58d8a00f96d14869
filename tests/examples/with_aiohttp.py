"""Streams an answer with aiohttp: python with_aiohttp.py URL MODEL [HEADER...]

python with_aiohttp.py https://api.openai.com/v1/responses gpt-4o "Authorization: Bearer $OPENAI_API_KEY"
python with_aiohttp.py http://127.0.0.1:8484/v1/responses text "X-Fault: gap=6"

Prints the text as it comes, then status and usage; what the stream did wrong goes to standard error.
"""

from __future__ import annotations

import asyncio
import sys

import aiohttp

from stream_events import responses


async def main(url: str, model: str, *headers: str) -> None:
    accumulator = responses.Accumulator()
    body = {"model": model, "input": "When is high tide?", "stream": True}
    sent = dict(line.split(": ", 1) for line in headers)
    patience = aiohttp.ClientTimeout(total=None, sock_connect=60, sock_read=60)
    async with (
        aiohttp.ClientSession(headers=sent, timeout=patience) as session,
        session.post(url, json=body) as answer,
    ):
        if not answer.ok:
            sys.exit(f"{answer.status}: {await answer.text()}")
        events = responses.aread(answer.content.iter_any())
        async for event in events:
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


asyncio.run(main(*sys.argv[1:]))
