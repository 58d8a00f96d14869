"""From a payload to the event of one stream, by the stream's dispatch table.

Reads JSON text or parsed payloads; returns typed events. Raises `DecodeError` for what is no event at all (no JSON
object, no tag) and nothing else: an unknown tag is an `UnknownEvent`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .errors import DecodeError
from .json_text import Loads as Loads, loads
from .records import Kept, Mark, UnknownEvent
from .wire import Wire

Payload = bytes | bytearray | memoryview | str | Mapping[str, Any]


class Stream:
    """One stream of a package.

    name      the name of the stream in the catalogue
    wire      decoders of the package
    events    dispatch table: tag → event class
    tag       the property that holds the tag
    untagged  the tag of a payload without that property; "" where such a payload is no event
    decoders  what makes events of payloads, by tag, as far as they were needed
    """

    def __init__(
        self, name: str, wire: Wire, events: Mapping[str, type[Any]], tag: str, untagged: str = ""
    ) -> None:
        self.name = name
        self.wire = wire
        self.events = events
        self.tag = tag
        self.untagged = untagged
        self.decoders: dict[str, Callable[[Any], Any]] = {}

    def decode(self, payload: Payload, loads: Loads | None = None) -> Any:
        """The event of a payload: JSON text, or a mapping as `json.loads` gives it, with which the event may share lists
        and mappings. `loads` parses the text."""
        data: Any = payload if type(payload) is dict else _mapping(payload, loads)
        try:
            decoder = self.decoders[data[self.tag]]
        except (KeyError, TypeError):  # a tag that is new, absent or a list
            decoder = self._first
        try:
            return decoder(data)
        except RecursionError:
            raise DecodeError("the payload is nested too deep") from None

    def decode_as(self, tag: str, data: dict[str, Any]) -> Any:
        """The event of a payload whose tag is known from elsewhere, such as the `event:` line, and absent in it."""
        if tag not in self.events:
            return UnknownEvent(tag, data)
        try:
            event = self._decoder(tag)(data)
        except RecursionError:
            raise DecodeError("the payload is nested too deep") from None
        if getattr(event, self.tag, tag) is None:
            setattr(event, self.tag, tag)
            kept = event._wire or Kept({}, {})
            mark = Mark.NULL_ELSEWHERE if self.tag in data else Mark.ELSEWHERE
            event._wire = Kept(kept.unknown, {**kept.marks, self.tag: mark})
        return event

    def _first(self, data: dict[str, Any]) -> Any:
        tag = data.get(self.tag)
        if not tag and self.untagged:
            return self._decoder(self.untagged)(data)
        if not isinstance(tag, str):
            what = "has no" if tag is None else "has no text in its"
            raise DecodeError(f"the payload {what} property {self.tag!r}")
        if tag not in self.events:
            return UnknownEvent(tag, data)
        self.decoders[tag] = self.wire.decoder(self.events[tag].__name__, self.tag, tag)
        return self.decoders[tag](data)

    def _decoder(self, tag: str) -> Callable[[Any], Any]:
        return self.wire.decoder(self.events[tag].__name__)


def _mapping(payload: Payload, preferred: Loads | None) -> dict[str, Any]:
    value: Any = payload
    if isinstance(payload, (str, bytes, bytearray, memoryview)):
        value = loads(payload, preferred)
    elif isinstance(payload, Mapping):
        value = dict(payload)
    if not isinstance(value, dict):
        raise DecodeError(f"the payload is not a JSON object but {type(value).__name__}")
    return value
