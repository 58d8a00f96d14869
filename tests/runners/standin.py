"""A small implementation of the SSE part, right or wrong in one way, for the tests of the runner.

Reads the runner protocol; answers as the way that its first argument names: `right`, or one of WAYS. The decoder is written
here, from HTML 9.2.6, in the fewest lines; it holds the whole body, so no cut can matter to it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.runners.protocol import Json, Failure, Skip, pieces

CLAIMS: Json = {
    "implementation": "standin",
    "version": "1",
    "language": "Python",
    "operations": ["sse", "event"],
    "streams": ["responses"],
    "dialects": [],
    "asserts": ["events", "tag"],
}


def events(body: bytes) -> list[Json]:
    """The events of a body."""
    text = body.decode(errors="replace").removeprefix("\ufeff")
    found, event, data, last_id, next_id = [], "", [], "", ""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[:-1]
    for line in lines:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event" and line:
            event = value
        elif name == "data":
            data.append(value)
        elif name == "id" and "\0" not in value:
            next_id = value
        elif not line:
            last_id = next_id
            if data:
                found.append({"event": event or "message", "data": "\n".join(data), "id": last_id})
            event, data = "", []
    return found


def right(message: Json) -> Json:
    """A right answer."""
    if message["operation"] == "event":
        return {"tag": json.loads(message["given"]["text"])["type"]}
    if message["options"].get("max_event_bytes"):
        raise Failure("limit", "too large")
    if message["options"]:
        raise Skip("has no such option")
    return {"events": events(b"".join(pieces(message)))}


def cut_matters(message: Json) -> Json:
    """Takes every piece for a body of its own."""
    if message["operation"] != "sse" or message["options"]:
        return right(message)
    return {"events": [event for piece in pieces(message) for event in events(piece)]}


def once(action: Callable[[], Any]) -> Callable[[Json], Json]:
    """Does something bad in the second question of a process whose file in argv says it has not been done."""

    def output(message: Json) -> Json:
        mark = Path(sys.argv[2])
        if message["seq"] == 2 and not mark.exists():
            mark.touch()
            action()
        return right(message)

    return output


def noisy(message: Json) -> Json:
    """A right answer, and more on standard error than any pipe holds."""
    for _ in range(30):
        sys.stderr.write("x" * 10_000 + "\n")
    return right(message)


def say(text: str) -> None:
    """Something on standard output that is no answer."""
    sys.stdout.write(text)
    sys.stdout.flush()


def half() -> None:
    """End inside an answer."""
    say('{"seq": 2, "res')
    os._exit(0)


def closed() -> None:
    """Close standard output, and live on."""
    os.close(1)
    os.read(os.pipe()[0], 1)


def hang() -> None:
    """Wait for what never comes, a child of its own included."""
    if not os.fork():
        os.read(os.pipe()[0], 1)
    os.read(os.pipe()[0], 1)


def always_hangs(message: Json) -> Json:
    """Hangs in every question that has no options."""
    if not message["options"]:
        hang()
    return right(message)


def hold() -> None:
    """Say through the pipe of argv that something was asked, and hold it open for as long as this process lives."""
    with open(sys.argv[2], "w", encoding="utf-8") as pipe:
        pipe.write("asked\n")
        pipe.flush()
        hang()


def holds(message: Json) -> Json:
    """Holds a pipe open."""
    hold()
    return right(message)


WAYS: dict[str, Callable[[Json], Json]] = {
    "right": right,
    "cut-matters": cut_matters,
    "floods-stderr": noisy,
    "dies": once(lambda: os._exit(3)),
    "killed": once(lambda: os.kill(os.getpid(), 9)),
    "always-hangs": always_hangs,
    "holds": holds,
    "hangs": once(hang),
    "says-garbage": once(lambda: say("Traceback (most recent call last):\n")),
    "says-half": once(half),
    "says-list": once(lambda: say("[]\n")),
    "says-deep": once(lambda: say("[" * 100_000 + "\n")),
    "answers-other": once(lambda: say('{"seq": 1, "result": "ok", "output": {}}\n')),
    "answers-without-result": once(lambda: say('{"seq": 2}\n')),
    "answers-a-list": once(lambda: say('{"seq": 2, "result": ["ok"]}\n')),
    "answers-an-object": once(lambda: say('{"seq": 2, "result": {"ok": 1}}\n')),
    "answers-a-deep-seq": once(lambda: say('{"seq": ' + "[" * 900 + "]" * 900 + "}\n")),
    "answers-a-list-as-error": once(
        lambda: say('{"seq": 2, "result": "error", "error": ["limit"]}\n')
    ),
    "answers-a-text-as-output": once(lambda: say('{"seq": 2, "result": "ok", "output": ""}\n')),
    "answers-more": once(lambda: say('{"seq": 2, "result": "ok", "output": {}, "id": 1}\n')),
    "skips-without-reason": once(lambda: say('{"seq": 2, "result": "skipped"}\n')),
    "closes-stdout": once(closed),
    "reads-no-more": once(lambda: os.close(0)),
}


def main(way: str) -> None:
    """Answer every message."""
    if way == "silent":
        return
    if way == "never-starts":
        hang()
    output = WAYS[way]
    for line in sys.stdin:
        message = json.loads(line)
        if message["do"] == "stop":
            return
        if message["do"] == "start":
            say(json.dumps(CLAIMS) + "\n")
            continue
        shown = set(message) - {"do", "seq", "operation", "stream", "given", "options"}
        reply: Json = {"seq": message["seq"], "result": "ok"}
        try:
            reply["output"] = {**output(message), **{name: "was shown" for name in shown}}
        except Skip as error:
            reply |= {"result": "skipped", "reason": str(error)}
        except Failure as error:
            reply |= {"result": "error", "error": error.kind}
        say(json.dumps(reply) + "\n")


if __name__ == "__main__":
    if sys.argv[1] == "one-shot-holds":
        if os.environ.get("STREAM_EVENTS_OPERATION"):
            hold()
    elif sys.argv[1] == "one-shot":
        if len(sys.argv) > 2 and os.environ.get("STREAM_EVENTS_OPERATION"):
            with open(sys.argv[2], "a", encoding="utf-8") as starts:
                starts.write(os.environ["STREAM_EVENTS_OPERATION"] + "\n")
        for event in events(sys.stdin.buffer.read()):
            print(json.dumps(event))
    else:
        main(sys.argv[1])
