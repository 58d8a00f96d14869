"""The reference for people: that it has everything, says it as the catalogue does, and stays text whatever a name is.

Reads spec/ and generated/reference/history.md; returns nothing. Never compares a page with a copy of itself.
"""

from __future__ import annotations

import dataclasses
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import markdown
import pytest

from codegen.catalogue import Catalogue, Event, Field, Model, Package, Stream, Type
from codegen.emit import reference
from codegen.emit.reference_pages import Pages
from codegen.emit.reference_rules import WORDS, in_words
from codegen.emit.reference_sequence import events_of, frame_of
from codegen.emit.reference_words import code, escaped, prose
from codegen.emit.render import Files
from codegen.emit.vectors_events import own_model
from codegen.first_seen import read_first_seen
from codegen.load import load
from codegen.resolve import resolve
from codegen.rules import parse
from tests.small_spec import fragment, write_spec

ROOT = Path(__file__).resolve().parent.parent
HOSTILE = (
    "../../../etc/passwd",
    "..",
    "",
    "index",
    "README",
    "A",
    "a",
    "a|b",
    "a`b``c",
    "<script>alert(1)</script>",
    "<!-- ",
    "](javascript:alert(1))",
    "*a* _b_ #c {: .d }",
    "&lt;a&gt; &#42;",
    "a\nb\u2028c\u202ed",
    "x" * 300,
)


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return resolve(load(ROOT / "spec"))


@pytest.fixture(scope="module")
def pages(catalogue: Catalogue) -> Files:
    return reference.emit(catalogue)


def all_events(catalogue: Catalogue) -> list[tuple[Package, Stream, Event]]:
    return [
        (package, stream, event)
        for package in catalogue.packages
        for stream in package.streams
        for event in stream.events
    ]


def section(page: str, head: str) -> str:
    return page.partition(f"\n## {head}\n")[2].partition("\n## ")[0]


def rows(text: str) -> list[list[str]]:
    """The cells of the tables in a text, heads left out."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]


class Seen(HTMLParser):
    """What a browser would take for tags, and the text between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.links: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [str(value) for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.text += data


def as_html(text: str) -> Seen:
    """Markdown as the site has it."""
    extensions = ["tables", "md_in_html", "toc", "pymdownx.superfences"]
    return Seen(markdown.markdown(text, extensions=extensions))


def test_each_event_has_a_page_with_each_of_its_fields(catalogue: Catalogue, pages: Files) -> None:
    places = Pages(catalogue)
    for package, stream, event in all_events(catalogue):
        page = pages[f"reference/{places.event(stream, event)}"]
        found = {row[0]: row[2:4] for row in rows(section(page, "Fields"))[2:]}
        fields = own_model(package, stream, package.model(event.model)).fields
        assert list(found) == [f"`{field.name}`" for field in fields], (stream.name, event.tag)
        for field in fields:
            assert found[f"`{field.name}`"][0] == ("yes" if field.required else "no")
        assert event.sentence == "" or prose(event.sentence) in page


def test_null_and_absent_are_told_apart(pages: Files) -> None:
    page = pages["reference/streams/messages/error.md"]
    assert ["`request_id`", "string", "no", "yes"] in rows(section(page, "Fields"))
    told = section(page, "Null and absent")
    assert "- Always there, and never null: `type`, `error`\n" in told
    assert "- May be absent, or null, which is not the same: `request_id`\n" in told


def test_an_example_is_a_payload_of_the_vectors(catalogue: Catalogue, pages: Files) -> None:
    for name in ("messages", "responses"):
        vectors = json.loads((ROOT / f"generated/vectors/v1/event/{name}.json").read_text())
        payloads = {case["id"]: case["given"]["text"] for case in vectors["cases"]}
        stream = next(each for each in catalogue.streams if each.name == name)
        for event in stream.events:
            page = pages[f"reference/{Pages(catalogue).event(stream, event)}"]
            examples = re.findall(r"```json\n(.*?)\n```", page, re.DOTALL)
            assert json.loads(examples[-1]) == json.loads(
                payloads[f"{name}--{event.tag}--everything"]
            )


def test_each_rule_is_told_in_words(catalogue: Catalogue) -> None:
    verbs = set()
    for stream in catalogue.streams:
        for event in (*stream.events, *stream.unlisted):
            for text in event.rules:
                rule = parse(text)
                verbs |= {rule.verb} if rule else set()
                assert re.fullmatch(r"[A-Z`].*\.", in_words(text)), text
    assert verbs <= WORDS.keys()
    schema = (ROOT / "codegen/rules.py").read_text(encoding="utf-8")
    verb = re.search(r"\(\?P<verb>([a-z0-9|]+)\)", schema)
    whole = re.search(r"\(\?P<whole>([a-z|]+)\)", schema)
    assert verb and whole
    named = {*verb[1].split("|"), *whole[1].split("|"), "close", "fail", "finish"}
    assert named == WORDS.keys()


def test_words_of_rules() -> None:
    text = "append output[output_index, item_id].content[content_index].text += delta"
    assert in_words(text) == (
        "The text in the event's `delta` is added to the end of `text` in the entry of `content` at `content_index` "
        "in the entry of `output` at `output_index` or `item_id`."
    )
    assert in_words("ignore") == "The accumulated object stays as it is."
    assert in_words('set output[output_index].status = "searching"') == (
        '`status` in the entry of `output` at `output_index` becomes `"searching"`.'
    )


def test_the_sequence_has_each_event_once(catalogue: Catalogue) -> None:
    for stream in catalogue.streams:
        tags = [event.tag for event in events_of(frame_of(stream))]
        assert sorted(tags) == [event.tag for event in stream.events], stream.name
    messages = next(stream for stream in catalogue.streams if stream.name == "messages")
    root = frame_of(messages)
    (block,) = root.inner
    assert [event.tag for event in root.begins] == ["message_start"]
    assert [event.tag for event in block.begins + block.ends] == [
        "content_block_start",
        "content_block_stop",
    ]
    assert [event.tag for event in root.closes + root.ends] == [
        "message_delta",
        "message_stop",
        "error",
    ]


def test_when_an_event_was_added_is_what_the_history_says(catalogue: Catalogue) -> None:
    came: dict[tuple[str, str], str] = {}
    stream = ""
    for line in (ROOT / "generated/reference/history.md").read_text().splitlines():
        stream = line.removeprefix("## ") if line.startswith("## ") else stream
        found = re.match(r"\| `([^`]+)` \| ([^ ,|]+)", line)
        if found:
            came.setdefault((stream, found[1]), found[2])
    assert came
    for _, each, event in all_events(catalogue):
        assert event.first_seen[:1] == tuple(
            came[key] for key in [(each.name, event.tag)] if key in came
        )


def test_a_snapshot_of_a_working_tree_is_none_of_upstream(tmp_path: Path) -> None:
    def snapshot(name: str, date: str, tags: list[str], **more: str) -> None:
        stream = {"s": {"events": {tag: "Model" for tag in tags}}}
        tree = {"snapshot": 1, "name": name, "date": date, "packages": {"s": {"streams": stream}}}
        (tmp_path / f"{name}.json").write_text(json.dumps({**tree, **more}))

    snapshot("z-old", "2025-01-01", ["a"])
    snapshot("a-new", "2026-01-01", ["a", "b"])
    snapshot("own", "2024-01-01", ["a", "b", "c"], of="spec")
    assert read_first_seen(tmp_path) == {
        ("s", "a"): ("z-old", "2025-01-01"),
        ("s", "b"): ("a-new", "2026-01-01"),
    }


def test_a_new_event_has_its_page_at_once(tmp_path: Path) -> None:
    def document(*names: str) -> str:
        schemas = {
            name: {
                "type": "object",
                "required": ["type"],
                "properties": {
                    "type": {"type": "string", "enum": [name.lower()], "x-stainless-const": True},
                    "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                },
            }
            for name in names
        }
        union = {"anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in names]}
        tree = {"openapi": "3.1.0", "components": {"schemas": {**schemas, "Ev": union}}}
        return json.dumps(tree)

    before = reference.emit(resolve(load(write_spec(tmp_path / "1", document("Old")))))
    after = reference.emit(resolve(load(write_spec(tmp_path / "2", document("Old", "New")))))
    assert after.keys() - before.keys() == {"reference/streams/s/new.md"}
    assert ["`note`", "string", "no", "yes"] in rows(after["reference/streams/s/new.md"])
    assert "](new.md)" in after["reference/streams/s/README.md"]


def with_hostile_names() -> Catalogue:
    text = Type("string")
    models = tuple(
        Model(
            f"M{at}",
            f"#/{name}",
            (
                Field("type", "type", Type("constant", values=(name,)), required=True),
                Field(name, f"a{at}", text, default=(name,)),
            ),
            sentence=name,
        )
        for at, name in enumerate(HOSTILE)
    )
    events = tuple(
        Event(name, f"M{at}", family=name, sentence=name, provenance=name, first_seen=(name, name))
        for at, name in enumerate(HOSTILE)
    )
    stream = Stream(
        name="s",
        document="d",
        union="U",
        module="s",
        table="EVENTS",
        direction="server",
        transport="sse",
        tag="type",
        sentence="A stream.",
        events=events,
        terminal=HOSTILE[:3],
    )
    return Catalogue((), (Package("s", (stream,), models, ()),))


def test_a_name_leads_nowhere_and_is_no_markup() -> None:
    files = reference.emit(with_hostile_names())
    events = [path for path in files if path.startswith("reference/streams/s/")]
    assert len(events) == len(HOSTILE) + 1
    for path in files:
        assert re.fullmatch(r"reference(/[A-Za-z0-9_][A-Za-z0-9_.-]{0,120})+\.md", path), path
    for path, text in files.items():
        seen = as_html(text)
        assert not seen.tags & {"script", "img", "iframe", "style"}, path
        for link in seen.links:
            assert re.fullmatch(r"[A-Za-z0-9_./-]*(#.*)?", link), (path, link)


@pytest.mark.parametrize("name", [name for name in HOSTILE if name.isprintable() and name])
def test_a_name_reads_as_it_is(name: str) -> None:
    assert as_html(escaped(name)).text == name
    table = f"| a |\n| --- |\n| {code(name)} |\n| {escaped(name)} |\n"
    cells = [each for each in as_html(table).text.split("\n") if each]
    assert cells == ["a", name, name.strip()]


def test_every_page_says_where_it_is_from_and_is_not_too_large(pages: Files) -> None:
    for path, text in pages.items():
        assert text.startswith("<!-- Generated by codegen"), path
        assert len(text.encode()) < 2**20, path
