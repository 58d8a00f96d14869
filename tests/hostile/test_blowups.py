"""Nothing blows up: small documents that are large to read end in a clear error or a result, within 60 s and 2 GB.

The suite takes sizes of seconds; `HOSTILE_FULL=1 pytest tests/hostile/test_blowups.py` (make hostile) the whole ones.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import resource
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main
from codegen.documents import parse
from codegen.errors import SpecError
from codegen.limits import DEFAULTS, limit, raised
from tests.hostile import documents
from tests.hostile.blowups import BLOWUPS, CYCLES, LINKS, cycle, links
from tests.loopback import Reply, serving
from tests.small_spec import write_spec

FULL = os.environ.get("HOSTILE_FULL") == "1"
ROOT = Path(__file__).resolve().parents[2]
MEMORY = 2 << 30
SECONDS = 60


def bounded() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def run(*arguments: str) -> tuple[int, str]:
    """Exit code and standard error of the program, within the limits."""
    done = subprocess.run(
        [sys.executable, "-m", "codegen", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        preexec_fn=bounded,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("name", BLOWUPS)
def test_blowup(name: str, tmp_path: Path) -> None:
    make, small, full = BLOWUPS[name]
    spec = write_spec(tmp_path, make(full if FULL else small))
    code, error = run("generate", "--spec", str(spec), "--out", str(tmp_path / "out"))
    assert code in (0, 2) and "Traceback" not in error, error[-2000:]
    if code == 2:
        assert len(error) < 5000 and error.count("\n") < 50
        assert not (tmp_path / "out" / "stream_events").exists()


@pytest.mark.parametrize("name", CYCLES)
def test_cycles(name: str, tmp_path: Path) -> None:
    spec = write_spec(tmp_path, cycle(name))
    code, error = run("generate", "--spec", str(spec), "--out", str(tmp_path / "out"))
    assert code in (0, 2) and "Traceback" not in error, error[-2000:]


@pytest.mark.parametrize("size", [20, 48, 150, 2_500])
@pytest.mark.parametrize(
    "kinds", [*[[name] for name in LINKS], list(LINKS), list(LINKS)[::-1]], ids="-".join
)
def test_a_chain_ends_in_a_result_or_at_a_limit(
    kinds: list[str], size: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Never where the interpreter has had enough."""
    spec = str(write_spec(tmp_path, links(kinds, size)))
    (tmp_path / "old.json").write_text(links(kinds, 3))
    commands = [
        ["show", "--json"],
        ["snapshot", "taken", "--date", "2026-01-01"],
        ["diff", str(tmp_path / "old.json"), "spec"],
    ]
    for command in commands:
        code = main([*command, "--spec", spec])
        error = capsys.readouterr().err
        assert code in (0, 1) or (code == 2 and "(limit MAX_" in error), error[-500:]
        assert size > 20 or code != 2, error[-500:]


def test_a_limit_that_was_raised_too_far(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = str(write_spec(tmp_path, links(["objects of lists"], 2_500)))
    assert main(["--limit", "MAX_CHAIN=100000", "show", "--spec", spec]) == 2
    error = capsys.readouterr().err
    assert "MAX_CHAIN" in error and "Recursion" not in error


def zeros(size: int) -> bytes:
    """Gzip data of so many spaces, made in pieces."""

    def pieces() -> Iterator[bytes]:
        deflate = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
        for _ in range(size >> 20):
            yield deflate.compress(b" " * (1 << 20))
        yield deflate.flush()

    return b"".join(pieces())


@pytest.mark.parametrize("layers", [1, 2])
def test_gzip_bomb(layers: int, tmp_path: Path) -> None:
    spec = write_spec(tmp_path, "openapi: 3.1.0\n")
    body = zeros((4096 if FULL else 64) << 20)
    body = gzip.compress(body) if layers == 2 else body
    with serving() as server:
        url = server.put("/bomb", Reply(body, headers={"Content-Encoding": "gzip"}))
        code, error = run("cut", url, "--name", "d", "--into", str(spec / "documents"))
    assert code == 2 and "Traceback" not in error
    assert layers == 2 or "(limit MAX_BYTES)" in error


LIMITED = {
    "MAX_DEPTH": ("flow lists", 200), "MAX_NODES": ("alias bomb", 9), "MAX_BYTES": ("bytes", 17_000_000), "MAX_FIELDS": ("properties", 2_001),
    "MAX_VALUES": ("enum", 10_001), "MAX_SHAPES": ("combinations", 30), "MAX_CLASSES": ("events", 3_001), "MAX_COMPONENTS": ("chain of refs", 10_001),
    "MAX_STEPS": ("fan of allOf", 30), "MAX_CHAIN": ("chain of objects", 2_000),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITED)
def test_every_limit_is_named(name: str, tmp_path: Path) -> None:
    case, size = LIMITED[name]
    spec = write_spec(tmp_path, BLOWUPS[case][0](size))
    (tmp_path / "out").mkdir()
    code, error = run("check", "--spec", str(spec), "--out", str(tmp_path / "out"))
    assert code == 2 and f"(limit {name})" in error, error[-2000:]


def test_every_limit_has_a_case() -> None:
    timed = {"FETCH_SECONDS", "TARGET_SECONDS"}  # whose cases are a slow server and a slow target
    assert set(LIMITED) == set(DEFAULTS) - timed


SCHEMAS = "$.components.schemas"
ACTIONS: dict[str, tuple[list[dict[str, Any]], str]] = {
    "a filter in a filter in a filter": ([{"target": "$..[?count($..[?count($..[?count($..*)>1])>1])>1]", "remove": True}], "limit TARGET_SECONDS"),
    "a pattern without end": ([{"target": f"{SCHEMAS}.Ev", "update": {"title": "a" * 60 + "!"}}, {"target": "$..[?match(@.title, '(a|a)*b')]", "remove": True}], "limit TARGET_SECONDS"),
    "very many ways": ([{"target": "$" + "..*" * 40 + "..x", "remove": True}], "TARGET_SECONDS|matches nothing"),
    "twice as much each time": ([{"target": "$..[?@.properties]", "update": {f"a{n}": {"properties": {"a": {"properties": {}}}}}} for n in range(40)], "limit MAX_(NODES|DEPTH)|TARGET_SECONDS"),
    "deeper each time": ([{"target": f"{SCHEMAS}{'.a' * (3 * n)}" if n else SCHEMAS, "update": {"a": {"a": {"a": {}}}}} for n in range(60)], "limit MAX_DEPTH"),
    "no components": ([{"target": "$", "update": {"components": 3}}], "`components` is not there"),
    "no schemas": ([{"target": "$.components", "update": {"schemas": [1]}}], "`components.schemas` is not there"),
    "another version": ([{"target": "$", "update": {"openapi": {"a": 1}}}], "is not a string"),
    "no version": ([{"target": "$.openapi", "remove": True}], "`openapi` is missing"),
}  # fmt: skip


@pytest.mark.parametrize("name", ACTIONS)
def test_an_overlay(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    actions, said = ACTIONS[name]
    spec = write_spec(tmp_path, json.dumps(documents.plain()))
    overlay = {"overlay": "1.0.0", "info": {"title": "t", "version": "1"}, "x-document": "d"}
    (spec / "overlays").mkdir(exist_ok=True)
    (spec / "overlays" / "10-x.yaml").write_text(json.dumps({**overlay, "actions": actions}))
    assert main(["--limit", "TARGET_SECONDS=1", "show", "--spec", str(spec)]) == 2
    assert re.search(said, error := capsys.readouterr().err), error[:2000]


def test_a_limit_can_be_changed(tmp_path: Path) -> None:
    spec = write_spec(tmp_path, BLOWUPS["properties"][0](30))
    arguments = ("generate", "--spec", str(spec), "--out", str(tmp_path / "out"))
    code, error = run("--limit", "MAX_FIELDS=20", *arguments)
    assert code == 2 and "more than 20 (limit MAX_FIELDS)" in error
    assert run("--limit", "MAX_FIELDS=40", *arguments)[0] == 0
    for wrong in (
        "MAX_FIELDS",
        "MAX_FIELDS=x",
        "OTHER=1",
        "MAX_FIELDS=-1",
        "MAX_FIELDS=" + "9" * 20,
    ):
        code, error = run("--limit", wrong, *arguments)
        assert code == 2 and "is not NAME=NUMBER" in error


def test_a_limit_is_as_it_was_afterwards() -> None:
    with raised(["MAX_DEPTH=7"]):
        assert limit("MAX_DEPTH") == 7
        with pytest.raises(SpecError), raised(["MAX_DEPTH=x"]):
            pass
    assert limit("MAX_DEPTH") == DEFAULTS["MAX_DEPTH"]


@pytest.mark.parametrize("number", ["9" * 4_301, "0x" + "f" * 4_000, "0o" + "7" * 5_000, "1e309"])
def test_numbers_that_no_text_can_say(number: str) -> None:
    with pytest.raises(SpecError, match="too many digits|too large"):
        parse(f"openapi: {number}".encode(), "f")
