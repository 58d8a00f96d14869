"""Prints the text of a stream as it comes, and at the end the usage: python read_stream.py URL."""

import sys
from urllib.request import urlopen

from stream_events import responses

accumulator = responses.Accumulator()
with urlopen(sys.argv[1], b'{"model": "text", "stream": true}') as answer:
    for event in responses.read(iter(answer.read1, b"")):
        accumulator.add(event)
        if isinstance(event, responses.ResponseTextDeltaEvent):
            print(event.delta, end="", flush=True)
print("\n", accumulator.final.usage)
