"""Accumulation rules: what the notation says, and what is wrong with a rule that the schemas do not bear out.

Reads rules as text and small specifications; expected is what the head of `codegen/rules.py` and the schemas say. The rules
of the repository's own fragments are checked one by one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main
from codegen.catalogue import Catalogue
from codegen.load import load
from codegen.resolve import resolve
from codegen.rule_faults import read_faults, rule_faults
from codegen.rules import Rule, bare, claimed, parse, read_path
from tests.small_spec import fragment, write_spec

NOTATION: list[tuple[str, Rule | None]] = [
    ("ignore", None),
    ("start $ with response keep output", Rule("start", source=("response",), keep="output")),
    ("replace $ with $", Rule("replace")),
    ("fail with $", Rule("fail")),
    ("fail with error?", Rule("fail", source=("error?",))),
    ("put output[i] = item", Rule("put", ("output", ("i",)), ("item",))),
    ("open output[i, item.id] = item", Rule("open", ("output", ("i", "item.id")), ("item",))),
    ('set a[i].status = "done"', Rule("set", ("a", ("i",), "status"), literal=("done",))),
    ("set a.b = true", Rule("set", ("a", "b"), literal=(True,))),
    ("set a = null_value", Rule("set", ("a",), ("null_value",))),
    ("last a = b", Rule("last", ("a",), ("b",))),
    ("first a? = b?", Rule("first", ("a?",), ("b?",))),
    ("merge usage = delta.usage", Rule("merge", ("usage",), ("delta", "usage"))),
    ("append @audio += delta", Rule("append", ("@audio",), ("delta",))),
    ("append64 @audio += delta", Rule("append64", ("@audio",), ("delta",))),
    ("extend c[i].d += c[].d", Rule("extend", ("c", ("i",), "d"), ("c", "[]", "d"))),
    ("collect @steering += $", Rule("collect", ("@steering",))),
    (
        "append c[i].text += c[].delta/message?.parts?[type=text].text",
        Rule(
            "append",
            ("c", ("i",), "text"),
            ("c", "[]", "delta/message?", "parts?", "[type=text]", "text"),
        ),
    ),
    (
        'append o[i].t += d creating {"type": "x", "id": "$id"}, {"t": ""}',
        Rule(
            "append",
            ("o", ("i",), "t"),
            ("d",),
            creating=({"type": "x", "id": "$id"}, {"t": ""}),
        ),
    ),
    (
        "rest c[i] = c[] joining text thought",
        Rule("rest", ("c", ("i",)), ("c", "[]"), keep="text thought"),
    ),
    ("rest $ = $", Rule("rest")),
    ("finish c[i] when c[].reason", Rule("finish", ("c", ("i",)), ("c", "[]", "reason"))),
    (
        "put c[i, id, f.name] = c[]",
        Rule("put", ("c", ("i", "id", "f.name")), ("c", "[]")),
    ),
]


@pytest.mark.parametrize(("text", "expected"), NOTATION, ids=[text for text, _ in NOTATION])
def test_notation(text: str, expected: Rule | None) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "'' is not a rule"),
        ("ignore it", "'ignore it' is not a rule"),
        ("sets a = b", "'sets a = b' is not a rule"),
        ("set a b", "'set a b' is not a rule"),
        ("set a = b c", "'b c' is not a path"),
        ("set a-b = c", "'a-b' is not a path"),
        ("start output with response", "'start output with response' is not a rule"),
        ('set a = "x', "not JSON"),
        ("append a[i] += d creating {x}", "not JSON"),
        ("finish when reason", "'finish when reason' is not a rule"),
    ],
)
def test_what_is_no_rule(text: str, fault: str) -> None:
    with pytest.raises(ValueError) as raised:
        parse(text)
    assert fault in str(raised.value)


def test_the_runtime_has_no_marks() -> None:
    assert bare(("a?", "[]", "b/c?", "[type=x]")) == ("a", "[]", ("b", "c"), "[type=x]")


def test_rest_leaves_what_other_rules_take_or_put() -> None:
    texts = [
        "first c[i].name = c[].title",
        "append c[i].text += c[].delta/message?.text",
        "rest c[i] = c[]",
    ]
    rules = [rule for text in texts if (rule := parse(text))]
    assert claimed(tuple(rules), rules[-1]) == ("title", "name", "delta", "message", "text", "i")


def test_read_path() -> None:
    path = "output[last type=message].content[].text"
    assert read_path(path) == ("output", ("last", "type", "message"), "content", (), "text")
    assert read_path("choices[first].text") == ("choices", ("first",), "text")


# --- against schemas --------------------------------------------------------------------------------------------------

DOCUMENT = """
openapi: 3.1.0
info: {title: t, version: "1"}
paths: {}
components:
  schemas:
    Ev:
      anyOf:
        - $ref: '#/components/schemas/Hello'
        - $ref: '#/components/schemas/Bye'
      discriminator: {propertyName: type}
    Hello:
      type: object
      properties:
        type: {type: string, enum: [hello], x-stainless-const: true}
        index: {type: integer}
        text: {type: string}
        parts:
          type: array
          items: {type: object, properties: {at: {type: integer}, text: {type: string}}}
      required: [type, index, text]
    Bye:
      type: object
      properties:
        type: {type: string, enum: [bye], x-stainless-const: true}
        whole: {$ref: '#/components/schemas/Whole'}
      required: [type, whole]
    Whole:
      type: object
      properties:
        id: {type: string}
        items:
          type: array
          items:
            oneOf:
              - {type: object, properties: {kind: {type: string}, text: {type: string}}}
              - {type: object, properties: {code: {type: string}}}
      required: [id]
"""


def events(*rules: str, bye: tuple[str, ...] = ("replace $ with whole",)) -> dict[str, Any]:
    shown = {"family": "item", "sentence": "S.", "stability": "ga", "provenance": "documented"}
    return {"hello": {**shown, "rule": list(rules)}, "bye": {**shown, "rule": list(bye)}}


def catalogue_of(folder: Path, *rules: str, **changes: Any) -> Catalogue:
    entries = {"events": events(*rules), "snapshot": "Whole", "snapshot_name": "whole", **changes}
    return resolve(load(write_spec(folder, DOCUMENT, [fragment(**entries)])))


@pytest.mark.parametrize(
    "rule",
    [
        "append items[index].text += text",
        "append items[index].code += text",
        'append items[index].text += text creating {"kind": "$text", "text": ""}',
        "append items[at].text += parts[].text",
        "set items[index].new? = text",
        "set items[index].text = new?.anything.else",
        "append @beside[index] += text",
        'set id = "x"',
        "rest $ = $",
    ],
)
def test_rules_that_the_schemas_bear_out(tmp_path: Path, rule: str) -> None:
    catalogue = catalogue_of(tmp_path, rule)
    assert catalogue.streams[0].events[1].rules == (rule,)


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ("append items[index].txt += text", "has no property 'txt'"),
        ("append items[index].text += txt", "Hello has no property 'txt'"),
        ("append items[indx].text += text", "Hello has no property 'indx'"),
        ("append items[index].text += parts[].text", "has no property 'index'"),
        ("append items[at].text += parts[].txt", "has no property 'txt'"),
        ("append id[index] += text", "a key stands where the schemas have no list"),
        ("append items[index].text += text[].x", "a key stands where the schemas have no list"),
        ("append items.text += text", "the value has no property 'text'"),
        ('append items[index].text += text creating {"knd": ""}', "has no property 'knd'"),
        ('append items[index].text += text creating {"kind": "$who"}', "has no property 'who'"),
        ('set id = text creating {"id": ""}', "`creating` has more objects than the path has keys"),
        ("agree answer = text", "`reads` has no such name"),
        ("sat id = text", "is not a rule"),
    ],
)
def test_rules_that_the_schemas_do_not_bear_out(tmp_path: Path, rule: str, fault: str) -> None:
    catalogue = catalogue_of(tmp_path, "ignore")
    package = catalogue.packages[0]
    stream = package.streams[0]
    hello = next(event for event in stream.events if event.tag == "hello")
    changed = type(hello)(**{**vars(hello), "rules": (rule,)})
    found = rule_faults(changed, stream, package)
    assert len(found) >= 1 and any(fault in each for each in found), found
    assert all(rule in each for each in found)


def test_reads_are_checked_too(tmp_path: Path) -> None:
    catalogue = catalogue_of(tmp_path, "ignore", reads={"text": "items[].text"})
    package = catalogue.packages[0]
    assert read_faults(package.streams[0], package) == []
    wrong = type(package.streams[0])(
        **{**vars(package.streams[0]), "reads": (("text", "items[].txt"),)}
    )
    assert "has no property 'txt'" in read_faults(wrong, package)[0]


# --- on the command line ----------------------------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def spec_with(folder: Path, entries: dict[str, Any]) -> None:
    changes = {"events": entries, "snapshot": "Whole", "snapshot_name": "whole"}
    write_spec(folder, DOCUMENT, [fragment(**changes).replace('"rule": ', '\n"rule":\n')])


def test_generate_ends_with_2_and_names_file_and_line(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec_with(here, events("append items[index].txt += text", bye=("replace $ with hole",)))
    assert main(["generate"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith(
        "spec/fragments/0.yaml:3 (#/events/hello/rule/0): 'append items[index]"
    )
    assert lines[1].startswith(
        "spec/fragments/0.yaml:5 (#/events/bye/rule/0): 'replace $ with hole'"
    )
    assert "has no property 'txt'" in lines[0]
    assert "mark a property that the schemas do not have" in lines[0]
    assert not (here / "generated").exists()


def test_a_tag_without_a_rule_is_a_warning_for_generate_and_a_finding_for_check(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = events("append items[index].text += text")
    del entries["bye"]["rule"]
    spec_with(here, entries)
    assert main(["generate"]) == 0
    error = capsys.readouterr().err
    assert error.startswith("warning: spec/fragments/0.yaml:") and "'bye'" in error
    assert "Add to its entry: rule: [ignore]" in error
    assert main(["check"]) == 1
    assert "the tag 'bye' of Ev has no entry `rule`" in capsys.readouterr().out


def test_a_stream_that_accumulates_to_nothing_needs_no_rules(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = events("ignore")
    del entries["bye"]["rule"], entries["hello"]["rule"]
    write_spec(here, DOCUMENT, [fragment(events=entries)])
    assert main(["generate"]) == 0
    assert main(["check"]) == 0
    assert capsys.readouterr().err == ""


# --- the repository's own fragments -----------------------------------------------------------------------------------

OWN = resolve(load(Path(__file__).parent.parent / "spec"))
EVENTS = [
    (package, stream, event)
    for package in OWN.packages
    for stream in package.streams
    for event in (*stream.events, *stream.unlisted)
    if event.rules
]


@pytest.mark.parametrize(
    ("package", "stream", "event"),
    EVENTS,
    ids=[f"{stream.name} {event.tag}" for _, stream, event in EVENTS],
)
def test_own_rules(package: Any, stream: Any, event: Any) -> None:
    assert rule_faults(event, stream, package) == []


@pytest.mark.parametrize(
    ("stream", "lists", "left_out"),
    [
        ("chat", ("choices", "delta", "tool_calls"), {"obfuscation", "index", "object"}),
        ("completions", ("choices",), {"index"}),
    ],
)
def test_every_property_of_a_chunk_has_a_rule(
    stream: str, lists: tuple[str, ...], left_out: set[str]
) -> None:
    """`rest` takes only what no class declares, so that what is declared needs a rule of its own."""
    package = next(package for package in OWN.packages if package.name == stream)
    (event,) = package.streams[0].events
    rules = [rule for text in event.rules if (rule := parse(text))]
    steps = [step for rule in rules for step in bare(rule.source)]
    taken = {name for step in steps for name in ([step] if isinstance(step, str) else step)}
    model, declared = package.model(event.model), set[str]()
    for name in (*lists, ""):
        declared |= {field.name for field in model.fields}
        if name:
            type_ = next(field.type for field in model.fields if field.name == name)
            model = package.model((type_.items or type_).name)
    assert declared - taken == left_out


def test_every_tag_that_a_server_sends_has_a_rule() -> None:
    assert [
        (stream.name, event.tag)
        for stream in OWN.streams
        if stream.snapshot and stream.direction == "server"
        for event in stream.events
        if not event.rules
    ] == []
