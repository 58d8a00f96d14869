"""The newest version of a source, from the network or from the cache.

Reads a URL (with the ETag of what is known) or the registry; returns what is there now, and keeps it in the cache folder.
Never writes into a repository: whole upstream documents stay out of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codegen import snapshot_text
from codegen.documents import parse, shown
from codegen.errors import Finding, SpecError
from codegen.fetch import PATIENT, Answer, fetch_if_changed
from codegen.sdk_install import NEWEST, cache_folder
from codegen.sides import Side, read_side
from codegen.sources import Client, Entry, replace_file


@dataclass(frozen=True)
class Upstream:
    """A document as it is upstream now: `data` is None where it is still the one that our cut was made of."""

    data: bytes | None
    etag: str = ""


@dataclass(frozen=True)
class Network:
    """How upstream is asked. `get`: a URL and a known ETag to an answer; `client`: a side's name to the side."""

    get: Callable[[str, str], Answer] = lambda url, etag: fetch_if_changed(url, etag, PATIENT)
    client: Callable[[str, Path], Side] = read_side


def default_cache() -> Path:
    """The folder in the user's cache, which XDG_CACHE_HOME moves (XDG Base Directory Specification)."""
    return cache_folder().parent / "upstream"


@dataclass(frozen=True)
class Online:
    """Asks the network, and keeps the answers in the folder `cache`."""

    cache: Path = field(default_factory=default_cache)
    network: Network = Network()

    def document(self, entry: Entry) -> Upstream:
        """The document now; SpecError where it cannot be had."""
        kept = _kept(self.cache, entry)
        etag = kept.etag if kept else entry.etag
        answer = self.network.get(entry.url, etag)
        if answer.data is None:
            return _unless_known(kept.data if kept else None, entry, answer.etag)
        _keep(self.cache, entry, answer.data, answer.etag)
        return _unless_known(answer.data, entry, answer.etag)

    def client(self, entry: Client, spec: Path) -> Side:
        """The newest release as a side; SpecError where it cannot be had."""
        side = self.network.client(f"sdk:{NEWEST}", spec)
        text = snapshot_text.text(side.label, side.catalogue, side.date, side.written)
        replace_file(_path(self.cache, entry.name, ".json"), text.encode())
        return side

    def recorded(self, entry: Client, spec: Path) -> Side:
        """The release that was last looked at; the installed one where it is that."""
        installed = _installed(entry.package)
        name = "sdk" if installed == entry.version else f"sdk:{entry.version}"
        return self.network.client(name, spec)


@dataclass(frozen=True)
class Offline(Online):
    """Reads what an earlier run left in the cache."""

    def document(self, entry: Entry) -> Upstream:
        """The document as it was last fetched; SpecError where it never was."""
        kept = _kept(self.cache, entry)
        if kept is None:
            raise _not_cached(entry.url, self.cache)
        return _unless_known(kept.data, entry, kept.etag)

    def client(self, entry: Client, spec: Path) -> Side:
        """The newest release as it was last read; SpecError where none ever was."""
        path = _path(self.cache, entry.name, ".json")
        try:
            data = path.read_bytes()
        except OSError:
            raise _not_cached(entry.package, self.cache) from None
        return Side(*snapshot_text.read(parse(data, shown(path)), shown(path)))


@dataclass(frozen=True)
class _Kept:
    data: bytes
    etag: str


def _unless_known(data: bytes | None, entry: Entry, etag: str) -> Upstream:
    if data is None or hashlib.sha256(data).hexdigest() == entry.sha256:
        return Upstream(None, etag)
    return Upstream(data, etag)


def _kept(cache: Path, entry: Entry) -> _Kept | None:
    """What the cache has of the URL; None where it has nothing, or something else than it says."""
    try:
        data = _path(cache, entry.name, ".document").read_bytes()
        about: Any = json.loads(_path(cache, entry.name, ".json").read_bytes())
        whole = about["sha256"] == hashlib.sha256(data).hexdigest()
        return _Kept(data, str(about["etag"])) if whole and about["url"] == entry.url else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _keep(cache: Path, entry: Entry, data: bytes, etag: str) -> None:
    digest = hashlib.sha256(data).hexdigest()
    about = {"url": entry.url, "etag": etag, "sha256": digest}
    replace_file(_path(cache, entry.name, ".document"), data)
    replace_file(_path(cache, entry.name, ".json"), json.dumps(about).encode())


def _path(cache: Path, name: str, suffix: str) -> Path:
    return cache / f"{name}{suffix}"


def _installed(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _not_cached(where: str, cache: Path) -> SpecError:
    what = f"the cache in {cache} has nothing of it"
    return SpecError([Finding(where, what, "Run once without --offline.")])
