"""How rules say what they found.

Reads nothing; gives the type of the function that takes a finding. Never keeps one.
"""

from __future__ import annotations

from typing import Any, Protocol


class Tell(Protocol):
    """Takes the id of a kind, what was found, the event (None for the stream as a whole) and the place."""

    def __call__(self, id: str, what: str, event: Any, path: str = "") -> None:
        """Take a finding."""
