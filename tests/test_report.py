"""What the formats show of names and of spec/accepted.yaml: nothing that commands a terminal or a page, and how to accept.

Reads comparisons of small documents that the tests write. Judges: Unicode's categories, CommonMark by markdown-it, SARIF's schema,
HTML by the parser of the standard library. Never loads anything that a page names.
"""

from __future__ import annotations

import json
import re
import unicodedata
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from codegen.__main__ import main
from codegen.report import markdown
from codegen.visible import visible
from tests.report_documents import FORMAT_NAMES, ONE, document, folder_fixture, shown

HOSTILE = {
    "colour": "a\x1b[31mred\x1b[0m",
    "title": "a\x1b]0;title\x07b",
    "c1": "a\x9b31mb",
    "bidi": "a\u202egpj.exe\u202cb",
    "isolate": "a\u2067b\u2069",
    "zero width": "a\u200bb\ufeffc",
    "tag": "a\U000e0041b",
    "line": "a\n::error::b",
    "carriage": "a\r::error::b",
    "separator": "a\u2028b\u2029c\x85d",
    "fence": "a\n```\n# b",
    "table": "a | b |\n| --- | --- |",
    "strike": "~~gone~~",
    "entity": "a &lt;b&gt; &amp; c",
    "html": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "link": "see https://example.org/x and www.example.org or [a](b)",
    "mention": "@octocat #12 a`b``c",
}


def obeyed(text: str) -> set[str]:
    """The characters that would be obeyed instead of shown, but for newlines, and the space after an @ or a #."""
    text = re.sub("(?<=[@#])\u200b", "", text)
    found = {sign for sign in text if unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp")}
    return found - {"\n"}


@pytest.mark.parametrize("format_", FORMAT_NAMES)
@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_names_are_shown_and_not_obeyed(folder: Path, name: str, format_: str) -> None:
    values = {name: {"type": "string"}, "word": {"enum": [name, "b"], "default": name}}
    text = shown(folder, document(**values), format_)
    assert obeyed(text) == set()
    plain = shown(
        folder, document(word={"enum": ["a", "b"], "default": "a"}, a={"type": "string"}), format_
    )
    if format_ == "github":
        assert len(text.splitlines()) == len(plain.splitlines())


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_json_keeps_the_value(folder: Path, name: str) -> None:
    value = json.loads(shown(folder, document(**{name: {"type": "string"}}), "json"))
    (change,) = value["changes"]
    assert name in change["id"] or json.dumps(name)[1:-1] in change["id"]


def rendered(text: str) -> str:
    """Markdown as HTML, with what GitHub adds that this judge knows: tables, strikethrough, links."""
    judge = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    return str(judge.render(text))


class Words(HTMLParser):
    """The text of a page and the names of its elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text = ""
        self.elements: list[str] = []
        self.feed(page)

    def handle_data(self, data: str) -> None:
        """Collect."""
        self.text += data

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        """Collect."""
        self.elements.append(tag)


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_markdown_shows_text_as_it_is(name: str) -> None:
    for text in (f"- {markdown.escaped(name)}", f"- x {markdown.code(name)}"):
        page = Words(rendered(text))
        assert set(page.elements) <= {"ul", "li", "p", "code"}
        assert page.text.replace("\u200b", "").strip().removeprefix("x ") == visible(name).replace(
            "\u200b", ""
        )
    # GitHub makes links of bare addresses, which the judge does not: nothing that starts one may be left
    assert not re.search(r"(?<!\\)://|\bwww\.|@\w|#\d", markdown.escaped(name))


def test_a_page_has_the_name_and_not_its_elements(folder: Path) -> None:
    page = Words(shown(folder, document(**{HOSTILE["html"]: {"type": "string"}}), "html"))
    assert "img" not in page.elements and page.elements.count("script") == 1
    assert "<img src=x" in page.text


def nested(size: str) -> str:
    """A document whose event holds, two levels down, a property of a type."""
    inner = {"type": "object", "properties": {"size": {"type": size}}}
    box = {
        "type": "object",
        "properties": {"parts": {"type": "array", "items": {"$ref": "#/components/schemas/Part"}}},
    }
    tree = json.loads(document(box={"$ref": "#/components/schemas/Box"}))
    tree["components"]["schemas"] |= {"Box": box, "Part": inner}
    return json.dumps(tree)


class Rows(HTMLParser):
    """The cells of the rows that are marked as changed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self._changed = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A row starts."""
        if tag == "tr":
            self._changed = ("class", "changed") in attrs
            self.rows += [[]] if self._changed else []

    def handle_data(self, data: str) -> None:
        """A cell."""
        if self._changed and data.strip():
            self.rows[-1].append(data)


def test_old_beside_new_shows_what_changed_below(folder: Path) -> None:
    (folder / "old.json").write_text(nested("string"), encoding="utf-8")
    page = shown(folder, nested("integer"), "html")
    rows = Rows(page.split("old beside new")[1].replace("</table>", "</table><tr>")).rows
    assert rows == [["box.parts[].size", "string", "integer"]]


def test_places_that_are_not_listed_are_counted(folder: Path) -> None:
    many = {f"f{number}": {"type": "string"} for number in range(25)}
    page = shown(folder, document(**many), "html")
    assert "<li>and 5 more</li>" in page


def test_results_of_sarif_have_their_line(folder: Path) -> None:
    (folder / "spec/documents/d.yaml").write_text(ONE, encoding="utf-8")
    arguments = ["diff", "old.json", "spec", "--format", "sarif", "--output", "out"]
    assert main(arguments) == 0
    (result,) = json.loads((folder / "out").read_text())["runs"][0]["results"]
    line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
    assert ONE.splitlines()[line - 1].strip() == '"n": {'
    assert main(["diff", "spec", "old.json", "--format", "sarif", "--output", "out"]) in (0, 1)
    (result,) = json.loads((folder / "out").read_text())["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == line


def test_results_of_sarif_say_each_thing_once(folder: Path) -> None:
    tree = json.loads(document())
    bye = {"type": "object", "required": ["type"], "properties": {"type": {"const": "bye"}}}
    tree["components"]["schemas"]["Bye"] = bye
    tree["components"]["schemas"]["Ev"]["anyOf"].append({"$ref": "#/components/schemas/Bye"})
    (result,) = json.loads(shown(folder, json.dumps(tree), "sarif"))["runs"][0]["results"]
    assert result["message"]["text"] == "event bye added; in s"
