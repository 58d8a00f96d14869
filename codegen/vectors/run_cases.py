"""The vectors as the runner sees them.

Reads the files below `generated/vectors/v1/`; returns cases in the order of their files. Never judges and never changes one.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codegen.errors import Finding, SpecError
from codegen.vectors.judge_values import is_json

FORMAT = "stream-events-vectors/1"
OPERATIONS = ("sse", "event", "accumulate", "stream", "websocket", "diff")
FRAMED = ("sse", "stream")
"""Operations whose input is bytes, which the harness cuts."""
_GENERATE = "Run: codegen generate."


@dataclass(frozen=True)
class Case:
    """One case.

    expect   what a right implementation gives; for the verdict `acceptable` the label of each alternative → its `expect`
    ordered  whether problems must come in the order of `expect`
    """

    id: str
    operation: str
    stream: str | None
    flags: tuple[str, ...]
    given: dict[str, Any]
    options: dict[str, Any]
    verdict: str
    expect: dict[str, dict[str, Any]]
    ordered: bool = False

    def body(self) -> bytes:
        """The input of a framed operation."""
        if "base64" in self.given:
            return base64.b64decode(self.given["base64"], validate=True)
        text: str = self.given["text"]
        return text.encode()

    def lengths(self) -> list[int]:
        """The lengths of the pieces that the case asks for, the rest being one more; none where the cut does not matter."""
        return list(self.given.get("chunks", ()))


def read_cases(folder: Path) -> list[Case]:
    """All cases below a folder of vectors. SpecError where there are none, or a file is not in the format."""
    paths = sorted((folder / "v1").rglob("*.json"))
    if not paths:
        raise SpecError([Finding(str(folder / "v1"), "holds no vectors", _GENERATE)])
    cases, findings = [], []
    for path in paths:
        try:
            cases += _of_file(path)
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            what = f"is not a file of vectors ({type(error).__name__}: {error})"
            findings.append(Finding(str(path), what, "Run: codegen vectors check."))
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            findings.append(Finding(case.id, "is the id of two cases", "Rename the newer one."))
        seen.add(case.id)
    if findings:
        raise SpecError(findings)
    return cases


def chosen(
    cases: Iterable[Case], operations: Sequence[str], streams: Sequence[str], ids: Sequence[str]
) -> list[Case]:
    """The cases of these operations, streams and ids; an empty choice is all. SpecError for a name that no case has."""
    cases = list(cases)
    known = {
        "--operation": {case.operation for case in cases},
        "--stream": {case.stream for case in cases if case.stream},
        "--case": {case.id for case in cases},
    }
    wanted = {"--operation": operations, "--stream": streams, "--case": ids}
    findings = [
        Finding(f"{option} {name}", "is in no vector", "See: codegen vectors list.")
        for option, names in wanted.items()
        for name in names
        if name not in known[option]
    ]
    if findings:
        raise SpecError(findings)
    return [
        case
        for case in cases
        if (not operations or case.operation in operations)
        and (not streams or case.stream in streams)
        and (not ids or case.id in ids)
    ]


def _of_file(path: Path) -> list[Case]:
    file = json.loads(path.read_text(encoding="utf-8"))
    if file["format"] != FORMAT:
        raise ValueError(f"format {file['format']!r}, expected {FORMAT!r}")
    if file["operation"] not in OPERATIONS:
        raise ValueError(f"operation {file['operation']!r}")
    return [_case(file["operation"], file.get("stream"), raw) for raw in file["cases"]]


def _case(operation: str, stream: str | None, raw: dict[str, Any]) -> Case:
    expect = {"": raw["expect"]}
    if raw["verdict"] == "acceptable":
        alternatives = raw["expect"]["alternatives"]
        expect = {one["label"]: one["expect"] for one in alternatives}
        if len(expect) < len(alternatives):
            raise ValueError(f"{raw['id']}: two alternatives have one label")
    case = Case(
        id=raw["id"],
        operation=operation,
        stream=stream,
        flags=tuple(raw.get("flags", ())),
        given=raw["given"],
        options=raw.get("options", {}),
        verdict=raw["verdict"],
        expect=expect,
        ordered=raw.get("ordered", False),
    )
    _require_usable(case)
    return case


def _require_usable(case: Case) -> None:
    if not case.expect:
        raise ValueError(f"{case.id} expects nothing")
    for expect in case.expect.values():
        if "payload" in expect and not is_json(expect["payload"]):
            raise ValueError(f"{case.id}: the payload that it expects is no JSON")
    if case.operation not in FRAMED:
        return
    try:
        length = len(case.body())
    except binascii.Error as error:
        raise ValueError(f"{case.id}: {error}") from error
    if sum(case.lengths()) > length:
        raise ValueError(f"{case.id}: the chunks are {sum(case.lengths())} bytes of {length}")
