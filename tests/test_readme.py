"""The README says what is so: its first example is the file that the tests run, and its commands exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def test_the_first_example_is_the_file_that_runs() -> None:
    code = (ROOT / "tests/examples/read_stream.py").read_text("utf-8").split('"""\n', 1)[1].strip()
    assert f"```python\n{code}\n```" in README


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^make (\w+)", README, re.MULTILINE))
    assert targets and all(re.search(rf"^{name}:", makefile, re.MULTILINE) for name in targets)


def test_commands_exist() -> None:
    main = "".join(path.read_text("utf-8") for path in (ROOT / "codegen/commands").glob("*.py"))
    commands = set(re.findall(r"codegen (\w+)", README)) - {"check"}
    assert commands and all(f'"{name}"' in main for name in commands), commands
