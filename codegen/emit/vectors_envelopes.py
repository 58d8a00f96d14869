"""Vectors that do not follow from the types: what stands in an envelope becomes a file.

Reads the catalogue's envelopes; returns files' values. Spells out what an envelope leaves to the stream: how its events
are framed. Never adds an expectation.
"""

from __future__ import annotations

import json
from typing import Any

from codegen.catalogue import Catalogue, Stream
from codegen.emit.render import MARK
from codegen.emit.vectors_notes import NOTES
from codegen.emit.vectors_text import payload

FORMAT = "stream-events-vectors/1"
ORDER = ("id", "comment", "flags", "spec", "given", "options", "verdict", "expect")


def files_of(catalogue: Catalogue) -> dict[str, dict[str, Any]]:
    """Path → file, of every envelope whose stream is in the catalogue."""
    streams = {stream.name: stream for stream in catalogue.streams}
    notes = flags(catalogue)
    found = {}
    for envelope in catalogue.envelopes:
        if envelope.stream and envelope.stream not in streams:
            continue
        stream = streams.get(envelope.stream) if envelope.operation == "stream" else None
        cases = [_case(one, stream) for one in json.loads(envelope.cases)]
        found[f"vectors/v1/{envelope.name}.json"] = file_of(
            envelope.operation, envelope.stream, envelope.source, cases, notes
        )
    return found


def file_of(
    operation: str, stream: str, source: str, cases: list[dict[str, Any]], notes: dict[str, Any]
) -> dict[str, Any]:
    """A file of cases, with the notes on their flags."""
    used = sorted({flag for case in cases for flag in case["flags"]})
    head: dict[str, Any] = {"format": FORMAT, "operation": operation}
    if stream:
        head["stream"] = stream
    head["source"] = f"{MARK}: {source}"
    explained = {flag: notes[flag] for flag in used if flag in notes}
    return {**head, "notes": explained, "cases": cases}


def flags(catalogue: Catalogue) -> dict[str, Any]:
    """Flag → what it stands for, with links to the reports of all cases that have it: the same in every file."""
    own: dict[str, Any] = json.loads(catalogue.flags) if catalogue.flags else {}
    reports: dict[str, set[str]] = {}
    for envelope in catalogue.envelopes:
        for case in json.loads(envelope.cases):
            for flag in case["flags"] if "report" in case["spec"] else ():
                reports.setdefault(flag, set()).add(case["spec"]["report"])
    return {
        flag: {**note, "links": [*note.get("links", ()), *sorted(reports.get(flag, ()))]}
        for flag, note in {**NOTES, **own}.items()
    }


def framed(stream: Stream | None, given: dict[str, Any]) -> dict[str, Any]:
    """`given` with its events as the text of an event stream; the rest as it is.

    lines  whether the events have `event:` lines, done whether [DONE] ends them: as the stream does, where not given
    """
    if stream is None or "events" not in given:
        return given
    lines = given.get("lines", stream.event_line == "tag")
    done = given.get("done", stream.done)
    text = ""
    for event in given["events"]:
        line = f"event: {event[stream.tag]}\n" if lines and stream.tag in event else ""
        text += f"{line}data: {payload(event)}\n\n"
    text += "data: [DONE]\n\n" if done else ""
    return {"text": text}


def _case(one: dict[str, Any], stream: Stream | None) -> dict[str, Any]:
    """A case with its keys in order; the verdict is valid where none is given."""
    one = {"verdict": "valid", **one, "given": framed(stream, one["given"])}
    return {name: one[name] for name in ORDER if name in one}
