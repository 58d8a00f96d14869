"""Nothing is fetched or read because a document says so: every way in which one can name something outside of itself."""

from __future__ import annotations

import json
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main
from codegen.documents import parse
from codegen.errors import SpecError
from codegen.http_line import Failure, Limits, Line, Redirects
from tests.hostile import documents
from tests.hostile.test_code import outcome
from tests.loopback import Reply, serving
from tests.small_spec import fragment, write_spec

SECRET = "hunter2-in-a-file"
OUTSIDE = [
    "https://example.org/schema.json", "http://127.0.0.1:1/x", "//example.org/x", "file:///etc/passwd", "file:secret.json", "/etc/passwd",
    "secret.json", "./secret.json", "../secret.json#/x", "secret.json#/components/schemas/A", "ftp://example.org/a", "data:,{}", "#",
    "#/", "#/components/schemas/", "#/components/schemas/A/properties/b", "#/components/schemas/../x", "#/components/parameters/A",
    "#/components/schemas/A%2Fproperties", "#/components/schemas/%2E%2E", "#/components/schemas/..%2f..%2fsecret", "#A", "A", "",
    "urn:uuid:0", "#/components/schemas/~1etc~1passwd", "\\\\host\\share", "jar:file:x!/y", "#/info/title", " #/components/schemas/A",
]  # fmt: skip
PLACES: dict[str, Callable[[str], Any]] = {
    "member": lambda ref: {"anyOf": [{"$ref": ref}]},
    "property": lambda ref: event({"x": {"$ref": ref}}),
    "items": lambda ref: event({"x": {"type": "array", "items": {"$ref": ref}}}),
    "values": lambda ref: event({"x": {"type": "object", "additionalProperties": {"$ref": ref}}}),
    "all of": lambda ref: {"anyOf": [{"allOf": [{"$ref": ref}, event({})]}]},
    "beside": lambda ref: {**event({}), "$ref": ref},
    "mapping": lambda ref: {"anyOf": [event({})], "discriminator": {"propertyName": "type", "mapping": {"e": ref or "/"}}},
}  # fmt: skip


def event(more: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"type": {"const": "e"}, **more}, "required": ["type"]}


def opened(work: Callable[[], object]) -> set[str]:
    """The paths and addresses that `work` opens, found by running it in this process."""
    seen: set[str] = set()
    live = [True]

    def watch(name: str, arguments: tuple[object, ...]) -> None:
        if live[0] and name in (
            "open",
            "socket.connect",
            "socket.getaddrinfo",
            "subprocess.Popen",
            "os.system",
        ):
            seen.add(f"{name} {arguments[0]!s}" if name == "open" else f"{name} {arguments!r}")

    sys.addaudithook(watch)
    try:
        work()
    finally:
        live[0] = False
    return seen


@pytest.mark.parametrize("place", PLACES)
def test_references_out_of_the_document(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.json").write_text(json.dumps({"x": {"description": SECRET}}))

    def all_of_them() -> None:
        for ref in OUTSIDE:
            tree = documents.document({"Ev": PLACES[place](ref), "A": event({})})
            for docs in (False, True):
                if place == "mapping" and ref in ("A", "#A", "#", "secret.json", ""):
                    continue  # a bare name is that of a schema (OpenAPI 3.1, section 4.8.25)
                assert isinstance(outcome(tmp_path, tree, docs), SpecError), (ref, docs)

    seen = opened(all_of_them)
    assert not [
        each
        for each in seen
        if "secret" in each or "passwd" in each or not each.startswith("open ")
    ]


def test_pointers_with_escapes_name_what_they_say(tmp_path: Path) -> None:
    names = ["a/b", "c~d", "e%f", "g h", "~1", "%2F"]
    texts = ["a~1b", "c~0d", "e%25f", "g%20h", "~01", "%252F"]
    members = [{"$ref": "#/components/schemas/" + text} for text in texts]
    schemas = {name: {**event({}), "properties": {"type": {"const": name}}} for name in names}
    found = outcome(tmp_path, documents.document({"Ev": {"anyOf": members}, **schemas}), docs=False)
    assert not isinstance(found, SpecError), str(found)
    assert {each.tag for each in found[0].streams[0].events} == set(names)


TAGS = ["!!python/object/apply:os.system [id]", "!!python/name:os.system", "!!python/module:os x", "!include secret.json", "!ENV x", "!<tag:x> y", "!!binary aGk=", "!!timestamp 2001-01-01", "!!set {a}", "!!omap [a: 1]", "!ref /etc/passwd"]  # fmt: skip


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("text", ["openapi: {}", "? {}\n: 1", "- {}", "a: [{}]", "&x {}"])
def test_tags_are_refused(tag: str, text: str) -> None:
    with pytest.raises(SpecError):
        parse(text.replace("{}", tag).encode(), "f")


EXTENSIONS = {
    "customTypePath": "os.system", "customBasePath": "subprocess.Popen", "x-python-type": "os.system", "x-python-import": {"module": "os", "name": "system"},
    "x-enum-varnames": ["os"], "$id": "http://127.0.0.1:1/a", "$dynamicRef": "file:///etc/passwd", "$schema": "file:///etc/passwd", "$anchor": "x",
    "$defs": {"a": {"$ref": "file:///etc/passwd"}}, "definitions": {"a": {"$ref": "secret.json"}}, "if": {"$ref": "secret.json"}, "contentSchema": {"$ref": "secret.json"},
    "externalDocs": {"url": "file:///etc/passwd"}, "example": {"$ref": "secret.json"}, "unevaluatedProperties": {"$ref": "secret.json"}, "dependentSchemas": {"a": {"$ref": "secret.json"}},
}  # fmt: skip


@pytest.mark.parametrize("docs", [False, True])
@pytest.mark.parametrize("name", EXTENSIONS)
def test_other_keywords_say_nothing(name: str, docs: bool, tmp_path: Path) -> None:
    plain = outcome(tmp_path / "a", documents.plain(), docs)
    tree = documents.plain()
    for schema in tree["components"]["schemas"].values():
        for each in (schema, *schema.get("properties", {}).values()):
            each[name] = EXTENSIONS[name]
    found: Any = []
    seen = opened(lambda: found.append(outcome(tmp_path / "b", tree, docs)))
    assert not [
        each
        for each in seen
        if "secret" in each or "passwd" in each or not each.startswith("open ")
    ]
    assert not isinstance(plain, SpecError) and found[0][1] == plain[1]


def test_the_same_checks_hold_for_diff(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_spec(tmp_path, json.dumps(documents.plain()), [fragment()])
    tree = documents.plain()
    tree["components"]["schemas"]["Part"]["properties"]["name"] = {"$ref": "file:///etc/passwd"}
    (tmp_path / "old.json").write_text(json.dumps(documents.plain()))
    (tmp_path / "new.json").write_text(json.dumps(tree))
    assert main(["diff", "old.json", "new.json"]) == 2
    assert "file:///etc/passwd is not of the form" in capsys.readouterr().err


REDIRECTS = ["file:///etc/passwd", "ftp://example.org/x", "data:text/plain,x", "http://example.org/", "gopher://x/", "HTTP://example.org", "javascript:1"]  # fmt: skip


@pytest.mark.parametrize("url", REDIRECTS)
def test_redirects_from_https_to_another_scheme(url: str) -> None:
    import io
    import urllib.request
    from http.client import HTTPMessage

    request = urllib.request.Request("https://example.org/a")
    with pytest.raises(Failure, match="is not followed"):
        Redirects().redirect_request(request, io.BytesIO(), 302, "Found", HTTPMessage(), url)


PRIVATE = ["127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "::1", "fe80::1%eth0", "fd00::1", "::ffff:10.0.0.1", "100.64.0.1", "localhost", "LOCALHOST.", "::"]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_redirects_from_a_public_to_a_private_address(address: str) -> None:
    line = Line(1e12, Limits())
    line.require_public("93.184.216.34")
    with pytest.raises(Failure, match="private address"):
        line.require_public(address)


PRIVATE_INSIDE = ["64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2002:a00:1::1", "::127.0.0.1", "::ffff:0:127.0.0.1", "2001:0:4136:e378:8000:63bf:f5ff:fffe", "fec0::1", "ff02::1", "64:ff9b:1::1"]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE_INSIDE)
def test_addresses_that_lead_to_private_ones(address: str) -> None:
    line = Line(1e12, Limits())
    line.require_public("93.184.216.34")
    with pytest.raises(Failure, match="private address"):
        line.require_public(address)


SPELLINGS = ["127.0.0.1", "%31%32%37.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "%6Cocalhost", "localhost", "localhost.", "LocalHost", "x.localhost", "１２７.0.0.1", "127。0。0。1"]  # fmt: skip


@pytest.mark.parametrize("proxy", [False, True])
@pytest.mark.parametrize("host", SPELLINGS)
def test_a_private_address_in_other_spellings(
    host: str, proxy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first address was public, as far as the line knows; the server stands on this machine."""
    with serving() as server:
        url = server.put("/d", Reply(b"secret"))
        monkeypatch.setattr(
            "urllib.request.getproxies", lambda: {"http": server.address} if proxy else {}
        )
        port = url.split(":")[2]
        line = Line(time.monotonic() + 20, Limits())
        line.require_public("93.184.216.34")
        with pytest.raises((Failure, OSError, ValueError)):
            with line, line.open(urllib.request.Request(f"http://{host}:{port}")):
                pass
        assert server.requests == []


def test_a_server_cannot_redirect_to_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_spec(tmp_path, json.dumps(documents.plain()))
    with serving() as server:
        url = server.put(
            "/d",
            Reply(status=302, headers={"Location": f"file://{tmp_path}/spec/documents/d.yaml"}),
        )
        into = str(tmp_path / "spec" / "documents")
        assert main(["cut", url, "--name", "d", "--into", into]) == 2
    assert "is not allowed" in capsys.readouterr().err
