"""What --help says of every command: that it is whole, that it fits, and that its examples work."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import pytest

from codegen.__main__ import main
from codegen.commands import GROUPS, parser
from tests.commands import arguments, examples, leaves

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = dict(leaves())
RESULTS = json.loads((ROOT / "codegen/commands/results.schema.json").read_bytes())["$defs"]
OWN_SCHEMA = {
    "diff": "codegen/changes.schema.json",
    "drift": "codegen/drift.schema.json",
    "lint": "codegen/lint/report.schema.json",
}
HARMLESS = ("codegen show", "codegen vectors list", "codegen vectors check", "codegen completion")
"""Examples that run here: they read, and nothing but the checkout."""


def test_there_is_one_command_for_each_module() -> None:
    modules = {path.stem for path in (ROOT / "codegen/commands").glob("*.py")}
    registered = {module.__name__.rpartition(".")[2] for some in GROUPS.values() for module in some}
    assert modules - registered == {"__init__", "vectors_run", "vectors_choice"}
    assert {name.split()[0] for name in COMMANDS} == registered


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_what_it_does_takes_and_ends_with(name: str) -> None:
    one = COMMANDS[name]
    assert one.description and one.description.endswith(".") and "\n" not in one.description
    untold = [each.dest for each in one._actions if not each.help]
    assert not untold
    assert examples(one) and "Exit codes: 0 " in (one.epilog or "")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_example_is_a_line_that_the_parser_takes(name: str) -> None:
    for line in examples(COMMANDS[name]):
        given = arguments(line)
        assert " ".join(given).startswith(name), line
        assert callable(parser().parse_args(given).run), line


@pytest.mark.parametrize(
    "line",
    [
        line
        for one in COMMANDS.values()
        for line in examples(one)
        if line.startswith(HARMLESS) or "--list-" in line
    ],
)
def test_an_example_that_only_reads_runs(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert main(arguments(line)) == 0
    printed = capsys.readouterr()
    assert printed.out and not printed.err


@pytest.mark.parametrize("name", ["", *COMMANDS, "vectors"])
@pytest.mark.parametrize(("columns", "widest"), [(80, 80), (200, 100)])
def test_help_fits_the_terminal(
    name: str,
    columns: int,
    widest: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    with pytest.raises(SystemExit) as ended:
        main([*name.split(), "--help"])
    assert ended.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    copied = {f"  {line}" for _, one in leaves() for line in examples(one)}
    assert [line for line in lines if len(line) > widest and line not in copied] == []


def test_the_commands_are_grouped_by_who_needs_them(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    found = re.findall(r"^(to .*|for the shell):\n((?:  \w+ .*\n)+)", text, re.MULTILINE)
    listed = {title: [line.split()[0] for line in lines.splitlines()] for title, lines in found}
    assert listed == {
        "to use the package in a client, proxy or agent": [
            "vendor",
            "show",
            "docs",
            "lint",
            "serve",
        ],
        "to maintain the specification": [
            "generate",
            "check",
            "cut",
            "adopt",
            "snapshot",
            "history",
            "vectors",
        ],
        "to watch for drift": ["drift", "diff"],
        "for the shell": ["completion"],
    }


def test_every_command_can_be_quiet_and_verbose_but_not_both() -> None:
    for one in COMMANDS.values():
        assert {"-q", "--quiet", "-v", "--verbose"} <= one._option_string_actions.keys()
    with pytest.raises(SystemExit) as ended:
        main(["show", "-q", "-v"])
    assert ended.value.code == 2


def test_a_result_can_be_had_as_json_and_its_keys_are_told() -> None:
    for name, one in COMMANDS.items():
        if name in ("serve", "completion"):  # a server and a script
            continue
        assert "json" in one._option_string_actions["--format"].choices  # type: ignore[operator]
        told = (one.epilog or "").split("As JSON: ")[1].split("\n\n")[0]
        for schema in _objects(name):
            missing = [key for key in schema["required"] if not re.search(rf"\b{key}\b", told)]
            assert not missing or name == "show", (name, missing)


def _objects(name: str) -> list[dict[str, list[str]]]:
    if name in OWN_SCHEMA:
        return [json.loads((ROOT / OWN_SCHEMA[name]).read_bytes())]
    schema = RESULTS[name]
    return schema.get("anyOf", [schema])  # type: ignore[no-any-return]


def test_an_option_means_one_thing() -> None:
    """Where two commands have an option of one name, both take the same kind of value, and call it by the same word."""
    found: dict[str, set[object]] = {}
    for one in COMMANDS.values():
        for option, action in one._option_string_actions.items():
            kind = argparse.Action if action.choices else type(action)
            is_list = isinstance(action, argparse._AppendAction)
            kept = action.metavar, action.nargs, action.type, kind if not is_list else None
            found.setdefault(option, set()).add(kept)
    different = {option for option, kinds in found.items() if len(kinds) > 1}
    # lint reads one stream; --name is a document's for cut, and an overlay's for adopt; --check is none of the others'.
    assert different == {"--stream", "--name"}
