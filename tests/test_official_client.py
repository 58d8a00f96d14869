"""The official clients, `openai` and `anthropic`, as judges of the catalogue: their types come from the same sources.

Reads the catalogue of `spec/`, the clients' classes and `official_client.yaml`, the list of known differences. Every
event class is compared with the client's class of the same tag, and from there every payload class with the client's in
the same place (`client_comparison` says how, and which conventions are no differences). Never passes a difference that is
not listed, nor a listed one that is gone.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib.metadata
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anthropic.types
import anthropic.types.beta
import openai.types
import openai.types.beta.beta_response_stream_event
import openai.types.beta.beta_responses_client_event
import openai.types.beta.beta_responses_server_event
import openai.types.chat
import openai.types.responses
import openai.types.responses.responses_client_event
import openai.types.responses.responses_server_event
import pytest
from ruamel.yaml import YAML

from codegen.catalogue import Field, Model, Package, Stream, Type
from codegen.load import load
from codegen.resolve import resolve
from tests.client_comparison import ABSENT, Comparison, Difference
from tests.client_types import CatalogueTypes, Class, ClientTypes

HERE = Path(__file__).resolve().parent
SIDES = {"wire", "document", "client", "ours"}
BETA = openai.types.beta
RESPONSES = openai.types.responses

EVENTS: dict[str, Any] = {
    "beta-responses": BETA.beta_response_stream_event.BetaResponseStreamEvent,
    "beta-responses-websocket-client": BETA.beta_responses_client_event.BetaResponsesClientEvent,
    "beta-responses-websocket-server": BETA.beta_responses_server_event.BetaResponsesServerEvent,
    "chat": openai.types.chat.ChatCompletionChunk,
    "completions": openai.types.Completion,
    "images-edits": openai.types.ImageEditStreamEvent,
    "images-generations": openai.types.ImageGenStreamEvent,
    "messages": anthropic.types.RawMessageStreamEvent,
    "responses": RESPONSES.ResponseStreamEvent,
    "responses-websocket-client": RESPONSES.responses_client_event.ResponsesClientEvent,
    "responses-websocket-server": RESPONSES.responses_server_event.ResponsesServerEvent,
}
"""Stream → the client's type of its events."""

PACKAGES = sorted(
    {name.removeprefix("beta-").partition("-")[0] for name in EVENTS} | {"beta_responses"}
)

OTHERS: dict[str, type[Any]] = {
    "CreateChatCompletionResponse": openai.types.chat.ChatCompletion,
    "BetaCompactionBlock": anthropic.types.beta.BetaCompactionBlock,
    "BetaCompactionContentBlockDelta": anthropic.types.beta.BetaCompactionContentBlockDelta,
    "BetaFallbackBlock": anthropic.types.beta.BetaFallbackBlock,
}
"""Classes that no event of the client leads to → the client's: a snapshot, and blocks that it has elsewhere."""


@dataclass(frozen=True)
class Entry:
    """A known difference: `where` are places, in which * stands for letters."""

    where: tuple[str, ...]
    kind: str
    ours: str
    client: str
    right: str
    reason: str
    places: int = 0

    def matches(self, difference: Difference) -> bool:
        """Whether the entry is about `difference`."""
        said = (self.kind, self.ours, self.client)
        return said == (difference.kind, difference.ours, difference.client) and any(
            re.fullmatch(re.escape(place).replace(r"\*", r"\w*"), difference.where)
            for place in self.where
        )


@functools.cache
def packages() -> dict[str, Package]:
    """The packages of the committed specification by name."""
    return {package.name: package for package in resolve(load(HERE.parent / "spec")).packages}


@functools.cache
def streams() -> dict[str, Stream]:
    """Every stream by name."""
    return {stream.name: stream for each in packages().values() for stream in each.streams}


@functools.cache
def known() -> dict[str, Any]:
    """The file of known differences."""
    found: dict[str, Any] = YAML(typ="safe", pure=True).load(HERE / "official_client.yaml")
    return found


@functools.cache
def entries() -> tuple[Entry, ...]:
    """The known differences."""
    return tuple(
        Entry(**{**entry, "where": tuple(entry["where"])}) for entry in known()["differences"]
    )


def client_events(stream: Stream) -> dict[str, Class]:
    """The client's event classes of a stream by tag."""
    types = ClientTypes()
    classes = types.value(EVENTS[stream.name]).classes
    return {tag: each for each in classes for tag in types.slots(each)[stream.tag].value.literals}


@functools.cache
def compared(name: str) -> Comparison:
    """The comparison of a package of the catalogue."""
    return compare(packages()[name])


def compare(package: Package) -> Comparison:
    """All classes of a package that have a counterpart, compared; those that have none are noted."""
    comparison = Comparison(CatalogueTypes(package))
    lanes = frozenset(stream.lane for stream in package.streams if stream.lane)
    for stream in package.streams:
        classes = client_events(stream)
        for event in stream.events:
            if event.tag in classes:
                apart_from = frozenset[str]() if stream.lane else lanes
                comparison.classes(event.model, classes[event.tag], apart_from)
    models = {model.name: model for model in package.models}
    for name, other in OTHERS.items():
        if name in models:
            comparison.classes(name, other)
    met = {our for our, _ in comparison.pairs}
    for name in sorted(models.keys() - met):
        if models[name].fields:
            comparison.note(name, "class", "declared", ABSENT)
    return comparison


def event_differences(stream: Stream) -> list[Difference]:
    """The tags that only one side has."""
    ours, client = {event.tag for event in stream.events}, client_events(stream).keys()
    return [
        Difference(f"{stream.name}.{tag}", "event", *sides)
        for only, sides in (
            (ours - client, ("declared", ABSENT)),
            (client - ours, (ABSENT, "declared")),
        )
        for tag in sorted(only)
    ]


@functools.cache
def differences() -> tuple[Difference, ...]:
    """Everything that the catalogue and the clients state differently."""
    found = [each for stream in streams().values() for each in event_differences(stream)]
    found += [each for name in packages() for each in compared(name).differences]
    return tuple(dict.fromkeys(found))


def unlisted(found: list[Difference]) -> str:
    """The differences that no entry is about, as entries to paste."""
    return "\n".join(
        difference.as_entry()
        for difference in found
        if not any(entry.matches(difference) for entry in entries())
    )


def test_the_list_is_about_the_installed_clients() -> None:
    for name, version in known()["clients"].items():
        assert importlib.metadata.version(name) == version, f"compare again with {name} {version}"


def test_every_stream_has_a_counterpart() -> None:
    assert streams().keys() == EVENTS.keys()


@pytest.mark.parametrize("name", sorted(EVENTS))
def test_streams_have_the_tags_of_the_client(name: str) -> None:
    new = unlisted(event_differences(streams()[name]))
    assert not new, f"{name} has other tags than the client. If that is right, list it:\n{new}"


@pytest.mark.parametrize("name", PACKAGES)
def test_classes_say_what_the_client_says(name: str) -> None:
    new = unlisted(list(compared(name).differences))
    assert not new, f"{name} differs from the client. If that is right, list it:\n{new}"


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: f"{entry.kind} {entry.where[0]}")
def test_entries_are_still_differences(entry: Entry) -> None:
    found = [difference.where for difference in differences() if entry.matches(difference)]
    places = entry.places or len(entry.where)
    assert len(found) == places, f"the entry is about {places} places, found are {found}"
    assert entry.right in SIDES, f"right is one of {sorted(SIDES)}"
    assert entry.reason and entry.reason.endswith(".")


def test_no_difference_is_listed_twice() -> None:
    for difference in differences():
        about = [entry for entry in entries() if entry.matches(difference)]
        assert len(about) < 2, f"{difference.where} is in {len(about)} entries"


def becomes(**parts: Any) -> Callable[[Field], Field]:
    """A change that gives a field other values for some of its parts."""
    return lambda field: dataclasses.replace(field, **parts)


USAGE = Type("ref", name="Usage")
BLOCKS = Type("array", items=Type("ref", name="ContentBlock", null=True))
CHANGES: tuple[tuple[str, Callable[[Field], Field], Difference], ...] = (
    (
        "Usage.input_tokens",
        becomes(name="tokens"),
        Difference("Usage.tokens", "field", "required: integer", ABSENT),
    ),
    (
        "Usage.input_tokens",
        becomes(name="tokens"),
        Difference("Usage.input_tokens", "field", ABSENT, "required: integer"),
    ),
    (
        "Usage.input_tokens",
        becomes(required=False),
        Difference("Usage.input_tokens", "required", "optional", "required"),
    ),
    (
        "Usage.input_tokens",
        becomes(type=Type("string")),
        Difference("Usage.input_tokens", "type", "string", "integer"),
    ),
    (
        "Message.role",
        becomes(type=Type("constant", values=("other",))),
        Difference("Message.role", "values", "other", "assistant"),
    ),
    (
        "CitationsDelta.citation",
        becomes(type=USAGE),
        Difference("CitationsDelta.citation", "member", "Usage", ABSENT),
    ),
    (
        "Message.content",
        becomes(type=BLOCKS),
        Difference("Message.content[]", "null", "or null", "not null"),
    ),
)
"""A field of the messages, a change to it, and a difference that the judge must then find."""


@pytest.mark.parametrize(("place", "change", "expected"), CHANGES)
def test_the_judge_objects(
    place: str, change: Callable[[Field], Field], expected: Difference
) -> None:
    package = packages()["messages"]

    def changed(model: Model) -> Model:
        fields = ((f"{model.name}.{part.name}", part) for part in model.fields)
        return dataclasses.replace(
            model, fields=tuple(change(part) if name == place else part for name, part in fields)
        )

    other = dataclasses.replace(package, models=tuple(map(changed, package.models)))
    assert expected in compare(other).differences
    assert expected not in compared("messages").differences


def test_the_judge_misses_an_event() -> None:
    stream = streams()["messages"]
    shorter = dataclasses.replace(stream, events=stream.events[1:])
    missed = Difference(f"messages.{stream.events[0].tag}", "event", ABSENT, "declared")
    assert missed in event_differences(shorter)
