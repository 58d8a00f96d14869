"""The site of the reference: that it is whole, loads nothing from elsewhere, and takes no folder that is not its own.

Reads spec/ and generated/reference/; builds the site once for the whole run, in a temporary folder. Never opens a browser.
"""

from __future__ import annotations

import fcntl
import json
import os
import posixpath
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from codegen import docs
from codegen.__main__ import main
from codegen.commands.docs import STAMP
from codegen.emit.reference_pages import Pages
from codegen.load import load
from codegen.resolve import resolve

ROOT = Path(__file__).resolve().parent.parent
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
"""Elements that a browser fetches something for, by the attribute that says what."""
NEVER_FETCHED = {"canonical", "next", "prev"}
"""Relations of a link that only name another page."""


class Page(HTMLParser):
    """What a page links to, what it loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if found.get("rel") not in NEVER_FETCHED and LOADED.get(tag, "") in found:
            self.loads.append(found[LOADED[tag]])

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; the first process of the run that wants it builds it, the others wait."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    out = shared / "reference-site"
    with (shared / "reference-site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not out.exists():
            spec, measured = str(ROOT / "spec"), str(ROOT / "generated/reference")
            assert main(["docs", "--spec", spec, "--measured", measured, "--out", str(out)]) == 0
    return out


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    return {
        path.relative_to(site).as_posix(): Page(path.read_text(encoding="utf-8"))
        for path in sorted(site.rglob("*.html"))
    }


def places(page: str, links: list[str]) -> Iterator[tuple[str, str]]:
    """Path below the site and anchor of each link that stays within it."""
    for link in links:
        parts = urlsplit(link)
        if not parts.scheme and not parts.netloc:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(parts.path)))
            yield (path if parts.path else page), unquote(parts.fragment)


def test_every_link_and_anchor_leads_somewhere(site: Path, pages: dict[str, Page]) -> None:
    assert len(pages) > 300
    for name, page in pages.items():
        for path, anchor in places(name, [*page.links, *page.loads]):
            assert (site / path).is_file(), f"{name} links to {path}"
            if anchor and path.endswith(".html"):
                assert anchor in pages[path].anchors, f"{name} links to {path}#{anchor}"


def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        for address in page.loads:
            assert not re.match(r"[a-z]+:|//", address), f"{name} loads {address}"
    for path in site.rglob("*.css"):
        found = re.findall(r"(?:url\(|@import)\s*[\"']?([^\"')\s]+)", path.read_text())
        assert [each for each in found if not each.startswith(("data:", "#"))] == [], path.name


def test_every_event_has_a_page_with_its_fields_and_is_found(
    site: Path, pages: dict[str, Page]
) -> None:
    catalogue = resolve(load(ROOT / "spec"))
    index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))
    titles = {(entry["location"], entry["title"]) for entry in index["docs"]}
    paths = Pages(catalogue)
    for package in catalogue.packages:
        for stream in package.streams:
            for event in stream.events:
                path = paths.event(stream, event).removesuffix(".md") + ".html"
                assert (path, f"<code>{event.tag}</code>") in titles or (path, event.tag) in titles
                for field in package.model(event.model).fields:
                    if field.name != stream.lane and field.name in {
                        s.lane for s in package.streams
                    }:
                        continue
                    assert field.name in pages[path].text, (path, field.name)


def test_search_has_what_it_needs_without_a_server(site: Path) -> None:
    as_json = (site / "search/search_index.json").read_text(encoding="utf-8")
    assert (site / "search/search_index.js").read_text(encoding="utf-8").endswith(as_json)
    assert docs.WORKER in (site / "index.html").read_text(encoding="utf-8")


def test_a_site_is_built_anew_over_itself_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def build(*_: object) -> dict[str, bytes]:
        return dict(made)

    monkeypatch.setattr(docs, "build_site", build)
    made = {"index.html": b"1", "old/page.html": b"1"}
    out = tmp_path / "site"
    command = ["docs", "--spec", str(ROOT / "spec"), "--stream", "chat", "--out", str(out)]
    assert main(command) == 0
    (out / "mine.txt").write_text("mine")
    made = {"index.html": b"2"}
    assert main(command) == 0
    assert (out / "index.html").read_bytes() == b"2"
    assert not (out / "old/page.html").exists()
    assert (out / "mine.txt").read_text() == "mine"
    (out / STAMP).unlink()
    assert main(command) == 2
    assert "is not a site that codegen docs built" in capsys.readouterr().err
    assert (out / "index.html").read_bytes() == b"2"


def test_only_some_streams_and_nothing_measured(tmp_path: Path) -> None:
    out = tmp_path / "site"
    nowhere = str(tmp_path / "nowhere")
    command = ["docs", "--spec", str(ROOT / "spec"), "--stream", "chat", "--measured", nowhere]
    assert main([*command, "--out", str(out)]) == 0
    assert (out / "streams/chat/chat.completion.chunk.html").is_file()
    assert not (out / "streams/responses").exists()
    assert "make bench" in (out / "performance.html").read_text(encoding="utf-8")


def test_without_mkdocs_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(docs, "find_spec", lambda name: None)
    command = ["docs", "--spec", str(ROOT / "spec"), "--stream", "chat"]
    assert main([*command, "--out", str(tmp_path / "site")]) == 2
    assert "pip install 'stream-events-codegen[docs]'" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


def test_a_link_that_leads_nowhere_is_an_error() -> None:
    with pytest.raises(docs.SpecError) as error:
        docs.build_site(
            {"README.md": "# Page\n\n[there](nowhere.md)\n"}, {}, [{"Page": "README.md"}]
        )
    assert "nowhere.md" in str(error.value.findings[0])
