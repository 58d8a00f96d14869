"""JSON pointers into a document, as the differ uses them.

Reads and returns text. Never looks into a document.
"""

from __future__ import annotations

from codegen.catalogue import Field
from codegen.yaml_lines import escape, unescape

SCHEMAS = "#/components/schemas"
COMPONENT_STEPS = 4
"""`#/components/schemas/NAME` split at slashes."""


def is_component(pointer: str) -> bool:
    """Whether a pointer is that of a component and not of something in it."""
    return pointer.count("/") == COMPONENT_STEPS - 1


def field_pointer(owner: str, field: Field) -> str:
    """The pointer of a property of the object at `owner`."""
    return field.schema or f"{owner}/properties/{escape(field.name)}"


def pointer_steps(pointer: str) -> tuple[str, list[tuple[str, str]]]:
    """The component that a pointer leads into, and the way on: ("properties", name), ("items", ""), ("additionalProperties", "")."""
    owner, *parts = [unescape(part) for part in pointer.split("/")[COMPONENT_STEPS - 1 :]] or [""]
    steps: list[tuple[str, str]] = []
    while parts:
        word = parts.pop(0)
        if word in ("properties", "anyOf", "oneOf", "allOf") and parts:
            step = parts.pop(0)
            steps += [(word, step)] if word == "properties" else []
        elif word in ("items", "additionalProperties"):
            steps.append((word, ""))
    return owner, steps
