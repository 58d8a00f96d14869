"""The streams that are measured.

Reads the scenarios of spec/, a size and a fixed seed, or recorded streams beside the checkout; returns the bodies of
answers and their payloads. Never times anything, and never copies a recording anywhere.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from codegen.load import read_fragments
from codegen.scenarios.compose import compose
from codegen.serve.frame import Frame, Framing, framing_of, recorded
from codegen.scenarios.scenario import Scenario, read_scenarios
from codegen.scenarios.workload import workload

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
SEED = 9
SHORT = 30
MEGABYTE = 2**20 * 3 // 4  # bytes of an image whose base64 is 1 MB
WINDOW = 16 * 1024

STREAMS = {
    "text": "responses",
    "mixed": "responses",
    "images": "responses",
    "chat": "chat",
    "messages": "messages",
}
RECORDINGS = {
    "responses": "responses/responses-openai-codeinterpretertoolstreamingwithfiles-1.sse",
    "chat": "chat/chat-deepinfra-or-local-test-chat-streaming.sse",
    "messages": "messages/messages-anthropic-test-pause-turn-web-search-streaming-vcr.sse",
}


class Load(NamedTuple):
    """One answer: how it is called, the stream's name, and the blocks of the body."""

    name: str
    stream: str
    frames: tuple[Frame, ...]

    @property
    def body(self) -> bytes:
        return b"".join(frame.data for frame in self.frames)

    @property
    def each(self) -> list[bytes]:
        """The body with one event a chunk."""
        return [frame.data for frame in self.frames]

    @property
    def windows(self) -> list[bytes]:
        """The body in chunks of 16 KB."""
        return pieces(self.body, WINDOW)

    @property
    def payloads(self) -> list[dict[str, Any]]:
        """The payloads of the events."""
        return [frame.event for frame in self.frames if frame.event is not None]


def pieces(body: bytes, size: int) -> list[bytes]:
    """A body in chunks of that many bytes."""
    return [body[at : at + size] for at in range(0, len(body), size)]


def as_sent(delta: dict[str, Any]) -> dict[str, Any]:
    """A text delta as long as OpenAI sends it: an id of 54 characters, and padding that the document declares elsewhere."""
    number = delta["sequence_number"]
    item = f"msg_{number % 7:050x}"
    return {**delta, "item_id": item, "obfuscation": "x" * (16 - number % 9)}


class Workloads:
    """Makes loads, from scenarios that are read once."""

    @cached_property
    def _scenarios(self) -> dict[str, Scenario]:
        found = read_scenarios(ROOT / "spec" / "scenarios")
        return {each.stream: each for each in reversed(found)}  # the first of a stream stays

    @cached_property
    def _framings(self) -> dict[str, Framing]:
        fragments = read_fragments(ROOT / "spec" / "fragments")
        return {fragment["stream"]: framing_of(fragment) for fragment in fragments}

    def made(self, kind: str, size: int) -> Load:
        """A seeded stream with about `size` deltas; of images, three previews of `size` bytes."""
        stream = STREAMS[kind]
        events = compose(workload(kind, self._scenarios[stream], size, SEED))
        return Load(f"{kind} {size:,}", stream, self._framings[stream].frames(events))

    def short(self) -> Load:
        """Few words, with ten function tools in each lifecycle event."""
        return self.made("text", SHORT)._replace(name="short, 10 tools")

    def images(self) -> Load:
        """One image with three previews, 1 MB of base64 each."""
        return self.made("images", MEGABYTE)._replace(name="images, 1 MB")

    def recordings(self) -> list[Load]:
        """A recorded stream of each API; none where there are no recordings."""
        paths = {stream: SHARED / "captures" / name for stream, name in RECORDINGS.items()}
        return [
            Load(f"recorded {stream}", stream, recorded(path.read_bytes()))
            for stream, path in paths.items()
            if path.exists()
        ]
