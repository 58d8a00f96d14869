"""Drift: each source moved, not moved, unreachable or unreadable, and what has to be done about it.

Reads small specifications that the tests write and a server on the loopback interface; once the committed specification with whole
upstream documents. Expected values follow from the edits that a test makes. Never asks another machine.
"""

from __future__ import annotations

import datetime
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic_sarif.model import (  # type: ignore[import-untyped]
    StaticAnalysisResultsFormatSarifVersion210JsonSchema as Sarif,
)
from referencing import Registry, Resource

from codegen import drift_data, drift_report
from codegen.__main__ import main
from codegen.cut_command import cut_document
from codegen.documents import read_text
from codegen.drift import FINE, FOUND, UNUSABLE, Drift, Verdict, drift
from codegen.drift_update import update
from codegen.errors import SpecError
from codegen.fetch import fetch_if_changed
from codegen.http_line import Limits
from codegen.sides import Side, read_side
from codegen.sources import Client, Entry, read_watched, record
from codegen.upstream import Network, Offline, Online
from tests.loopback import Loopback, Reply, serving
from tests.shared import shared
from tests.small_spec import fragment, write_spec

ROOT = Path(__file__).resolve().parent.parent
TODAY = datetime.date(2026, 3, 1)
DOCUMENT = """\
openapi: 3.1.0
info: {title: Small, version: "1"}
paths: {}
components:
  schemas:
    Ev:
      anyOf:
        - $ref: "#/components/schemas/Hello"
        - $ref: "#/components/schemas/Bye"
    Hello:
      type: object
      description: Prose of the document.
      required: [type, text]
      properties:
        type: {const: hello}
        text: {type: string}
    Bye:
      type: object
      required: [type, reason]
      properties:
        type: {const: bye}
        reason: {type: string, enum: [end, error]}
"""
NEW_EVENT = """\
    Wait:
      type: object
      required: [type]
      properties: {type: {const: wait}}
"""
MOVED = (
    DOCUMENT.replace("    Hello:\n", '        - $ref: "#/components/schemas/Wait"\n    Hello:\n', 1)
    + NEW_EVENT
)
ENTRY = {"family": "text", "sentence": "A word.", "provenance": "documented", "rule": ["ignore"]}
FRAGMENT = fragment(events={"hello": ENTRY, "bye": ENTRY})
FORMATS: dict[str, Callable[[Drift], str]] = {
    "text": drift_report.render_text,
    "markdown": drift_report.render_markdown,
    "github": drift_report.render_github,
    "json": drift_data.render_json,
    "sarif": drift_data.render_sarif,
    "html": drift_data.render_html,
}


@pytest.fixture(name="server")
def _server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serving() as loopback:
        loopback.put("/d.yaml", Reply(DOCUMENT.encode()))
        yield loopback


@pytest.fixture(name="spec")
def _spec(server: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder spec/ whose document was cut from what the server has; the working folder is the one above."""
    spec = write_spec(tmp_path, DOCUMENT, [FRAGMENT])
    url = f"{server.address}/d.yaml"
    cut_document(url, "d", spec / "documents", date="2026-02-01")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return spec


def online(tmp: Path, limits: Limits = Limits(), client: Any = None) -> Online:
    """The network with limits of a test; nothing may be asked of the registry unless `client` answers it."""
    ask = client or (lambda name, spec: pytest.fail(f"the registry is asked for {name}"))
    network = Network(lambda url, etag: fetch_if_changed(url, etag, limits), ask)
    return Online(tmp / "kept", network)


def judged(spec: Path, limits: Limits = Limits()) -> Drift:
    """The drift of a folder spec/ on the day of the tests."""
    return drift(spec, online(spec.parent, limits), TODAY)


def alone(found: Drift) -> Verdict:
    """The verdict of the only source."""
    (verdict,) = found.verdicts
    return verdict


def ids(verdict: Verdict) -> list[str]:
    """Ids of the changes that count."""
    return [change.id for change in verdict.changes]


def overlay(*actions: dict[str, Any]) -> str:
    """The text of an overlay for the document `d`."""
    head = {"overlay": "1.0.0", "info": {"title": "A correction", "version": "1"}}
    return json.dumps({**head, "x-document": "d", "actions": list(actions)})


def put_overlay(spec: Path, *actions: dict[str, Any]) -> None:
    (spec / "overlays" / "0.yaml").write_text(overlay(*actions), encoding="utf-8")


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
    assert todo.action.startswith("Add under `events`: 'wait': {family: …, ")
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
        assert (found.code("breaking"), found.code("none")) == (FOUND if quiet else FINE, FINE)
    record(path, replace(entry, expected_every="14d"))
    said = "d: has not moved for 28 days, though expected to every 14"
    for name, render in FORMATS.items():
        assert said.removeprefix("d: ") in render(judged(spec)), name


ADDED = {
    "target": "$.components.schemas.Hello",
    "update": {"properties": {"n": {"type": "integer"}}},
}
VALUE = {"target": "$.components.schemas.Bye.properties.reason", "update": {"enum": ["stop"]}}
REMOVED = {"target": "$.components.schemas.Hello.required[?@ == 'text']", "remove": True}


def test_overlays_that_still_fit_say_nothing(spec: Path, server: Loopback) -> None:
    put_overlay(spec, ADDED, VALUE, REMOVED)
    server.put("/d.yaml", Reply(MOVED.encode()))
    assert ids(alone(judged(spec))) == ["event-added/wait"]
    assert [each.what for each in alone(judged(spec)).todo if "rule" not in each.what] == []


@pytest.mark.parametrize(
    "action, old, new, said",
    [
        (ADDED, "{type: string}\n    Bye", "{type: string}\n        n: {type: integer, minimum: 0}\n    Bye", "is now in the document"),
        (VALUE, "[end, error]", "[stop, end, error]",  "is now in the document"),
        (REMOVED, "[type, text]", "[type]", "matches nothing in document d"),
        (ADDED, "Hello", "Hallo", "matches nothing in document d"),
    ],
    ids=["field", "value", "removal", "renamed target"],
)  # fmt: skip
def test_an_overlay_that_upstream_caught_up_with(
    spec: Path, server: Loopback, action: dict[str, Any], old: str, new: str, said: str
) -> None:
    put_overlay(spec, action)
    server.put("/d.yaml", Reply(DOCUMENT.replace(old, new).encode()))
    found = judged(spec)
    (todo,) = alone(found).todo
    assert said in todo.what and "overlays/0.yaml:1 (#/actions/0)" in todo.where
    assert todo.action.startswith("Remove the action")
    assert found.code("breaking") == FOUND


def test_the_same_change_upstream_and_in_an_overlay_is_no_change(
    spec: Path, server: Loopback
) -> None:
    put_overlay(spec, VALUE)
    server.put("/d.yaml", Reply(DOCUMENT.replace("[end, error]", "[end, error, stop]").encode()))
    assert ids(alone(judged(spec))) == []


def test_an_overlay_that_clashes_is_told_and_the_rest_compared(
    spec: Path, server: Loopback
) -> None:
    other = {
        "Later": {"type": "object", "required": ["type"], "properties": {"type": {"const": "wait"}, "n": {"type": "integer"}}}
    }  # fmt: skip
    put_overlay(
        spec,
        {"target": "$.components.schemas", "update": other},
        {
            "target": "$.components.schemas.Ev",
            "update": {"anyOf": [{"$ref": "#/components/schemas/Later"}]},
        },
    )
    server.put("/d.yaml", Reply(MOVED.encode()))
    verdict = alone(judged(spec))
    assert (verdict.state, ids(verdict)) == ("moved", ["event-added/wait"])
    clash = [each.what for each in verdict.todo if each.what.startswith("with our overlays: ")]
    assert len(clash) == 1 and "have the tag 'wait'" in clash[0]


def test_an_overlay_that_does_not_fit_our_own_cut_is_an_error(spec: Path) -> None:
    put_overlay(spec, {"target": "$.components.schemas.None", "remove": True})
    with pytest.raises(SpecError, match="matches nothing in document d"):
        judged(spec)


def accepted(spec: Path, *entries: dict[str, str]) -> None:
    text = json.dumps({"accepted": [{"reason": "Seen.", "who": "us", **each} for each in entries]})
    (spec / "accepted.yaml").write_text(text, encoding="utf-8")


def test_accepted_changes(spec: Path, server: Loopback) -> None:
    server.put("/d.yaml", Reply(DOCUMENT.replace("[end, error]", "[end, error, stop]").encode()))
    (change,) = alone(judged(spec)).changes
    accepted(spec, {"id": change.id}, {"id": "event-removed/gone"})
    found = judged(spec)
    assert ids(alone(found)) == []
    assert [entry.id for entry in found.unmatched] == ["event-removed/gone"]
    assert found.code("any") == FINE
    for name, render in FORMATS.items():
        if name != "sarif":
            assert "event-removed/gone" in render(found), name
    accepted(spec, {"id": change.id, "until": "2026-02-28"})
    assert (judged(spec).code("any"), judged(spec).unmatched) == (FOUND, ())


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


def test_update_takes_over_what_moved(spec: Path, server: Loopback) -> None:
    text = MOVED.replace('version: "1"', 'version: "2"')
    server.put("/d.yaml", Reply(text.encode(), etag='"2"'))
    (old,) = read_watched(spec / "sources.yaml")
    record(spec / "sources.yaml", replace(old, expected_every="9d"))
    commented = "# A comment.\n" + (spec / "sources.yaml").read_text()
    (spec / "sources.yaml").write_text(commented, encoding="utf-8")
    out = spec.parent / "generated"
    assert main(["drift", "--update", "--fail-on", "none"]) == FINE
    (entry,) = read_watched(spec / "sources.yaml")
    assert isinstance(entry, Entry)
    assert (entry.version, entry.etag, entry.expected_every) == ("2", '"2"', "9d")
    assert entry.date == datetime.date.today().isoformat()
    assert entry.command == f"codegen cut {server.address}/d.yaml --name d"
    assert (spec / "sources.yaml").read_text().startswith("# A comment.\nsources:\n")
    assert "class Wait" in (out / "stream_events/s/events.py").read_text()
    found = judged(spec)
    assert (alone(found).state, found.code("any")) == ("not moved", FOUND)  # the tag has no rule


def test_update_that_cannot_generate_ends_with_2(
    spec: Path, server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    server.put("/d.yaml", Reply(DOCUMENT.replace("    Ev:", "    Other:").encode()))
    before = (spec / "documents" / "d.yaml").read_bytes()
    assert main(["drift", "--update", "--fail-on", "none"]) == UNUSABLE
    assert "the root schema Ev is not in components.schemas" in capsys.readouterr().err
    assert (spec / "documents" / "d.yaml").read_bytes() == before


def test_offline_reads_what_the_last_run_kept(spec: Path, server: Loopback) -> None:
    server.put("/d.yaml", Reply(MOVED.encode(), etag='"2"'))
    assert main(["drift"]) == FOUND
    kept = spec.parent / "cache" / "codegen" / "upstream"
    assert (kept / "d.document").read_bytes() == MOVED.encode()  # in XDG_CACHE_HOME
    asked = len(server.requests)
    server.put("/d.yaml", Reply(status=404))
    assert main(["drift", "--offline"]) == FOUND
    assert ids(alone(drift(spec, Offline(kept), TODAY))) == ["event-added/wait"]
    assert len(server.requests) == asked
    (kept / "d.document").write_bytes(DOCUMENT.encode())  # is not what the cache says it is
    assert main(["drift", "--offline", "--fail-on", "none"]) == UNUSABLE


def test_the_kept_document_is_used_where_its_etag_holds(spec: Path, server: Loopback) -> None:
    server.put("/d.yaml", Reply(MOVED.encode(), etag='"2"'))
    first, again = judged(spec), judged(spec)
    assert ids(alone(first)) == ids(alone(again)) == ["event-added/wait"]
    assert server.requests[-1][1]["If-None-Match"] == '"2"'


def test_a_relative_cache_home_is_not_one(
    spec: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # XDG Base Directory Specification: ignore it
    monkeypatch.setenv("HOME", str(spec.parent / "home"))
    assert main(["drift"]) == FINE
    assert (spec.parent / "home/.cache/codegen/upstream/d.document").exists()


def test_some_sources_only(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(spec / "sources.yaml", Client("c", "openai", "1.0"))
    assert [
        each.entry.name for each in drift(spec, online(spec.parent), TODAY, ["d"]).verdicts
    ] == ["d"]
    assert main(["drift", "--source", "e"]) == UNUSABLE
    assert "e: is no source. Name one of: c, d." in capsys.readouterr().err


def released(version: str, side: Side) -> Side:
    """A side as the release `version` of the client."""
    source = replace(side.catalogue.sources[0], version=version, url=f"pkg:pypi/openai@{version}")
    return replace(side, catalogue=replace(side.catalogue, sources=(source,)))


@pytest.fixture(name="releases")
def _releases(spec: Path, tmp_path: Path) -> dict[str, Side]:
    """The client's sides by name: it had two events in release 1.0 and has three in 2.0."""
    (tmp_path / "old.yaml").write_text(DOCUMENT)
    (tmp_path / "new.yaml").write_text(MOVED)
    old, new = (read_side(f"d={tmp_path / name}.yaml", spec) for name in ("old", "new"))
    return {"sdk:1.0": released("1.0", old), "sdk:newest": released("2.0", new)}


def test_a_client_that_moved(spec: Path, releases: dict[str, Side]) -> None:
    path = spec / "sources.yaml"
    record(path, Client("c", "openai", "1.0", "2026-02-01", "14d"))
    upstream = online(spec.parent, client=lambda name, _: releases[name])
    found = drift(spec, upstream, TODAY)
    client, document = found.verdicts
    assert (client.state, ids(client), client.found) == (
        "moved",
        ["event-added/wait"],
        "version 2.0",
    )
    assert document.state == "not moved"
    assert [found.code(level) for level in ("breaking", "dangerous")] == [FINE, FOUND]
    offline = drift(spec, Offline(upstream.cache, upstream.network), TODAY)
    assert ids(offline.verdicts[0]) == ["event-added/wait"]
    assert update(found, spec, TODAY) == ["c: 2.0 is recorded as looked at"]
    entry = read_watched(path)[0]
    assert entry == Client("c", "openai", "2.0", "2026-03-01", "14d")
    later = drift(spec, upstream, TODAY + datetime.timedelta(15))
    assert later.verdicts[0].state == "not moved"
    assert later.verdicts[0].quiet == "has not moved for 15 days, though expected to every 14"


def test_a_client_that_cannot_be_had(spec: Path) -> None:
    record(spec / "sources.yaml", Client("c", "openai", "1.0"))

    def refuse(name: str, spec: Path) -> Side:
        raise SpecError([])

    found = drift(spec, online(spec.parent, client=refuse), TODAY)
    assert [each.state for each in found.verdicts] == ["unreachable", "not moved"]
    assert found.code("none") == UNUSABLE
    offline = drift(spec, Offline(spec.parent / "nothing"), TODAY)
    assert [each.state for each in offline.verdicts] == ["unreachable", "unreachable"]
    record(spec / "sources.yaml", Client("c", "other", "1.0"))
    assert judged(spec).verdicts[0].errors[0].what == "the types of other cannot be read"


class Page(HTMLParser):
    """What a page would load, its headings, and the pages within it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.pages: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect."""
        values = dict(attrs)
        self.loaded += [f"{tag} {key}" for key in ("src", "href") if values.get(key, "#")[:1] != "#"]  # type: ignore[index]
        self.pages += [values["srcdoc"] or ""] if "srcdoc" in values else []


@pytest.fixture(name="mixed")
def _mixed(spec: Path, server: Loopback, releases: dict[str, Side]) -> Drift:
    """One source that moved, one that did not answer, one that has not moved."""
    moved = alone_of(spec, server, Reply(MOVED.encode()))
    failed = alone_of(spec, server, Reply(status=404))
    still = alone_of(spec, server, Reply(DOCUMENT.encode()))
    return Drift((moved, failed, still))


def alone_of(spec: Path, server: Loopback, reply: Reply) -> Verdict:
    server.put("/d.yaml", reply)
    return alone(judged(spec))


def test_text_fits_100_columns(mixed: Drift) -> None:
    text = drift_report.render_text(mixed)
    assert max(map(len, text.splitlines())) <= 100
    assert "event wait added" in text and "d: not moved since 2026-02-01" in text
    assert text.count("\x1b") == 0


def test_json_is_as_its_schema_says(mixed: Drift) -> None:
    folder = ROOT / "codegen"
    schema, inner = (
        json.loads((folder / f"{name}.schema.json").read_text()) for name in ("drift", "changes")
    )
    registry: Registry[Any] = Registry().with_resource(
        "changes.schema.json", Resource.from_contents(inner)
    )
    value = json.loads(drift_data.render_json(mixed))
    jsonschema.Draft202012Validator(schema, registry=registry).validate(value)
    assert [each["state"] for each in value["sources"]] == ["moved", "unreachable", "not moved"]
    assert value["sources"][0]["comparison"]["changes"][0]["id"] == "event-added/wait"


def test_sarif_is_valid(mixed: Drift) -> None:
    runs = Sarif.model_validate_json(drift_data.render_sarif(mixed)).runs
    assert [len(run.results) for run in runs] == [1, 0, 0]
    assert [run.invocations[0].executionSuccessful for run in runs] == [True, False, True]


def test_the_page_needs_no_network(mixed: Drift) -> None:
    page = Page(drift_data.render_html(mixed))
    assert page.loaded == [] and len(page.pages) == 1
    assert Page(page.pages[0]).loaded == [] and "event wait added" in page.pages[0]


def test_markdown_fits_an_issue(mixed: Drift) -> None:
    text = drift_report.render_markdown(Drift(mixed.verdicts * 300))
    assert len(text) < 65_536 and text.endswith("run `codegen drift`.\n")
    assert "### 🟠 dangerous (1)" in drift_report.render_markdown(mixed)


def test_annotations_are_one_line_each(mixed: Drift) -> None:
    lines = drift_report.render_github(mixed).splitlines()
    assert sum(line.startswith("::error") for line in lines) == 2
    assert any(line.startswith("::warning title=to do::") for line in lines)


def test_output_goes_to_a_file_and_a_summary_is_printed(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["drift", "--format", "markdown", "--output", "drift.md"]) == FINE
    assert Path("drift.md").read_text().startswith("# Drift\n")
    assert capsys.readouterr().out == "d: not moved since 2026-02-01\n"


@pytest.fixture(name="real")
def _real(server: Loopback, tmp_path: Path) -> Path:
    """The committed spec/, its document of OpenAI looked for on the server."""
    spec = tmp_path / "real" / "spec"
    shutil.copytree(ROOT / "spec", spec)
    for entry in read_watched(spec / "sources.yaml"):
        if entry.name == "openai" and isinstance(entry, Entry):
            url = f"{server.address}/openapi.yaml"
            record(spec / "sources.yaml", replace(entry, url=url, expected_every=""))
    return spec


def test_the_real_document_unchanged(real: Path, server: Loopback) -> None:
    data = shared("upstream/openai-2026-08-21.yaml").read_bytes()
    server.put("/openapi.yaml", Reply(data))
    found = drift(real, online(real.parent), TODAY, ["openai"])
    assert (alone(found).state, alone(found).todo) == ("not moved", ())


def test_the_real_document_with_other_prose(real: Path, server: Loopback) -> None:
    data = shared("upstream/openai-2026-08-21.yaml").read_bytes()
    server.put("/openapi.yaml", Reply(data + b"# The same again.\n"))
    found = drift(real, online(real.parent), TODAY, ["openai"])
    assert (alone(found).state, ids(alone(found)), alone(found).todo) == ("moved", [], ())


def test_the_real_document_of_a_week_before(real: Path, server: Loopback) -> None:
    data = shared("upstream/openai-2026-08-14.yaml").read_bytes()
    server.put("/openapi.yaml", Reply(data))
    found = drift(real, online(real.parent), TODAY, ["openai"])
    kinds = [change.kind for change in alone(found).changes]
    removed = {change.subject for change in alone(found).changes if change.kind == "event-removed"}
    assert removed == {  # the shell events came on 2026-08-21
        "response.shell_call_command.added",
        "response.shell_call_command.delta",
        "response.shell_call_command.done",
        "response.shell_call_output_content.delta",
        "response.shell_call_output_content.done",
    }
    assert kinds[0] == "event-removed" and found.code("breaking") == FOUND


@pytest.mark.parametrize(
    "entry, what",
    [
        ("{name: c, kind: other}", "`kind` is 'other', and neither document nor client"),
        ("{name: c, kind: client, package: openai}", "`version` is None"),
        ("{name: c, kind: client, package: -x, version: '1'}", "`package` is '-x'"),
        ("{name: c, kind: client, package: o, version: '1', url: u}", "`url` is not a key of a source"),
        ("{name: c, kind: client, package: o, version: '1', expected_every: 2w}", "`expected_every` is '2w'"),
        ("{name: d, kind: document, etag: abc}", "`etag` is 'abc'"),
    ],
)  # fmt: skip
def test_sources_with_faults(tmp_path: Path, entry: str, what: str) -> None:
    path = tmp_path / "sources.yaml"
    path.write_text(f"sources:\n- {entry}\n", encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        read_watched(path)
    assert what in [finding.what for finding in caught.value.findings]


def test_recording_what_is_there_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "sources.yaml"
    shutil.copy(ROOT / "spec" / "sources.yaml", path)
    before = path.read_bytes()
    for entry in read_watched(path):
        record(path, entry)
    assert path.read_bytes() == before
