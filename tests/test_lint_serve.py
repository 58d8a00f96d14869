"""The linter on what the server plays: nothing on a scenario as it is, and on each fault a finding of its own.

Reads `spec/scenarios` and the bytes that the server would send; what each fault is found as stands in a table. Never starts a
server.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from codegen.lint.kinds import KINDS
from codegen.lint.result import Result
from codegen.serve.faults import FAULTS, Fault, changed, delivered, error_text
from codegen.serve.library import read_library
from tests.lint.streams import check

LIBRARY = read_library(Path(__file__).resolve().parent.parent / "spec")
ALL = [(each.stream, each.name) for each in LIBRARY.scenarios]
HEAD = "HTTP/1.1 {status}\r\nContent-Type: {type}\r\n\r\n"
UNDECLARED = {("chat", "reasoning"): {("unknown-property", "info")}}
"""Scenarios with something that many servers send and no specification declares, which is worth knowing."""


class Told(NamedTuple):
    """A fault of a stream after an event, and what it is found as; None for nothing, with the reason."""

    fault: str
    stream: str
    number: int
    id: str | None
    why: str = ""


CHUNKED, NUMBERED = ("chat", "completions"), ("responses",)
NAMED = ("responses", "messages", "images-generations")
STREAMS = (*NAMED, *CHUNKED)
LEGAL = ("bytewise", "split", "crlf", "comments")
UNCOUNTED = "chunks have no numbers: text that came twice, or is missing, is as good as any"
TABLE = (
    *(Told(fault, stream, 1, "no-terminal") for fault in ("cut", "drop", "stall") for stream in NAMED),
    *(Told(fault, stream, 2, "cut-short") for fault in ("cut", "drop", "stall") for stream in CHUNKED),
    *(Told("tear", stream, 2, "incomplete-event") for stream in STREAMS),
    *(Told(fault, stream, 0, None, "legal on the wire") for fault in LEGAL for stream in STREAMS),
    Told("duplicate", "responses", 6, "sequence-repeat"),
    Told("duplicate", "messages", 3, "announced-twice"),
    Told("duplicate", "images-generations", 3, "done-twice"),
    *(Told("duplicate", stream, 2, None, UNCOUNTED) for stream in CHUNKED),
    Told("gap", "responses", 6, "sequence-gap"),
    Told("gap", "messages", 3, "unannounced"),
    Told("gap", "images-generations", 1, "index-gap"),
    *(Told("gap", stream, 2, None, UNCOUNTED) for stream in CHUNKED),
    *(Told("unknown-event", stream, 1, "unknown-event") for stream in STREAMS),
    *(Told("unknown-field", stream, 2, "unknown-property") for stream in STREAMS),
    *(Told("error", stream, 1, "error-event") for stream in STREAMS),
    *(Told("after-terminal", stream, 0, "after-terminal") for stream in NAMED),
    *(Told("after-terminal", stream, 0, "after-done-marker") for stream in CHUNKED),
    *(Told("rate-limit", stream, 1, "http-status") for stream in STREAMS),
    *(Told("error-body", stream, 0, "error-body") for stream in STREAMS),
)  # fmt: skip
"""A connection that breaks or stalls leaves the same bytes as one that is cut: a recording does not know why it ends."""


def body(told: Told) -> bytes:
    """What `curl -i` records of a fault."""
    play = LIBRARY.find(told.stream, _name(told.stream))
    faults = (Fault(told.fault, told.number),)
    status = "429 Too Many Requests" if told.fault == "rate-limit" else "200 OK"
    if told.fault in ("rate-limit", "error-body"):
        head = HEAD.format(status=status, type="application/json")
        return head.encode() + error_text(play.framing).encode()
    made = delivered(changed(play.frames, faults, play.framing), faults)
    return HEAD.format(status=status, type="text/event-stream").encode() + b"".join(made.chunks)


def _name(stream: str) -> str:
    return "previews" if stream.startswith("images") else LIBRARY.default(stream)


def linted(data: bytes, stream: str, tmp_path: Path) -> Result:
    """What the linter makes of a recording."""
    path = tmp_path / "capture"
    path.write_bytes(data)
    (result,) = check(path, stream)
    return result


@pytest.mark.parametrize(("stream", "name"), ALL)
def test_a_scenario_has_no_finding(stream: str, name: str, tmp_path: Path) -> None:
    data = b"".join(frame.data for frame in LIBRARY.find(stream, name).frames)
    result = linted(data, "", tmp_path)
    found = {(each.id, each.level) for each in result.findings.kept}
    assert (result.stream, result.outcome) == (stream, "complete")
    assert found == UNDECLARED.get((stream, name), set())


@pytest.mark.parametrize("told", TABLE, ids=lambda told: f"{told.fault}-{told.stream}")
def test_a_fault_is_found(told: Told, tmp_path: Path) -> None:
    result = linted(body(told), told.stream, tmp_path)
    found = {each.id: each.level for each in result.findings.kept}
    if told.id is None:
        assert told.why and not found
    else:
        assert found.get(told.id) == KINDS[told.id].level


def test_the_table_has_every_fault() -> None:
    assert {told.fault for told in TABLE} == set(FAULTS)


@pytest.mark.parametrize("fault", ["error", "rate-limit"])
@pytest.mark.parametrize("stream", STREAMS)
def test_what_failed_is_not_told_again_as_what_it_lacks(
    fault: str, stream: str, tmp_path: Path
) -> None:
    (told,) = (each for each in TABLE if (each.fault, each.stream) == (fault, stream))
    result = linted(body(told), stream, tmp_path)
    expected = {told.id} | (
        {"unknown-event"} if stream.startswith("images") and fault == "error" else set()
    )
    assert set(result.findings.counts) == expected
    assert result.outcome == "error"
