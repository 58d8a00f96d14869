"""Vectors of single events: for each tag of a stream what is allowed in its payload, and one fault at a time.

Reads the catalogue; returns cases. Never runs a decoder or a checker: each fault is made here, so what must be said of it
is known.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from codegen.catalogue import Event, Model, Package, Stream, Type
from codegen.emit.vectors_notes import COMMENTS
from codegen.emit.vectors_samples import WRONG, Sample, Samples, at, optional, path, with_value
from codegen.emit.vectors_text import payload

Case: TypeAlias = dict[str, Any]

NEW_PROPERTY = "vector_property"
NEW_VALUE = "vector_value"
NEW_TAG = "vector.tag"
KEPT: dict[str, Any] = {"whole": 1, "fraction": 1.0, "nothing": None, "text": "é"}
"""What an unknown property holds: values that a careless copy changes."""


def event_cases(package: Package, stream: Stream) -> list[Case]:
    """The cases of all tags of a stream, and of payloads that have none."""
    samples = Samples(package)
    cases: list[Case] = []
    for event in stream.events:
        cases += _Cases(package, stream, event, samples).all()
    return cases + _tagless(stream)


def payloads(package: Package, stream: Stream) -> dict[str, tuple[Any, Any]]:
    """The smallest payload of each tag of a stream, and the one with every property: of the cases required-only and everything."""
    samples = Samples(package)
    found = [_Cases(package, stream, event, samples) for event in stream.events]
    return {each.event.tag: (each.small.value, each.large.value) for each in found}


def own_model(package: Package, stream: Stream, model: Model) -> Model:
    """The model without the lane, which the class has where it is shared with a stream that has lanes."""
    shared = {other.lane for other in package.streams} - {stream.lane}
    fields = tuple(one for one in model.fields if one.name not in shared)
    return dataclasses.replace(model, fields=fields)


class _Cases:
    """The cases of one event."""

    def __init__(self, package: Package, stream: Stream, event: Event, samples: Samples) -> None:
        self.stream = stream
        self.event = event
        self.samples = samples
        self.model = own_model(package, stream, package.model(event.model))
        self.small = self._tagged(samples.required(self.model))
        self.large = self._tagged(samples.everything(self.model))

    def all(self) -> list[Case]:
        """Every variation that the event's types allow."""
        found = [
            self._case("required-only", "RequiredOnly", self.small.value),
            self._case("everything", "Everything", self.large.value),
            *self._nulls(),
            *self._unknown_properties(),
            *self._unknown_values(),
            *self._unknown_members(),
            *self._missing(),
            *self._wrong_types(),
            *self._empty_tag(),
        ]
        return found

    def _tagged(self, sample: Sample) -> Sample:
        """The sample with this event's tag; the tag is no enum whose value could be another."""
        tag = self.stream.tag
        sample.value = {**sample.value, tag: self.event.tag}
        sample.enums = [(steps, each) for steps, each in sample.enums if steps != (tag,)]
        return sample

    def _nulls(self) -> Iterator[Case]:
        absent = optional(self.model)
        names = [one.name for one in absent if self.samples.nullable(one.type)]
        if names:
            value = {**self.small.value, **dict.fromkeys(names)}
            yield self._case("null-for-absent", "NullKept", value)

    def _unknown_properties(self) -> Iterator[Case]:
        for name, sample in (("unknown-property", self.small), ("unknown-inner", self.large)):
            inner = name == "unknown-inner"
            steps = next(
                (at for at, model in sample.objects if bool(at) is inner and model.extra is None),
                None,
            )
            if steps is None:
                continue
            value = with_value(sample.value, steps, {**at(sample.value, steps), NEW_PROPERTY: KEPT})
            problem = ("unknown-property", "info", path((*steps, NEW_PROPERTY)))
            yield self._case(name, "UnknownProperty", value, problem)

    def _unknown_values(self) -> Iterator[Case]:
        done = set()
        for steps, kind in self.large.enums:
            if kind.open in done or not isinstance(kind.values[0], str):
                continue
            if not self._is_alone(steps, kind):
                continue
            done.add(kind.open)
            level = "info" if kind.open else "warning"
            value = with_value(self.large.value, steps, NEW_VALUE)
            name = "unknown-value-open" if kind.open else "unknown-value"
            yield self._case(name, "UnknownValue", value, ("unknown-value", level, path(steps)))

    def _is_alone(self, steps: tuple[str | int, ...], kind: Type) -> bool:
        """Whether no other member of a union takes any text in the place of an enum."""
        if isinstance(steps[-1], int) or len(steps) > 1:
            owner = next((m for at_, m in self.large.objects if at_ == steps[:-1]), None)
        else:
            owner = self.model
        field = (
            next((one for one in owner.fields if one.name == steps[-1]), None) if owner else None
        )
        return field is not None and list(self.samples.members(field.type)) in (
            [kind],
            [kind, Type("constant", values=(None,))],
        )

    def _unknown_members(self) -> Iterator[Case]:
        for steps, alias in self.large.unions:
            others = [self.samples.accepted(each) for each in alias.others]
            if any("object" in kinds for kinds in others) or not self._is_plain(steps):
                continue
            value = with_value(self.large.value, (*steps, alias.tag), NEW_VALUE)
            problem = ("unknown-member", "warning", path(steps))
            yield self._case("unknown-member", "UnknownMember", value, problem)
            return

    def _is_plain(self, steps: tuple[str | int, ...]) -> bool:
        """Whether an object's place takes nothing but the union: no other member of a union could be meant."""
        names = [step for step in steps if isinstance(step, str)]
        owner: Model | None = self.model
        for name in names:
            if owner is None:
                return False
            field = next((one for one in owner.fields if one.name == name), None)
            kind = field.type if field else None
            while kind is not None and kind.kind in ("array", "map"):
                kind = kind.items
            if kind is None or kind.kind != "ref":
                return False
            owner = self.samples.models.get(kind.name)
        return True

    def _missing(self) -> Iterator[Case]:
        for one in self.model.fields:
            if not one.required:
                continue
            value = {name: item for name, item in self.small.value.items() if name != one.name}
            name = f"missing-{one.name}"
            if one.name == self.stream.tag and not self.stream.untagged:
                yield self._case(name, "NoTag", value, invalid=True)
            else:
                problem = ("missing-property", "error", path((one.name,)))
                yield self._case(name, "MissingProperty", value, problem, missing=[one.name])

    def _wrong_types(self) -> Iterator[Case]:
        for one in self.model.fields:
            accepted = self.samples.accepted(one.type)
            wrong = next((value for kind, value in WRONG if kind not in accepted), None)
            if wrong is None or any(
                each.kind in ("constant", "enum") and not isinstance(each.values[0], str)
                for each in self.samples.members(one.type)
            ):
                continue
            value = {**self.small.value, one.name: wrong}
            name = f"wrong-type-{one.name}"
            if one.name == self.stream.tag:
                yield self._case(name, "NoTag", value, invalid=True)
            else:
                yield self._case(
                    name, "WrongType", value, ("wrong-type", "error", path((one.name,)))
                )
            if "null" not in accepted and not one.required and "null" not in name:
                value = {**self.small.value, one.name: None}
                problem = ("wrong-type", "error", path((one.name,)))
                yield self._case(f"null-{one.name}", "NullNotAllowed", value, problem)

    def _empty_tag(self) -> Iterator[Case]:
        """An empty tag counts as none, on a stream whose payloads need none."""
        if self.stream.untagged == self.event.tag:
            value = {**self.small.value, self.stream.tag: ""}
            problem = ("unknown-value", "warning", path((self.stream.tag,)))
            yield self._case("empty-tag", "NoTag", value, problem)

    def _case(
        self,
        name: str,
        flag: str,
        value: Any,
        *problems: tuple[str, str, str],
        missing: list[str] | None = None,
        invalid: bool = False,
    ) -> Case:
        text = payload(value)
        expect: dict[str, Any] = {"error": "decode"}
        if not invalid:
            expect = {
                "tag": self.event.tag,
                "known": True,
                "missing": missing or [],
                "problems": [
                    {"kind": kind, "level": level, "path": place} for kind, level, place in problems
                ],
                "payload": text,
            }
        return {
            "id": slug(self.stream.name, self.event.tag, name),
            "comment": COMMENTS[flag],
            "flags": [flag],
            "spec": {"document": self.stream.document, "section": self.model.schema},
            "given": {"text": text},
            "verdict": "invalid" if invalid else "valid",
            "expect": expect,
        }


def _tagless(stream: Stream) -> list[Case]:
    """Payloads of no event of the stream, and texts that are no payload."""
    data = {stream.tag: NEW_TAG, "sequence_number": 7, NEW_PROPERTY: KEPT}
    unknown = {
        "tag": NEW_TAG,
        "known": False,
        "missing": [],
        "problems": [{"kind": "unknown-event", "level": "info", "path": ""}],
        "payload": payload(data),
    }
    found = [_plain(stream, "unknown-tag", "UnknownTag", payload(data), unknown)]
    texts = {"list": "[1]", "text": '"text"', "null": "null", "cut": '{"' + stream.tag, "empty": ""}
    if not stream.untagged:
        texts |= {"no-tag": "{}", "tag-null": payload({stream.tag: None})}
    texts["tag-number"] = payload({stream.tag: 7})
    for name, text in texts.items():
        flag = "NoTag" if "tag" in name else "NotAnObject"
        found.append(_plain(stream, name, flag, text, {"error": "decode"}))
    return found


def _plain(stream: Stream, name: str, flag: str, text: str, expect: dict[str, Any]) -> Case:
    return {
        "id": slug(stream.name, name),
        "comment": COMMENTS[flag],
        "flags": [flag],
        "spec": {"document": stream.document, "section": f"#/components/schemas/{stream.union}"},
        "given": {"text": text},
        "verdict": "invalid" if "error" in expect else "valid",
        "expect": expect,
    }


def slug(*words: str) -> str:
    """The permanent id of a case."""
    return "--".join(re.sub(r"[^a-z0-9._-]+", "-", word.lower()) for word in words)
