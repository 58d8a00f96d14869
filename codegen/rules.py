"""Accumulation rules: from the fragments' notation to the form that the runtime reads, checked against the schemas.

Reads rules as text and the models of a package; returns tuples. Never runs a rule.

    ignore
    start $ with SOURCE [keep NAME]        a new snapshot; an earlier finished one becomes a predecessor
    replace $ with SOURCE [keep NAME]      the snapshot anew; the list NAME stays where the new one's is empty
    put PATH = SOURCE [creating JSON …]    an entry or an object as a whole
    set PATH = SOURCE                      a value; SOURCE may be a JSON text such as "searching"
    first PATH = SOURCE                    a value, unless one is there
    append PATH += SOURCE [creating JSON …]    text
    extend PATH += SOURCE                  a list
    rest PATH = SOURCE                     every undeclared property that no other rule names
    finish when SOURCE                     the snapshot is final when SOURCE is there
    fail with SOURCE                       the stream failed

PATH starts at the snapshot, at `$` (itself) or at `@NAME` (kept beside it). `[key]` names the property that says which
entry is meant, of the event or, where SOURCE goes through a list (`choices[]`), of that list's element; `[index, id,
function.name]` is the key of pieces that may lack an index. `?` after a name says that the schemas do not have it.
`creating` gives what an entry starts with that was never announced, one JSON object per `[key]`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from codegen.catalogue import Alias, Event, Model, Package, Stream, Type

_RULE = re.compile(
    r"(?P<verb>put|set|first|append|extend|rest) (?P<path>\S.*?) \+?= (?P<source>.*?)(?: creating (?P<creating>\{.*\}))?"
    r"|(?P<whole>start|replace) \$ with (?P<with>\S+)(?: keep (?P<keep>\w+))?"
    r"|(?P<end>fail with|finish when) (?P<reason>\S+)"
)
_STEP = re.compile(r"(?P<name>[@\w]+\??)|\[(?P<key>[\w ,.]*)\]|(?P<dot>\.)|(?P<whole>\$)")


@dataclass(frozen=True)
class Rule:
    """A rule in the runtime's form.

    path      names as text, keys as tuples of dotted names
    source    names; "[]" goes through a list; () is the whole event
    literal   a tuple of no or one JSON value that stands for the source
    """

    verb: str
    path: tuple[str | tuple[str, ...], ...] = ()
    source: tuple[str, ...] = ()
    literal: tuple[Any, ...] = ()
    creating: tuple[dict[str, Any], ...] = ()
    keep: str = ""


def parse(text: str) -> Rule | None:
    """The rule that a text says; None for ignore. Raises ValueError with what is wrong."""
    if text == "ignore":
        return None
    match = _RULE.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is not a rule")
    if match["end"]:
        verb = "fail" if match["end"] == "fail with" else "finish"
        return Rule(verb, source=_source(match["reason"]))
    if match["whole"]:
        return Rule(match["whole"], source=_source(match["with"]), keep=match["keep"] or "")
    source = match["source"]
    literal: tuple[Any, ...] = ()
    if source[:1] in '"[{0123456789-' or source in ("null", "true", "false"):
        literal, source = (json.loads(source),), "$"
    creating = tuple(_objects(match["creating"] or ""))
    return Rule(match["verb"], _path(match["path"]), _source(source), literal, creating)


def check(rules: tuple[str, ...], event: Event, stream: Stream, package: Package) -> list[str]:
    """What is wrong with the rules of an event, one sentence each."""
    faults = []
    schema = _Schema(package)
    for text in rules:
        try:
            rule = parse(text)
        except ValueError as error:
            faults.append(str(error))
            continue
        if rule is None:
            continue
        if event.model and not rule.literal:
            faults += [f"{text!r}: {fault}" for fault in schema.faults(event.model, rule.source)]
        if stream.snapshot and rule.path and not str(rule.path[0]).startswith("@"):
            steps = tuple(step if isinstance(step, str) else "[]" for step in rule.path)
            faults += [f"{text!r}: {fault}" for fault in schema.faults(stream.snapshot, steps)]
    return faults


def read_path(text: str) -> tuple[Any, ...]:
    """A path of `reads` in the runtime's form: names, and for `[type=message]` (type, message), with first or last in
    front of it where `[last type=message]` says so."""
    steps: list[Any] = []
    for name, selection in re.findall(r"([\w]+)|\[([^\]]*)\]", text):
        steps.append(name if name else tuple(re.split(r"[ =]", selection)) if selection else ())
    return tuple(steps)


def claimed(rules: tuple[Rule, ...], rest: Rule) -> tuple[str, ...]:
    """The names that other rules take from where a `rest` rule takes what is left."""
    at = len(rest.source)
    names = [
        rule.source[at]
        for rule in rules
        if rule.source[:at] == rest.source and len(rule.source) > at
    ]
    return tuple(dict.fromkeys(name.rstrip("?") for name in names))


def bare(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names without the mark of what the schemas do not have."""
    return tuple(name.rstrip("?") for name in names)


def _objects(text: str) -> list[dict[str, Any]]:
    decoder, found, start = json.JSONDecoder(), [], 0
    while start < len(text):
        value, start = decoder.raw_decode(text, start)
        found.append(value)
        while start < len(text) and text[start] in " ,":
            start += 1
    return found


def _steps(text: str) -> list[str | tuple[str, ...]]:
    found: list[str | tuple[str, ...]] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if not match:
            raise ValueError(f"{text!r} is not a path")
        at = match.end()
        if match["name"]:
            found.append(match["name"])
        elif match["key"] is not None:
            found.append(tuple(part.strip() for part in match["key"].split(",") if part.strip()))
    return found


def _path(text: str) -> tuple[str | tuple[str, ...], ...]:
    return tuple(_steps(text))


def _source(text: str) -> tuple[str, ...]:
    return tuple(step if isinstance(step, str) else "[]" for step in _steps(text))


class _Schema:
    """Whether a path of names exists in the models of a package, unions followed into every member."""

    def __init__(self, package: Package) -> None:
        self.models = {model.name: model for model in package.models}
        self.aliases = {alias.name: alias for alias in package.aliases}

    def faults(self, model: str, steps: tuple[str, ...]) -> list[str]:
        """A sentence for the first step that no member has; nothing when all exist or are marked as undeclared."""
        types = [Type("ref", name=model)]
        for step in steps:
            if step.endswith("?"):
                return []
            models = [found for type_ in types for found in self._models(type_)]
            if step == "[]":
                types = [items for type_ in types for items in self._items(type_)]
                if not types:
                    return ["a key stands where the schemas have no list"]
                continue
            fields = [field for found in models for field in found.fields if field.name == step]
            if not fields and any(type_.kind in ("any", "map") for type_ in types):
                return []
            if not fields:
                where = ", ".join(sorted({found.name for found in models})) or "the value"
                return [f"{where} has no property {step!r}"]
            types = [field.type for field in fields]
        return []

    def _models(self, type_: Type, seen: frozenset[str] = frozenset()) -> list[Model]:
        if type_.kind == "union":
            return [found for member in type_.members for found in self._models(member, seen)]
        if type_.kind != "ref" or type_.name in seen:
            return []
        if type_.name in self.models:
            return [self.models[type_.name]]
        return self._models(self._alias(type_).type, seen | {type_.name})

    def _items(self, type_: Type) -> list[Type]:
        if type_.kind == "array" and type_.items is not None:
            return [type_.items]
        if type_.kind == "union":
            return [items for member in type_.members for items in self._items(member)]
        if type_.kind == "ref" and type_.name in self.aliases:
            return self._items(self._alias(type_).type)
        return []

    def _alias(self, type_: Type) -> Alias:
        return self.aliases[type_.name]
