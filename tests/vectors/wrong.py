"""Ways to be wrong: small changes around or inside the package, which the mutants are made of.

Reads what a case gives and what the package answers; changes either of them, or the rules of the package for one test. Never
changes what was handed in.
"""

from __future__ import annotations

import base64
import copy
import json
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias

import pytest

Json: TypeAlias = dict[str, Any]
Run: TypeAlias = Callable[[str, str, Json, Json], Json]
"""Operation, stream, given, options → output; raises what the package raises."""
Wrong: TypeAlias = Callable[[Run, pytest.MonkeyPatch], Run]
"""Makes a run that is wrong out of one that is right."""


class Refused(Exception):
    """What a wrong implementation raises where a right one goes on."""


def on_chunks(change: Callable[[list[bytes]], list[bytes]]) -> Wrong:
    """Change the pieces of a body."""
    return _on_given(lambda given: _body(change(_pieces(given))) if _is_body(given) else given)


def on_bytes(change: Callable[[bytes], bytes]) -> Wrong:
    """Change a body as a whole."""
    return on_chunks(lambda chunks: [change(b"".join(chunks))])


def on_blocks(change: Callable[[bytes], bytes]) -> Wrong:
    """Change each block of a body with line feeds; one that becomes empty is gone."""
    return on_bytes(
        lambda body: b"".join(
            new + b"\n\n" for block in body.split(b"\n\n") if (new := change(block))
        )
    )


def on_list(change: Callable[[list[Any]], list[Any]]) -> Wrong:
    """Change the payloads of a case, whatever they come in."""
    return _on_given(lambda given: _changed_payloads(copy.deepcopy(given), change))


def on_payloads(change: Callable[[Json], Json | None]) -> Wrong:
    """Change payload by payload; None drops one."""
    return on_list(lambda payloads: [new for each in payloads if (new := change(each)) is not None])


def without_tags(*words: str) -> Wrong:
    """Lose every event whose tag has one of the words."""
    return on_payloads(
        lambda each: None if any(word in str(each.get("type", "")) for word in words) else each
    )


def on_output(change: Callable[[Json], Json]) -> Wrong:
    """Change what comes out."""
    return lambda run, patch: lambda *case: change(run(*case))


def silent(kind: str) -> Wrong:
    """Never tell of one kind of problem."""

    def change(output: Json) -> Json:
        for each in [output, *output.get("lanes", ())]:
            if "problems" in each:
                each["problems"] = [one for one in each["problems"] if one["kind"] != kind]
        return output

    return on_output(change)


def without_options(*names: str) -> Wrong:
    """Ignore some options."""
    return lambda run, patch: lambda operation, stream, given, options: run(
        operation, stream, given, {key: item for key, item in options.items() if key not in names}
    )


def with_options(**more: Any) -> Wrong:
    """Take options for given that are not."""
    return lambda run, patch: lambda operation, stream, given, options: run(
        operation, stream, given, {**options, **more}
    )


def on_given(change: Callable[[Json], Json]) -> Wrong:
    """Change what is given."""
    return _on_given(lambda given: change(copy.deepcopy(given)))


def on_rules(change: Callable[[Any], Any]) -> Wrong:
    """Change the accumulation rules of every stream; None drops one."""

    def wrong(run: Run, patch: pytest.MonkeyPatch) -> Run:
        for info in import_module("stream_events").STREAMS:
            if info.direction == "client":
                continue
            accumulator = import_module(f"stream_events.{info.module}").Accumulator
            rules = {
                tag: tuple(new for rule in each if (new := change(rule)) is not None)
                for tag, each in accumulator.PLAN.rules.items()
            }
            patch.setattr(accumulator, "PLAN", accumulator.PLAN._replace(rules=rules))
        return run

    return wrong


def without_verb(verb: str) -> Wrong:
    """Do nothing where a rule has this verb."""
    return on_rules(lambda rule: None if rule.verb == verb else rule)


def other_verb(verb: str, other: str) -> Wrong:
    """Do something else where a rule has this verb."""
    return on_rules(lambda rule: rule._replace(verb=other) if rule.verb == verb else rule)


def patched(path: str, name: str, value: Any) -> Wrong:
    """Put something else in the place of an attribute of the package: module and class, separated by a colon, and name."""

    def wrong(run: Run, patch: pytest.MonkeyPatch) -> Run:
        module, _, inner = path.partition(":")
        owner = import_module(module)
        patch.setattr(getattr(owner, inner) if inner else owner, name, value)
        return run

    return wrong


def refusing(word: str) -> Wrong:
    """Stop at an input that has a word."""

    def wrong(run: Run, patch: pytest.MonkeyPatch) -> Run:
        def refuse(operation: str, stream: str, given: Json, options: Json) -> Json:
            if word in json.dumps(given):
                raise Refused(f"{word} is not allowed")
            return run(operation, stream, given, options)

        return refuse

    return wrong


def _on_given(change: Callable[[Json], Json]) -> Wrong:
    return lambda run, patch: lambda operation, stream, given, options: run(
        operation, stream, change(given), options
    )


def _is_body(given: Json) -> bool:
    return "text" in given or "base64" in given


def _pieces(given: Json) -> list[bytes]:
    body = base64.b64decode(given["base64"]) if "base64" in given else given["text"].encode()
    pieces, start = [], 0
    for length in given.get("chunks", [len(body)]):
        pieces.append(body[start : start + length])
        start += length
    return pieces


def _body(chunks: list[bytes]) -> Json:
    body = b"".join(chunks)
    return {"base64": base64.b64encode(body).decode(), "chunks": [len(chunk) for chunk in chunks]}


def _changed_payloads(given: Json, change: Callable[[list[Any]], list[Any]]) -> Json:
    if "events" in given:
        return {**given, "events": change(given["events"])}
    if "messages" in given:
        payloads = [json.loads(text) for text in given["messages"]]
        return {"messages": [json.dumps(each) for each in change(payloads)]}
    blocks = []
    tail = []
    for block in b"".join(_pieces(given)).split(b"\n\n"):
        data = b"".join(line[6:] for line in block.split(b"\n") if line.startswith(b"data: "))
        try:
            blocks.append(json.loads(data))
        except ValueError:
            tail.append(block)
    made = [b"data: " + json.dumps(each).encode() for each in change(blocks)]
    return _body([b"\n\n".join([*made, *tail])])
