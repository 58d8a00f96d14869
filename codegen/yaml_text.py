"""YAML 1.2 text to plain values.

Reads a string; returns dict, list, str, int, float, bool and None as the core schema of YAML 1.2.2
(section 10.3) has them; never constructs any other object and never expands an alias in memory.

The events come from libyaml, through the C parser of `ruamel.yaml.clib`. `YAML(typ="safe")` would run its
constructor over nodes made of them, several times slower than the loop below. Where the C parser is missing, the
events come from ruamel.yaml itself.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from codegen.errors import Finding, SpecError
from codegen.limits import limit
from codegen.yaml_scalars import NotPlain, plain_key, plain_value

_COLLECTION_TAGS = {
    MappingStartEvent: (None, "!", "tag:yaml.org,2002:map"),
    SequenceStartEvent: (None, "!", "tag:yaml.org,2002:seq"),
}
_NO_KEY = object()

Source: TypeAlias = Callable[[str], Iterator[Any]]
"""Turns text into the events of a YAML parser."""


class YamlSyntaxError(SpecError):
    """The text is not YAML at all (a duplicate key or a forbidden tag is a plain `SpecError`)."""


def reader() -> str:
    """Which parser gives the events: "libyaml" or "pure"."""
    try:
        importlib.import_module("_ruamel_yaml")
    except ImportError:
        return "pure"
    return "libyaml"


def events(text: str, where: str, source: Source | None = None) -> Iterator[Any]:
    """The events of a parser, one at a time; YamlSyntaxError with the line where the text is not YAML."""
    try:
        yield from (source or _source())(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = where if mark is None else f"{where}:{mark.line + 1}"
        raise _syntax_error(place, error.problem or error.context) from None
    except (YAMLError, RecursionError, ValueError) as error:
        reason = getattr(error, "reason", None) or str(error).splitlines()[0]
        raise _syntax_error(where, reason) from None


def _syntax_error(where: str, problem: object) -> YamlSyntaxError:
    what = f"this is neither YAML nor JSON ({problem})"
    return YamlSyntaxError([Finding(where, what, "Give an OpenAPI document as YAML or JSON text.")])


def libyaml_events(text: str) -> Iterator[Any]:
    """The events of the C parser."""
    parser = importlib.import_module("_ruamel_yaml").CParser(text)
    while (event := parser.get_event()) is not None:
        yield event


def pure_events(text: str) -> Iterator[Any]:
    """The events of the parser in Python, some ten times slower."""
    yield from YAML(typ="safe", pure=True).parse(text)


def _source() -> Source:
    if reader() == "libyaml":
        return libyaml_events
    note = "ruamel.yaml.clib is missing, so a slower parser reads YAML; install it for speed"
    warnings.warn(note, RuntimeWarning, stacklevel=2)
    return pure_events


def read_yaml(text: str, where: str, source: Source | None = None) -> Any:
    """The value of the only document in `text`; SpecError for anything that a JSON text could not say.

    source   turns the text into events; the fastest parser there is by default
    """
    builder = _Builder(where)
    for event in events(text, where, source):
        handle = _HANDLERS.get(type(event))
        if handle is not None:
            handle(builder, event)
    if builder.documents == 0:
        action = "Give an OpenAPI document as YAML or JSON text."
        raise SpecError([Finding(where, "this is empty", action)])
    return builder.root


@dataclass(slots=True)
class _Open:
    """A collection whose end has not been read. `height` counts the collections below the deepest leaf."""

    value: Any
    anchor: str | None
    nodes_before: int
    key: Any = _NO_KEY
    height: int = 1


@dataclass(frozen=True, slots=True)
class _Anchored:
    """What an alias stands for, and what it costs to expand it."""

    value: Any
    nodes: int
    height: int


class _Builder:
    """Builds the value from events. Aliases share the object that they name; limits count them expanded."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.root: Any = None
        self.documents = 0
        self._stack: list[_Open] = []
        self._anchors: dict[str, _Anchored | None] = {}
        self._nodes = 0
        self._most, self._deepest = limit("MAX_NODES"), limit("MAX_DEPTH")

    def document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            raise self._error(
                event, "a second YAML document begins here", "Keep one document per file."
            )

    def scalar(self, event: Any) -> None:
        self._count(event, 1)
        top = self._stack[-1] if self._stack else None
        if top is not None and top.key is _NO_KEY and type(top.value) is dict:
            self._key(top, event)
            return
        try:
            value = plain_value(event)
        except NotPlain as fault:
            raise self._error(event, fault.what, fault.action) from None
        if event.anchor is not None:
            self._anchors[event.anchor] = _Anchored(value, 1, 0)
        self._attach(value)

    def start(self, event: Any) -> None:
        self._refuse_as_key(event)
        kind = type(event)
        if event.tag not in _COLLECTION_TAGS[kind]:
            what = f"the tag {event.tag} is not allowed"
            raise self._error(event, what, "Remove the tag; only plain YAML values are read.")
        self._count(event, 1)
        if len(self._stack) >= self._deepest:
            raise self._too_deep(event)
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        value: Any = {} if kind is MappingStartEvent else []
        self._stack.append(_Open(value, event.anchor, self._nodes - 1))

    def end(self, event: Any) -> None:
        closed = self._stack.pop()
        if closed.anchor is not None:
            nodes = self._nodes - closed.nodes_before
            self._anchors[closed.anchor] = _Anchored(closed.value, nodes, closed.height)
        self._attach(closed.value)
        if self._stack and self._stack[-1].height <= closed.height:
            self._stack[-1].height = closed.height + 1

    def alias(self, event: Any) -> None:
        self._refuse_as_key(event)
        if event.anchor not in self._anchors:
            what = f"the alias *{event.anchor} names no anchor before it"
            raise self._error(event, what, "Define the anchor first.")
        target = self._anchors[event.anchor]
        if target is None:
            what = f"the alias *{event.anchor} contains itself"
            raise self._error(event, what, "Write the value out; JSON has no cycles.")
        self._count(event, target.nodes)
        if len(self._stack) + target.height > self._deepest:
            raise self._too_deep(event)
        if self._stack[-1].height <= target.height:
            self._stack[-1].height = target.height + 1
        self._attach(target.value)

    def _key(self, top: _Open, event: Any) -> None:
        try:
            key = plain_key(event)
        except NotPlain as fault:
            raise self._error(event, fault.what, fault.action) from None
        if key in top.value:
            raise self._error(event, f"the key {key!r} is there twice", "Remove one of the two.")
        if event.anchor is not None:
            self._anchors[event.anchor] = _Anchored(key, 1, 0)
        top.key = key

    def _attach(self, value: Any) -> None:
        if not self._stack:
            self.root = value
            return
        top = self._stack[-1]
        if type(top.value) is list:
            top.value.append(value)
        else:
            top.value[top.key] = value
            top.key = _NO_KEY

    def _refuse_as_key(self, event: Any) -> None:
        top = self._stack[-1] if self._stack else None
        if top is not None and top.key is _NO_KEY and type(top.value) is dict:
            what = "a key here is not a plain string"
            raise self._error(event, what, "Write the key out as a string.")

    def _count(self, event: Any, nodes: int) -> None:
        self._nodes += nodes
        if self._nodes > self._most:
            what = f"this has more than {self._most:,} nodes, aliases expanded (limit MAX_NODES)"
            raise self._error(event, what, "Give a smaller document.")

    def _too_deep(self, event: Any) -> SpecError:
        what = f"this is nested deeper than {self._deepest} levels (limit MAX_DEPTH)"
        return self._error(event, what, "Give a document that is less deep.")

    def _error(self, event: Any, what: str, action: str) -> SpecError:
        return SpecError([Finding(f"{self.where}:{event.start_mark.line + 1}", what, action)])


_HANDLERS = {
    DocumentStartEvent: _Builder.document,
    ScalarEvent: _Builder.scalar,
    MappingStartEvent: _Builder.start,
    SequenceStartEvent: _Builder.start,
    MappingEndEvent: _Builder.end,
    SequenceEndEvent: _Builder.end,
    AliasEvent: _Builder.alias,
}
