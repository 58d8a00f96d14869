"""Whether an answer is right.

Reads a case, an answer and what the implementation claims; returns the first difference in words, or the alternatives that
fit. Never asks more than is claimed.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

from codegen.errors import reason
from codegen.vectors.judge_values import difference, plain_text
from codegen.vectors.run_cases import Case

LEVELS = ("info", "warning", "error")

WHERE_EXPECTED = ("predecessors", "cursor", "beside", "failure")
"""What an implementation may tell on top: judged only where the case expects it, and of an object only the names that it has."""


@dataclass(frozen=True)
class Claims:
    """What an implementation says about itself (the answer to `start`).

    asserts  the keys of `expect` that it answers, and "paths" for those of problems
    blurs    what it cannot tell apart: "numbers" (1 and 1.0), "nulls" (absent and null)
    """

    implementation: str
    version: str
    language: str
    operations: frozenset[str]
    streams: frozenset[str]
    dialects: frozenset[str]
    asserts: frozenset[str]
    blurs: frozenset[str] = frozenset()

    def refusal(self, case: Case) -> str:
        """Why a case is not for it; "" where it is."""
        if case.operation not in self.operations:
            return f"operation {case.operation} is not claimed"
        if case.stream is not None and case.stream not in self.streams:
            return f"stream {case.stream} is not claimed"
        dialect = case.options.get("dialect")
        if dialect is not None and dialect not in self.dialects:
            return f"dialect {dialect} is not claimed"
        keys = {key for expect in case.expect.values() for key in expect}
        if case.verdict != "invalid" and not keys & self.asserts:
            return "claims none of " + ", ".join(sorted(keys))
        return ""


def judge(case: Case, answer: dict[str, Any], claims: Claims) -> tuple[set[str], str]:
    """The labels of the alternatives that an answer fits ("" the only one), and the difference from the first where none.

    answer: with `result` ok and `output`, or `result` error and `error`.
    """
    found = {label: _differs(case, expect, answer, claims) for label, expect in case.expect.items()}
    fitting = {label for label, text in found.items() if not text}
    return fitting, "" if fitting else next(iter(found.values()))


def _differs(case: Case, expect: dict[str, Any], answer: dict[str, Any], claims: Claims) -> str:
    if "error" in expect:
        if answer["result"] == "error" and answer.get("error") == expect["error"]:
            return ""
        got = _error(answer) if answer["result"] == "error" else "an output"
        return f"expected error {expect['error']}, got {got}"
    if answer["result"] == "error":
        return f"expected an output, got {_error(answer)}"
    output = answer.get("output")
    if not isinstance(output, dict):
        return "the answer has no output"
    for key in [*expect, *(key for key in output if key not in expect)]:
        if key in claims.asserts:
            text = _key(key, expect, output, case, claims)
            if text:
                return text
    return ""


def _key(
    key: str, expect: dict[str, Any], output: dict[str, Any], case: Case, claims: Claims
) -> str:
    if key == "problems":
        return _problems(expect.get(key, []), output.get(key, []), case.ordered, claims)
    if key in WHERE_EXPECTED:
        return _where_expected(key, expect, output, claims)
    if key == "missing" and _are_strings(output.get(key)):
        return difference(
            sorted(expect.get(key, [])), sorted(output[key]), claims.blurs, ".missing"
        )
    if key == "payload":
        return _payload(expect.get(key), output.get(key), claims)
    if key == "lanes":
        return _lanes(expect.get(key), output.get(key), case, claims)
    if key == "events":
        return difference(_events(expect), _events(output), claims.blurs)
    if key == "changes":
        return _multisets(".changes", expect.get(key, []), output.get(key, []))
    mine = {key: expect[key]} if key in expect else {}
    theirs = {key: output[key]} if key in output else {}
    return difference(mine, theirs, claims.blurs)


def _where_expected(
    key: str, expect: dict[str, Any], output: dict[str, Any], claims: Claims
) -> str:
    if key not in expect:
        return ""
    mine, theirs = expect[key], output.get(key)
    if isinstance(mine, dict) and isinstance(theirs, dict):
        theirs = {name: value for name, value in theirs.items() if name in mine}
    return difference(mine, theirs, claims.blurs, f".{key}")


def _events(side: dict[str, Any]) -> dict[str, Any]:
    """An id of "" and `incomplete: false` say the same as their absence."""
    events = side.get("events")
    if not _are_objects(events):
        return {"events": events}
    silent = {"id": "", "incomplete": False}
    return {
        "events": [
            {key: item for key, item in event.items() if silent.get(key, ...) != item}
            for event in events or []
        ]
    }


def _problems(expect: Any, output: Any, ordered: bool, claims: Claims) -> str:
    """Problems below warning are advice, and a port is free to give more or less of it."""
    if not _are_objects(output):
        return ".problems: expected a list of objects"
    names = ("kind", "path") if "paths" in claims.asserts else ("kind",)
    sides = [
        [
            {name: problem[name] for name in names if name in problem}
            for problem in side
            if problem.get("level", "error") != LEVELS[0]
        ]
        for side in (expect, output)
    ]
    if "path" in names and not any("path" in problem for problem in sides[0]):
        sides[1] = [{"kind": problem.get("kind")} for problem in sides[1]]
    if ordered:
        return difference(sides[0], sides[1], claims.blurs, ".problems")
    return _multisets(".problems", sides[0], sides[1])


def _payload(expect: Any, output: Any, claims: Claims) -> str:
    if not isinstance(expect, str) or not isinstance(output, str):
        return difference(expect, output, claims.blurs, ".payload")
    try:
        value = json.loads(output)
    except (ValueError, RecursionError) as error:
        return f".payload: not JSON ({reason(error)})"
    return difference(json.loads(expect), value, claims.blurs, ".payload")


def _lanes(expect: Any, output: Any, case: Case, claims: Claims) -> str:
    if not _are_objects(output) or not _are_objects(expect):
        return ".lanes: expected a list of objects"
    names = [[lane.get("lane") for lane in side] for side in (expect, output)]
    text = difference(names[0], names[1], frozenset(), ".lanes[].lane")
    if text:
        return text
    for place, (mine, theirs) in enumerate(zip(expect, output)):
        for key in {**mine, **theirs}:
            if key in claims.asserts:
                text = _key(key, mine, theirs, case, claims)
                if text:
                    return f".lanes[{place}]{text}"
    return ""


def _multisets(path: str, expect: Any, output: Any) -> str:
    if not isinstance(output, list):
        return f"{path}: expected a list"
    mine = Counter(json.dumps(value, sort_keys=True) for value in expect)
    theirs = Counter(json.dumps(value, sort_keys=True) for value in output)
    lost, more = sorted((mine - theirs).elements()), sorted((theirs - mine).elements())
    if not lost and not more:
        return ""
    parts = [f"missing {text}" for text in lost] + [f"unexpected {text}" for text in more]
    return f"{path}: " + plain_text("; ".join(parts))


def _are_strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _are_objects(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _error(answer: dict[str, Any]) -> str:
    message = answer.get("message")
    return plain_text(f"error {answer.get('error')}" + (f" ({message})" if message else ""))
