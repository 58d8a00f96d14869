"""The examples that the README shows, run as they are written, against a server on this machine.

Reads `tests/examples` and a recording in ../shared; what has to be printed is taken from the recording's terminal event.
Never imports an example: it runs as a program of its own, as a reader would run it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from stream_events import responses
from tests.stream_server import body_of, serving

ROOT = Path(__file__).resolve().parent.parent
RECORDING = "responses-openai-helloworldstreaming-gpt-4o-mini"


def run(example: str, url: str) -> str:
    """What an example prints."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "generated"),
        "PYTHONIOENCODING": "utf-8",
        "NO_PROXY": "*",
    }
    command = [sys.executable, str(ROOT / "tests" / "examples" / example), url]
    done = subprocess.run(
        command, env=environment, capture_output=True, encoding="utf-8", timeout=60
    )
    assert done.stderr == ""
    return done.stdout


def test_read_stream_prints_the_text_and_the_final_usage() -> None:
    body = body_of("responses", RECORDING)
    lines = [line for line in body.split(b"\n") if line.startswith(b"data: ")]
    final = json.loads(lines[-1][6:])["response"]
    text = "".join(part["text"] for item in final["output"] for part in item["content"])
    usage = responses.decode(
        {"type": "response.completed", "sequence_number": 0, "response": final}
    )
    assert isinstance(usage, responses.ResponseCompletedEvent)
    with serving(lambda name: body_of("responses", name)) as address:
        printed = run("read_stream.py", f"{address}/{RECORDING}/responses")
    assert printed == f"{text}\n {usage.response.usage}\n"
    assert f"total_tokens={final['usage']['total_tokens']}" in printed


def test_the_example_is_ten_lines() -> None:
    source = (ROOT / "tests" / "examples" / "read_stream.py").read_text("utf-8")
    code = [line for line in source.split("\n")[1:] if line.strip()]
    assert len(code) <= 10, code
