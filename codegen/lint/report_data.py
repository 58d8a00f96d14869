"""Findings for programs: JSON, annotations of a GitHub workflow, JUnit XML.

Reads results; returns text. Never lets a text of a stream become markup or a workflow command.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as xml
from typing import Any

from codegen.errors import Finding as Unusable
from codegen.lint.findings import Finding, further, grouped
from codegen.lint.kinds import LEVELS, at_or_above
from codegen.lint.result import Result
from codegen.lint.shown import name, printable

COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_json(results: list[Result], unusable: list[Unusable]) -> str:
    """All of it, by `report.schema.json`."""
    levels: dict[str, int] = {
        level: sum(r.findings.levels[level] for r in results) for level in LEVELS
    }
    value = {
        "version": 1,
        "captures": [_capture(result) for result in results],
        "unusable": [{"name": each.where, "what": each.what} for each in unusable],
        "totals": {"captures": len(results), **levels},
    }
    return json.dumps(value, indent=1) + "\n"


def _capture(result: Result) -> dict[str, Any]:
    return {
        "name": result.capture.name,
        "stream": result.stream,
        "by": result.how,
        "dialect": result.dialect,
        "events": result.events,
        "bytes": result.bytes,
        "outcome": result.outcome,
        "counts": dict(sorted(result.findings.counts.items())),
        "not_listed": result.findings.further,
        "findings": [_finding(each) for each in result.findings.kept],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "id": finding.id,
        "level": finding.level,
        "event": finding.event,
        "sequence": finding.sequence,
        "line": finding.line,
        "tag": finding.tag,
        "lane": finding.lane,
        "path": finding.path,
        "message": finding.message,
        "source": finding.source,
        "right": finding.right,
    }


def as_github(results: list[Result], unusable: list[Unusable]) -> str:
    """One annotation for the findings of each sort and each capture that could not be used."""
    found = [
        f"::{COMMANDS[group[0].level]} {_properties(result, group[0])}::{_escaped(_sentence(group))}"
        for result in results
        for group in grouped(result.findings.kept)
    ]
    found += [
        f"::error file={_property(printable(each.where))},title=unusable::{_escaped(printable(each.what))}"
        for each in unusable
    ]
    return "".join(f"{line}\n" for line in found)


def _properties(result: Result, finding: Finding) -> str:
    line = f",line={finding.line}" if finding.line else ""
    title = _property(f"{finding.id} at {finding.place}")
    return f"file={_property(printable(result.capture.path))}{line},title={title}"


def _sentence(group: list[Finding]) -> str:
    first, more = group[0], further(group)
    about = " ".join(part for part in (name(first.tag or ""), first.path) if part)
    begin = f"{about}: " if about else ""
    return printable(f"{begin}{first.message}{f', {more}' if more else ''}. {first.right}")


def _escaped(text: str) -> str:
    """As the toolkit of GitHub's actions escapes a message (escapeData)."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """As the toolkit escapes a property (escapeProperty)."""
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def as_junit(results: list[Result], unusable: list[Unusable], fail_on: str) -> str:
    """A suite for each capture. Its cases are the sorts of its findings, which fail at or above a level; one where there is none."""
    root = xml.Element("testsuites", name="codegen lint")
    for result in results:
        groups = grouped(result.findings.kept)
        failures = sum(at_or_above(group[0].level, fail_on) for group in groups)
        suite = xml.SubElement(
            root,
            "testsuite",
            name=_clean(result.capture.name),
            tests=str(max(1, len(groups))),
            failures=str(failures),
            errors="0",
        )
        for group in groups:
            _case(suite, result, group, fail_on)
        if not groups:
            xml.SubElement(suite, "testcase", classname=result.stream, name="no findings")
    for each in unusable:
        suite = xml.SubElement(
            root, "testsuite", name=_clean(each.where), tests="1", failures="0", errors="1"
        )
        case = xml.SubElement(suite, "testcase", classname="codegen.lint", name="unusable")
        xml.SubElement(case, "error", message=_clean(each.what))
    xml.indent(root)
    return xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: xml.Element, result: Result, group: list[Finding], fail_on: str) -> None:
    first = group[0]
    name = _clean(f"{first.id} at {first.place} {first.path}".rstrip())
    case = xml.SubElement(suite, "testcase", classname=result.stream, name=name)
    text = _clean(f"{first.level}: {_sentence(group)} [{first.source}]")
    if at_or_above(first.level, fail_on):
        message = _clean(first.message)
        xml.SubElement(case, "failure", message=message, type=first.id).text = text
    else:
        xml.SubElement(case, "system-out").text = text


def _clean(text: str) -> str:
    """The text without characters that XML 1.0 cannot have, or that a terminal would obey."""
    return printable(_NOT_XML.sub("\ufffd", text))
