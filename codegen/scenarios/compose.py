"""From a scenario to the events that stream it.

Reads a `Scenario`; returns payloads, which accumulated give the scenario's final object again. Pure: the same scenario
gives the same events, and every object that is returned is the caller's own.
"""

from __future__ import annotations

import copy
from collections.abc import Callable

from codegen.scenarios import (
    compose_chat,
    compose_images,
    compose_messages,
    compose_responses,
)
from codegen.scenarios.scenario import Scenario, Value

COMPOSERS: dict[str, Callable[[Scenario], list[Value]]] = {
    "chat": compose_chat.chunks,
    "completions": compose_chat.text_chunks,
    "images-edits": compose_images.events,
    "images-generations": compose_images.events,
    "messages": compose_messages.events,
    "responses": compose_responses.events,
}
"""Stream → what makes its events."""


def compose(scenario: Scenario) -> list[Value]:
    """The payloads of the scenario's events, in order and numbered where the stream numbers them."""
    made = COMPOSERS[scenario.stream](scenario)
    return [copy.deepcopy(event) for event in made]


def answer(scenario: Scenario) -> Value:
    """What the API answers to the same request without `stream`."""
    if scenario.stream.startswith("images-"):
        return compose_images.whole(scenario.final)
    return copy.deepcopy(scenario.final)
