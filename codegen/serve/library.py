"""What the server can play: built-in scenarios, test vectors, and recorded files below one folder.

Reads scenarios, fragments, and the others when they are asked for; returns plays. Never reads a file outside the folder,
whatever a name says.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from codegen.errors import Finding, SpecError
from codegen.load import read_fragments
from codegen.scenarios.compose import COMPOSERS, answer, compose
from codegen.serve.frame import Frame, Framing, framing_of, recorded
from codegen.scenarios.scenario import Scenario, Value, read_scenarios
from codegen.serve.vectors import Vectors

MAX_RECORDING = 64 * 1024 * 1024
SUFFIXES = (".sse", ".txt", ".jsonl")


@dataclass(frozen=True)
class Play:
    """A stream that is ready: its frames, and what the same request gets without `stream` (None where nobody knows)."""

    name: str
    framing: Framing
    frames: tuple[Frame, ...]
    answer: Value | None

    @property
    def identity(self) -> str:
        """The id of the response; "" where it has none."""
        return str((self.answer or {}).get("id", ""))

    @property
    def last(self) -> int:
        """The highest number of an event; -1 where none has one."""
        numbers = (frame.event.get(self.framing.number) for frame in self.frames if frame.event)
        return max((each for each in numbers if type(each) is int), default=-1)

    def after(self, number: int) -> tuple[Frame, ...]:
        """The frames whose events have a higher number."""
        name = self.framing.number
        return tuple(
            frame
            for frame in self.frames
            if frame.event is not None and frame.event.get(name, -1) > number
        )


class NoPlay(LookupError):
    """There is no play with that name."""


class Library:
    """Scenarios by stream and name, recordings by their path below a folder, test vectors by their id."""

    def __init__(
        self,
        scenarios: tuple[Scenario, ...],
        framings: Mapping[str, Framing],
        captures: Path | None = None,
        vectors: Path | None = None,
    ) -> None:
        self.scenarios = scenarios
        self.framings = framings
        self._captures = captures.resolve() if captures is not None else None
        self._vectors = Vectors(vectors)
        self._named = {(each.stream, each.name): each for each in scenarios}

    def default(self, stream: str) -> str:
        """The scenario that is played to a client that names none."""
        found = next((each.name for each in self.scenarios if each.stream == stream), None)
        if found is None:
            raise NoPlay(f"there is no scenario of {stream}")
        return found

    def has(self, stream: str, name: str) -> bool:
        """Whether a built-in scenario has that name."""
        return (stream, name) in self._named

    def find(self, stream: str, name: str, identity: str = "") -> Play:
        """The play with that name; a scenario's final object has another id where one is given."""
        scenario = self._named.get((stream, name))
        if scenario is None:
            return self._recording(stream, name)
        if identity:
            final = {**scenario.final, "id": identity}
            scenario = Scenario(name, stream, scenario.about, final, scenario.streaming)
        framing = self.framings[stream]
        return Play(name, framing, framing.frames(compose(scenario)), answer(scenario))

    @property
    def vectors(self) -> list[str]:
        """The ids of all test vectors that can be played."""
        return self._vectors.names

    def recordings(self) -> list[str]:
        """The names of all recordings."""
        if self._captures is None:
            return []
        found = (path for path in sorted(self._captures.rglob("*")) if path.suffix in SUFFIXES)
        names = [
            path.relative_to(self._captures).as_posix() for path in found if self._inside(path)
        ]
        return [name for name in names if name.isprintable()]  # no other fits a header or the page

    def _recording(self, stream: str, name: str) -> Play:
        framing = self.framings[stream]
        recording = self._read(name)
        body = self._vectors.find(name) if recording is None else recording
        if isinstance(body, list):
            frames = framing.frames(event for event in body if isinstance(event, dict))
            return Play(name, framing, frames, _final(frames))
        if body is None:
            names = ", ".join(each.name for each in self.scenarios if each.stream == stream)
            raise NoPlay(f"there is no play {name!r} of this endpoint; there are {names}")
        if name.endswith(".jsonl"):
            try:
                events = [json.loads(line) for line in body.split(b"\n") if line.strip()]
                frames = framing.frames(event for event in events if isinstance(event, dict))
            except (ValueError, RecursionError):
                raise NoPlay(f"{name!r} is not JSON in each line") from None
        else:
            frames = recorded(body)
        return Play(name, framing, frames, _final(frames))

    def _read(self, name: str) -> bytes | None:
        """The bytes of a recording; None where there is no such file, or one that may not be read."""
        if self._captures is None or "\0" in name:
            return None
        path = self._captures / name
        try:
            if path.suffix not in SUFFIXES or not self._inside(path):
                return None
            return path.read_bytes() if path.stat().st_size <= MAX_RECORDING else None
        except OSError:
            return None

    def _inside(self, path: Path) -> bool:
        """Whether a path, with all links followed, is a file below the folder."""
        assert self._captures is not None
        try:
            real = path.resolve()
            return real.is_relative_to(self._captures) and real.is_file()
        except (OSError, RuntimeError):  # RuntimeError: a loop of links
            return False


def _final(frames: tuple[Frame, ...]) -> Value | None:
    """The object that the last event of a recording carries whole; None where it carries none."""
    for frame in reversed(frames):
        found = (frame.event or {}).get("response")
        if isinstance(found, dict):
            return found
    return None


def read_library(spec: Path, captures: Path | None = None, vectors: Path | None = None) -> Library:
    """The library of a specification's folder; SpecError where it cannot be used."""
    framings = {
        fragment["stream"]: framing_of(fragment) for fragment in read_fragments(spec / "fragments")
    }
    scenarios = read_scenarios(spec / "scenarios")
    findings = [found for each in scenarios if (found := _fault(each, framings)) is not None]
    if findings:
        raise SpecError(findings)
    return Library(scenarios, framings, captures, vectors)


def _fault(scenario: Scenario, framings: Mapping[str, Framing]) -> Finding | None:
    """Why a scenario cannot be played; None where it can."""
    where = f"{scenario.stream}/{scenario.name}.yaml"
    if scenario.stream not in framings or scenario.stream not in COMPOSERS:
        action = f"Put it in one of {', '.join(COMPOSERS)}."
        return Finding(where, f"no endpoint plays the stream {scenario.stream!r}", action)
    try:
        compose(scenario)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        what = f"its final object cannot be streamed: {type(error).__name__} {error}"
        return Finding(where, what[:200], "Give the whole final object, as the API answers.")
    return None
