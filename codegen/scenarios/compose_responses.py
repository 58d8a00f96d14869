"""The events of a response: its lifecycle around the events of its output items.

Reads a scenario of the stream `responses`; returns numbered payloads. Never looks into an item (`compose_items` does).
"""

from __future__ import annotations

from codegen.scenarios.compose_items import item_events
from codegen.scenarios.pieces import ordered
from codegen.scenarios.scenario import Scenario, Value

NOT_YET: Value = {
    "output": [],
    "usage": None,
    "completed_at": None,
    "error": None,
    "incomplete_details": None,
}
"""What a response does not have while it is being made."""


def events(scenario: Scenario) -> list[Value]:
    """Lifecycle events, the events of each item, the terminal event."""
    final, streaming = scenario.final, scenario.streaming
    parts = []
    for place, item in enumerate(final["output"]):
        previews = streaming.previews.get(place, ())
        made = item_events(item, streaming.pieces, previews)
        parts.append([{**event, "output_index": place} for event in made])
    made = [
        *_beginning(final, streaming.begin),
        *ordered(parts, streaming),
        {"type": f"response.{final['status']}", "response": final},
    ]
    return [{**event, "sequence_number": number} for number, event in enumerate(made)]


def _beginning(final: Value, begin: tuple[str, ...]) -> list[Value]:
    """One event for each step; a response that is queued has that status until it is in progress."""
    unfinished = {name: NOT_YET.get(name, value) for name, value in final.items()}
    made = []
    for at, step in enumerate(begin):
        status = "queued" if "queued" in begin[at:] or step == "queued" else "in_progress"
        made.append({"type": f"response.{step}", "response": {**unfinished, "status": status}})
    return made
