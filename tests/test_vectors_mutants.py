"""Each flag of the vectors finds at least one wrong implementation, and so does each verb of the rules."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from codegen.vectors import ours
from codegen.vectors.run_cases import Case
from tests.vectors.cases import cases, fault
from tests.vectors.mutants import MUTANTS
from tests.vectors.wrong import Wrong, without_verb

FOLDING = ("accumulate", "stream", "websocket")


def with_flag(flag: str) -> list[Case]:
    return [case for case in cases() if flag in case.flags]


@pytest.mark.parametrize(("name", "flags", "wrong"), MUTANTS, ids=[each[0] for each in MUTANTS])
def test_mutant_is_killed(
    name: str, flags: tuple[str, ...], wrong: Wrong, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = wrong(ours.output, monkeypatch)
    for flag in flags:
        assert any(fault(case, run) for case in with_flag(flag)), flag


def test_each_flag_has_a_mutant() -> None:
    flags = {flag for case in cases() for flag in case.flags}
    assert flags == {flag for _, flags, _ in MUTANTS for flag in flags}


def verbs() -> list[str]:
    plans: list[Any] = [
        import_module(f"stream_events.{info.module}").Accumulator.PLAN
        for info in import_module("stream_events").STREAMS
        if info.direction == "server"
    ]
    return sorted({rule.verb for plan in plans for rules in plan.rules.values() for rule in rules})


@pytest.mark.parametrize("verb", verbs())
def test_each_verb_is_needed(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = without_verb(verb)(ours.output, monkeypatch)
    assert any(fault(case, run) for case in cases() if case.operation in FOLDING)
