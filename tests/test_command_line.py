"""The command line: what it prints, its exit codes, and that bad input changes nothing.

Reads small specifications that the tests write; runs `codegen.__main__.main` in this process, and as a program where
that is what is tested. Never touches spec/ or generated/ of the repository.
"""

from __future__ import annotations

import datetime
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from codegen.__main__ import main
from codegen.documents import parse
from tests.command_line import (
    D,
    F,
    DOCUMENT,
    ENTRY,
    ROOT,
    Ran,
    Run,
    WHOLE,
    here_fixture,
    made_fixture,
    run_fixture,
    tree,
)
from tests.small_spec import fragment
from tests.loopback import Reply, serving


def test_generate_twice_changes_no_file_and_says_so(here: Path, run: Run) -> None:
    before = tree(here)
    ran = run("generate")
    assert (ran.code, ran.err) == (0, "")
    assert "no file changed" in ran.out
    assert ran.out.splitlines()[:3] == [
        "stream  direction  events  models  files changed",
        "------  ---------  ------  ------  -------------",
        "s       server          2       2              0",
    ]
    assert tree(here) == before


def test_generate_tells_of_a_tag_without_an_entry_and_check_fails(here: Path, run: Run) -> None:
    (here / F).write_text(fragment(events={"hello": ENTRY}))
    ran = run("generate")
    assert ran.code == 0
    assert f"warning: {F}" in ran.err and "the tag 'bye' of Ev has no entry" in ran.err
    ran = run("check")
    assert ran.code == 1
    assert f"{F}" in ran.out and "the tag 'bye' of Ev has no entry" in ran.out


def test_prose_comes_from_a_whole_document_and_only_when_asked_for(here: Path, run: Run) -> None:
    (here / "whole.yaml").write_text(WHOLE)
    events = here / "generated/stream_events/s/events.py"
    assert run("generate", "--document", "d=whole.yaml").code == 0
    assert "Prose of the vendor." not in events.read_text()
    assert run("generate", "--document", "d=whole.yaml", "--docs").code == 0
    assert "Prose of the vendor." in events.read_text()


def test_timings_name_the_stages(here: Path, run: Run) -> None:
    ran = run("generate", "--timings")
    found = [line.split()[0] for line in ran.out.splitlines() if line.endswith(" s")]
    assert found == ["load", "resolve", "emit", "format", "write"]


def test_check_names_each_file_that_differs(here: Path, run: Run) -> None:
    package = here / "generated/stream_events/s"
    assert run("check") == Ran(0, "generated is what spec gives\n", "")
    edited, deleted, extra = (package / name for name in ("events.py", "models.py", "old.py"))
    mark = edited.read_text().splitlines()[0]
    edited.write_text(edited.read_text() + "\n")
    deleted.unlink()
    extra.write_text(f"{mark}\n")
    (package / "notes.py").write_text("# not ours: nobody generated it\n")
    ran = run("check")
    assert ran.code == 1
    assert ran.out.splitlines() == [
        f"generated/stream_events/s/{name}: differs from what spec gives. Run: codegen generate"
        for name in ("events.py", "models.py", "old.py")
    ]
    assert run("generate").code == 0
    assert run("check").code == 0
    assert not extra.exists() and (package / "notes.py").exists()


def test_show_prints_streams_events_and_fields(here: Path, run: Run) -> None:
    assert run("show").out.splitlines()[2].split() == ["s", "server", "2", "2"]
    stream = run("show", "s").out.splitlines()
    assert stream[0] == "s: A stream."
    assert [stream[stream.index("bye  (Bye)") + at] for at in (1, 2)] == [
        "    A word.",
        "    type, reason, code?",
    ]
    event = run("show", "s", "bye").out.splitlines()
    assert event[:3] == [
        "bye of s: A word.",
        "class Bye, family text, beta, documented",
        "source d 1 2026-01-01 #/components/schemas/Bye",
    ]
    assert [line.split() for line in event[-3:]] == [
        ["type", "'bye'", "yes", "no"],
        ["reason", "string", "(word)", "yes", "yes"],
        ["code", "integer", "no", "no", "1"],
    ]


def test_show_prints_json(here: Path, run: Run) -> None:
    whole = json.loads(run("show", "--json").out)
    assert [package["name"] for package in whole["packages"]] == ["s"]
    stream = json.loads(run("show", "s", "--json").out)
    assert stream == whole["packages"][0]["streams"][0]
    assert [event["tag"] for event in stream["events"]] == ["bye", "hello"]
    event = json.loads(run("show", "s", "bye", "--json").out)
    assert event.pop("source") == "d 1 2026-01-01 #/components/schemas/Bye"
    assert event.pop("fields") == [
        {"name": "type", "type": "'bye'", "required": True, "null": False},
        {"name": "reason", "type": "string (word)", "required": True, "null": True},
        {"name": "code", "type": "integer", "required": False, "null": False, "default": 1},
    ]
    assert event == stream["events"][0]


def test_show_wraps_wide_types_to_the_terminal(
    here: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = [f"value-{number}" for number in range(12)]
    wide = DOCUMENT.replace("code: {type: integer, default: 1}", f"code: {{enum: {values}}}")
    (here / D).write_text(wide)
    tables = {}
    for columns in (60, 80, 500):
        monkeypatch.setenv("COLUMNS", str(columns))
        tables[columns] = run("show", "s", "bye").out.splitlines()[5:]
        assert max(map(len, tables[columns])) <= columns
    assert len(tables[500]) == 5
    monkeypatch.delenv("COLUMNS")
    if not sys.__stdout__ or not sys.__stdout__.isatty():
        assert run("show", "s", "bye").out.splitlines()[5:] == tables[80]
    first, *more = tables[80][4:]
    assert first.split()[0] == "code" and all(line.startswith(" " * 8) for line in more)
    words = " ".join([first, *more]).split()
    assert [word for word in words if "value" in word] == [repr(value) for value in values]


def test_show_prints_notes_on_the_document(here: Path, run: Run) -> None:
    assert run("show", "--notes") == Ran(0, "", "")
    (here / D).write_text(DOCUMENT.replace("format: word", "nullable: true"))
    assert run("show", "--notes").out == (
        f"{D}:21 (#/components/schemas/Bye/properties/reason): nullable is used in OpenAPI 3.1; "
        "it is read as null. Nothing to do, or an overlay in spec/overlays/.\n"
    )


def test_cut_keeps_facts_and_records_the_source(here: Path, run: Run) -> None:
    (here / "whole.yaml").write_text(WHOLE)
    given = ["--url", "https://example.org/new.yaml", "--commit", "abcdef1", "--date", "2026-02-03"]
    assert run("cut", "whole.yaml", "--name", "d", *given) == Ran(0, f"{D}: 3 schemas\n", "")
    text = (here / D).read_text()
    assert "Prose" not in text and "Unused" not in text and "format: word" in text
    (entry,) = parse((here / "spec/sources.yaml").read_bytes(), "sources")["sources"]
    assert entry == {
        "name": "d",
        "url": "https://example.org/new.yaml",
        "version": "1",
        "commit": "abcdef1",
        "date": "2026-02-03",
        "sha256": hashlib.sha256(WHOLE.encode()).hexdigest(),
        "cut_sha256": hashlib.sha256(text.encode()).hexdigest(),
        "command": "codegen cut whole.yaml --name d",
    }
    before = tree(here)
    assert run("cut", "whole.yaml", "--name", "d").code == 0
    assert tree(here) == before


def test_cut_says_which_day_and_commit_it_wrote_unasked(here: Path, run: Run) -> None:
    (here / "whole.yaml").write_text(WHOLE)
    cut = ("cut", "whole.yaml", "--name", "d")
    before = datetime.date.today()
    said = run(*cut).err
    days = {before, datetime.date.today()}
    assert said in {
        f"date {day}, as of today (--date); commit unknown (--commit)\n" for day in days
    }
    assert run(*cut, "--date", "2026-02-03").err == "commit unknown (--commit)\n"
    assert run(*cut, "--commit", "abcdef1").err == "date 2026-02-03, as recorded before (--date)\n"
    kept = "date 2026-02-03, as recorded before (--date); commit abcdef1, as recorded before (--commit)"
    assert run(*cut).err == f"{kept}\n"
    assert run(*cut, "--quiet") == Ran(0, "", "")


def test_cut_reads_a_url(here: Path, run: Run) -> None:
    with serving() as loopback:
        url = loopback.put("/d.yaml", Reply(WHOLE.encode()))
        assert run("cut", url, "--name", "d").code == 0
    (entry,) = parse((here / "spec/sources.yaml").read_bytes(), "sources")["sources"]
    assert entry["url"] == url
    assert entry["sha256"] == hashlib.sha256(WHOLE.encode()).hexdigest()
    assert entry["command"] == f"codegen cut {url} --name d"


def test_cut_reads_standard_input(here: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(WHOLE.encode())))
    assert run("cut", "-", "--name", "d").code == 0
    (entry,) = parse((here / "spec/sources.yaml").read_bytes(), "sources")["sources"]
    assert entry["sha256"] == hashlib.sha256(WHOLE.encode()).hexdigest()
    assert entry["url"] == "https://example.org/d.yaml"  # where it comes from was recorded before


@pytest.mark.parametrize("command", [[], ["generate"], ["check"], ["cut"], ["show"]])
def test_help_has_an_example(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert f"examples:\n  codegen {' '.join(command)}".rstrip() in text


def test_a_wrong_option_is_unusable_input(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["generate", "--nope"])
    assert ended.value.code == 2
    assert "--nope" in capsys.readouterr().err


def program(
    *arguments: str, given: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """`python -m codegen` in the working folder, as a person runs it."""
    return subprocess.run(
        [sys.executable, "-m", "codegen", *arguments],
        input=given,
        capture_output=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT), **variables},
    )


def test_the_program_says_what_main_says(here: Path) -> None:
    done = program("show", "s", "gone")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"gone: is not a tag of s. See: codegen show s\n"
    dated = ("--date", "2026-02-03", "--commit", "abcdef1")
    done = program("cut", "-", "--name", "d", *dated, given=WHOLE.encode())
    assert (done.returncode, done.stdout, done.stderr) == (0, b"%s: 3 schemas\n" % D.encode(), b"")


@pytest.mark.parametrize("seed", ["0", "4711"])
def test_the_same_bytes_under_another_hash_seed_and_from_another_folder(
    here: Path, tmp_path: Path, seed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = tmp_path / "out"
    shutil.copytree(here / "generated/.cache", out / ".cache")
    done = program("generate", "--spec", str(here / "spec"), "--out", str(out), PYTHONHASHSEED=seed)
    assert done.returncode == 0, done.stderr
    assert tree(out) == tree(here / "generated")


def test_the_whole_specification_has_the_streams_that_we_promise(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    rows = [line.split()[:3] for line in run("show").out.splitlines()[2:]]
    assert {name: (direction, int(events)) for name, direction, events in rows} == {
        "responses": ("server", 59),
        "responses-websocket-server": ("server", 62),
        "responses-websocket-client": ("client", 2),
        "beta-responses": ("server", 59),
        "beta-responses-websocket-server": ("server", 64),
        "beta-responses-websocket-client": ("client", 3),
        "chat": ("server", 1),
        "completions": ("server", 1),
        "images-edits": ("server", 2),
        "images-generations": ("server", 2),
        "messages": ("server", 8),
    }
