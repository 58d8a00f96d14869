"""Rules of order and usage as data: from a fragment to the catalogue and back, and what is wrong with one.

Reads small specifications that the tests write; resolves them. Never runs the linter on a stream.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.catalogue import Order, Usage, stream_from_json, to_json
from codegen.errors import SpecError
from codegen.lint.places import Act, acts_of, begins, gapless, starts_of
from codegen.load import load
from codegen.resolve import resolve
from tests.lint.streams import PACKAGE
from tests.small_spec import fragment, write_spec

DOCUMENT = """\
openapi: 3.1.0
info: {title: Small, version: "1"}
paths: {}
components:
  schemas:
    Ev:
      oneOf: [{$ref: "#/components/schemas/Hello"}, {$ref: "#/components/schemas/Bye"}]
    Hello: {type: object, required: [type], properties: {type: {const: hello}}}
    Bye: {type: object, required: [type], properties: {type: {const: bye}}}
"""
ENTRY = {"family": "text", "sentence": "A word.", "provenance": "documented"}
EVENTS = {"hello": ENTRY, "bye": ENTRY}


def resolved(tmp_path: Path, **changes: Any) -> Any:
    text = fragment(events=EVENTS, **changes)
    return resolve(load(write_spec(tmp_path, DOCUMENT, [text]))).streams[0]


def test_order_and_usage_come_into_the_catalogue(tmp_path: Path) -> None:
    order = {
        "stages": [["hello"], ["*"]],
        "once": ["hello"],
        "finished_by": ["bye"],
        "statuses": {"$": [["a"], ["b", "c"]]},
        "steady": ["x.id"],
        "ends": {"bye": ["b"]},
        "given": {"bye": ["x.error"]},
        "identities": {"items": ["id", "name"]},
        "unique": {"items": ["id"]},
        "json": {"items": ["call.input"]},
        "signed": {"items": {"thought": ["mark"]}},
    }
    usage = {"at": "x.usage", "with": ["bye"], "total": {"t": ["a", "b"]}}
    stream = resolved(tmp_path, order=order, usage=usage)
    assert stream.order == Order(
        (("hello",), ("*",)),
        ("hello",),
        ("bye",),
        (("$", (("a",), ("b", "c"))),),
        ("x.id",),
        ends=(("bye", ("b",)),),
        given=(("bye", ("x.error",)),),
        identities=(("items", ("id", "name")),),
        unique=(("items", ("id",)),),
        json=(("items", ("call.input",)),),
        signed=(("items", (("thought", ("mark",)),)),),
    )
    assert stream.usage == Usage("x.usage", ("bye",), (("t", ("a", "b")),))
    assert stream_from_json(json.loads(json.dumps(to_json(stream)))) == stream


def test_a_stream_may_have_neither(tmp_path: Path) -> None:
    stream = resolved(tmp_path)
    assert stream.order is None and stream.usage is None


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"order": {"once": ["helo"]}}, "no event 'helo'"),
        ({"order": {"stages": [["hello"], ["nope"]]}}, "no event 'nope'"),
        ({"order": {"finished_by": ["nope"]}}, "no event 'nope'"),
        ({"order": {"ends": {"nope": ["a"]}}}, "no event 'nope'"),
        ({"order": {"given": {"nope": ["a"]}}}, "no event 'nope'"),
        ({"usage": {"at": "u", "with": ["nope"]}}, "no event 'nope'"),
        ({"order": {"stages": [["hello"]]}}, "too short"),
        ({"order": {"new": []}}, "Additional properties"),
        ({"usage": {}}, "'at' is a required property"),
    ],
)
def test_what_is_wrong_with_a_rule_is_told(
    changes: dict[str, Any], says: str, tmp_path: Path
) -> None:
    with pytest.raises(SpecError) as caught:
        resolved(tmp_path, **changes)
    assert says in str(caught.value)


def test_streams_that_are_like_another_have_its_rules() -> None:
    responses = PACKAGE.stream("responses")
    for name in ("responses-websocket-server", "beta-responses"):
        assert PACKAGE.stream(name).order == responses.order
        assert PACKAGE.stream(name).usage == responses.usage


def test_accumulation_rules_say_what_begins_grows_and_ends() -> None:
    acts = acts_of(PACKAGE.stream("responses"))
    keys = (("output_index", "item_id"), ("content_index",))
    lists = ("output", "content")
    assert acts["response.output_text.delta"] == (Act("append", lists, keys, "text", ("delta",)),)
    assert acts["response.content_part.added"] == (Act("open", lists, keys, "", ("part",)),)
    assert acts["response.content_part.done"][0].verb == "put"
    assert acts["response.output_text.done"][0].verb == "text"
    assert acts["response.web_search_call.searching"][0].verb == "status"


def test_lists_beside_the_snapshot_have_gaps_where_their_index_counts_something_else() -> None:
    found = gapless(acts_of(PACKAGE.stream("responses")))
    assert ("output",) in found and ("output", "content", "annotations") in found
    assert ("@partial_images", "") in found and ("@partial_images",) not in found
    assert ("@partial_json",) not in gapless(acts_of(PACKAGE.stream("messages")))


def test_snapshots_begin_where_the_rules_say_so() -> None:
    stream = PACKAGE.stream("messages")
    assert begins(stream) == {"message_start"}
    assert starts_of(stream) == {"message_start": ("message",)}
