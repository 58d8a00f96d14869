"""What is wrong with what a case expects, beyond what its schema can say.

Reads a case that fits the schema of its operation; returns sentences. Never asks whether an expectation is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeAlias

from codegen.vectors.check_coverage import (
    FOLDING,
    LOCAL_KINDS,
    PAYLOAD_KINDS,
    STREAM_KINDS,
    expectations,
)
from codegen.vectors.judge_values import is_json

Json: TypeAlias = dict[str, Any]

KINDS: dict[str, frozenset[str]] = {
    "event": PAYLOAD_KINDS | LOCAL_KINDS.keys(),
    **dict.fromkeys(FOLDING, STREAM_KINDS | LOCAL_KINDS.keys()),
}
"""Operation → the kinds of problems that its cases may expect."""


def expectation_faults(operation: str, case: Json) -> Iterator[str]:
    """A sentence for each fault of a case: labels, payloads and kinds of problems."""
    if case["verdict"] == "acceptable":
        labels = Counter(one["label"] for one in case["expect"]["alternatives"])
        for label, count in labels.items():
            if count > 1:
                yield f"two alternatives with the label {label}"
    for expect in expectations(case):
        if "payload" in expect and not is_json(expect["payload"]):
            yield "the payload that it expects is no JSON"
        for side in [expect, *expect.get("lanes", ())]:
            kinds = {problem["kind"] for problem in side.get("problems", ())}
            for kind in sorted(kinds - KINDS.get(operation, frozenset())):
                yield f"expects a problem of no known kind: {kind}"
