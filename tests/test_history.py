"""When events came, changed and went: over the committed snapshots.

Reads spec/snapshots/; writes below the folder that a test was given. Never needs another repository.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from codegen.__main__ import main
from codegen.documents import read_bytes
from codegen.errors import SpecError
from codegen.history import walk, write_history
from codegen.history_steps import Life, Step, Walk
from codegen.history_text import render

SPEC = Path(__file__).resolve().parent.parent / "spec"
CASES = Path(__file__).resolve().parent / "cases_diff"
DOCUMENTS = [f"openai-{day}" for day in ("2025-03-11", "2025-04-29", "2026-05-13", "2026-08-21")]


@pytest.fixture
def snapshots(tmp_path: Path) -> Path:
    """A folder with some of the committed snapshots, in an order of names that is not that of days."""
    for name in DOCUMENTS:
        text = (SPEC / "snapshots" / f"{name}.json").read_bytes()
        (tmp_path / f"{'ba'[name > DOCUMENTS[1]]}-{name}.json").write_bytes(text)
    return tmp_path


def test_steps_are_in_the_order_of_days(snapshots: Path) -> None:
    found = walk(str(snapshots), SPEC)
    assert [step.date for step in found.steps] == [
        name.removeprefix("openai-") for name in DOCUMENTS
    ]
    assert [step.counts["responses"] for step in found.steps] == [32, 36, 53, 58]
    assert found.unreadable == []


def test_lives_of_events(snapshots: Path) -> None:
    found = walk(str(snapshots), SPEC)
    lives = {(life.stream, life.tag): life for life in found.lives}
    labels = [step.label for step in found.steps]
    old = lives["responses", "response.code_interpreter_call.code.delta"]
    new = lives["responses", "response.code_interpreter_call_code.delta"]
    assert (old.came, old.went, old.after) == (labels[0], labels[2], new.tag)
    assert (new.came, new.went, new.before) == (labels[2], "", old.tag)
    assert lives["responses", "response.shell_call_command.delta"].came == labels[3]
    created = lives["responses", "response.created"]
    assert created.came == labels[0] and not created.went
    assert set(created.changed) == set(labels[1:])
    assert lives["responses-websocket-server", "error"].came == labels[2]


def test_the_page_and_the_picture(snapshots: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_history(walk(str(snapshots), SPEC), out)
    page = (out / "history.md").read_text("utf-8")
    assert "| `response.shell_call_command.delta` |" in page and "(history.svg)" in page
    root = ElementTree.parse(out / "history.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    texts = {
        "".join(node.itertext()).strip() for node in root.iter("{http://www.w3.org/2000/svg}text")
    }
    assert {"responses", "chat, completions", "events"} <= texts
    first = {path.name: path.read_bytes() for path in out.iterdir()}
    write_history(walk(str(snapshots), SPEC), out)
    assert first == {path.name: path.read_bytes() for path in out.iterdir()}


def test_a_file_that_cannot_be_read_is_listed(snapshots: Path, tmp_path: Path) -> None:
    (snapshots / "broken.json").write_text("{", "utf-8")
    found = walk(str(snapshots), SPEC)
    assert [label for label, _ in found.unreadable] == ["broken"] and len(found.steps) == 4
    write_history(found, tmp_path / "out")
    assert "- broken: " in (tmp_path / "out" / "history.md").read_text("utf-8")


def test_nothing_to_walk_is_an_error(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(SpecError):
            walk(str(place), SPEC)
    (tmp_path / "broken.json").write_text("{", "utf-8")
    with pytest.raises(SpecError):
        walk(str(tmp_path), SPEC)


def test_the_command(snapshots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "generated"
    (snapshots / "broken.json").write_text("{", "utf-8")
    arguments = ["history", str(snapshots), "--out", str(out), "--spec", str(SPEC)]
    assert main(arguments) == 0
    assert "broken is left out" in capsys.readouterr().out
    assert read_bytes(out / "reference" / "history.svg").startswith(b"<?xml")


def test_names_do_not_become_markup() -> None:
    name = "a|b`c``d\n## e\x1b[31m<b>"
    steps = [Step(label, "2026-01-01", {"s": 1}, ()) for label in ("x|y", "z\n# w")]
    lives = [Life("s", name, "x|y", after=name, went="z", before=name)]
    page = render(Walk(steps, lives, [("w|", "a\n- b `c`")]))
    html = MarkdownIt("commonmark").enable("table").render(page)
    assert html.count("<tr>") == 3 + 2 + 2 and html.count("<h1>") == 1 and html.count("<h2>") == 4
    assert html.count("<td>") == 2 * 2 + 6 + 4 and "\x1b" not in page
    assert html.count("<code>a|b`c``d\\n## e\\x1b[31m&lt;b&gt;</code>") == 3
