"""What the scenarios say that a stream adds up to, read from their files and by nothing of ours.

Reads `spec/scenarios`; returns final objects and texts. Never composes a stream.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

FOLDER = Path(__file__).resolve().parent.parent / "spec" / "scenarios"


def answered(stream: str, name: str) -> dict[str, Any]:
    """The final object: what all scenarios of the stream have in common, with what this one has of its own."""
    common = YAML(typ="safe", pure=True).load(FOLDER / f"{stream}.yaml")
    own = YAML(typ="safe", pure=True).load(FOLDER / stream / f"{name}.yaml")
    return {**common, **own["final"]}


def text_of(stream: str, name: str) -> str:
    """The text of a scenario's only text part."""
    final = answered(stream, name)
    parts: list[dict[str, Any]] = final.get("content", [])
    if stream == "responses":
        parts = [part for item in final["output"] for part in item["content"]]
    elif stream == "chat":
        parts = [{"text": choice["message"]["content"]} for choice in final["choices"]]
    [text] = [str(part["text"]) for part in parts if "text" in part]
    return text
