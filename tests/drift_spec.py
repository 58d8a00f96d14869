"""What the tests of drift share: a small spec/ whose document lies on a loopback server, edits of it, and short questions.

Reads nothing by itself; writes below the folder that a test was given. Never asks another machine.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from codegen import drift_data, drift_report
from codegen.cut_command import cut_document
from codegen.drift import drift
from codegen.drift_verdicts import Drift, Verdict
from codegen.fetch import fetch_if_changed
from codegen.http_line import Limits
from codegen.sides import Side, read_side
from codegen.upstream import Network, Online
from tests.loopback import Loopback, Reply, serving
from tests.small_spec import fragment, write_spec

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
ADDED = {
    "target": "$.components.schemas.Hello",
    "update": {"properties": {"n": {"type": "integer"}}},
}
VALUE = {"target": "$.components.schemas.Bye.properties.reason", "update": {"enum": ["stop"]}}
REMOVED = {"target": "$.components.schemas.Hello.required[?@ == 'text']", "remove": True}
FORMATS: dict[str, Callable[[Drift], str]] = {
    "text": drift_report.render_text,
    "markdown": drift_report.render_markdown,
    "github": drift_report.render_github,
    "json": drift_data.render_json,
    "sarif": drift_data.render_sarif,
    "html": drift_data.render_html,
}


@pytest.fixture(name="server")
def server_fixture(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serving() as loopback:
        loopback.put("/d.yaml", Reply(DOCUMENT.encode()))
        yield loopback


@pytest.fixture(name="spec")
def spec_fixture(server: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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


def accepted(spec: Path, *entries: dict[str, str]) -> None:
    text = json.dumps(
        {
            "accepted": [
                {"reason": "Seen.", "who": "us", "events": {"s": "all"}, **each} for each in entries
            ]
        }
    )
    (spec / "accepted.yaml").write_text(text, encoding="utf-8")


def released(version: str, side: Side) -> Side:
    """A side as the release `version` of the client."""
    source = replace(side.catalogue.sources[0], version=version, url=f"pkg:pypi/openai@{version}")
    return replace(side, catalogue=replace(side.catalogue, sources=(source,)))


@pytest.fixture(name="releases")
def releases_fixture(spec: Path, tmp_path: Path) -> dict[str, Side]:
    """The client's sides by name: it had two events in release 1.0 and has three in 2.0."""
    (tmp_path / "old.yaml").write_text(DOCUMENT)
    (tmp_path / "new.yaml").write_text(MOVED)
    old, new = (read_side(f"d={tmp_path / name}.yaml", spec) for name in ("old", "new"))
    return {"sdk:1.0": released("1.0", old), "sdk:newest": released("2.0", new)}
