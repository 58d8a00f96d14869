"""Copies of the package in other projects: what is copied, what a check says, and what is never touched.

Reads generated/ and writes into temporary folders; runs the command line, and the copies in processes of their own. Never imports a
copy here.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from codegen.__main__ import main
from codegen.vendor import make_copy, read_package
from codegen.vendor_imports import NAME, sources_of, streams_of
from tests.test_pythons import interpreters

ROOT = Path(__file__).resolve().parent.parent
GENERATED = ROOT / "generated"
STREAMS = [stream.name for stream in streams_of((GENERATED / NAME / "__init__.py").read_bytes())]


def vendor(into: Path, *arguments: str, out: Path = GENERATED) -> int:
    return main(["vendor", "--into", str(into), "--out", str(out), *arguments])


def texts(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def modules(folder: Path) -> list[str]:
    """Dotted names below a folder of all modules of its copy, as they are imported."""
    paths = (path.relative_to(folder).with_suffix("") for path in sorted(folder.rglob("*.py")))
    return [".".join(path.parts).removesuffix(".__init__") for path in paths]


def newer(folder: Path) -> Path:
    """A generated folder that went on: another document, one module less and one more."""
    package = folder / NAME
    for path, data in texts(GENERATED / NAME).items():
        if path.endswith((".py", ".typed")):
            (package / path).parent.mkdir(parents=True, exist_ok=True)
            (package / path).write_bytes(data)
    root = package / "__init__.py"
    root.write_text(root.read_text("utf-8").replace('"2.3.0",', '"2.4.0",'), "utf-8")
    (package / "chat/dialects.py").rename(package / "chat/ways.py")
    accumulator = package / "chat/accumulator.py"
    text = accumulator.read_text("utf-8")
    accumulator.write_text(text.replace("from .dialects import", "from .ways import"), "utf-8")
    return folder


def test_everything_is_copied_as_it_is_with_stamp_and_licence(tmp_path: Path) -> None:
    assert vendor(tmp_path / "_vendor") == 0
    copied = texts(tmp_path / "_vendor" / NAME)
    stamp = json.loads(copied.pop("VENDORED.json"))
    assert stamp["files"] == {path: hashlib.sha256(copied[path]).hexdigest() for path in copied}
    assert stamp["chosen"] == "all" and stamp["streams"] == STREAMS
    assert {source["name"] for source in stamp["sources"]} == {"anthropic", "openai"}
    assert all(len(source["sha256"]) == 64 for source in stamp["sources"])
    assert copied.pop("LICENSE") == (ROOT / "LICENSE").read_bytes()
    here = texts(GENERATED / NAME)
    assert copied == {path: data for path, data in here.items() if "__pycache__" not in path}


def test_the_same_copy_has_the_same_stamp_and_is_current(tmp_path: Path) -> None:
    for place in ("a", "b"):
        assert vendor(tmp_path / place, "--stream", "chat", "--stream", "messages") == 0
    assert vendor(tmp_path / "b", "--stream", "messages", "--stream", "chat") == 0
    assert texts(tmp_path / "a") == texts(tmp_path / "b")
    assert vendor(tmp_path / "a", "--check") == 0


USE = """
import importlib, json, sys
for name in json.loads(sys.argv[1]):
    importlib.import_module(name)
home = importlib.import_module("mypp._vendor.stream_events")
used = importlib.import_module("mypp._vendor.stream_events." + sys.argv[2])
assert used.__name__ in sys.modules and "stream_events" not in sys.modules
assert {each.name for each in home.STREAMS} == set(json.loads(sys.argv[3]))
assert all(importlib.import_module(f"{home.__name__}.{each.module}") for each in home.STREAMS)
for tag, cls in (getattr(used, "EVENTS", None) or used.SERVER_EVENTS).items():
    event = used.decode({"type": tag, "object": "chat.completion.chunk", "kept": [1, 1.0, None]})
    assert used.encode(event)["kept"] == [1, 1.0, None]
    used.problems(event)
    accumulator = used.Accumulator()
    accumulator.add(event)
print("used")
"""


@pytest.mark.parametrize(
    "name", ["beta-responses-websocket-server", "chat", "images-edits", "messages", "responses"]
)
def test_one_stream_works_under_any_parent_and_brings_no_other(name: str, tmp_path: Path) -> None:
    into = tmp_path / "mypp" / "_vendor"
    assert vendor(into, "--stream", name) == 0
    stamp = json.loads((into / NAME / "VENDORED.json").read_text("utf-8"))
    module = {each.name: each.module for each in streams_of(root_of(into))}[name]
    assert name in stamp["streams"]
    packages = {path.name for path in (into / NAME).iterdir() if path.is_dir()}
    assert packages == {"_runtime", module.split(".")[0]}
    arguments = [json.dumps(modules(tmp_path)), module, json.dumps(stamp["streams"])]
    done = subprocess.run(
        [sys.executable, "-I", "-X", "dev", "-W", "error", "-c", BEFORE + USE, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "used\n", done.stderr


def test_a_copy_says_nothing_of_documents_that_its_streams_do_not_come_from(tmp_path: Path) -> None:
    for name, own, other in (("chat", "openai", "anthropic"), ("messages", "anthropic", "openai")):
        assert vendor(tmp_path / name, "--stream", name) == 0
        stamp = json.loads((tmp_path / name / NAME / "VENDORED.json").read_text("utf-8"))
        assert [source["name"] for source in stamp["sources"]] == [own]
        assert [source.name for source in sources_of(root_of(tmp_path / name))] == [own]
        copied = texts(tmp_path / name / NAME)
        assert not [path for path, data in copied.items() if f"# Source: {other}".encode() in data]
        assert f"# Source: {own} ".encode() in copied["_runtime/wire.py"]


def test_a_document_of_other_streams_moves_and_a_copy_stays_current(tmp_path: Path) -> None:
    out = tmp_path / "moved"
    for path, data in texts(GENERATED / NAME).items():
        if path.endswith((".py", ".typed")):
            (out / NAME / path).parent.mkdir(parents=True, exist_ok=True)
            (out / NAME / path).write_bytes(data.replace(b"2026-08-22", b"2027-01-01"))
    assert {source.date for source in sources_of(root_of(out))} == {"2027-01-01", "2026-08-21"}
    for name, code in (("chat", 0), ("messages", 1)):
        vendor(tmp_path / name, "--stream", name)
        assert vendor(tmp_path / name, "--check", out=out) == code


@pytest.mark.parametrize("version", interpreters())
def test_a_nested_copy_is_imported_by_every_interpreter(version: str, tmp_path: Path) -> None:
    into = tmp_path / "client/inner/_vendor"
    vendor(into, "--stream", "responses-websocket-server", "--stream", "chat")
    code = (
        "import importlib, sys; sys.path.insert(0, '.')\n"
        "home = importlib.import_module('client.inner._vendor.stream_events')\n"
        "for each in home.STREAMS: importlib.import_module(f'{home.__name__}.{each.module}')\n"
        "print(len(home.STREAMS), 'stream_events' in sys.modules)"
    )
    command = [interpreters()[version], "-I", "-X", "dev", "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "4 False\n", done.stderr


BEFORE = "import os, sys; sys.path.insert(0, os.getcwd())\n"


def root_of(into: Path) -> bytes:
    return (into / NAME / "__init__.py").read_bytes()


def test_a_copy_is_clean_under_mypy_in_another_project(tmp_path: Path) -> None:
    for name in ("mypp", "mypp/_vendor"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    assert (
        vendor(tmp_path / "mypp/_vendor", "--stream", "messages", "--stream", "images-edits") == 0
    )
    use = "from mypp._vendor.stream_events import messages\nmessages.final([]).id.upper()\n"
    (tmp_path / "mypp/main.py").write_text(use)
    flags = ["--strict", "--config-file=", f"--cache-dir={os.devnull}", "-p", "mypp"]
    command = [sys.executable, "-m", "mypy", *flags]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.startswith("Success"), done.stdout + done.stderr


def test_what_nothing_imports_is_left_out() -> None:
    package = read_package(GENERATED, ROOT / "LICENSE")
    websocket = "responses/websocket/__init__.py"
    assert websocket not in make_copy(package, ["responses"]).texts
    whole = make_copy(package, ["responses-websocket-client"]).texts
    assert websocket in whole and "responses/models.py" in whole
    assert make_copy(package, STREAMS).texts == make_copy(package, None).texts


def test_a_stream_that_is_given_up_is_gone_though_it_was_compiled(tmp_path: Path) -> None:
    assert vendor(tmp_path, "--stream", "chat", "--stream", "responses") == 0
    use = "from stream_events import responses; responses.Accumulator"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-S", "-c", use]
    assert subprocess.run(command, env=environment, timeout=60, check=False).returncode == 0
    assert list((tmp_path / NAME / "responses").glob("__pycache__/*.pyc"))
    assert vendor(tmp_path, "--stream", "chat") == 0
    assert not (tmp_path / NAME / "responses").exists()
    done = subprocess.run(command, env=environment, timeout=60, capture_output=True, text=True, check=False)  # fmt: skip
    assert done.stderr.strip().splitlines()[-1].startswith("ImportError: cannot import name")


def test_an_unknown_stream_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert vendor(tmp_path, "--stream", "chats") == 2
    assert "--stream chats: there is no such stream. Name one of: beta" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_check_names_what_was_edited_removed_and_added(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    vendor(tmp_path, "--stream", "chat")
    package = tmp_path / NAME
    with (package / "chat/events.py").open("a") as file:
        file.write("# mine\n")
    (package / "sse.py").unlink()
    (package / "chat/own.py").touch()
    before = texts(tmp_path)
    capsys.readouterr()
    assert vendor(tmp_path, "--check") == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{package}/chat/events.py: was edited by hand",
        f"{package}/chat/own.py: was added",
        f"{package}/sse.py: was removed",
    ]
    assert texts(tmp_path) == before


def test_a_check_says_how_the_package_went_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    into, out = tmp_path / "into", newer(tmp_path / "newer")
    vendor(into, "--stream", "chat")
    capsys.readouterr()
    assert vendor(into, "--check", out=out) == 1
    told = capsys.readouterr().out
    assert "behind: the document openai is now 2.4.0" in told
    assert "4 files differ, such as __init__.py" in told and "edited" not in told
    assert vendor(into, out=out) == 0
    assert vendor(into, "--check", out=out) == 0
    assert not (into / NAME / "chat/dialects.py").exists()
    assert [path for path in texts(into) if ".codegen-" in path] == []


def test_a_check_of_other_streams_is_behind(tmp_path: Path) -> None:
    vendor(tmp_path, "--stream", "chat")
    assert vendor(tmp_path, "--check", "--stream", "messages") == 1


def test_line_ends_of_a_checkout_are_no_edit(tmp_path: Path) -> None:
    vendor(tmp_path, "--stream", "completions")
    for path in (tmp_path / NAME).rglob("*.py"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert vendor(tmp_path, "--check") == 0


def test_streams_that_are_no_longer_wanted_go(tmp_path: Path) -> None:
    vendor(tmp_path, "--stream", "chat", "--stream", "responses-websocket-server")
    assert vendor(tmp_path, "--stream", "chat") == 0
    vendor(tmp_path / "new", "--stream", "chat")
    assert texts(tmp_path / NAME) == texts(tmp_path / "new" / NAME)
    assert not (tmp_path / NAME / "responses").exists()
