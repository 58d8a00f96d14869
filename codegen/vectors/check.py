"""The linter of the vectors.

Reads the files below `generated/vectors` and the catalogue beside it; returns findings. Never runs an implementation and
never changes a file.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import jsonschema

from codegen.emit.vectors_envelopes import ORDER
from codegen.emit.vectors_text import canonical
from codegen.errors import Finding, reason
from codegen.progress import doing
from codegen.vectors.check_coverage import uncovered
from codegen.vectors.check_expectations import expectation_faults
from codegen.vectors.run_cases import OPERATIONS

Json: TypeAlias = dict[str, Any]

HEAD = ("format", "operation", "stream", "source", "notes", "cases")
ACTION = (
    "Correct what it was made from in spec/vectors/ or codegen/emit/, and run: codegen generate."
)


def check(folder: Path) -> list[Finding]:
    """Everything that is wrong with the vectors in a folder: form, schema, ids, flags, index and coverage."""
    findings: list[Finding] = []
    files: dict[str, Json] = {}
    paths = sorted((folder / "v1").rglob("*.json"))
    if not paths:
        return [Finding(str(folder / "v1"), "holds no vectors", "Run: codegen generate.")]
    doing(f"reading {len(paths)} files of vectors")
    for path in [*paths, folder / "index.json", *sorted((folder / "schemas").glob("*.json"))]:
        name = path.relative_to(folder).as_posix()
        try:
            text = path.read_bytes().decode("utf-8")
            value = json.loads(text)
        except (OSError, ValueError, RecursionError) as error:
            findings.append(Finding(str(path), f"is no JSON file ({reason(error)})", ACTION))
            continue
        if not isinstance(value, dict):
            findings.append(Finding(str(path), "is no JSON object", ACTION))
            continue
        files[name] = value
        if canonical(value) != text:
            findings.append(Finding(str(path), "is not in the canonical form", ACTION))
    doing("checking the vectors")
    for where, what in [*_absent(folder), *_faults(folder, files)]:
        findings.append(Finding(str(folder / where), what, ACTION))
    return findings


def _absent(folder: Path) -> Iterator[tuple[str, str]]:
    """What every folder of vectors has beside the vectors."""
    for name in (*OPERATIONS, "index", "output", "protocol"):
        if not (folder / "schemas" / f"{name}.schema.json").is_file():
            yield f"schemas/{name}.schema.json", "is missing"
    readme = folder / "README.md"
    if not readme.is_file() or not readme.read_bytes().strip():
        yield "README.md", "is missing or empty"


def _faults(folder: Path, files: dict[str, Json]) -> Iterator[tuple[str, str]]:
    """Where and what, file by file and then over all of them; later checks need files that fit their schemas."""
    cases = {name: value for name, value in files.items() if name.startswith("v1/")}
    faults = [fault for name in files for fault in _schema_faults(folder, name, files)]
    yield from faults
    if faults or "index.json" not in files:
        return
    ids: dict[str, str] = {}
    for name, value in cases.items():
        yield from _file_faults(name, value)
        for case in value["cases"]:
            if case["id"] in ids:
                yield name, f"the id {case['id']} is in {ids[case['id']]} too"
            ids[case["id"]] = name
    yield from _index_faults(folder, files["index.json"], cases)
    for what in uncovered(folder.parent / "catalogue", list(cases.values())):
        yield "v1", what


def _schema_faults(folder: Path, name: str, files: dict[str, Json]) -> Iterator[tuple[str, str]]:
    if name.startswith("schemas/"):
        try:
            jsonschema.Draft202012Validator.check_schema(files[name])
        except jsonschema.SchemaError as error:
            yield name, f"is no JSON Schema ({error.message})"
        return
    kind = "index" if name == "index.json" else files[name].get("operation", "")
    schema = files.get(f"schemas/{kind}.schema.json")
    if schema is None:
        yield name, f"there is no schema for {kind!r}"
        return
    validator = jsonschema.Draft202012Validator(schema)
    for fault in validator.iter_errors(files[name]):
        place = "/".join(str(step) for step in fault.absolute_path)
        yield name, f"#/{place}: {_deepest(fault)[:200]}"


def _deepest(error: jsonschema.ValidationError) -> str:
    """The message of what went wrong inside a choice, which says more than that no choice fits."""
    while error.context:
        error = max(error.context, key=lambda inner: len(inner.absolute_path))
    return error.message


def _file_faults(name: str, value: Json) -> Iterator[tuple[str, str]]:
    if list(value) != [key for key in HEAD if key in value]:
        yield name, "the keys of the file are in another order"
    used = {flag for case in value["cases"] for flag in case["flags"]}
    for flag in sorted(used - set(value["notes"])):
        yield name, f"nothing explains the flag {flag}"
    for flag in sorted(set(value["notes"]) - used):
        yield name, f"no case has the flag {flag}"
    for case in value["cases"]:
        if list(case) != [key for key in ORDER if key in case]:
            yield name, f"{case['id']}: the keys are in another order"
        for what in [*_given_faults(case["given"]), *expectation_faults(value["operation"], case)]:
            yield name, f"{case['id']}: {what}"


def _given_faults(given: Json) -> Iterator[str]:
    if "base64" in given:
        try:
            body = base64.b64decode(given["base64"], validate=True)
        except ValueError as error:
            yield f"the base64 cannot be read ({error})"
            return
        try:
            body.decode("utf-8")
        except UnicodeDecodeError:
            pass
        else:
            yield "base64 is for what is not UTF-8; this is text"
    else:
        body = str(given.get("text", "")).encode("utf-8", "surrogatepass")
    if "chunks" in given and sum(given["chunks"]) != len(body):
        yield f"the chunks are {sum(given['chunks'])} bytes of {len(body)}"


def _index_faults(folder: Path, index: Json, files: dict[str, Json]) -> Iterator[tuple[str, str]]:
    entries = {entry["path"]: entry for entry in index["files"]}
    for path in sorted(set(files) ^ set(entries)):
        yield "index.json", f"{path} is " + ("not in it" if path in files else "not there")
    for path in sorted(set(files) & set(entries)):
        value = files[path]
        digest = hashlib.sha256((folder / path).read_bytes()).hexdigest()
        known = {
            "sha256": digest,
            "operation": value["operation"],
            "stream": value.get("stream"),
            "cases": len(value["cases"]),
        }
        for key, expected in known.items():
            if entries[path].get(key) != expected:
                yield "index.json", f"{path}: {key} is not {expected!r}"
