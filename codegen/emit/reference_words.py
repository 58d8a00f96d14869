"""Words and Markdown of the reference.

Reads texts and types; returns Markdown that GitHub and Python-Markdown show alike. Never lets a name, a value or a sentence of a
specification become markup.
"""

from __future__ import annotations

import html
import json
import posixpath
import re
from collections.abc import Callable, Iterable
from functools import cache

from codegen.catalogue import Catalogue, Stream, Type
from codegen.visible import visible

Named = Callable[[str], str]
"""The name of a model or an alias → Markdown that links to where it is told."""

SHOWN = 12
"""Values of an enum that are told where it stands; the rest stands with the enum itself."""
_SIGNS = re.compile(r"[\\`*_\[\]#]")
_ENTITIES = {
    "<": "&lt;",
    ">": "&gt;",
    "&": "&amp;",
    "|": "&#124;",
    "~": "&#126;",
    "@": "&#64;",
}
_PLAIN = {"string", "integer", "number", "boolean"}


@cache
def prose(text: str) -> str:
    """A sentence, in which nothing but code between backticks is markup."""
    parts = re.split(r"`([^`]+)`", visible(text))
    return "".join(code(part) if at % 2 else escaped(part) for at, part in enumerate(parts))


@cache
def escaped(text: str) -> str:
    """Text that stays as it is: signs that both dialects of Markdown escape by a backslash, others as entities."""
    text = "".join(_ENTITIES.get(sign, sign) for sign in visible(text))
    text = re.sub(r"&#", "&\0", text)
    text = _SIGNS.sub(r"\\\g<0>", text).replace("&\0", "&#")
    return re.sub(
        r"\b(https?|ftp):(?=//)|\bwww\.",
        lambda found: found[0][:-1] + f"&#{ord(found[0][-1])};",
        text,
    )


@cache
def code(text: str) -> str:
    """A code span, fit for a cell of a table; what a backtick or a bar would end is written in HTML."""
    text = visible(text)
    if not text:
        return ""
    if re.search(r"[`|\\]|^ | $", text):
        return f"<code>{html.escape(text).replace('|', '&#124;').replace('`', '&#96;').replace(chr(92), '&#92;')}</code>"
    return f"`{text}`"


def value(value: object) -> str:
    """A JSON value as code."""
    text = json.dumps(value, ensure_ascii=False)
    return code(text if len(text) <= 200 else text[:199] + "…")


def link(text: str, to: str, page: str) -> str:
    """A link on a page; `text` is Markdown, `to` a path below the same folder, with an anchor where one is meant."""
    path, mark, anchor = to.partition("#")
    here = "" if path == page else _way(path, posixpath.dirname(page) or ".")
    return f"[{text}]({here}{mark}{anchor})"


@cache
def _way(path: str, folder: str) -> str:
    return posixpath.relpath(path, folder)


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words with commas, and one before the last."""
    found = list(words)
    if len(found) < 2:
        return "".join(found)
    return f"{', '.join(found[:-1])} {last} {found[-1]}"


def spelled(type_: Type, named: Named) -> str:
    """A type in words, without its null."""
    if type_.kind in _PLAIN:
        return type_.kind + (f" ({escaped(type_.format)})" if type_.format else "")
    if type_.kind == "any":
        return "any JSON value"
    if type_.kind == "ref":
        return named(type_.name)
    if type_.kind in ("constant", "enum"):
        known = [value(each) for each in type_.values[:SHOWN]]
        known += [f"{len(type_.values) - SHOWN} more"] if len(type_.values) > SHOWN else []
        return listed([*known, "any other string"] if type_.open else known, "or")
    if type_.kind == "union":
        return listed((_with_null(member, named) for member in type_.members), "or")
    inner = _with_null(type_.items or Type("any"), named)
    return f"list of {inner}" if type_.kind == "array" else f"object with values: {inner}"


def spaced(text: str) -> str:
    """A name in small words."""
    return escaped(text.replace("_", " "))


def source_of(catalogue: Catalogue, stream: Stream) -> str:
    """The document of a stream, with its version and day."""
    found = [source for source in catalogue.sources if source.name == stream.document]
    words = [word for source in found for word in (source.version, source.date)]
    return escaped(" ".join(filter(None, [stream.document, *words])))


def bounds(type_: Type) -> str:
    """The bounds of a type, for people."""
    return ", ".join(f"{escaped(word)} {value(bound)}" for word, bound in type_.bounds)


def _with_null(type_: Type, named: Named) -> str:
    text = spelled(type_, named)
    return f"{text} or null" if type_.null else text
