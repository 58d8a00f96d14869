"""Every folder of tests/cases: the smallest document that shows one feature, and what must come out of it.

Reads document.yaml, any fragment*.yaml and overlay*.yaml; compares with catalogue.json and code.py, or with error.txt,
whole. Without a fragment the case has a stream `s` over the union `Ev`. Never writes into a case, unless it is asked to:

    CODEGEN_UPDATE_CASES=1 pytest tests/test_cases.py

writes what comes out as what is expected. Read it against OpenAPI before keeping it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codegen.catalogue import Catalogue, from_json, to_json
from codegen.emit import emit
from codegen.emit.render import Files
from codegen.errors import SpecError
from codegen.files import format_text
from codegen.load import load
from codegen.resolve import resolve
from codegen.review import review
from tests.small_spec import import_package, submodule, write_package, write_spec

CASES = sorted(path for path in (Path(__file__).parent / "cases").iterdir() if path.is_dir())
UPDATE = "CODEGEN_UPDATE_CASES" in os.environ
WIDTH = 110


@pytest.mark.parametrize("case", CASES, ids=[path.name for path in CASES])
def test_case(case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(
        tmp_path
    )  # so that errors name paths as a person at the root of the repository sees them
    _write(case, tmp_path)
    try:
        specification = load(Path("spec"))
        catalogue = resolve(specification)
    except SpecError as error:
        _expect(case / "error.txt", f"{error}\n")
        return
    assert not (
        case / "error.txt"
    ).exists(), "the specification was taken, and an error is expected"
    notes = [
        str(note) for note in review(specification, catalogue) if "has no entry" not in note.what
    ]
    _expect_json(case / "catalogue.json", _shown(catalogue, notes))
    assert from_json(json.loads(json.dumps(to_json(catalogue)))) == catalogue
    files = emit(catalogue)
    _expect(case / "code.py", _code(files, catalogue))
    _require_importable(files, catalogue, tmp_path, re.sub(r"\W", "_", f"case_{case.name}"))


def test_the_packages_of_all_cases_are_clean_under_mypy(tmp_path: Path) -> None:
    root = tmp_path / "packages"
    for case in CASES:
        if (case / "code.py").exists():
            name = re.sub(r"\W", "_", f"case_{case.name}")
            _write(case, tmp_path / name)
            files = emit(resolve(load(tmp_path / name / "spec")))
            # One runtime for all of them: the subpackage `s` of each goes by the name of its case.
            write_package(
                {
                    path.replace("stream_events/s/", f"stream_events/{name}/"): text
                    for path, text in files.items()
                },
                root,
            )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "-p", "packages"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("packages/case_")] == []
    assert lines[-1].startswith(("Success", "Found")), done.stdout + done.stderr


def test_there_is_a_case_for_each_kind_of_result() -> None:
    failing = [case for case in CASES if (case / "error.txt").exists()]
    assert failing and len(failing) < len(CASES)


def _write(case: Path, folder: Path) -> None:
    def texts(pattern: str) -> list[str]:
        return [path.read_text(encoding="utf-8") for path in sorted(case.glob(pattern))]

    document = (case / "document.yaml").read_text(encoding="utf-8")
    write_spec(folder, document, texts("fragment*.yaml"), texts("overlay*.yaml"))


def _shown(catalogue: Catalogue, notes: list[str]) -> dict[str, Any]:
    """The catalogue without what the fragments say: tags, models, aliases, and the notes on the document."""
    (package,) = catalogue.packages
    events = {
        stream.name: {event.tag: event.model for event in stream.events}
        for stream in package.streams
    }
    shown = {"events": events, "models": _plain(package.models), "aliases": _plain(package.aliases)}
    return shown | ({"notes": notes} if notes else {})


def _plain(records: Any) -> Any:
    """Records by name, without the sentences that nothing in a document decides."""
    rows = [{key: to_json(value) for key, value in row.items()} for row in map(to_json, records)]
    return {
        row["name"]: {key: value for key, value in row.items() if key not in ("name", "sentence")}
        for row in rows
    }


def _code(files: Files, catalogue: Catalogue) -> str:
    """The classes, aliases and tables of all modules, formatted, without imports and what is the same in every module."""
    (package,) = catalogue.packages
    modules = sorted({stream.module for stream in package.streams})
    paths = [f"{module.replace('.', '/')}/events.py" for module in modules]
    parts = []
    for path in (*paths, f"{package.name}/models.py"):
        text = format_text(files[f"stream_events/{path}"])
        first = re.search(r"\n(@|[A-Za-z]\w+: )", text)
        last = re.search(r"\n(def _payloads|WIRE = |PAYLOADS = )", text)
        assert first is not None and last is not None
        parts.append(f"# {path}\n\n\n{text[first.start():last.start()].strip()}\n")
    return "\n\n".join(parts)


def _require_importable(files: Files, catalogue: Catalogue, folder: Path, name: str) -> None:
    """The whole package imports, its hints can be evaluated, and its classes are where the catalogue has them."""
    package = import_package(files, folder, name)
    (found,) = catalogue.packages
    try:
        models = submodule(package, f"{found.name}.models")
        for model in found.models:
            module = submodule(package, f"{model.module}.events") if model.module else models
            cls = getattr(module, model.name)
            assert {*typing.get_type_hints(cls)} >= {field.attribute for field in model.fields}
        for alias in found.aliases:
            assert getattr(models, alias.name) is not None
        for stream in found.streams:
            table = getattr(submodule(package, stream.module), stream.table)
            assert {tag: cls.__name__ for tag, cls in table.items()} == {
                event.tag: event.model for event in stream.events
            }
    finally:
        for loaded in [key for key in sys.modules if key.split(".")[0] == name]:
            del sys.modules[loaded]


def _expect(path: Path, text: str) -> None:
    if UPDATE:
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"the case has no {path.name}"
    assert text == path.read_text(encoding="utf-8")


def _expect_json(path: Path, value: Any) -> None:
    if UPDATE:
        path.write_text("".join(_layout(value, "")) + "\n", encoding="utf-8")
    assert path.exists(), f"the case has no {path.name}"
    assert value == json.loads(path.read_text(encoding="utf-8"))


def _layout(value: Any, indent: str) -> Iterator[str]:
    """JSON text in which what fits stands on one line."""
    short = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(short) <= WIDTH or not isinstance(value, (dict, list)):
        yield short
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    keys = (
        [json.dumps(key) + ": " for key in value] if isinstance(value, dict) else [""] * len(value)
    )
    items = value.values() if isinstance(value, dict) else value
    yield opening
    for number, (key, item) in enumerate(zip(keys, items)):
        yield f"{',' if number else ''}\n{indent}  {key}"
        yield from _layout(item, indent + "  ")
    yield f"\n{indent}{closing}"
