"""The README says what is so: each fenced block is run or is what one of them prints, and what it names exists.

Reads README.md. Runs its commands in a folder of links to this checkout, with a server where they need one; `make` only plans what it
would do, since CI runs it. In what is shown, a line of `…` stands for any lines, and one that ends with it for any rest.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from stream_events import responses
from tests.json_values import catalogue
from tests.serving import ROOT, TIMEOUT, serving

README = (ROOT / "README.md").read_text("utf-8")
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
ADDRESS = "http://127.0.0.1:8484"


class Block(NamedTuple):
    """A fenced block: its kind, as the fence names it, and its text."""

    kind: str
    text: str


def blocks() -> list[Block]:
    """All of them, in order."""
    fences = re.findall(r"^```(.*)\n((?:(?!```).*\n)*)```$", README, re.MULTILINE)
    assert README.count("```") == 2 * len(fences)
    return [Block(*each) for each in fences]


def of_kind(kind: str) -> list[str]:
    return [block.text for block in blocks() if block.kind == kind]


def section(title: str) -> str:
    return README.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def test_every_block_is_of_a_kind_that_is_run() -> None:
    assert {block.kind for block in blocks()} == {"sh", "python", "pycon", "console", "text"}


def test_lines_are_short_and_few() -> None:
    lines = README.splitlines()
    assert len(lines) <= 310 and max(map(len, lines)) <= 130


def test_what_make_is_asked_for_can_be_planned() -> None:
    commands = [line.split("#")[0].split() for text in of_kind("sh") for line in text.splitlines()]
    assert commands and all(command[0] == "make" for command in commands)
    for command in commands:
        done = subprocess.run(
            ["make", "--dry-run", *command[1:]], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr


def test_the_program_is_the_file_that_is_run() -> None:
    code = (ROOT / "tests/examples/read_stream.py").read_text("utf-8").split('"""\n', 1)[1].strip()
    assert of_kind("python") == [f"{code}\n"]
    assert len([line for line in code.splitlines() if line]) <= 10


def test_the_dialogue_with_python_goes_as_shown() -> None:
    (text,) = of_kind("pycon")
    test = doctest.DocTestParser().get_doctest(text, {"responses": responses}, "README", None, None)
    told: list[str] = []
    results = doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert results.attempted == 5 and results.failed == 0, "".join(told)


def shown() -> list[tuple[str, str]]:
    """The commands of all console blocks, in order, each with what it prints."""
    return [
        (each[1], each[2])
        for text in of_kind("console")
        for each in re.finditer(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE)
    ]


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


@pytest.fixture(name="checkout")
def checkout_fixture(tmp_path: Path) -> Path:
    """A folder that looks like this checkout, and has room beside it."""
    folder = tmp_path / "checkout"
    (folder / ".venv/bin").mkdir(parents=True)
    for name in ("spec", "generated", "tests"):
        (folder / name).symlink_to(ROOT / name)
    command = folder / ".venv/bin/codegen"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m codegen "$@"\n')
    command.chmod(0o755)
    return folder


def test_what_is_shown_is_what_is_printed(checkout: Path) -> None:
    commands = shown()
    assert len(commands) > 5
    with serving() as address:
        for command, text in commands:
            done = subprocess.run(
                ["bash", "-c", command.replace(ADDRESS, address).replace("python3", sys.executable)],
                cwd=checkout,
                env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "NO_PROXY": "*"},
                capture_output=True,
                encoding="utf-8",
                timeout=TIMEOUT,
            )  # fmt: skip
            assert re.fullmatch(pattern(text), done.stdout), (command, done.stdout, done.stderr)


def test_the_picture_names_what_is_there() -> None:
    (picture,) = of_kind("text")
    paths = re.findall(r"\b(?:spec|generated)/\w+", picture)
    assert len(paths) == 4 and all((ROOT / path).is_dir() for path in paths)
    stages = re.findall(r"\b(load|resolve|catalogue|emit|diff)\b", picture.split("generated/")[0])
    assert len(set(stages)) == 4
    for stage in stages:
        assert any((ROOT / "codegen").glob(f"{stage}*"))


def test_links_lead_to_sections() -> None:
    titles = re.findall(r"^## (.+)$", README, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}
    links = re.findall(r"\]\(#([\w-]+)\)", README)
    assert len(links) > 5 and set(links) <= anchors


def test_make_targets_exist() -> None:
    spans = " ".join(re.findall(r"`make ([a-z -]+)[^`]*`", README)).split()
    assert len(spans) > 8
    assert all(re.search(rf"^{re.escape(name)}:", MAKEFILE, re.MULTILINE) for name in spans)


def test_files_that_are_named_exist() -> None:
    tops = "codegen|templates|spec|generated|tests|.github|CHANGELOG|Makefile|.pre-commit"
    named = set(re.findall(rf"`((?:{tops})[\w./*-]*)`", README)) - {"codegen", "generated/.cache"}
    assert len(named) > 20
    assert [name for name in named if not list(ROOT.glob(name.rstrip("/")))] == []


def test_commands_and_options_that_are_named_exist() -> None:
    spans = re.findall(r"`(?:\.venv/bin/)?codegen ([a-z]+)[^`]*`", README)
    assert len(set(spans)) > 6
    spoken = {"Is this stream right?": "lint", "A server that plays streams": "serve"}
    spoken |= {"Copy it into your project": "vendor"}
    helps: dict[str, str] = {}
    for name in {*spans, *spoken.values()}:
        done = subprocess.run(
            [sys.executable, "-m", "codegen", name, "--help"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
        )
        assert done.returncode == 0, name
        helps[name] = done.stdout
    for title, name in spoken.items():
        named = set(re.findall(r"`[^`\n]*?(--[a-z-]+)", section(title)))
        assert named and [option for option in named if option not in helps[name]] == []


def test_the_table_of_streams_is_that_of_the_catalogue() -> None:
    rows = re.findall(r"^\| (.+?) \| `([\w.]+)` \| (.+) \| (.+) \|$", section("Streams"), re.M)
    told = [
        (module, union, int(count))
        for _, module, unions, counts in rows
        for union, count in zip(re.findall(r"\w+", unions), counts.split(", "), strict=True)
    ]
    assert sorted(told) == sorted(
        (stream.module, stream.union, len(stream.events)) for stream in catalogue().streams
    )


def compared(row: str) -> list[str]:
    """The cells of a row of the comparison."""
    (line,) = re.findall(rf"^\| {re.escape(row)}.* \|$", section("How it compares"), re.MULTILINE)
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def test_the_rows_on_vectors_are_those_of_the_conformance_page() -> None:
    page = (ROOT / "generated/reference/conformance.md").read_text("utf-8")

    def scores(operation: str) -> list[str]:
        line = page.split(f"\n| {operation} |", 1)[1].split("\n", 1)[0]
        return [cell.strip() for cell in line.strip("|").split("|")]

    ours, create, stream = 0, 1, 2
    found = [scores("stream")[at] for at in (ours, create)]
    assert compared("vectors: bytes to events")[:2] == found
    found = [scores("accumulate")[at] for at in (ours, stream)]
    assert compared("vectors: bytes to the final object")[:2] == found


def test_the_row_on_speed_is_near_what_was_measured() -> None:
    """Within a quarter: it is measured anew more often than the README is written."""
    page = (ROOT / "generated/reference/performance.md").read_text("utf-8")
    table = page.split("### End to end, one event a chunk, against RAW", 1)[1].split("\n###", 1)[0]
    measured = [
        float(re.findall(rf"^\| {re.escape(name)} \| ([\d.]+)", table, re.MULTILINE)[0])
        for name in (
            "stream_events: read, accumulate, final",
            "official client, create(stream=True)",
            "official client, stream()",
        )
    ]
    told = [float(each) for each in re.findall(r"([\d.]+) ×", " ".join(compared("CPU time")))]
    assert told == [pytest.approx(each, rel=0.25) for each in measured]


def test_the_versions_that_are_named_are_those_of_the_project() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert wanted["requires-python"] == ">=3.11" and "Python 3.11 or newer" in README
    assert "on Python 3.10 and newer" in README


def test_what_is_said_of_class_names_is_so() -> None:
    names = {
        model["name"]
        for path in (ROOT / "generated/catalogue/models").glob("*.json")
        for model in json.loads(path.read_text("utf-8"))["models"]
    }
    known = set(
        re.findall(r"^    (\w+):", "".join(p.read_text("utf-8") for p in DOCUMENTS), re.MULTILINE)
    )
    numbered = [name for name in names - known if name[-1].isdigit()]
    assert compared("class names")[0] == f"{len(numbered)} of {len(names):,}"


DOCUMENTS = [ROOT / f"spec/documents/{name}.yaml" for name in ("openai", "anthropic")]
