"""The two wheels, each in an environment of its own that has nothing else, used from an empty folder.

Reads the checkout; builds and installs in temporary folders. Asks the registry for what the generator depends on:
`pytest -m "not dist"` leaves that out. Never runs anything from the checkout but the build.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from email.parser import Parser
from pathlib import Path
from typing import NamedTuple

import pytest

from codegen.dist import stage_generator, stage_package
from tests.serving import ask

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.dist
SECONDS = 300
STREAM = 'data: {"choices":[],"object":"chat.completion.chunk"}\n\ndata: [DONE]\n\n'


class Place(NamedTuple):
    """An environment, and the empty folder in which its programs run."""

    binaries: Path
    folder: Path

    def run(self, program: str, *arguments: str, stdin: str = "") -> tuple[int, str, str]:
        """The exit code and what was printed."""
        done = subprocess.run(
            [self.binaries / program, *arguments],
            cwd=self.folder,
            env=bare(),
            input=stdin,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        return done.returncode, done.stdout, done.stderr


def bare() -> dict[str, str]:
    """The environment without what would let a program find the checkout."""
    return {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}


def built(stage: Path, into: Path) -> Path:
    """The wheel of a prepared folder, made with the setuptools that is pinned here."""
    options = "--quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index"
    command = [sys.executable, "-m", "pip", "wheel", *options.split(), "--wheel-dir", str(into)]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "315532800"}
    subprocess.run([*command, str(stage)], check=True, env=environment, timeout=SECONDS)
    (wheel,) = into.glob("*.whl")
    return wheel


def installed(tmp_path: Path, *arguments: str) -> Place:
    """A new environment with what pip was asked for."""
    venv.create(tmp_path / "env", with_pip=False, symlinks=True)
    binaries = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", str(binaries / "python"), "install", "--quiet"]
    options = ["--disable-pip-version-check", "--no-compile", *arguments]
    subprocess.run([*pip, *options], check=True, env=bare(), timeout=SECONDS)
    (tmp_path / "empty").mkdir()
    return Place(binaries, tmp_path / "empty")


def metadata(wheel: Path) -> dict[str, list[str]]:
    """The fields of a wheel's METADATA."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        message = Parser().parsestr(archive.read(name).decode())
    return {key: message.get_all(key, []) for key in message.keys()}


USE = """
from stream_events import STREAMS, chat
import importlib.metadata, importlib.resources
assert importlib.resources.files("stream_events").joinpath("py.typed").is_file()
reader = chat.read([b'data: {"choices":[],"object":"chat.completion.chunk"}\\n\\ndata: [DONE]\\n\\n'])
print(len(STREAMS) > 5, [type(event).__name__ for event in reader], reader.outcome)
print(importlib.metadata.requires("stream-events"))
"""


def test_the_package_is_a_wheel_without_dependencies(tmp_path: Path) -> None:
    wheel = built(stage_package(ROOT / "generated", tmp_path / "stage"), tmp_path / "dist")
    again = built(stage_package(ROOT / "generated", tmp_path / "stage"), tmp_path / "again")
    assert wheel.read_bytes() == again.read_bytes()
    said = metadata(wheel)
    assert said["Name"] == ["stream-events"] and said["Requires-Python"] == [">=3.10"]
    assert "Requires-Dist" not in said and said["License-Expression"] == ["MIT"]
    place = installed(tmp_path, "--no-index", str(wheel))
    code, out, err = place.run("python", "-I", "-c", USE)
    assert out == "True ['CreateChatCompletionStreamResponse'] complete\nNone\n", err
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if name.startswith("stream_events/")}
    files = [path for path in (ROOT / "generated/stream_events").rglob("*") if path.is_file()]
    here = {path.relative_to(ROOT / "generated").as_posix() for path in files}
    assert names == {path for path in here if "__pycache__" not in path}


def test_the_generator_works_from_its_wheel_in_an_empty_folder(tmp_path: Path) -> None:
    wheel = built(stage_generator(ROOT, tmp_path / "stage"), tmp_path / "dist")
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert metadata(wheel)["Requires-Python"] == [wanted["requires-python"]]
    place = installed(tmp_path, "-c", str(ROOT / "constraints.txt"), f"{wheel}[serve]")
    lists_and_compares(place)
    generates(place)
    lints(place)
    vendors(place)
    serves(place)
    assert place.run("codegen", "drift", "--update", "--offline")[0] == 2
    assert {path.name for path in place.folder.iterdir()} == {"generated", "client"}


def lists_and_compares(place: Place) -> None:
    code, out, err = place.run("codegen", "show", "responses", "response.output_text.delta")
    assert code == 0 and "ResponseTextDeltaEvent" in out, err
    code, out, err = place.run("codegen", "diff", "spec", "spec")
    assert code == 0, out + err
    code, out, err = place.run("codegen", "diff", "--format", "json")
    assert code in (0, 1) and out.startswith("{"), err
    code, out, err = place.run("codegen", "drift", "--offline", "--cache", "cache")
    assert code == 2 and "sources.yaml" not in err, err  # nothing is in that cache


def lints(place: Place) -> None:
    code, out, err = place.run("codegen", "lint", "--stream", "chat", "-", stdin=STREAM)
    assert code in (0, 1) and "chat" in out, err


def generates(place: Place) -> None:
    code, out, err = place.run("codegen", "generate")
    assert code == 0, err
    made = place.folder / "generated"
    for path in sorted((ROOT / "generated/stream_events").rglob("*.py")):
        name = path.relative_to(ROOT / "generated")
        assert (made / name).read_bytes() == path.read_bytes(), name
    code, out, err = place.run("codegen", "check")
    assert code == 0, out + err


def vendors(place: Place) -> None:
    arguments = ["vendor", "--into", "client/_vendor", "--stream", "messages"]
    assert place.run("codegen", *arguments)[0] == 0
    assert place.run("codegen", *arguments, "--check")[0] == 0
    licence = place.folder / "client/_vendor/stream_events/LICENSE"
    assert licence.read_bytes() == (ROOT / "LICENSE").read_bytes()


def serves(place: Place) -> None:
    command = [str(place.binaries / "codegen"), "serve", "--port", "0"]
    with subprocess.Popen(
        command, cwd=place.folder, env=bare(), stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            reply = ask(address, "/v1/responses", {"stream": True, "model": "m", "input": "hello"})
        finally:
            process.terminate()
    assert reply.status == 200 and b"event: response.completed" in reply.body
