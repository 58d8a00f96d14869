"""The official client, `anthropic`, as a judge: both read the same recordings over HTTP from a server on this machine.

Reads ../shared/captures through `tests.stream_server`. The events of both, in order, and the final messages of both are
equal as JSON, or the difference stands in DIFFERENCES with who is right: a new one fails, and so does one that is gone.
Never compares pings, which the client keeps to itself.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import anthropic
import pytest

from stream_events import messages
from tests.shared import shared
from tests.stream_server import body_of, chunks, entries, serving
from tests.test_official_clients_live import Reason, differences

START = b"event: message_start\n"
ASKED: dict[str, Any] = {
    "model": "m",
    "max_tokens": 1,
    "messages": [{"role": "user", "content": "x"}],
}

REASONS = {
    "null-added": Reason("ours", "no event has stop_details; the client sets it to null at each message_delta"),
    "unfinished-event": Reason("both", "no blank line follows message_stop: the client drops it, as the WHATWG standard does; ours delivers what is a whole JSON object and says so"),
    "done-not-json": Reason("ours", "a gateway ends with [DONE] under an event line; the client reads it as JSON and fails"),
    "usage-undeclared": Reason("ours", "the client takes the declared counts alone from the usage of message_delta"),
    "only-in-beta": Reason("ours", "the client takes this up in its beta calls only; the recording came through both"),
    "relabelled": Reason("both", "the client's beta calls give the message the model of its last fallback block; ours keeps what message_start said, as the recording's expected object has it, and the block names the other"),
    "next-message": Reason("ours", "several messages in one body; the client adds the blocks of all to the first, ours has each as the recording's expected objects do"),
}  # fmt: skip

Table = dict[str, dict[str, str]]
NULL = {".stop_details": "null-added"}
GATEWAY = "messages-anthropic-streaming-gateway-message-delta-metadata"
COMPACTION = "messages-anthropic-compaction-response"
FALLBACK = "messages-anthropic-fallback-response"
NESTED = "messages-anthropic-anthropic-programmatic-tool-calling-1"
SEARCH = "messages-anthropic-anthropic-tool-search-bm25-1"
DEFERRED = "messages-anthropic-anthropic-tool-search-deferred-regex"
DONE = {"client raises JSONDecodeError": "done-not-json"}
FEWER = {"client has fewer": "unfinished-event"}
UNFINISHED = {COMPACTION: FEWER, FALLBACK: FEWER}
FINALS: Table = {
    "messages-anthropic-anthropic-code-execution-20250825-1": NULL,
    f"{NESTED}@0": NULL,
    f"{NESTED}@14": NULL,
    f"{SEARCH}@0": NULL,
    f"{SEARCH}@1": NULL,
    f"{DEFERRED}@0": NULL,
    f"{DEFERRED}@1": NULL,
    f"{DEFERRED}@2": NULL,
    "messages-anthropic-basic-response-0": NULL,
    COMPACTION: NULL,
    FALLBACK: NULL,
    GATEWAY: {
        **DONE, ".usage.cache_creation": "usage-undeclared", ".usage.cost": "usage-undeclared",
        ".usage.cost_details": "usage-undeclared", ".usage.is_byok": "usage-undeclared",
    },
    "messages-vertex-anthropic-vertex-claude-3-7-sonnet-simple-streaming": NULL,
}  # fmt: skip
JOINED = {".content": "next-message", ".id": "next-message", **NULL}

DIFFERENCES: dict[str, Table] = {
    "create": {**UNFINISHED, GATEWAY: DONE},
    "beta create": {**UNFINISHED, GATEWAY: DONE},
    "stream": {
        **FINALS,
        COMPACTION: {
            **NULL, ".content[].content": "only-in-beta", ".content[].encrypted_content": "only-in-beta",
        },
        "messages-anthropic-stream-b-fallback": {".usage.iterations": "only-in-beta"},
    },
    "beta stream": {**FINALS, FALLBACK: {**NULL, ".model": "relabelled"}},
    "stream whole": {
        NESTED: {**JOINED, ".container": "next-message"},
        SEARCH: {**JOINED, ".usage.server_tool_use": "next-message"},
        DEFERRED: {**JOINED, ".usage.server_tool_use": "next-message"},
    },
}  # fmt: skip
"""Call → recording → what differs, and why. NAME@2 is the third message of a body; places in lists are left out."""


class Reading(NamedTuple):
    """What came of a body, and the name of the exception that cut it short, if one did."""

    value: Any
    raised: str = ""


def _create(calls: Any) -> Reading:
    """The events that the client hands out."""
    found: list[Any] = []
    try:
        for event in calls.create(**ASKED, stream=True):
            found.append(event.to_dict(mode="json"))
    except Exception as error:
        return Reading(found, type(error).__name__)
    return Reading(found)


def _stream(calls: Any) -> Reading:
    """The client's final message; where it raises, the one that it had so far."""
    with calls.stream(**ASKED) as stream:
        try:
            message, raised = stream.get_final_message(), ""
        except Exception as error:
            message, raised = stream.current_message_snapshot, type(error).__name__
        return Reading(message.to_dict(mode="json"), raised)


def _our_events(address: str, name: str) -> Any:
    events = [messages.encode(event) for event in messages.read(chunks(f"{address}/{name}"))]
    return [event for event in events if event["type"] != "ping"]


def _our_message(address: str, name: str) -> Any:
    """The final message; of NAME@N message N of the whole body, which is read as one."""
    whole, _, number = name.partition("@")
    accumulator = messages.Accumulator()
    accumulator.add_all(messages.read(chunks(f"{address}/{whole}")))
    found = [*accumulator.predecessors, accumulator.final]
    return messages.encode(found[int(number) if number else -1])


Call = tuple[
    Callable[[anthropic.Anthropic], Any], Callable[[Any], Reading], Callable[[str, str], Any]
]
CALLS: dict[str, Call] = {
    "create": (lambda client: client.messages, _create, _our_events),
    "beta create": (lambda client: client.beta.messages, _create, _our_events),
    "stream": (lambda client: client.messages, _stream, _our_message),
    "beta stream": (lambda client: client.beta.messages, _stream, _our_message),
    "stream whole": (lambda client: client.messages, _stream, _our_message),
}
"""Call → the client's part that it is of, the client's result and ours."""


def messages_of(body: bytes) -> list[bytes]:
    """A body cut before each message_start."""
    first, *others = body.split(START)
    return [START + each for each in others] if others else [first]


def recordings(call: str) -> list[str]:
    """What a call reads: whole bodies, or the messages of a body one by one."""
    counts = {name: len(messages_of(body_of("messages", name))) for name in entries("messages")}
    if call.endswith("create"):
        return list(counts)
    if call == "stream whole":
        return [name for name, count in counts.items() if count > 1]
    return [
        f"{name}@{number}" if count > 1 else name
        for name, count in counts.items()
        for number in range(count)
    ]


def served(path: str) -> bytes:
    """The body at NAME or NAME@N."""
    name, _, number = path.partition("@")
    body = body_of("messages", name)
    return messages_of(body)[int(number)] if number else body


@contextmanager
def client_of(address: str) -> Iterator[anthropic.Anthropic]:
    """A client whose requests go to `address`, without retries."""
    with (
        warnings.catch_warnings(),
        anthropic.Anthropic(api_key="none", base_url=address, max_retries=0) as client,
    ):
        warnings.simplefilter("ignore")  # pydantic's, where the client takes the wrong member
        yield client


def compared(call: str, client: anthropic.Anthropic, address: str, name: str) -> set[str]:
    """What differs between the client and us on one recording."""
    part, theirs, ours = CALLS[call]
    other, raised = theirs(part(client.with_options(base_url=f"{address}/{name}")))
    found = {f"client raises {raised}"} if raised else set()
    mine = ours(address, name)
    if isinstance(
        other, list
    ):  # events of which the client has fewer are compared as far as it goes
        found |= {"client has fewer"} if len(other) < len(mine) else set()
        mine = mine[: len(other)]
    return found | set(differences(mine, other))


@pytest.mark.parametrize("call", CALLS)
def test_events_and_messages_are_those_of_the_official_client(call: str) -> None:
    with serving(served) as address, client_of(address) as client:
        found = {name: compared(call, client, address, name) for name in recordings(call)}
    expected = {name: set(paths) for name, paths in DIFFERENCES[call].items()}
    assert {name: paths for name, paths in found.items() if paths} == expected


def test_every_recording_is_read_to_its_last_message() -> None:
    expected = {
        name: shared(f"captures/{entry['expected']}").read_text("utf-8")
        for name, entry in entries("messages").items()
    }
    finals = {name: len(json.loads(text)["finals"]) for name, text in expected.items()}
    assert {name: len(messages_of(body_of("messages", name))) for name in finals} == finals
    assert len(finals) == 12


BROKEN = b"""event: message_start
data: {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "x"}}

event: content_block_start
data: {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}

event: content_block_delta
data: {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Partial"}}

event: error
data: {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}, "request_id": "r"}

"""


def test_an_error_after_some_content_is_the_error_that_the_client_raises() -> None:
    accumulator = messages.Accumulator()
    with serving(lambda name: BROKEN) as address:
        with client_of(f"{address}/x") as client:
            with client.messages.stream(**ASKED) as stream:
                with pytest.raises(anthropic.APIStatusError) as raised:
                    stream.until_done()
                kept = stream.current_message_snapshot.to_dict(mode="json")
        reader = messages.read(chunks(f"{address}/x"))
        accumulator.add_all(reader)
    error: Any = raised.value.body
    assert accumulator.error is not None and reader.outcome == "error"
    assert (accumulator.error.type, accumulator.error.message) == (
        error["error"]["type"],
        error["error"]["message"],
    )
    assert accumulator.message is not None and messages.encode(accumulator.message) == kept
    with pytest.raises(messages.StreamError, match="Overloaded"):
        _ = accumulator.final


def test_every_reason_is_used_and_every_difference_has_one() -> None:
    used = {
        reason
        for table in DIFFERENCES.values()
        for paths in table.values()
        for reason in paths.values()
    }
    assert used == set(REASONS)
    assert {reason.right for reason in REASONS.values()} <= {"ours", "client", "neither", "both"}
