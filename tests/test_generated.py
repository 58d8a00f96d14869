"""The generated package as a folder that somebody copies: what it imports, what it says of itself, and that the same
specification gives the same bytes.

Reads generated/ and the specification; runs the package and the pipeline in processes of their own, because what is imported
here is imported for good. Never writes into generated/.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import stream_events
from tests.json_values import catalogue

ROOT = Path(__file__).resolve().parent.parent
GENERATED = ROOT / "generated"
PACKAGE = GENERATED / "stream_events"
SOURCES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))
SUBPACKAGES = ["beta_responses", "chat", "completions", "images", "messages", "responses"]

COUNTS = {
    "responses": 59,
    "responses-websocket-server": 62,
    "responses-websocket-client": 2,
    "beta-responses-websocket-server": 64,
    "beta-responses-websocket-client": 3,
    "beta-responses": 59,
    "chat": 1,
    "completions": 1,
    "images-generations": 2,
    "images-edits": 2,
    "messages": 8,
}


def run_isolated(code: str, folder: Path = GENERATED) -> str:
    """What a program prints that sees the standard library and one folder, and nothing of this environment."""
    program = f"import sys\nsys.path.insert(0, {str(folder)!r})\n{code}"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# Imports


@pytest.mark.parametrize("name", SUBPACKAGES)
def test_importing_a_stream_imports_neither_other_streams_nor_payloads(name: str) -> None:
    loaded = run_isolated(f"import stream_events.{name}\nprint(*sys.modules)").split()
    ours = [module for module in loaded if module.split(".")[0] == "stream_events"]
    others = {f"stream_events.{other}" for other in SUBPACKAGES if other != name}
    assert f"stream_events.{name}.events" in ours
    assert not [module for module in ours if ".".join(module.split(".")[:2]) in others]
    assert f"stream_events.{name}.models" not in ours


@pytest.mark.parametrize("name", [*SUBPACKAGES, "responses.websocket", "beta_responses.websocket"])
def test_only_the_standard_library_is_imported(name: str) -> None:
    code = f"import stream_events.{name} as stream\ndir(stream)\nprint(*sys.modules)"
    loaded = {module.split(".")[0] for module in run_isolated(code).split()}
    assert loaded <= {*sys.stdlib_module_names, "__main__", "stream_events"}


def test_payloads_are_imported_when_the_first_is_needed_and_not_before() -> None:
    code = """
from stream_events import responses
delta = {"type": "response.output_text.delta", "item_id": "a", "output_index": 0, "content_index": 0,
         "delta": "x", "sequence_number": 1, "logprobs": []}
for _ in range(3):
    assert responses.encode(responses.decode(delta)) == delta
responses.problems(responses.decode(delta))
print("stream_events.responses.models" in sys.modules)
delta["logprobs"] = [{"token": "x", "logprob": -1.0}]
print(type(responses.decode(delta).logprobs[0]).__name__)
print("stream_events.responses.models" in sys.modules)
"""
    assert run_isolated(code).split() == ["False", "ResponseLogProb", "True"]


@pytest.mark.parametrize("source", SOURCES)
def test_sources_import_relatively_or_from_the_standard_library(source: str) -> None:
    for node in ast.walk(ast.parse((PACKAGE / source).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            assert {name.name.split(".")[0] for name in node.names} <= sys.stdlib_module_names
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            assert str(node.module).split(".")[0] in sys.stdlib_module_names
        elif isinstance(node, ast.ImportFrom):
            assert node.level <= len(Path(source).parts), "leaves the package"


def test_a_copy_works_under_another_path(tmp_path: Path) -> None:
    vendor = tmp_path / "somewhere" / "_vendor"
    shutil.copytree(PACKAGE, vendor / "stream_events", ignore=shutil.ignore_patterns("__pycache__"))
    code = """
import copy, pickle
from somewhere._vendor.stream_events import chat, messages, responses, sse
from somewhere._vendor.stream_events.responses import websocket
payload = {"type": "response.completed", "sequence_number": 1, "response": {"id": "r", "output": [
    {"type": "message", "content": [{"type": "output_text", "text": "hi", "annotations": []}], "x": None}]}}
for module in (responses, websocket):
    event = pickle.loads(pickle.dumps(copy.deepcopy(module.decode(payload))))
    assert module.encode(event) == payload
    assert type(event.response.output[0]).__name__ == "OutputMessage", event
assert chat.decode(b'{"object": "chat.completion.chunk"}').object == "chat.completion.chunk"
assert sse.SSEDecoder().feed(b"data: a\\n\\n")[0].data == "a"
print(*(name for name in sys.modules if name.startswith(("stream_events", "codegen"))))
"""
    assert run_isolated(code, tmp_path).split() == []


# What it says of itself


def test_counts_of_the_streams() -> None:
    assert {stream.name: stream.events for stream in stream_events.STREAMS} == COUNTS


def test_each_stream_has_the_table_that_the_catalogue_has() -> None:
    for stream in catalogue().streams:
        code = f"import stream_events.{stream.module} as module\n"
        code += f"print(*(f'{{tag}} {{cls.__name__}}' for tag, cls in module.{stream.table}.items()), sep='\\n')"
        expected = [f"{event.tag} {event.model}" for event in stream.events]
        assert run_isolated(code).splitlines() == expected
        assert len(expected) == COUNTS[stream.name]


def test_streams_and_sources_are_those_of_the_catalogue() -> None:
    assert [
        (info.name, info.module, info.direction, info.transport) for info in stream_events.STREAMS
    ] == [
        (stream.name, stream.module, stream.direction, stream.transport)
        for stream in catalogue().streams
    ]
    assert [tuple(source) for source in stream_events.SOURCES] == [
        (source.name, source.version, source.date, source.sha256) for source in catalogue().sources
    ]


@pytest.mark.parametrize("source", SOURCES)
def test_header(source: str) -> None:
    text = (PACKAGE / source).read_text("utf-8")
    first, second = text.splitlines()[:2]
    match = re.fullmatch(
        r"# Generated by codegen \d+\.\d+\.\d+ from (templates/[\w./]+): do not edit, run `codegen generate`\.",
        first,
    )
    assert match and (ROOT / match[1]).is_file()
    assert re.fullmatch(r"# Source: \w+[ \w.-]*, sha256 [0-9a-f]{64}\.", second)
    assert str(ROOT) not in text and "/home/" not in text and "/tmp/" not in text


def test_the_folder_says_that_it_is_typed() -> None:
    assert (PACKAGE / "py.typed").read_bytes() == b""


# The same bytes


def generated_files(folder: Path) -> dict[str, bytes]:
    """The bytes of all files below, by path, without the cache of formatted text."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".cache" not in path.parts
    }


def generate(out: Path, cwd: Path, seed: str) -> dict[str, bytes]:
    """Run the pipeline on the committed specification; what it wrote."""
    cwd.mkdir()
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "codegen",
            "generate",
            "--spec",
            str(ROOT / "spec"),
            "--out",
            str(out),
        ],
        cwd=cwd,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return generated_files(out)


def test_the_same_bytes_under_another_hash_seed_and_from_another_folder(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    if (GENERATED / ".cache").is_dir():
        shutil.copytree(GENERATED / ".cache", first / ".cache")
    one = generate(first, tmp_path / "here", "1")
    shutil.copytree(first / ".cache", second / ".cache")
    two = generate(second, tmp_path / "there", "4242")
    assert one.keys() == two.keys() and len(one) > 30
    assert [path for path in one if one[path] != two[path]] == []
