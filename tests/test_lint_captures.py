"""Every recorded stream is read without a crash, and what is found on it is what was looked at.

Reads ../shared/captures; checks findings that are errors against a list that was made by looking at the streams. Never
copies anything from there.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest

from codegen.__main__ import main
from tests.lint.streams import check
from tests.shared import shared

UNKNOWN = "transcription"
"""Recordings of an API of which we have no stream."""
ERRORS = {
    ("responses", "index-gap"): 1,
    ("responses", "disagreement"): 1,
    ("chat", "after-finish"): 1,
    ("chat", "wrong-index"): 1,
}
"""How many streams have an error that is not about a payload's schema: content that begins at index 1 (Bedrock), a finished
text that differs from its deltas (edited by hand), two answers in one file of lines (Cerebras)."""


def test_every_recorded_stream_is_read() -> None:
    entries = json.loads(shared("captures/manifest.json").read_text())["entries"]
    counts: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        if entry["api"] == UNKNOWN:
            continue
        (result,) = check(shared(f"captures/{entry['file']}"))
        expected = {entry["api"]} | ({"completions"} if entry["api"] == "chat" else set())
        assert result.stream in expected
        told = {each.id for each in result.findings.kept if each.level == "error"}
        schema = {"missing-property", "wrong-type"}
        counts.update((entry["api"], id) for id in told - schema)
    assert dict(counts) == ERRORS


def test_a_recording_of_no_stream_that_we_know_cannot_be_used(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["lint", str(shared("captures/transcription"))]) == 2
    assert "no stream has the tags transcript.text" in capsys.readouterr().err
