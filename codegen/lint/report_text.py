"""Findings for people: per capture, what was found, where its rule stands and what is right.

Reads results; returns lines. Never prints.
"""

from __future__ import annotations

from collections.abc import Iterator

from codegen.catalogue import Stream
from codegen.lint.findings import Finding, Findings, further, grouped
from codegen.lint.kinds import KINDS, LEVELS
from codegen.lint.result import Result
from codegen.lint.shown import name, printable


def heading(result: Result) -> str:
    """What was read, and how it ended."""
    dialect = f", dialect {result.dialect}" if result.dialect else ""
    return (
        f"{printable(result.capture.name)}: {result.stream} (by {printable(result.how)}{dialect}), "
        f"{_many(result.events, 'event')}, {_many(result.bytes, 'byte')}, {result.outcome}"
    )


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


def lines(result: Result) -> Iterator[str]:
    """The findings of a capture, the worst first, those of one kind and place together."""
    findings = result.findings
    for group in grouped(findings.kept):
        yield from _entry(group)
    if findings.further:
        yield f"{findings.further:,} further findings, of the same kinds and places, are only counted"
    yield counted(findings)


def _entry(group: list[Finding]) -> Iterator[str]:
    first = group[0]
    tag = f" {name(first.tag)}" if first.tag else ""
    lane = f" lane {printable(first.lane)}" if first.lane else ""
    path = f" {printable(first.path)}" if first.path else ""
    line = f" at line {first.line}" if first.line else ""
    yield f"{first.level} {first.id}: {first.place}{line}{tag}{lane}{path}: {printable(first.message)}"
    more = further(group)
    if more:
        yield f"    {more}"
    yield f"    right: {first.right}  [{first.source}]"


def counted(findings: Findings) -> str:
    """How many findings there are of each level."""
    parts = [f"{findings.levels[level]:,} {level}" for level in LEVELS if findings.levels[level]]
    return ", ".join(parts) if parts else "no findings"


def rules() -> Iterator[str]:
    """All kinds of finding, for `--list-rules`."""
    for group in dict.fromkeys(kind.group for kind in KINDS.values()):
        yield f"{group}:"
        for kind in (each for each in KINDS.values() if each.group == group):
            yield f"  {kind.id:<18} {kind.level:<8} {kind.right}  [{kind.source}]"


def stream_rules(stream: Stream) -> Iterator[str]:
    """The rules that a stream's fragment has as data."""
    terminal = ", ".join(stream.terminal) or ("[DONE]" if stream.done else "none")
    yield f"  {stream.name}: ends with {terminal}"
    if stream.sequence:
        yield f"    {stream.sequence.field} from {stream.sequence.first} by {stream.sequence.step}"
    order, usage = stream.order, stream.usage
    if order is not None:
        if order.stages:
            yield "    stages: " + ", then ".join(" or ".join(group) for group in order.stages)
        if order.once:
            yield f"    once: {', '.join(order.once)}"
        if order.finished_by:
            yield f"    all is finished by: {', '.join(order.finished_by)}"
        for name, groups in order.statuses:
            yield f"    status of {name}: " + ", then ".join(" or ".join(each) for each in groups)
        for tag, values in order.ends:
            yield f"    status at {tag}: {' or '.join(values)}"
        for tag, values in order.given:
            yield f"    given by {tag}: {', '.join(values)}"
        for name, values in order.identities:
            yield f"    the same from begin to end in {name}: {', '.join(values)}"
        for name, values in order.unique:
            yield f"    of one entry only in {name}: {', '.join(values)}"
        for name, values in order.json:
            yield f"    JSON in {name}: {', '.join(values)}"
        for name, types in order.signed:
            for kind, values in types:
                yield f"    needed by a finished {kind} in {name}: {', '.join(values)}"
        if order.steady:
            yield f"    the same in all events: {', '.join(order.steady)}"
    if usage is not None:
        where = f"in {', '.join(usage.tags)}" if usage.tags else "where it is asked for"
        sums = "".join(f"; {name} = {' + '.join(parts)}" for name, parts in usage.total)
        yield f"    usage: {usage.at} {where}{sums}"
