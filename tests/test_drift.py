"""Drift: each source moved, not moved, unreachable or unreadable.

Reads small specifications that the tests write and a server on the loopback interface. Expected values follow from the edits that a
test makes. Never asks another machine.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from codegen import drift_report
from codegen.__main__ import main
from codegen.drift import drift
from codegen.drift_update import update
from codegen.drift_verdicts import FINE, FOUND, UNUSABLE, Drift
from codegen.http_line import Limits
from codegen.sources import Client, Entry, read_watched, record
from tests.drift_spec import (
    DOCUMENT,
    FORMATS,
    MOVED,
    NEW_EVENT,
    TODAY,
    accepted,
    alone,
    ids,
    judged,
    online,
    releases_fixture,
    server_fixture,
    spec_fixture,
)
from tests.loopback import Loopback, Reply


def test_the_same_bytes_are_not_moved(spec: Path, server: Loopback) -> None:
    found = judged(spec)
    verdict = alone(found)
    assert (verdict.state, verdict.comparison, verdict.todo) == ("not moved", None, ())
    assert [found.code(level) for level in ("any", "breaking", "none")] == [FINE, FINE, FINE]


def test_an_etag_spares_the_document(spec: Path, server: Loopback) -> None:
    server.put("/d.yaml", Reply(DOCUMENT.encode(), etag='"1"'))
    before = server.asked("/d.yaml")
    update(judged(spec), spec, TODAY)
    (entry,) = read_watched(spec / "sources.yaml")
    assert isinstance(entry, Entry) and entry.etag == '"1"'
    assert entry.date == "2026-02-01"
    shutil.rmtree(spec.parent / "kept")  # as in a run of CI, which has no cache
    assert alone(judged(spec)).state == "not moved"
    asked = [headers.get("If-None-Match") for _, headers in server.requests[before:]]
    assert asked == [None, '"1"']
    server.put("/d.yaml", Reply(MOVED.encode(), etag='"2"'))
    assert alone(judged(spec)).state == "moved"


def test_a_new_event(spec: Path, server: Loopback) -> None:
    server.put("/d.yaml", Reply(MOVED.encode()))
    found = judged(spec)
    verdict = alone(found)
    assert (verdict.state, ids(verdict)) == ("moved", ["event-added/wait"])
    (todo,) = verdict.todo
    assert todo.where.endswith("fragments/0.yaml:1 (#/events)")
    assert todo.what == "the tag wait of s has no rule; it is passed through"
    assert todo.action.startswith('Add under `events`: "wait": {family: other, ')
    assert found.code("none") == FINE
    assert found.code("breaking") == FOUND  # the event is no breaking change, but has no rule yet
    quiet = Drift((replace(verdict, todo=()),))
    assert [quiet.code(level) for level in ("breaking", "dangerous", "any")] == [FINE, FOUND, FOUND]


def test_an_edit_of_prose_moves_and_changes_nothing(spec: Path, server: Loopback) -> None:
    server.put("/d.yaml", Reply(DOCUMENT.replace("Prose", "Other prose").encode()))
    found = judged(spec)
    assert (alone(found).state, ids(alone(found)), found.code("any")) == ("moved", [], FINE)
    assert alone(found).comparison is not None


def test_a_passing_error_is_asked_again(spec: Path, server: Loopback) -> None:
    server.put("/d.yaml", Reply(status=500), Reply(MOVED.encode()))
    assert alone(judged(spec, Limits(pauses=(0.0,)))).state == "moved"


def _endless(write: Callable[[bytes], Any]) -> None:
    while True:
        write(b"a: 1\n" * 1000)


BROKEN = {
    "absent": Reply(status=404),
    "error": Reply(status=500),
    "truncated": Reply(MOVED.encode()[:100], length=len(MOVED)),
    "endless": Reply(length=None, then=_endless),
    "redirect to a file": Reply(status=302, headers={"Location": "file:///etc/passwd"}),
    "redirect to ftp": Reply(status=302, headers={"Location": "ftp://127.0.0.1/d.yaml"}),
    "not gzip": Reply(b"x", headers={"Content-Encoding": "gzip"}),
}


@pytest.mark.parametrize("reply", BROKEN.values(), ids=BROKEN)
def test_no_answer_is_never_no_drift(spec: Path, server: Loopback, reply: Reply) -> None:
    server.put("/d.yaml", reply)
    found = judged(spec, Limits(size=100_000))
    verdict = alone(found)
    assert (verdict.state, verdict.comparison) == ("unreachable", None)
    assert [found.code(level) for level in ("none", "any")] == [UNUSABLE, UNUSABLE]
    for name, render in FORMATS.items():
        assert "unreachable" in render(found), name
    before = {path: path.read_bytes() for path in spec.rglob("*.yaml")}
    assert update(found, spec, TODAY) == []
    assert {path: path.read_bytes() for path in spec.rglob("*.yaml")} == before


def test_a_slow_server_is_unreachable(spec: Path, server: Loopback) -> None:
    server.put("/d.yaml", Reply(length=100, then=lambda _: server.ended.wait()))
    verdict = alone(judged(spec, Limits(seconds=0.2)))
    assert verdict.state == "unreachable"
    assert verdict.errors[0].what == "the answer took longer than 0.2 seconds"


@pytest.mark.parametrize(
    "body, what",
    [
        ("<html>sign in</html>", "the text is not a mapping"),
        ("a: [", "d.yaml:"),
        ("swagger: '2.0'\n", "Swagger 2"),
        (MOVED.replace(NEW_EVENT, ""), "Wait"),
        ("", "this is empty"),
    ],
    ids=["html", "syntax", "swagger", "dangling reference", "empty"],
)
def test_an_answer_that_cannot_be_used(spec: Path, server: Loopback, body: str, what: str) -> None:
    server.put("/d.yaml", Reply(body.encode()))
    found = judged(spec)
    assert (alone(found).state, found.code("none")) == ("unreadable", UNUSABLE)
    assert what in str(alone(found).errors[0])


def test_a_union_that_is_gone_is_loud(spec: Path, server: Loopback) -> None:
    server.put("/d.yaml", Reply(DOCUMENT.replace("    Ev:", "    Other:").encode()))
    found = judged(spec)
    assert (ids(alone(found)), found.code("breaking")) == (["stream-removed/s"], FOUND)


def test_a_source_that_is_odd_for_not_moving(spec: Path) -> None:
    path = spec / "sources.yaml"
    (entry,) = read_watched(path)
    for every, quiet in (("27d", True), ("28d", False)):
        record(path, replace(entry, expected_every=every))
        found = judged(spec)
        assert bool(alone(found).quiet) is quiet
        assert alone(found).state == "not moved"
        levels = ("breaking", "additive", "any", "none")
        assert [found.code(level) for level in levels] == [
            FINE,
            FINE,
            FOUND if quiet else FINE,
            FINE,
        ]
    record(path, replace(entry, expected_every="14d"))
    said = "d: has not moved for 28 days, though expected to every 14"
    for name, render in FORMATS.items():
        assert said.removeprefix("d: ") in render(judged(spec)), name


def test_accepted_changes(spec: Path, server: Loopback) -> None:
    server.put("/d.yaml", Reply(DOCUMENT.replace("[end, error]", "[end, error, stop]").encode()))
    (change,) = alone(judged(spec)).changes
    accepted(spec, {"id": change.id}, {"id": "event-removed/gone"})
    found = judged(spec)
    assert ids(alone(found)) == []
    assert [entry.id for entry in found.unmatched] == ["event-removed/gone"]
    assert found.code("any") == FINE
    for name, render in FORMATS.items():
        assert "event-removed/gone" in render(found), name
    accepted(spec, {"id": change.id, "until": "2026-02-28"})
    assert (judged(spec).code("any"), judged(spec).unmatched) == (FOUND, ())


def test_an_entry_for_other_events_or_another_comparison(spec: Path, server: Loopback) -> None:
    server.put("/d.yaml", Reply(DOCUMENT.replace("[end, error]", "[end, error, stop]").encode()))
    (change,) = alone(judged(spec)).changes
    entry = {"id": change.id, "reason": "Seen.", "who": "us"}
    for more in ({"events": {"s": ["hello"]}}, {"events": {"s": "all"}, "comparison": "sdk"}):
        text = json.dumps({"accepted": [{**entry, **more}]})
        (spec / "accepted.yaml").write_text(text, encoding="utf-8")
        found = judged(spec)
        assert (ids(alone(found)), found.unmatched) == ([change.id], ())
    accepted(spec, {"id": "event-removed/gone", "comparison": "sdk"})
    assert judged(spec).unmatched == ()


def test_what_is_accepted_for_an_unreachable_source_is_not_called_done(
    spec: Path, server: Loopback
) -> None:
    accepted(spec, {"id": "event-removed/gone"})
    server.put("/d.yaml", Reply(status=404))
    assert judged(spec).unmatched == ()


def test_a_cut_that_was_edited_is_told(spec: Path) -> None:
    path = spec / "documents" / "d.yaml"
    path.write_text(path.read_text().replace("error", "fault"), encoding="utf-8")
    found = judged(spec)
    (todo,) = alone(found).todo
    assert todo.what == "the cut is not the one that spec/sources.yaml records"
    assert found.code("breaking") == FOUND


def test_some_sources_only(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(spec / "sources.yaml", Client("c", "openai", "1.0"))
    assert [
        each.entry.name for each in drift(spec, online(spec.parent), TODAY, ["d"]).verdicts
    ] == ["d"]
    assert main(["drift", "--source", "e"]) == UNUSABLE
    assert "e: is no source. Name one of: c, d." in capsys.readouterr().err


def headline_of(spec: Path, server: Loopback, text: str) -> str:
    """How the source is told whose document is now `text`."""
    server.put("/d.yaml", Reply(text.encode()))
    return drift_report.headline(alone(judged(spec)))


def test_whether_the_version_moved_too(spec: Path, server: Loopback) -> None:
    said = headline_of(spec, server, MOVED)
    assert said.startswith("d: moved within version 1, sha256 ")
    assert "records it" not in said
    assert headline_of(spec, server, MOVED.replace('"1"', '"2"')).startswith(
        "d: moved to version 2, sha256 "
    )


def test_an_edit_of_prose_is_recorded_by_update(spec: Path, server: Loopback) -> None:
    said = headline_of(spec, server, DOCUMENT.replace("Prose", "Other prose"))
    assert said.endswith("codegen drift --update records it.")
    assert main(["drift", "--update"]) == FINE
    assert alone(judged(spec)).state == "not moved"


def test_no_overlay_mends_an_answer_that_is_cut_short(spec: Path, server: Loopback) -> None:
    for length in (len(MOVED) - 20, len(MOVED) - 200, 300, 3):
        server.put("/d.yaml", Reply(MOVED.encode()[:length]))
        (verdict,) = judged(spec).verdicts
        if verdict.state == "unreadable":
            assert {each.action for each in verdict.errors} == {
                "Run codegen drift again; if it stays so, look at what the URL gives."
            }
