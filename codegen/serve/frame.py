"""From payloads to the blocks of an event stream, as the stream's fragment frames it.

Reads payloads, or the bytes of a recorded stream; returns frames. Never changes a payload.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from codegen.load import Fragment
from codegen.scenarios.scenario import Value

_BREAK = re.compile("[\r\n\0]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANK = re.compile(rb"(?<=\n)\r?\n|(?<=\r)\r(?!\n)")


class Frame(NamedTuple):
    """One block: its bytes, and the payload in them; None where there is none, as in [DONE]."""

    data: bytes
    event: Value | None = None


class Framing(NamedTuple):
    """How a stream is framed and numbered: the tag's property, whether there is an event line and a [DONE], the property of
    the number; "" for none."""

    stream: str
    tag: str
    named: bool
    done: bool
    number: str

    def frame(self, event: Value) -> Frame:
        """The block of one payload."""
        tag = event.get(self.tag)
        is_line = self.named and isinstance(tag, str) and not _BREAK.search(tag)
        line = f"event: {tag}\n" if is_line else ""
        return Frame(f"{line}data: {text_of(event)}\n\n".encode(), event)

    def frames(self, events: Iterable[Value]) -> tuple[Frame, ...]:
        """The blocks of a whole stream."""
        end = (Frame(b"data: [DONE]\n\n"),) if self.done else ()
        return (*map(self.frame, events), *end)


def text_of(event: Value) -> str:
    """A payload as servers write it: in one line, without spaces, letters as they are; but half a character cannot be sent."""
    text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def framing_of(fragment: Fragment) -> Framing:
    """The framing that a fragment gives."""
    own = fragment.get("framing", {})
    return Framing(
        stream=fragment["stream"],
        tag=fragment["tag"],
        named=own.get("event_line") == "tag",
        done=bool(own.get("done")),
        number=fragment.get("sequence", {}).get("field", ""),
    )


def recorded(body: bytes) -> tuple[Frame, ...]:
    """The blocks of a recorded event stream, byte for byte; joined they are the recording."""
    places = [match.end() for match in _BLANK.finditer(body)]
    cuts = zip([0, *places], [*places, len(body)])
    return tuple(Frame(body[a:b], _payload(body[a:b])) for a, b in cuts if b > a)


def _payload(block: bytes) -> Value | None:
    lines = re.split(r"\r\n|\r|\n", block.decode("utf-8", "replace"))
    data = [line[5:].removeprefix(" ") for line in lines if line.startswith("data:")]
    try:
        value = json.loads("\n".join(data))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
