"""Documents, overlays and fragments as plain values.

Reads a path, a URL or standard input; returns dict, list, str, int, float, bool and None, with the line of any place
in the text; never follows a `$ref` and never constructs an object that JSON does not have.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

from codegen import yaml_lines, yaml_text
from codegen.errors import Finding, SpecError
from codegen.fetch import fetch
from codegen.json_text import NOT_JSON, DuplicateKey, read_json, require_characters
from codegen.limits import limit

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_VERSION = re.compile(r"(3\.[01])\.[0-9]+(?:-.+)?")
_GIVE = "Give an OpenAPI document as YAML or JSON text."


@dataclass(frozen=True)
class Text:
    """A file that was read: its short name, its path as shown to people, its bytes and the value in them."""

    name: str
    path: str
    data: bytes = field(repr=False)
    tree: dict[str, Any] = field(repr=False)

    def where(self, pointer: str) -> str:
        """Where a JSON pointer lies: `spec/documents/openai.yaml:4711 (#/components/schemas/Foo)`."""
        place = "#" + pointer.removeprefix("#")
        line = yaml_lines.nearest(self._lines, place)
        return f"{self.path} ({place})" if line is None else f"{self.path}:{line} ({place})"

    @cached_property
    def _lines(self) -> dict[str, int]:
        return yaml_lines.index(self.data)


@dataclass(frozen=True)
class Document(Text):
    """An OpenAPI document 3.0 or 3.1 with component schemas."""

    @property
    def version(self) -> str:
        """The feature version of the specification: "3.0" or "3.1"."""
        return str(self.tree["openapi"])[:3]


def yaml_reader() -> str:
    """Which YAML parser is in use: "libyaml" or "pure"."""
    return yaml_text.reader()


def read_document(location: str | Path, name: str) -> Document:
    """The OpenAPI document at a path, a URL or "-"; SpecError where it is not one that we can use."""
    return as_document(read_text(location, name))


def as_document(text: Text) -> Document:
    """A text that was read as an OpenAPI document; SpecError where it is not one that we can use."""
    document = Document(text.name, text.path, text.data, text.tree)
    _require_openapi(document)
    return document


def read_text(location: str | Path, name: str | None = None) -> Text:
    """Any YAML or JSON file whose value is a mapping; its name is that of the file, unless given."""
    data = read_bytes(location)
    path = shown(location)
    return Text(name or Path(str(location)).stem, path, data, parse(data, path))


def shown(location: str | Path) -> str:
    """The location as errors name it: relative to the current folder where it lies below it."""
    text = str(location)
    if text == "-":
        return "standard input"
    if _URL.match(text):
        return text
    relative = os.path.relpath(text)
    return text if relative.startswith("..") else Path(relative).as_posix()


def read_bytes(location: str | Path) -> bytes:
    """The bytes at a path, an http(s) URL or "-" for standard input; SpecError where they cannot be read."""
    text = str(location)
    if text == "-":
        if sys.stdin is None:
            what = "this is closed"
            raise SpecError([Finding(shown(text), what, "Give the document on it, or a path.")])
        return _read_at_most(sys.stdin.buffer, shown(text))
    scheme = _URL.match(text)
    if scheme is not None and scheme[0].lower() in ("http://", "https://"):
        return fetch(text)
    if scheme is not None:
        what = f"addresses with {scheme[0]} are not read"
        raise SpecError([Finding(text, what, "Give a path or an http or https URL.")])
    try:
        with open(text, "rb") as file:
            return _read_at_most(file, shown(text))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        what = f"this cannot be read ({reason})"
        raise SpecError(
            [Finding(shown(text), what, "Check the path and its permissions.")]
        ) from None


def _read_at_most(file: BinaryIO, where: str) -> bytes:
    data = file.read(limit("MAX_BYTES") + 1)
    _require_size(data, where)
    return data


def parse(data: bytes, where: str) -> dict[str, Any]:
    """The mapping that YAML 1.2 or JSON text holds; SpecError with the line where it is not one.

    Infinities and NaN, duplicate keys, tags and a second document are errors; so is what exceeds a limit.
    """
    _require_size(data, where)
    text = _decode(data, where)
    value = _value(text, where)
    if not isinstance(value, dict):
        raise SpecError([Finding(where, "the text is not a mapping of keys to values", _GIVE)])
    if "\\ud" in text.lower():  # only an escape can bring in half of a pair
        require_characters(value, where)
    return value


def locate(data: bytes, pointer: str) -> int | None:
    """The line, from 1, of a JSON pointer or of its nearest ancestor that exists; None where the text has none."""
    return yaml_lines.nearest(yaml_lines.index(data), "#" + pointer.removeprefix("#"))


def _value(text: str, where: str) -> Any:
    if text.lstrip()[:1] not in ("{", "["):
        return yaml_text.read_yaml(text, where)
    try:
        value = read_json(text, where)
    except DuplicateKey as error:
        raise _duplicate(text, str(error), where) from None
    return yaml_text.read_yaml(text, where) if value is NOT_JSON else value


def _duplicate(text: str, key: str, where: str) -> SpecError:
    # json does not tell lines and YAML does; but there is JSON that the YAML parser cannot read.
    try:
        yaml_text.read_yaml(text, where)
    except yaml_text.YamlSyntaxError:
        pass
    except SpecError as error:
        return error
    return SpecError([Finding(where, f"the key {key!r} is there twice", "Remove one of the two.")])


def _require_size(data: bytes, where: str) -> None:
    most = limit("MAX_BYTES")
    if len(data) > most:
        what = f"this has more than {most:,} bytes (limit MAX_BYTES)"
        raise SpecError([Finding(where, what, "Give a smaller document.")])


def _decode(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SpecError([Finding(f"{where}:{line}", "this is not UTF-8 text", _GIVE)]) from None


def _require_openapi(document: Document) -> None:
    """One finding, the first that holds: the later ones would only follow from it."""
    tree = document.tree
    version = tree.get("openapi")
    if "swagger" in tree:
        place, what = "#/swagger", "this is a Swagger 2 document"
        action = "Convert it to OpenAPI 3.0 or 3.1 first."
    elif "overlay" in tree:
        place, what = "#/overlay", "this is an overlay, not an OpenAPI document"
        action = "Put it in spec/overlays/."
    elif version is None:
        place, what, action = "#", "this is not an OpenAPI document: `openapi` is missing", _GIVE
    elif not isinstance(version, str):
        place, what = "#/openapi", f"the version {version} is not a string"
        action = "Write it out in quotes, such as '3.1.0'."
    elif not _VERSION.fullmatch(version):
        place, what = "#/openapi", f"OpenAPI {version} is not supported"
        action = "Give a document of OpenAPI 3.0.x or 3.1.x."
    elif not isinstance(tree.get("components"), dict):
        place, what = "#/components", "`components` is not there or not a mapping"
        action = "Give a document with components.schemas."
    elif not isinstance(tree["components"].get("schemas"), dict):
        place, what = "#/components/schemas", "`components.schemas` is not there or not a mapping"
        action = "Give a document with components.schemas."
    else:
        return
    raise SpecError([Finding(document.where(place), what, action)])
