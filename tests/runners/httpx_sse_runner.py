"""`httpx-sse` as an implementation: the events that `EventSource.iter_sse` gives.

Reads the runner protocol; answers with what a user of the library sees. Never opens a connection: the response is made of the
pieces.
"""

from __future__ import annotations

from importlib.metadata import version

import httpx
from httpx_sse import EventSource

from tests.runners.protocol import Json, Skip, pieces, serve

CLAIMS: Json = {
    "implementation": "httpx-sse",
    "version": version("httpx-sse"),
    "language": "Python",
    "operations": ["sse"],
    "streams": [],
    "dialects": [],
    "asserts": ["events", "retry"],
}


def output(message: Json) -> Json:
    """The events of one body."""
    if message["options"]:
        raise Skip("has no options")
    response = httpx.Response(
        200, headers={"content-type": "text/event-stream"}, content=iter(pieces(message))
    )
    found = list(EventSource(response).iter_sse())
    retries = [sse.retry for sse in found if sse.retry is not None]
    return {
        "events": [{"event": sse.event, "data": sse.data, "id": sse.id} for sse in found],
        **({"retry": retries[-1]} if retries else {}),
    }


if __name__ == "__main__":
    serve(CLAIMS, output)
