"""The events of an image: previews, then the image.

Reads a scenario of a stream of images, whose final object is its last event; returns payloads. Never makes an image.
"""

from __future__ import annotations

from codegen.scenarios.scenario import Scenario, Value

OWN = ("type", "created_at", "b64_json", "usage")
"""Properties of the last event that are not settings of the image."""


def events(scenario: Scenario) -> list[Value]:
    """One event for each preview, and the final object."""
    final = scenario.final
    kind = final["type"].replace(".completed", ".partial_image")
    shared = {name: value for name, value in final.items() if name not in ("b64_json", "usage")}
    previews = [
        {**shared, "type": kind, "b64_json": image, "partial_image_index": number}
        for number, image in enumerate(scenario.streaming.previews.get(0, ()))
    ]
    return [*previews, final]


def whole(final: Value) -> Value:
    """The body of the same answer without `stream`."""
    settings = {name: value for name, value in final.items() if name not in OWN}
    image = {"b64_json": final["b64_json"]}
    return {
        "created": final["created_at"],
        "data": [image],
        **settings,
        "usage": final["usage"],
    }
