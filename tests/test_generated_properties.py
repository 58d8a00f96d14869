"""Decoding, encoding and checking of values made of the catalogue: every event of every stream, every payload class.

Reads the specification and the generated package. What is valid is decided by `jsonschema`; that nothing is lost is decided
by comparing with what went in.
"""

from __future__ import annotations

import copy
import importlib
import json
import pickle
import random
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.json_values import (
    RECIPES,
    Maker,
    catalogue,
    judge,
    package,
    same_text,
    with_wrong_place,
)


class Subject(NamedTuple):
    """A class of the generated package: an event of a stream, or a payload (then stream and tag are "")."""

    package: str
    model: str
    stream: str = ""
    tag: str = ""


STREAMS = {stream.name: stream for stream in catalogue().streams}
EVENTS = [
    Subject(package.name, event.model, stream.name, event.tag)
    for package in catalogue().packages
    for stream in package.streams
    for event in stream.events
]
PAYLOADS = [
    Subject(package.name, model.name)
    for package in catalogue().packages
    for model in package.models
    if not model.module
]
STABLE = settings(
    max_examples=1000,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def module_of(subject: Subject) -> ModuleType:
    """The generated subpackage in which a person decodes the subject."""
    dotted = STREAMS[subject.stream].module if subject.stream else subject.package
    return importlib.import_module(f"stream_events.{dotted}")


def decoder_of(subject: Subject) -> Callable[[Any], Any]:
    """The stream's decode function; for a payload what decodes it within an event."""
    module = module_of(subject)
    if not subject.stream:
        decoder: Callable[[Any], Any] = module.SERVER.wire.decoder(subject.model)
    elif STREAMS[subject.stream].direction == "server":
        decoder = module.decode
    else:
        decoder = module.decode_client
    return decoder


def made(subject: Subject, recipe: str, source: random.Random) -> dict[str, Any]:
    """A value of the subject's model."""
    return Maker(package(subject.package), RECIPES[recipe], source.choice).model(subject.model)


def require_faithful(subject: Subject, value: dict[str, Any]) -> None:
    """Nothing is lost, nothing handed in is changed, copies are as good as the record, and `problems` has nothing above
    level info exactly for the valid values."""
    encode, decode = module_of(subject).encode, decoder_of(subject)
    text = same_text(value)
    record = decode(value)
    assert type(record).__name__ == subject.model
    again = [decode(value), decode(json.loads(text)), decode(dict(reversed(value.items())))]
    copies = [copy.copy(record), copy.deepcopy(record), replace(record)]
    for other in (*again, *copies, pickle.loads(pickle.dumps(record))):
        assert other == record and other is not record
        assert same_text(encode(other)) == text
    problems = [each for each in module_of(subject).problems(record) if each.level != "info"]
    assert judge(subject.package)(subject.model, value) is (not problems), problems
    assert same_text(encode(record)) == text
    assert same_text(value) == text


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("stream_name", STREAMS)
def test_every_event(stream_name: str, recipe: str) -> None:
    for subject in EVENTS:
        if subject.stream == stream_name:
            require_faithful(subject, made(subject, recipe, random.Random(f"{subject} {recipe}")))


@pytest.mark.parametrize("recipe", RECIPES)
@pytest.mark.parametrize("package_name", [package.name for package in catalogue().packages])
def test_every_payload_class(package_name: str, recipe: str) -> None:
    for subject in PAYLOADS:
        if subject.package == package_name:
            require_faithful(subject, made(subject, recipe, random.Random(f"{subject} {recipe}")))


@STABLE
@given(st.sampled_from(EVENTS + PAYLOADS), st.sampled_from(sorted(RECIPES)), st.randoms())
def test_anything(subject: Subject, recipe: str, source: random.Random) -> None:
    require_faithful(subject, made(subject, recipe, source))


@STABLE
@given(st.sampled_from(PAYLOADS), st.sampled_from(sorted(RECIPES)), st.randoms())
def test_something_else_at_one_place_of_a_payload(
    subject: Subject, recipe: str, source: random.Random
) -> None:
    require_faithful(subject, with_wrong_place(made(subject, recipe, source), source.choice))


@STABLE
@given(st.sampled_from(EVENTS), st.sampled_from(sorted(RECIPES)), st.randoms())
def test_something_else_at_one_place_of_an_event(
    subject: Subject, recipe: str, source: random.Random
) -> None:
    stream = STREAMS[subject.stream]
    value = with_wrong_place(made(subject, recipe, source), source.choice)
    tag = value.get(stream.tag)
    if tag == subject.tag or (not tag and stream.untagged):
        require_faithful(subject, value)
    elif isinstance(tag, str):
        event = decoder_of(subject)(value)
        assert (type(event).__name__, event.tag) == ("UnknownEvent", tag)
        assert same_text(module_of(subject).encode(event)) == same_text(value)
    else:
        with pytest.raises(module_of(subject).DecodeError):
            decoder_of(subject)(value)
