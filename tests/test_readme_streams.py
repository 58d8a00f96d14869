"""What the README shows of `lint` and `serve` is what they print: its commands are run, and its output is theirs, shortened.

Reads README.md. A line of `…` stands for any lines, and one that ends with it for any rest. Never runs a command that does
not begin with `curl` or `codegen lint`.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys

import pytest

from tests.serving import ROOT, TIMEOUT, serving

README = (ROOT / "README.md").read_text("utf-8")
SECTIONS = ("Is this stream right?", "A server that plays streams")
SHOWN = re.compile(r"^```\n\$ (.+)\n((?:.*\n)+?)```$", re.MULTILINE)
ADDRESS = "http://127.0.0.1:8484"


def section(title: str) -> str:
    return README.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def shown() -> list[tuple[str, str]]:
    """The commands of the sections with what they print."""
    return [(one[1], one[2]) for title in SECTIONS for one in SHOWN.finditer(section(title))]


def run(command: str, address: str) -> str:
    """What a command prints, or several of them one behind the other."""
    data = b""
    for part in command.replace(ADDRESS, address).split(" | "):
        words = shlex.split(part)
        if words[0] != "curl":
            assert words[:2] == [".venv/bin/codegen", "lint"], part
            words[:1] = [sys.executable, "-m", "codegen"]
        done = subprocess.run(words, input=data, capture_output=True, cwd=ROOT, timeout=TIMEOUT)
        data = done.stdout
    return data.decode()


def pattern(text: str) -> str:
    """An expression for what a shortened output stands for."""
    found = ""
    for line in text.splitlines():
        if line == "…":
            found += r"(?:.*\n)+?"
        elif line.endswith("…"):
            found += re.escape(line[:-1]) + r".+\n"
        else:
            found += re.escape(line) + r"\n"
    return found


def test_what_is_shown_is_what_is_printed() -> None:
    if shutil.which("curl") is None:
        pytest.skip("there is no curl here")
    assert len(shown()) == len(SECTIONS)
    with serving() as address:
        for command, text in shown():
            assert re.fullmatch(pattern(text), run(command, address)), command


def test_the_options_that_are_named_exist() -> None:
    for title, name in zip(SECTIONS, ("lint", "serve"), strict=True):
        command = [sys.executable, "-m", "codegen", name, "--help"]
        told = subprocess.run(command, capture_output=True, cwd=ROOT, text=True, timeout=TIMEOUT)
        named = set(re.findall(r"`[^`\n]*?(--[a-z-]+)", section(title)))
        assert named and all(option in told.stdout for option in named), named
