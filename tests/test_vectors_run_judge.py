"""Judging answers, and cutting bytes.

Expected is what JSON (RFC 8259) tells apart, and what the format of the vectors says of problems, lanes and alternatives.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from codegen.errors import SpecError
from codegen.vectors.judge import Claims, judge
from codegen.vectors.judge_values import difference
from codegen.vectors.run import run
from codegen.vectors.run_cases import Case, read_cases
from codegen.vectors.run_conformance import Peer, Score, alone, page
from codegen.vectors.run_cuts import cuts

ALL = Claims(
    *("name", "1", "any"),
    *(frozenset({"sse", "event", "stream"}), frozenset({"responses"}), frozenset({"d"})),
    frozenset(
        {"events", "tags", "final", "problems", "payload", "paths", "lanes", "text", "changes"}
    ),
)
NONE: frozenset[str] = frozenset()


def case(expect: Any, operation: str = "event", **more: Any) -> Case:
    """A case with one expectation."""
    one = Case("id", operation, "responses", ("F",), {"text": "ab"}, {}, "valid", {"": expect})
    return replace(one, **more)


def why(one: Case, output: Any, claims: Claims = ALL) -> str:
    """The first difference of an answer that is `ok`."""
    return judge(one, {"result": "ok", "output": output}, claims)[1]


VALUES = [
    "null",
    "true",
    "false",
    "0",
    "1",
    "1.0",
    '"1"',
    "[]",
    "{}",
    '{"a":null}',
    "[null]",
    "[1]",
    "[1,1]",
    '[{"a":1}]',
]


def test_values_that_json_tells_apart_are_different() -> None:
    for mine in VALUES:
        for theirs in VALUES:
            same = difference(json.loads(mine), json.loads(theirs), NONE) == ""
            assert same == (mine == theirs), (mine, theirs)


def test_what_is_blurred_is_the_same_and_nothing_else() -> None:
    numbers, nulls = frozenset({"numbers"}), frozenset({"nulls"})
    assert difference({"a": [1]}, {"a": [1.0]}, numbers) == ""
    assert difference(1, True, numbers) != ""
    assert difference(10**17, 1e17, numbers) == ""
    assert difference({}, {"a": None}, nulls) == ""
    assert difference({"a": None}, {}, nulls) == ""
    assert difference([None], [], nulls) != ""
    assert difference({"a": None}, {"a": 0}, nulls) != ""


def test_a_difference_has_its_path() -> None:
    mine, theirs = {"a": [{"b": 1}]}, {"a": [{"b": 2}]}
    assert difference(mine, theirs, NONE) == ".a[0].b: expected 1, got 2"
    assert difference({}, {"a": None}, NONE) == ".a: expected nothing, got null"
    assert difference({"a": "\ud800"}, {}, NONE) == '.a: expected "\\ud800", got nothing'


def problem(kind: str, level: str = "warning", **more: str) -> dict[str, str]:
    """A problem."""
    return {"kind": kind, "level": level, **more}


def test_problems_are_a_multiset_of_kinds_without_those_at_level_info() -> None:
    one = case({"problems": [problem("a"), problem("b", "error"), problem("c", "info")]})
    assert why(one, {"problems": [problem("b"), problem("a"), problem("d", "info")]}) == ""
    assert why(one, {"problems": [problem("a")]}) == '.problems: missing {"kind": "b"}'
    assert why(one, {"problems": [problem("a"), problem("b"), problem("b")]}) != ""
    assert why(one, {}) != ""
    assert why(one, {"problems": "a"}) != ""
    ordered = replace(one, ordered=True)
    assert why(ordered, {"problems": [problem("a"), problem("b")]}) == ""
    assert why(ordered, {"problems": [problem("b"), problem("a")]}) != ""


def test_paths_of_problems_are_judged_where_they_are_claimed_and_given() -> None:
    one = case({"problems": [problem("a", path=".x")]})
    other = {"problems": [problem("a", path=".y")]}
    assert why(one, other) != ""
    assert why(one, other, replace(ALL, asserts=frozenset({"problems"}))) == ""
    assert why(case({"problems": [problem("a")]}), other) == ""


def test_a_payload_is_compared_as_json() -> None:
    one = case({"payload": '{"a":1.0,"b":"\\u00e9"}'})
    assert why(one, {"payload": '{"b": "é", "a": 1.00}'}) == ""
    assert why(one, {"payload": '{"b": "é", "a": 1}'}) == ".payload.a: expected 1.0, got 1"
    assert why(one, {"payload": "{"}).startswith(".payload: not JSON")
    assert why(one, {}) != ""


def test_an_absent_final_is_not_null_and_not_claimed_is_not_judged() -> None:
    assert why(case({"text": ""}), {"text": "", "final": {}}) == ".final: expected nothing, got {}"
    assert why(case({"text": ""}), {"text": "", "final": None}) != ""
    assert why(case({"text": ""}), {"text": "", "more": 1}) == ""
    assert why(case({"text": "", "outcome": "complete"}), {"text": ""}) == ""


def test_what_may_be_told_on_top_is_judged_where_it_is_expected() -> None:
    every = replace(ALL, asserts=ALL.asserts | {"beside", "cursor", "predecessors", "missing"})
    told = {"text": "", "beside": {"audio": 1, "more": 2}, "cursor": 3, "predecessors": []}
    assert why(case({"text": ""}), told, every) == ""
    assert why(case({"text": "", "beside": {"audio": 1}}), told, every) == ""
    assert why(case({"beside": {"audio": 2}}), told, every) == ".beside.audio: expected 2, got 1"
    assert why(case({"cursor": 4}), told, every) == ".cursor: expected 4, got 3"
    assert why(case({"predecessors": [{}]}), {}, every) != ""
    assert why(case({"missing": ["a", "b"]}), {"missing": ["b", "a"]}, every) == ""
    assert why(case({"missing": ["a", "b"]}), {"missing": ["b"]}, every) != ""
    assert why(case({"missing": []}), {}, every) != ""


def test_events_without_an_id_may_say_so() -> None:
    one = case({"events": [{"event": "message", "data": ""}]}, "sse")
    assert (
        why(one, {"events": [{"event": "message", "data": "", "id": "", "incomplete": False}]})
        == ""
    )
    assert why(one, {"events": [{"event": "message", "data": "", "id": "1"}]}) != ""
    assert why(one, {}) != ""


def test_lanes_are_judged_one_by_one() -> None:
    lane = {"lane": "a", "tags": ["x"], "problems": [problem("p")]}
    one = case({"lanes": [lane, {"lane": None, "tags": []}]})
    assert why(one, {"lanes": [{**lane, "mine": 1}, {"lane": None, "tags": []}]}) == ""
    assert why(one, {"lanes": [lane]}).startswith(".lanes[].lane")
    assert why(one, {"lanes": [lane, {"lane": None, "tags": [1]}]}).startswith(".lanes[1].tags")
    assert why(one, {"lanes": [lane, 1]}) != ""


def test_changes_come_in_any_order() -> None:
    one = case({"changes": [{"kind": "a"}, {"kind": "b"}]})
    assert why(one, {"changes": [{"kind": "b"}, {"kind": "a"}]}) == ""
    assert why(one, {"changes": [{"kind": "a"}]}) == '.changes: missing {"kind": "b"}'


def test_errors_are_judged_by_name() -> None:
    one = case({"error": "decode"}, verdict="invalid")
    assert judge(one, {"result": "error", "error": "decode"}, ALL) == ({""}, "")
    assert judge(one, {"result": "error", "error": "limit"}, ALL)[1] != ""
    assert why(one, {}) == "expected error decode, got an output"
    bad = judge(case({"text": ""}), {"result": "error", "error": "E", "message": "m"}, ALL)
    assert bad == (set(), "expected an output, got error E (m)")
    assert judge(case({"text": ""}), {"result": "ok"}, ALL)[1] == "the answer has no output"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"operation": "diff"}, "operation diff is not claimed"),
        ({"stream": "chat"}, "stream chat is not claimed"),
        ({"options": {"dialect": "x"}}, "dialect x is not claimed"),
        ({"expect": {"": {"outcome": 1}}}, "claims none of outcome"),
        ({"options": {"dialect": "d"}}, ""),
        ({"stream": None}, ""),
        ({"expect": {"": {"error": "x"}}, "verdict": "invalid"}, ""),
    ],
)
def test_what_is_not_claimed_is_not_asked(changed: dict[str, Any], said: str) -> None:
    assert ALL.refusal(replace(case({"text": ""}), **changed)) == said


class Answers:
    """An implementation that answers by the number of pieces."""

    def __init__(self, outputs: dict[int, Any]) -> None:
        self.outputs = outputs

    def claims(self) -> Claims:
        """All."""
        return ALL

    def ready(self) -> None:
        """Always."""

    def ask(self, case: Case, pieces: list[bytes], deadline: float) -> dict[str, Any]:
        """By the number of pieces."""
        return {"result": "ok", "output": self.outputs[len(pieces)]}

    def stop(self) -> None:
        """Nothing runs."""


def test_an_alternative_may_be_chosen_but_not_by_the_cut() -> None:
    one = case({}, "sse", stream=None, verdict="acceptable")
    one = replace(one, expect={"ours": {"events": []}, "other": {"events": [{"data": "x"}]}})
    outputs = {1: {"events": []}, 2: {"events": [{"data": "x"}]}}
    same = {1: outputs[2], 2: outputs[2]}
    [found] = run([one], Answers(same), ALL, 10)
    assert (found.result, found.label) == ("passed", "other")
    [found] = run([one], Answers(outputs), ALL, 10)
    assert (found.result, found.cut) == ("failed", "split at byte 1")
    assert found.why == "gives 'other' here, and another alternative for other cuts"


def test_every_way_to_cut_joins_to_the_body_and_none_comes_twice() -> None:
    one = case({}, "sse", given={"text": "é\r\n" * 100, "chunks": [1, 399]})
    found = cuts(one)
    body = one.body()
    assert [cut.name for cut in found][:3] == ["whole", "as given", "split at byte 2"]
    assert all(b"".join(cut.pieces) == body for cut in found)
    assert all(len(piece) for cut in found for piece in cut.pieces)
    assert len({tuple(cut.pieces) for cut in found}) == len(found) == 1 + 399 + 1 + 8
    assert cuts(one) == found
    assert cuts(replace(one, given={"text": "é\r\n" * 100, "chunks": [1]}))[1] == found[1]
    large = cuts(replace(one, given={"base64": "AAAA" * 171}))
    assert [cut.name for cut in large] == [
        "whole",
        "byte by byte",
        *(f"random {n}" for n in range(8)),
    ]
    assert [cut.name for cut in cuts(replace(one, given={"text": ""}))] == ["whole"]
    assert [cut.pieces for cut in cuts(replace(one, operation="event"))] == [[]]


def one_case(verdict: str, expect: Any) -> str:
    """A file of vectors with one case."""
    raw = {"id": "id", "given": {"text": "{}"}, "verdict": verdict, "expect": expect}
    head = {"format": "stream-events-vectors/1", "operation": "event", "stream": "responses"}
    return json.dumps({**head, "cases": [raw]})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "is not a file of vectors"),
        ('{"format": "x"}', "expected 'stream-events-vectors/1'"),
        ('{"format": "stream-events-vectors/1", "operation": "y", "cases": []}', "operation 'y'"),
        (one_case("valid", {"payload": "{"}), "id: the payload that it expects is no JSON"),
        (
            one_case("acceptable", {"alternatives": [{"label": "a", "expect": {}}] * 2}),
            "id: two alternatives have one label",
        ),
    ],
)
def test_a_file_that_is_none_of_ours_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "v1").mkdir()
    (tmp_path / "v1" / "a.json").write_text(text)
    with pytest.raises(SpecError, match=said):
        read_cases(tmp_path)


def test_the_page_has_a_column_for_each_and_names_what_only_the_first_passes() -> None:
    one, two = case({"text": ""}), case({"text": ""}, id="two")
    good, bad = Answers({0: {"text": ""}}), Answers({0: {"text": "`|`"}})
    scores = [
        Score(Peer(name, ()), ALL, tuple(run([one, two], who, ALL, 10)))
        for name, who in (("ours", good), ("p", bad), ("q", bad))
    ]
    assert [found.id for found in alone(scores)] == ["id", "two"]
    text = page(scores)
    assert "| event | 2 / 2 | 0 / 2 | 0 / 2 |" in text
    assert "| F | 2 / 2 | 0 / 2 | 0 / 2 |" in text
    skipped = case({"text": ""}, flags=("Skipped",), stream="chat")
    none = [Score(Peer("p", ()), ALL, tuple(run([one, skipped], good, ALL, 10)))]
    assert "| F | 1 / 1 |" in page(none) and "| Skipped | · |" in page(none)
    assert alone(scores[:2]) == []
    assert alone([scores[0], scores[0], scores[1]]) == []
