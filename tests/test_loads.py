"""That a parser of the caller's makes reading faster and changes nothing else: what it refuses is judged as without it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import orjson
import pytest

from stream_events import responses
from stream_events.responses import websocket
from tests.shared import shared

PARSERS: dict[str, Callable[[str], Any]] = {
    "orjson": orjson.loads,
    "msgspec": msgspec.json.decode,
    "json": json.loads,
}
DELTA = {
    "type": "response.output_text.delta",
    "sequence_number": 1,
    "item_id": "msg_1",
    "output_index": 0,
    "content_index": 0,
    "delta": "a 潮 \N{GRINNING FACE}",
    "logprobs": [],
}
REFUSED = {
    "a half of a pair": '{"type": "response.refusal.delta", "delta": "\\ud83d"}',
    "NaN": '{"type": "response.refusal.delta", "delta": NaN}',
    "no JSON": '{"type": "response.refusal.delta", "delta"',
    "a list": '["response.refusal.delta"]',
    "too deep": '{"type": "response.refusal.delta", "delta": ' + "[" * 300 + "]" * 300 + "}",
    "a number beyond all": '{"type": "response.refusal.delta", "delta": 1e999}',
}


@pytest.mark.parametrize("parser", PARSERS)
def test_a_payload_is_the_same_event(parser: str) -> None:
    text = json.dumps(DELTA)
    for payload in (text, text.encode(), bytearray(text.encode())):
        assert responses.decode(payload, PARSERS[parser]) == responses.decode(DELTA)
        assert websocket.decode(payload, PARSERS[parser]) == websocket.decode(DELTA)


@pytest.mark.parametrize("size", [7, 1 << 14])
@pytest.mark.parametrize("parser", PARSERS)
def test_a_recorded_stream_is_the_same(parser: str, size: int) -> None:
    name = "captures/responses/responses-openai-codeinterpretertoolstreamingwithfiles-1.sse"
    whole = shared(name).read_bytes()
    chunks = [whole[at : at + size] for at in range(0, len(whole), size)]
    plain, quick = responses.read(chunks), responses.read(chunks, loads=PARSERS[parser])
    assert list(quick) == list(plain)
    assert (quick.problems, quick.outcome) == (plain.problems, plain.outcome)
    assert responses.final(chunks, loads=PARSERS[parser]) == responses.final(chunks)


@pytest.mark.parametrize("kind", REFUSED)
@pytest.mark.parametrize("parser", ["orjson", "msgspec", "raises"])
def test_what_a_parser_refuses_is_judged_as_without_it(parser: str, kind: str) -> None:
    def raises(text: str) -> Any:
        raise RuntimeError("not today")

    preferred = PARSERS.get(parser, raises)
    lines = f"data: {json.dumps(DELTA)}\n\ndata: {REFUSED[kind]}\n\ndata: {json.dumps(DELTA)}\n\n"
    plain, quick = responses.read([lines.encode()]), responses.read(
        [lines.encode()], loads=preferred
    )
    assert [repr(each) for each in quick] == [repr(each) for each in plain]
    assert quick.problems == plain.problems
    try:
        expected = responses.decode(REFUSED[kind])
    except responses.DecodeError:
        with pytest.raises(responses.DecodeError):
            responses.decode(REFUSED[kind], preferred)
    else:
        assert responses.decode(REFUSED[kind], preferred) == expected
