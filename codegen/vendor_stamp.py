"""The stamp of a copy: what it was made from, and the hash of every file of it.

Reads and returns VENDORED.json as a record. Never believes a path in it that leads out of the copy.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from codegen.errors import Finding, SpecError
from codegen.vendor_imports import Source

STAMP = "VENDORED.json"
ABOUT = "Copied by `codegen vendor`: do not edit, run it again. `codegen vendor --check` tells whether this is current."


@dataclass(frozen=True)
class Stamp:
    """What a copy was made from.

    generator  version of the generator
    sources    documents that the package was generated from
    chosen     names of the streams that were asked for; None where all were
    streams    names of the streams that the copy has
    files      path below the copy → SHA-256 of its text
    """

    generator: str
    sources: tuple[Source, ...]
    chosen: tuple[str, ...] | None
    streams: tuple[str, ...]
    files: Mapping[str, str]

    def text(self) -> bytes:
        """As the file holds it: the same for the same copy, on any machine and any day."""
        value = {
            "about": ABOUT,
            "generator": self.generator,
            "sources": [source._asdict() for source in self.sources],
            "chosen": "all" if self.chosen is None else list(self.chosen),
            "streams": list(self.streams),
            "files": dict(sorted(self.files.items())),
        }
        return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


def digest(data: bytes) -> str:
    """SHA-256 of a text with its line ends as they are in the package: a checkout may have made others of them."""
    return hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest()


def read_stamp(folder: Path) -> Stamp | None:
    """The stamp in a folder; None where there is none. SpecError where it is not one."""
    path = folder / STAMP
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _unusable(path, f"cannot be read ({error.strerror})") from None
    try:
        return _stamp(json.loads(data))
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        raise _unusable(path, "is not what codegen vendor writes") from None


def _stamp(value: Any) -> Stamp:
    """The record of a JSON value. Raises what the shape of the value brings about; ValueError for a path that leads out."""
    files = {str(path): str(sha256) for path, sha256 in value["files"].items()}
    for path in files:
        parts = PurePosixPath(path).parts
        if not parts or path.startswith("/") or {"..", "\\", ":"} & {*parts, *path}:
            raise ValueError(path)
    chosen = value["chosen"]
    return Stamp(
        str(value["generator"]),
        tuple(Source(**source) for source in value["sources"]),
        None if chosen == "all" else _names(chosen),
        _names(value["streams"]),
        files,
    )


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ValueError(value)
    return tuple(value)


def _unusable(path: Path, what: str) -> SpecError:
    action = "Restore it, or remove the folder and copy again."
    return SpecError([Finding(str(path), what, action)])
