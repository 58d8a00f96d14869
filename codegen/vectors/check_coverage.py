"""What the vectors should have a case for and have none.

Reads the catalogue's files and the vectors; returns sentences. Knows a problem's kinds by name, because each is a promise to
whoever writes another implementation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

PAYLOAD_KINDS = frozenset(
    {
        "missing-property",
        "unknown-event",
        "unknown-member",
        "unknown-property",
        "unknown-value",
        "wrong-type",
    }
)
"""What can be wrong with a payload."""
STREAM_KINDS = frozenset(
    {
        "after-done",
        "after-terminal",
        "announced-twice",
        "closed-twice",
        "disagreement",
        "empty",
        "error-body",
        "event-line",
        "filled",
        "id-changed",
        "incomplete-event",
        "index-filled",
        "index-reused",
        "json-body",
        "missing-snapshot",
        "missing-source",
        "no-tag",
        "not-an-object",
        "not-finished",
        "not-json",
        "repaired",
        "replaced",
        "sequence-back",
        "sequence-gap",
        "sequence-repeat",
        "truncated",
        "unannounced",
        "unexpected-done",
        "unfinished",
        "unknown-event",
        "unknown-member",
        "wrong-index",
        "wrong-kind",
        "wrong-type",
    }
)
"""What can be wrong with a stream."""
LOCAL_KINDS = {
    "more-problems": "says how many problems an implementation keeps",
    "not-decodable": "says that the caller's stack is short",
    "too-deep": "says that the caller's stack is short",
}
"""Kinds that are an implementation's own affair, and why."""
FOLDING = ("accumulate", "stream", "websocket")


def uncovered(catalogue: Path, files: list[Json]) -> Iterator[str]:
    """A sentence for each tag, verb and kind of problem without a case."""
    streams = [json.loads(path.read_bytes()) for path in sorted(catalogue.glob("*.json"))]
    seen = _payload_tags(files)
    for stream in streams:
        for event in stream["events"]:
            if (stream["name"], event["tag"]) not in seen:
                yield f"no case of operation event has the tag {event['tag']} of {stream['name']}"
    folded = _folded(files)
    verbs: dict[str, bool] = {}
    for stream in streams:
        for event in [*stream["events"], *stream.get("unlisted", ())]:
            for rule in event.get("rules", ["ignore"]):
                verb = re.split(r"\W", rule)[0]
                is_seen = event["tag"] in folded.get(stream["name"], "")
                verbs[verb] = verbs.get(verb, False) or is_seen
    yield from (f"no case runs the verb {verb}" for verb, is_seen in verbs.items() if not is_seen)
    for kind in sorted(PAYLOAD_KINDS - _kinds(files, ("event",))):
        yield f"no case of operation event expects a problem {kind}"
    for kind in sorted(STREAM_KINDS - _kinds(files, FOLDING)):
        yield f"no case of a stream expects a problem {kind}"


def expectations(case: Json) -> list[Json]:
    """The expectations of a case: one, or those of its alternatives."""
    if case["verdict"] != "acceptable":
        return [case["expect"]]
    return [alternative["expect"] for alternative in case["expect"]["alternatives"]]


def _payload_tags(files: list[Json]) -> set[tuple[str, str]]:
    return {
        (file["stream"], case["expect"]["tag"])
        for file in files
        if file["operation"] == "event"
        for case in file["cases"]
        if case["expect"].get("known")
    }


def _folded(files: list[Json]) -> dict[str, str]:
    """Stream → all inputs that are accumulated, as text."""
    found: dict[str, str] = {}
    for file in files:
        if file["operation"] in FOLDING:
            text = json.dumps([case["given"] for case in file["cases"]])
            found[file["stream"]] = found.get(file["stream"], "") + text
    return found


def _kinds(files: list[Json], operations: tuple[str, ...]) -> set[str]:
    found = set()
    for file in files:
        for case in file["cases"] if file["operation"] in operations else ():
            for expect in expectations(case):
                for lane in [expect, *expect.get("lanes", ())]:
                    found |= {problem["kind"] for problem in lane.get("problems", ())}
    return found
