"""Each fault, and what our reader makes of it.

Reads streams with `X-Fault` from a running `codegen serve`; the outcome and the problems are those that the runtime
promises. Never sleeps: a stalled stream is left by the client.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from codegen.serve.faults import FAULTS, BadFault, Fault, read_faults
from tests.serving import TIMEOUT, Answer, ask, serving
from tests.test_serve_clients import PATHS
from tests.test_serve_scenarios import SCENARIOS, module_of

FINALS = {(each.stream, each.name): each.final for each in SCENARIOS}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A running server."""
    with serving() as found:
        yield found


class Made(NamedTuple):
    """What our reader makes of a stream."""

    answer: Answer
    tags: list[str | None]
    outcome: str | None
    problems: list[tuple[str, str]]
    accumulator: Any


def made(address: str, fault: str, stream: str = "responses", name: str = "text") -> Made:
    """Play with a fault, and read."""
    headers = {"X-Fault": fault}
    body = {"model": name, "stream": True}
    answer = ask(address, PATHS[stream], body, headers=headers)
    module = module_of(stream)
    reader = module.read([answer.body])
    accumulator = module.Accumulator()
    events = list(reader)
    for event in events:
        accumulator.add(event)
    accumulator.end()
    problems = [*reader.problems, *accumulator.problems]
    kinds = [(problem.kind, problem.level) for problem in problems]
    tags = [event.tag if event.type is None else event.type for event in events] if stream in (
        "responses", "messages"
    ) else []  # fmt: skip
    return Made(answer, tags, reader.outcome, kinds, accumulator)


def text_of(accumulator: Any) -> str:
    """The text of the final object."""
    return str(accumulator.text())


WHOLE = "The tide turns twice a day. 潮は満ち引きする。 Café at the quay 🌊\nopen until nine."
COMPLETION = " comes in with the tide, 潮と共に 🌊"
STREAMS = ("responses", "chat", "completions", "messages")


@pytest.mark.parametrize("stream", [*STREAMS, "images-generations"])
@pytest.mark.parametrize(
    "fault", ["bytewise", "split", "crlf", "comments", "crlf, comments, split"]
)
def test_other_bytes_of_the_same_stream_change_nothing(
    address: str, fault: str, stream: str
) -> None:
    name = "previews" if stream.startswith("images") else "text"
    found, plain = made(address, fault, stream, name), made(address, "", stream, name)
    assert (found.outcome, found.problems) == ("complete", [])
    assert found.accumulator.final == plain.accumulator.final
    if fault not in ("bytewise", "split"):
        assert found.answer.body != plain.answer.body


def test_bytes_come_as_the_fault_says(address: str) -> None:
    assert chunks(address, "bytewise, cut=1")[:7] == [b"e", b"v", b"e", b"n", b"t", b":", b" "]
    whole = chunks(address, "split")
    broken = [chunk for chunk in whole if not _is_text(chunk)]
    assert len(broken) >= 2 * sum(ord(letter) > 127 for letter in WHOLE)
    assert b"".join(whole) == b"".join(chunks(address, ""))


def _is_text(chunk: bytes) -> bool:
    try:
        chunk.decode()
    except UnicodeDecodeError:
        return False
    return True


def chunks(address: str, fault: str) -> list[bytes]:
    """The chunks of HTTP in which the body came (RFC 9112, section 7.1), read as they lie."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=TIMEOUT)
    body = json.dumps({"model": "text", "stream": True})
    connection.request("POST", "/v1/responses", body, {"X-Fault": fault, "Connection": "close"})
    reply = connection.getresponse()
    raw, found = reply.fp, []
    while size := int(raw.readline(), 16):
        found.append(raw.read(size))
        assert raw.readline() == b"\r\n"
    connection.close()
    return found


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("fault", ["cut=4", "drop=4", "tear=5"])
def test_a_stream_that_is_cut_is_truncated(address: str, fault: str, stream: str) -> None:
    found = made(address, fault, stream)
    assert found.outcome == "truncated"
    expected = [("truncated", "warning")]
    if fault == "tear=5":
        expected.insert(0, ("incomplete-event", "warning"))
    if stream in ("chat", "completions"):
        expected.append(("not-finished", "warning"))
    assert found.problems == expected
    assert found.answer.is_broken == (fault == "drop=4")
    if stream in ("responses", "messages"):
        with pytest.raises(module_of(stream).StreamError):
            found.accumulator.final
    else:  # no event ends these streams: there is what came, with a warning
        whole = WHOLE if stream == "chat" else COMPLETION
        assert "" != text_of(found.accumulator) == whole[: len(text_of(found.accumulator))] != whole


def test_a_duplicate_is_told_and_a_gap_too(address: str) -> None:
    twice = made(address, "duplicate=6")
    assert twice.outcome == "complete"
    assert twice.problems == [("sequence-repeat", "warning"), ("disagreement", "warning")]
    assert text_of(twice.accumulator) == WHOLE  # the done event has the last word
    assert len(twice.tags) == 24
    gap = made(address, "gap=6")
    assert (gap.outcome, gap.problems[0]) == ("complete", ("sequence-gap", "warning"))
    assert len(gap.tags) == 22


def test_an_unknown_event_is_kept_and_told(address: str) -> None:
    found = made(address, "unknown-event=4")
    assert found.tags[4] == "telepathy.delta"
    assert (found.outcome, found.problems) == ("complete", [("unknown-event", "info")])
    assert text_of(found.accumulator) == WHOLE


@pytest.mark.parametrize("stream", STREAMS)
def test_an_unknown_event_harms_no_stream(address: str, stream: str) -> None:
    found = made(address, "unknown-event=2", stream)
    assert (found.outcome, found.problems) == ("complete", [("unknown-event", "info")])


@pytest.mark.parametrize("stream", STREAMS)
def test_an_unknown_field_is_kept(address: str, stream: str) -> None:
    found = made(address, "unknown-field=2", stream)
    assert (found.outcome, found.problems) == ("complete", [])
    module = module_of(stream)
    events = [module.encode(event) for event in module.read([found.answer.body])]
    assert events[1]["x_unknown"] == {"depth": [1, None]}


@pytest.mark.parametrize("stream", STREAMS)
def test_an_error_ends_the_stream(address: str, stream: str) -> None:
    found = made(address, "error=4", stream)
    assert found.outcome == "error"
    assert found.accumulator.status == "failed"
    assert found.accumulator.error.message == "The server broke off, as X-Fault asked."


@pytest.mark.parametrize("stream", STREAMS)
def test_a_json_error_in_place_of_a_stream(address: str, stream: str) -> None:
    found = made(address, "error-body", stream)
    assert found.answer.headers["content-type"] == "application/json"
    assert found.answer.status == 200
    assert (found.outcome, found.problems[0]) == ("error", ("error-body", "error"))
    assert found.accumulator.error.message == "The server broke off, as X-Fault asked."


@pytest.mark.parametrize("stream", STREAMS)
def test_too_many_requests(address: str, stream: str) -> None:
    answer = ask(address, PATHS[stream], {"stream": True}, headers={"X-Fault": "rate-limit=7"})
    assert (answer.status, answer.headers["retry-after"]) == (429, "7")
    assert answer.json["error"]["type"] == "rate_limit_error"


def test_an_event_after_the_end_is_told_and_changes_nothing(address: str) -> None:
    found = made(address, "after-terminal")
    assert found.outcome == "complete"
    assert ("after-terminal", "warning") in found.problems
    assert text_of(found.accumulator) == WHOLE
    chat = made(address, "after-terminal", "chat")
    assert (chat.outcome, chat.problems) == ("complete", [])  # nothing is read after [DONE]
    assert text_of(chat.accumulator) == WHOLE


def test_a_stall_lasts_until_the_client_leaves(address: str) -> None:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=TIMEOUT)
    body = json.dumps({"model": "text", "stream": True})
    connection.request("POST", "/v1/responses", body, {"X-Fault": "stall=2"})
    reply = connection.getresponse()
    got = b""
    while got.count(b"\n\n") < 2:
        got += reply.read1()
    assert ask(address, "/v1/responses", {"model": "text"}).status == 200  # others are served
    assert connection.sock is None or connection.sock.fileno() >= 0
    connection.close()
    assert got.count(b"\n\n") == 2


def test_faults_go_together(address: str) -> None:
    found = made(address, "comments,crlf , unknown-field=1,cut=9")
    assert found.problems == [("truncated", "warning")]
    assert found.answer.body.count(b": keep-alive\r\n") == 9
    assert b"\n" not in found.answer.body.replace(b"\r\n", b"")
    assert len(found.tags) == 9


def test_the_header_is_read_strictly(address: str) -> None:
    assert read_faults("") == ()
    assert read_faults(" cut = 7,bytewise") == (Fault("cut", 7), Fault("bytewise", 0))
    for wrong in ("melt", "cut=x", "cut=-1", "cut=1e9", "crlf=1", "cut=٣", "cut=9999999999"):
        with pytest.raises(BadFault):
            read_faults(wrong)
    answer = ask(address, "/v1/responses", {}, headers={"X-Fault": "melt"})
    assert answer.status == 400
    assert "there is no fault 'melt'" in answer.json["error"]["message"]


@pytest.mark.parametrize("number", [0, 1, 23, 24, 500])
@pytest.mark.parametrize(
    "name", [name for name, kind in FAULTS.items() if kind.default is not None]
)
def test_no_number_breaks_the_server(address: str, name: str, number: int) -> None:
    if name == "stall":
        return  # at the end it stalls for ever, as it should
    answer = ask(
        address, "/v1/responses", {"stream": True}, headers={"X-Fault": f"{name}={number}"}
    )
    assert answer.status in (200, 400, 429)


@pytest.mark.parametrize(
    ("fault", "is_stream", "says"),
    [
        ("cut=999", True, "cut=999: the stream has 23 events"),
        ("gap=0", True, "events count from 1"),
        ("cut=3", False, "a fault of streams"),
        ("crlf", False, "a fault of streams"),
    ],
)
def test_a_fault_that_cannot_happen_is_refused(
    address: str, fault: str, is_stream: bool, says: str
) -> None:
    body = {"model": "text", "stream": is_stream}
    answer = ask(address, "/v1/responses", body, headers={"X-Fault": fault})
    assert answer.status == 400
    assert says in answer.json["error"]["message"]


@pytest.mark.parametrize(("fault", "status"), [("rate-limit", 429), ("error-body", 200)])
def test_faults_of_http_need_no_stream(address: str, fault: str, status: int) -> None:
    assert ask(address, "/v1/responses", {}, headers={"X-Fault": fault}).status == status
