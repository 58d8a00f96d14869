"""Changes as people and machines read them: text, json, sarif, html, and the rows that all of them count.

Reads committed snapshots and case folders. Never compares a whole page: what has to hold of it is asked.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Sarif

from codegen.commands.diff import kinds_table
from codegen.compare import compare
from codegen.diff_names import parted, schema_part, subject
from codegen.kinds import KINDS, LEVELS, at_or_above
from codegen.report import FORMATS
from codegen.report.rows import rows
from codegen.report.text import COLOURS, WIDTH, coloured
from codegen.report.text import render as text_report
from codegen.sides import from_bytes
from tests.diff_cases import FOLDER, ROOT, SNAPSHOTS, _committed
from tests.small_spec import write_spec


def test_kinds_have_known_levels_and_a_sentence() -> None:
    for kind in KINDS.values():
        assert kind.received in LEVELS and kind.sent in LEVELS
        assert kind.reason.endswith(".") and kind.id in kinds_table()


def test_what_fails_a_run() -> None:
    failing = {
        threshold: [level for level in LEVELS if at_or_above(level, threshold)]
        for threshold in ("breaking", "dangerous", "additive", "any", "none")
    }
    assert failing == {
        "breaking": ["breaking"],
        "dangerous": ["breaking", "dangerous"],
        "additive": ["breaking", "dangerous", "additive"],
        "any": list(LEVELS),
        "none": [],
    }


def test_text_fits_its_columns() -> None:
    lines = text_report(_committed()).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert lines[0] == " → ".join(SNAPSHOTS)


def test_colours_change_nothing_but_colours() -> None:
    comparison = _committed()
    text = text_report(comparison, coloured)
    for code in COLOURS.values():
        assert f"\x1b[{code}m" in text
        text = text.replace(f"\x1b[{code}m", "")
    assert text.replace("\x1b[0m", "") == text_report(comparison)


def test_json_is_as_its_schema_says() -> None:
    schema = json.loads((ROOT / "codegen" / "changes.schema.json").read_bytes())
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$defs"]["kind"]["enum"] == list(KINDS)
    value = json.loads(FORMATS["json"](_committed()))
    jsonschema.Draft202012Validator(schema).validate(value)
    ids = [change["id"] for change in value["changes"]]
    assert len({(change["document"], change["id"]) for change in value["changes"]}) == len(ids)


def test_sarif_is_valid() -> None:
    """The judge is a model that was made from the schema of OASIS and forbids what is not in it."""
    run = Sarif.model_validate_json(FORMATS["sarif"](_committed())).runs[0]
    assert run.results is not None and run.tool.driver.rules is not None
    rules = [rule.id for rule in run.tool.driver.rules]
    assert all(rules[result.ruleIndex] == result.ruleId for result in run.results)


def test_html_loads_nothing() -> None:
    page = FORMATS["html"](_committed())
    assert "http://" not in page and "https://" not in page and " src=" not in page
    assert "<link" not in page and "@import" not in page


def test_names_of_a_document_are_no_markup(tmp_path: Path) -> None:
    case = FOLDER / "field-added"
    spec = write_spec(tmp_path, "")
    evil = "<img src=x onerror=alert(1)>%0A::error::@somebody"
    old = from_bytes((case / "old.yaml").read_bytes(), "old", spec, "d")
    new = (case / "new.yaml").read_text("utf-8").replace("extra:", f'"{evil}\\n::error::x":')
    comparison = compare(old, from_bytes(new.encode(), "new", spec, "d"))
    assert "<img" not in FORMATS["html"](comparison)
    assert "<img" not in FORMATS["markdown"](comparison).replace("\\<", "")
    assert "@somebody" not in FORMATS["markdown"](comparison)
    lines = FORMATS["github"](comparison).splitlines()
    assert sum(line.startswith("::error") for line in lines) == 0
    assert len(lines) == len(comparison.changes) + 1


def test_every_format_gives_the_same_numbers() -> None:
    """Headings, summaries and lines count the same thing: what people read as one change."""
    comparison = _committed()
    said = json.loads(FORMATS["json"](comparison))["rows"]
    found = rows(comparison.changes)
    assert said == {level: sum(row.level == level for row in found) for level in LEVELS}
    assert sum(len(row.changes) for row in found) == len(comparison.changes)
    text, markdown = (FORMATS[name](comparison) for name in ("text", "markdown"))
    for level in LEVELS:
        assert f"{level} ({said[level]})" in text and f"{level} ({said[level]})" in markdown
    numbers = ", ".join(f"{number} {level}" for level, number in said.items())
    assert f"\n{sum(said.values())} changes: {numbers};" in text
    lines = FORMATS["github"](comparison).splitlines()
    assert len(lines) == sum(said.values()) + 1
    part = markdown.partition("### ")[2].partition("\n### ")[0]
    assert sum(line.startswith("- ") for line in part.splitlines()) == said["breaking"]


def test_twins_make_one_row() -> None:
    """Every schema of the beta streams is the twin of another one; both were edited alike on this step."""
    texts = [row.sentence for row in rows(_committed().changes)]
    for text in texts:
        names = re.findall(r"\b(?:Beta)?(?:MCPToolCall|Response\w*Error\w*)\b", text)
        twins = {name.removeprefix("Beta") for name in names if name.startswith("Beta")}
        assert {name for name in names if not name.startswith("Beta")} == twins
    assert sum("MCPToolCall.error" in text for text in texts) == 1


@pytest.mark.parametrize(
    "pointer, expected, owner, name, schema",
    [
        ("A/properties/b", "A.b", "A", "b", "A"),
        ("A/properties/b/items/properties/c", "A.b[].c", "A.b[]", "c", "A"),
        ("A/properties/b~1c", "A.b/c", "A", "b/c", "A"),
        ("A/properties/b.c", 'A."b.c"', "A", '"b.c"', "A"),
        ("A/properties/b/properties/c", "A.b.c", "A.b", "c", "A"),
        ("A/properties/b/additionalProperties", "A.b.*", "A", "b.*", "A"),
        ("A/properties/*", 'A."*"', "A", '"*"', "A"),
        ("A/properties/[]", 'A."[]"', "A", '"[]"', "A"),
        ("A/properties/", 'A.""', "A", '""', "A"),
        ('A/properties/x".y', 'A."x\\".y"', "A", '"x\\".y"', "A"),
        ("A.b/properties/c", '"A.b".c', '"A.b"', "c", '"A.b"'),
        ("A-2/items", "A-2[]", "A-2[]", "", "A-2"),
    ],
)
def test_subjects(pointer: str, expected: str, owner: str, name: str, schema: str) -> None:
    text = subject(f"#/components/schemas/{pointer}")
    assert text == expected
    assert parted(text) == (owner, name)
    assert schema_part(text)[0] == schema


def test_no_two_pointers_have_one_subject() -> None:
    names = ["b", "c", "b.c", "*", "[]", "", '"', "b[]", "b.*", 'b"', "\\"]
    pointers = [f"A/properties/{one}" for one in names]
    pointers += [f"A/properties/{one}/properties/{two}" for one in names for two in names]
    pointers += [f"A/properties/{one}/items" for one in names]
    pointers += [f"A/properties/{one}/additionalProperties" for one in names]
    assert len({subject(f"#/components/schemas/{each}") for each in pointers}) == len(pointers)
