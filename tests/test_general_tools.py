"""What general tools and the official clients make of the same document and the same stream: the README's comparison, measured.

Reads spec/documents/openai.yaml and README.md; generates models with datamodel-code-generator alone, in this environment, and with
openapi-python-client in a new one. Never compares speed: that is `make bench`.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest

from tests.stream_server import serving
from tests.test_readme import compared

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "spec/documents/openai.yaml"
OTHER = "openapi-python-client==0.29.1"

DELTA = {"type": "response.output_text.delta", "item_id": "i", "output_index": 0, "content_index": 0, "delta": "x", "sequence_number": 1, "logprobs": []}  # fmt: skip
MORE = {**DELTA, "new": 1}
UNKNOWN = {**DELTA, "type": "response.new"}
LESS = {name: value for name, value in DELTA.items() if name != "delta"}
PAYLOADS = json.dumps([DELTA, MORE, UNKNOWN, LESS])

ALONE = """
import json, sys
from alone import ResponseStreamEvent
def tried(payload):
    try:
        event = ResponseStreamEvent.model_validate(payload)
    except Exception as error:
        return type(error).__name__
    return json.loads(event.model_dump_json(exclude_unset=True, by_alias=True)) == payload
print(json.dumps([tried(payload) for payload in json.loads(sys.argv[1])]))
"""
OTHERS = """
import json, sys
import made.models
from made.models import ResponseTextDeltaEvent
def tried(payload):
    try:
        return ResponseTextDeltaEvent.from_dict(payload).to_dict() == payload
    except Exception as error:
        return type(error).__name__
assert not hasattr(made.models, "ResponseStreamEvent")
print(json.dumps([tried(payload) for payload in json.loads(sys.argv[1])]))
"""


def ran(python: str, folder: Path, code: str) -> Any:
    """What a program makes of the payloads."""
    command = [python, "-c", code, PAYLOADS]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def numbered(paths: list[Path]) -> str:
    """How many classes are named with a number that no schema has, of how many."""
    trees = [ast.parse(path.read_text("utf-8")) for path in paths]
    names = [
        node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    ]
    text = DOCUMENT.read_text("utf-8")
    found = [name for name in names if name[-1].isdigit() and f"\n    {name}:\n" not in text]
    return f"{len(found)} of {len(names):,}"


def test_models_of_datamodel_code_generator_alone(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "datamodel_code_generator", "--input", str(DOCUMENT), "--output", "alone.py",
         "--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel"],
        cwd=tmp_path, check=True, capture_output=True,
    )  # fmt: skip
    assert compared("class names")[2] == numbered([tmp_path / "alone.py"])
    assert ran(sys.executable, tmp_path, ALONE) == [True, False, "ValidationError", "ValidationError"]  # fmt: skip
    assert compared("an unknown event")[2] == compared("a required property")[2]
    assert compared("an unknown event")[2] == "`ValidationError`"
    assert compared("an unknown property")[2] == "lost"


@pytest.mark.dist
def test_models_of_openapi_python_client(tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = str(tmp_path / "env/bin/python")
    install = ["-m", "pip", "install", "--quiet", "-c", str(ROOT / "constraints.txt"), OTHER]
    subprocess.run([python, *install], check=True, capture_output=True)
    (tmp_path / "config.json").write_text('{"post_hooks": []}')
    subprocess.run(
        [str(tmp_path / "env/bin/openapi-python-client"), "generate", "--path", str(DOCUMENT), "--output-path",
         "made", "--meta", "none", "--config", "config.json"],
        cwd=tmp_path, check=True, capture_output=True, env={**os.environ, "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert compared("class names")[3] == numbered(list((tmp_path / "made/models").glob("*.py")))
    assert ran(python, tmp_path, OTHERS) == [True, True, "ValueError", "KeyError"]
    assert compared("a required property")[3] == "`KeyError`"
    assert compared("an unknown event")[3] == "no class for a stream"
    assert compared("an unknown property")[3] == "comes out again"


def stream(*payloads: dict[str, Any]) -> bytes:
    return b"".join(
        f"event: {each['type']}\ndata: {json.dumps(each)}\n\n".encode() for each in payloads
    )


def test_what_the_official_clients_make_of_the_same_events() -> None:
    with serving(lambda name: stream(MORE, UNKNOWN, LESS)) as address:
        with openai.OpenAI(api_key="none", base_url=f"{address}/x", max_retries=0) as client:
            known, unknown, less = client.responses.create(model="m", input="x", stream=True)
    assert known.to_dict() == MORE
    assert type(unknown).__name__.startswith("Response")  # one of the classes of the union
    assert type(less).__name__ == "ResponseTextDeltaEvent" and getattr(less, "delta") is None
    assert compared("a required property")[1] == "`None`, not told"
    assert compared("an unknown event")[1] == "taken for a known class"
    with serving(lambda name: stream({"type": "message_new"}, {"type": "message_stop"})) as address:
        with anthropic.Anthropic(api_key="none", base_url=f"{address}/x", max_retries=0) as other:
            asked: list[Any] = [{"role": "user", "content": "x"}]
            events = other.messages.create(model="m", max_tokens=1, messages=asked, stream=True)
            first, _ = events
    assert type(first).__name__.startswith("Raw") and first.type == "message_new"
