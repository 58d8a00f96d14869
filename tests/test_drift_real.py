"""Drift of the committed spec/ beside whole upstream documents.

Reads spec/ and documents of upstream, served on the loopback interface. Never asks another machine.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from codegen.drift import drift
from codegen.drift_verdicts import FOUND
from codegen.sources import Entry, read_watched, record
from tests.drift_spec import TODAY, alone, ids, online, server_fixture, spec_fixture
from tests.loopback import Loopback, Reply
from tests.shared import shared

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(name="real")
def _real(server: Loopback, tmp_path: Path) -> Path:
    """The committed spec/, its document of OpenAI looked for on the server."""
    spec = tmp_path / "real" / "spec"
    shutil.copytree(ROOT / "spec", spec)
    for entry in read_watched(spec / "sources.yaml"):
        if entry.name == "openai" and isinstance(entry, Entry):
            url = f"{server.address}/openapi.yaml"
            record(spec / "sources.yaml", replace(entry, url=url, expected_every=""))
    return spec


def test_the_real_document_unchanged(real: Path, server: Loopback) -> None:
    data = shared("upstream/openai-2026-08-21.yaml").read_bytes()
    server.put("/openapi.yaml", Reply(data))
    found = drift(real, online(real.parent), TODAY, ["openai"])
    assert (alone(found).state, alone(found).todo) == ("not moved", ())


def test_the_real_document_with_other_prose(real: Path, server: Loopback) -> None:
    data = shared("upstream/openai-2026-08-21.yaml").read_bytes()
    server.put("/openapi.yaml", Reply(data + b"# The same again.\n"))
    found = drift(real, online(real.parent), TODAY, ["openai"])
    assert (alone(found).state, ids(alone(found)), alone(found).todo) == ("moved", [], ())


def test_the_real_document_of_a_week_before(real: Path, server: Loopback) -> None:
    data = shared("upstream/openai-2026-08-14.yaml").read_bytes()
    server.put("/openapi.yaml", Reply(data))
    found = drift(real, online(real.parent), TODAY, ["openai"])
    kinds = [change.kind for change in alone(found).changes]
    removed = {change.subject for change in alone(found).changes if change.kind == "event-removed"}
    assert removed == {  # the shell events came on 2026-08-21
        "response.shell_call_command.added",
        "response.shell_call_command.delta",
        "response.shell_call_command.done",
        "response.shell_call_output_content.delta",
        "response.shell_call_output_content.done",
    }
    assert kinds[0] == "event-removed" and found.code("breaking") == FOUND
