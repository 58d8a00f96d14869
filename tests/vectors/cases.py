"""The vectors in the repository, and the package judged by them in this process.

Reads generated/vectors; returns cases and what is wrong with an answer. Never starts a process.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from codegen.vectors import ours
from codegen.vectors.judge import Claims, judge
from codegen.vectors.run_cases import Case, read_cases
from tests.vectors.wrong import Refused, Run

FOLDER = Path(__file__).resolve().parent.parent.parent / "generated" / "vectors"


@cache
def cases() -> tuple[Case, ...]:
    """All cases, in the order of their files."""
    return tuple(read_cases(FOLDER))


@cache
def claims() -> Claims:
    """What the package says that it can do: everything."""
    hello = ours.answer({"do": "start", "format": "stream-events-vectors/1"})
    assert hello is not None
    names = ("operations", "streams", "dialects", "asserts")
    texts = (hello["implementation"], hello["version"], hello["language"])
    return Claims(*texts, *(frozenset(hello[name]) for name in names))


def fault(case: Case, run: Run = ours.output) -> str:
    """What is wrong with the answer to a case; "" where nothing is.

    Raises what is no answer: neither the package's errors nor a refusal, so that a mistake in a mutant is none of the package.
    """
    try:
        output = run(case.operation, case.stream or "", case.given, case.options)
        answer = {"result": "ok", "output": output}
    except Exception as error:
        name = type(error).__name__
        if name not in ours.ERRORS and not isinstance(error, Refused):
            raise
        answer = {"result": "error", "error": ours.ERRORS.get(name, name), "message": str(error)}
    fitting, text = judge(case, answer, claims())
    return "" if fitting else text or "fits nothing"
