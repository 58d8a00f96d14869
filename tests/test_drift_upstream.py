"""Drift of what was kept and of a client's releases.

Reads small specifications that the tests write, a server on the loopback interface, and sides that stand for releases. Never asks
the registry.
"""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from codegen.__main__ import main
from codegen.drift import drift
from codegen.drift_update import update
from codegen.drift_verdicts import FINE, FOUND, UNUSABLE
from codegen.errors import SpecError
from codegen.sides import Side
from codegen.sources import Client, read_watched, record
from codegen.upstream import Offline
from tests.drift_spec import (
    DOCUMENT,
    MOVED,
    TODAY,
    alone,
    ids,
    judged,
    online,
    releases_fixture,
    server_fixture,
    spec_fixture,
)
from tests.loopback import Loopback, Reply


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
