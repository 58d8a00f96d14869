"""Test vectors written by hand: `spec/vectors/`.

Reads YAML; returns envelopes and what their flags stand for. Never judges an expectation, and runs nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any


from codegen.catalogue import Envelope
from codegen.documents import locate, parse, read_bytes
from codegen.errors import Finding, SpecError
from codegen.fragment_names import Validator
from codegen.yaml_lines import escape

SCHEMA = Path(__file__).with_name("envelope.schema.json")
FLAGS = "flags.yaml"
OPERATIONS = ("sse", "event", "accumulate", "stream", "websocket", "diff")


def read_envelopes(folder: Path, streams: Sequence[str]) -> tuple[tuple[Envelope, ...], str]:
    """The envelopes of a folder in the order of their names, and the flags as JSON text; nothing where there is no folder.

    Raises SpecError with everything that the schema does not allow, flags that nothing explains, and unknown streams.
    """
    findings: list[Finding] = []
    schema = json.loads(SCHEMA.read_bytes())
    flags: dict[str, Any] = {}
    if (folder / FLAGS).exists():
        flags = _read(folder / FLAGS, schema["$defs"]["flags"], findings)
    envelopes = []
    for path in sorted(folder.glob("*/**/*.yaml")):
        name = path.relative_to(folder).with_suffix("").as_posix()
        values = _read(path, schema, findings)
        if values:
            findings += _faults(path, name, values, flags, streams)
            cases = json.dumps(values["cases"], ensure_ascii=True)
            operation = name.split("/")[0]
            source = f"written by hand in spec/vectors/{name}.yaml"
            envelopes.append(Envelope(name, operation, values.get("stream", ""), source, cases))
    used = {flag for one in envelopes for case in json.loads(one.cases) for flag in case["flags"]}
    for flag in [] if findings else sorted(set(flags) - used):
        where = str(folder / FLAGS)
        findings.append(Finding(where, f"no case has the flag {flag!r}", "Remove it, or add one."))
    if findings:
        raise SpecError(findings)
    return tuple(envelopes), json.dumps(flags, ensure_ascii=True) if flags else ""


def _read(path: Path, schema: dict[str, Any], findings: list[Finding]) -> dict[str, Any]:
    """The file's mapping; {} where it is not as the schema says, which is told."""
    data = read_bytes(path)
    values = parse(data, str(path))
    before = len(findings)
    for error in Validator(schema).iter_errors(values):
        pointer = "".join(f"/{escape(str(step))}" for step in error.absolute_path)
        line = locate(data, pointer)
        where = f"{path}:{line} (#{pointer})" if line else f"{path} (#{pointer})"
        findings.append(Finding(where, error.message[:200], "See codegen/envelope.schema.json."))
    return values if len(findings) == before else {}


def _faults(
    path: Path, name: str, values: dict[str, Any], flags: dict[str, Any], streams: Sequence[str]
) -> Iterator[Finding]:
    operation, *rest = name.split("/")
    if operation not in OPERATIONS:
        what = f"the folder {operation!r} is no operation"
        yield Finding(str(path), what, "Name one of: " + ", ".join(OPERATIONS) + ".")
    stream = values.get("stream", "")
    if stream and stream not in streams:
        what = f"there is no stream {stream!r}"
        yield Finding(str(path), what, "Name one of: " + ", ".join(sorted(streams)) + ".")
    if stream and operation in ("accumulate", "stream") and rest[0] != stream:
        yield Finding(
            str(path), f"is of the stream {stream!r}", f"Move it to {operation}/{stream}/."
        )
    for case in values["cases"]:
        for flag in case["flags"]:
            if flag not in flags:
                what = f"nothing says what the flag {flag!r} of {case['id']} stands for"
                yield Finding(str(path), what, f"Add it to {FLAGS}.")
