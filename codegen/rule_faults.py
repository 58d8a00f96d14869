"""Accumulation rules against the schemas: whether every property that a rule names exists.

Reads the rules of events and the models of a package; returns sentences. Never changes a rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from codegen.catalogue import Alias, Catalogue, Event, Model, Package, Stream, Type
from codegen.errors import Finding
from codegen.rules import Rule, parse, read_path
from codegen.yaml_lines import escape

if TYPE_CHECKING:
    from codegen.load import Fragment

_ACTION = "Correct the rule, mark a property that the schemas do not have with `?`, or add it by an overlay."


def rule_findings(fragments: Sequence[Fragment], catalogue: Catalogue) -> list[Finding]:
    """What is wrong with the rules and reads of all fragments, with the line of each."""
    named = {fragment["stream"]: fragment for fragment in fragments}
    findings: list[Finding] = []
    for package in catalogue.packages:
        schema = Schema(package)
        for stream in package.streams:
            fragment = named[stream.name]
            for fault in read_faults(stream, package):
                findings.append(Finding(fragment.where("reads"), fault, _ACTION))
            for group, events in (("events", stream.events), ("unlisted", stream.unlisted)):
                for event in events:
                    for at, text in enumerate(event.rules):
                        one = replace(event, rules=(text,))
                        for fault in rule_faults(one, stream, package, schema):
                            where = fragment.where(f"{group}/{escape(event.tag)}/rule/{at}")
                            findings.append(Finding(where, fault, _ACTION))
    return findings


def rule_faults(
    event: Event, stream: Stream, package: Package, schema: Schema | None = None
) -> list[str]:
    """What is wrong with the rules of an event, one sentence each."""
    schema = Schema(package) if schema is None else schema
    faults: list[str] = []
    for text in event.rules:
        try:
            rule = parse(text)
        except ValueError as error:
            faults.append(str(error))
            continue
        if rule is not None:
            found = _Check(rule, event, stream, schema).faults()
            faults += [f"{text!r}: {fault}" for fault in dict.fromkeys(found)]
    return faults


def read_faults(stream: Stream, package: Package) -> list[str]:
    """What is wrong with the paths of `reads` and `complete`, one sentence each; nothing where nothing accumulates."""
    if not stream.snapshot:
        return []
    schema = Schema(package)
    faults = []
    for name, text in (*stream.reads, ("complete", stream.complete[0])):
        found = schema.faults(stream.snapshot, _names(read_path(text))) if text else []
        faults += [f"{name}: {text!r}: {fault}" for fault in found]
    return faults


class _Check:
    """One rule against the schemas of the event and of the snapshot."""

    def __init__(self, rule: Rule, event: Event, stream: Stream, schema: Schema) -> None:
        self.rule = rule
        self.event = event
        self.stream = stream
        self.schema = schema

    def faults(self) -> list[str]:
        if self.rule.verb == "agree":
            known = self.rule.path[0] in dict(self.stream.reads)
            return [] if known else ["`reads` has no such name"]
        return [*self._source(), *self._keys(), *self._path(), *self._creating()]

    def _source(self) -> list[str]:
        source = self.rule.source
        if not self.event.model or self.rule.literal or (source and source[0][0] == "@"):
            return []
        return self.schema.faults(self.event.model, source)

    def _keys(self) -> list[str]:
        """Keys are properties of the event, or of the elements of the list that the source goes through."""
        if not self.event.model:
            return []
        source = self.rule.source
        lists = [source[: at + 1] for at, step in enumerate(source) if step.startswith("[")]
        keys = [step for step in self.rule.path if isinstance(step, tuple)]
        faults: list[str] = []
        for number, key in enumerate(keys):
            before = lists[number] if number < len(lists) else ()
            for name in (each for names in key for each in names.split("/")):
                faults += self.schema.faults(self.event.model, (*before, *name.split(".")))
        return faults

    def _path(self) -> list[str]:
        path = self.rule.path
        if (
            not self.stream.snapshot
            or not path
            or str(path[0]).startswith("@")
            or self.rule.verb == "fail"
        ):
            return []
        return self.schema.faults(self.stream.snapshot, _names(path))

    def _creating(self) -> list[str]:
        """What an entry starts with is in the schema of the list, and what it takes from the event is in the event."""
        path, faults = self.rule.path, list[str]()
        places = [at for at, step in enumerate(path) if isinstance(step, tuple)]
        if len(self.rule.creating) > len(places):
            return ["`creating` has more objects than the path has keys"]
        for at, made in zip(places, self.rule.creating, strict=False):
            for name, value in made.items():
                if self.stream.snapshot:
                    faults += self.schema.faults(
                        self.stream.snapshot, (*_names(path[: at + 1]), name)
                    )
                if self.event.model and isinstance(value, str) and value.startswith("$"):
                    faults += self.schema.faults(self.event.model, (value[1:],))
        return faults


def _names(path: tuple[str | tuple[str, ...], ...]) -> tuple[str, ...]:
    return tuple(step if isinstance(step, str) else "[]" for step in path)


class Schema:
    """Whether a path of names exists in the models of a package, unions followed into every member."""

    def __init__(self, package: Package) -> None:
        self.models = {model.name: model for model in package.models}
        self.aliases = {alias.name: alias for alias in package.aliases}

    def faults(self, model: str, steps: tuple[str, ...]) -> list[str]:
        """A sentence for the first step that no member has; nothing when all exist or are marked as undeclared."""
        types = [Type("ref", name=model)]
        for step in steps:
            models = [found for type_ in types for found in self._models(type_)]
            if step.startswith("["):
                types = [items for type_ in types for items in self._items(type_)]
                if not types:
                    return ["a key stands where the schemas have no list"]
                continue
            if step.endswith("?") and "/" not in step:
                return []
            names = [name for name in step.split("/") if not name.endswith("?")]
            fields = [field for found in models for field in found.fields if field.name in names]
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
