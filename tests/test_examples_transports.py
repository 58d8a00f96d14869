"""The same stream over each HTTP client: what it prints, while it comes and at its end, and what it says went wrong.

Reads `tests/examples/with_*.py`, a running server, and what its scenarios say. Never looks at our own accumulated object.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.example_process import EXAMPLES, run, running
from tests.scenario_answers import answered, text_of
from tests.serving import serving

TRANSPORTS = sorted(path.name for path in EXAMPLES.glob("with_*.py"))
TEXT = text_of("responses", "text")

over_each = pytest.mark.parametrize("example", TRANSPORTS)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as address:
        yield f"{address}/v1/responses"


def test_there_is_one_for_each_client() -> None:
    assert [name[5:-3] for name in TRANSPORTS] == [
        "aiohttp", "httpx", "httpx_async", "requests", "urllib",
    ]  # fmt: skip


@over_each
@pytest.mark.parametrize("fault", ["", "X-Fault: bytewise, crlf, comments"])
def test_a_whole_stream(url: str, example: str, fault: str) -> None:
    tokens = answered("responses", "text")["usage"]["total_tokens"]
    done = run(example, url, "text", *filter(None, [fault]))
    assert done == (0, f"{TEXT}\ncompleted, {tokens} tokens\n", "")


@over_each
def test_the_text_is_printed_while_the_stream_lasts(url: str, example: str) -> None:
    arguments = (url, "text", "X-Fault: stall=6")
    with running(str(EXAMPLES / example), *arguments) as process:
        assert process.stdout is not None
        assert TEXT.startswith(process.stdout.read(3).decode())
        assert process.poll() is None


@over_each
def test_a_gap_is_told_and_the_text_goes_on(url: str, example: str) -> None:
    done = run(example, url, "text", "X-Fault: gap=6")
    assert done.code == 0
    assert "warning: the number 6 came after 4\n" in done.err
    text = done.out.removesuffix("\ncompleted, 32 tokens\n")
    assert TEXT.endswith(text[5:]) and len(text) < len(TEXT)


def ended_early(url: str, example: str, fault: str) -> str:
    """What an example ends with that printed a part of the text and then failed."""
    done = run(example, url, "text", f"X-Fault: {fault}")
    assert done.code == 1
    assert done.out and TEXT.startswith(done.out)
    return done.err.strip().splitlines()[-1]


@over_each
def test_a_connection_that_breaks_is_the_clients_own_error(url: str, example: str) -> None:
    error = ended_early(url, example, "drop=8").split(":")[0]
    assert error in (
        "aiohttp.client_exceptions.ClientPayloadError",
        "httpx.RemoteProtocolError",
        "requests.exceptions.ChunkedEncodingError",
        "http.client.IncompleteRead",
    )


@over_each
def test_a_body_that_ends_early_is_an_error(url: str, example: str) -> None:
    last = ended_early(url, example, "cut=8")
    assert last.endswith("StreamError: the stream ended before its terminal event")


def test_what_the_server_says_in_the_stream_is_an_error(url: str) -> None:
    last = ended_early(url, "with_httpx.py", "error=8")
    assert last.endswith("StreamError: the stream failed: The server broke off, as X-Fault asked.")


@over_each
def test_what_the_server_refuses_is_shown(url: str, example: str) -> None:
    done = run(example, url, "text", "X-Fault: rate-limit")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith('429: {"error":{"message":"Too many requests."')


@over_each
def test_a_response_that_failed(url: str, example: str) -> None:
    error = answered("responses", "failed")["error"]
    done = run(example, url, "failed")
    assert done.code == 1
    assert done.out == f"{text_of('responses', 'failed')}\nfailed, unknown tokens\n"
    assert done.err == f"{error['code']}: {error['message']}\n"
