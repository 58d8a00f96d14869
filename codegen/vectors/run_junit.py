"""A run as JUnit XML, as CI systems read it.

Reads results; returns XML text. Never puts in a character that XML 1.0 (section 2.2) has not.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence

from codegen.vectors.judge import Claims
from codegen.vectors.run import Result
from codegen.vectors.run_cases import OPERATIONS

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ELEMENTS = {"failed": "failure", "unexpected": "failure", "crashed": "error"}


def to_junit(results: Sequence[Result], claims: Claims) -> str:
    """One suite per operation, one test case per case; known failures are skipped ones, with the reason."""
    root = ElementTree.Element("testsuites", name=_text(claims.implementation))
    _count(root, results)
    for operation in OPERATIONS:
        some = [result for result in results if result.case.operation == operation]
        if some:
            suite = ElementTree.SubElement(root, "testsuite", name=operation)
            _count(suite, some)
            for result in some:
                _add(suite, result)
    ElementTree.indent(root, " ")
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _count(element: ElementTree.Element, results: Sequence[Result]) -> None:
    bad = [_ELEMENTS.get(result.result, "") for result in results]
    skipped = sum(result.result in ("skipped", "known") for result in results)
    element.set("tests", str(len(results)))
    element.set("failures", str(bad.count("failure")))
    element.set("errors", str(bad.count("error")))
    element.set("skipped", str(skipped))
    element.set("time", f"{sum(result.seconds for result in results):.3f}")


def _add(suite: ElementTree.Element, result: Result) -> None:
    case = result.case
    one = ElementTree.SubElement(
        suite,
        "testcase",
        name=_text(case.id),
        classname=".".join(filter(None, (case.operation, case.stream))),
        time=f"{result.seconds:.3f}",
    )
    why = _text(result.why + (f" ({result.cut})" if result.cut else ""))
    if result.result in _ELEMENTS:
        bad = ElementTree.SubElement(one, _ELEMENTS[result.result], type=result.result)
        bad.set("message", why)
    elif result.result in ("skipped", "known"):
        why = why if result.result == "skipped" else f"known failure: {why}"
        ElementTree.SubElement(one, "skipped", message=why)


def _text(text: str) -> str:
    return _NOT_XML.sub("?", text)
