"""The generated package as the linter uses it: a stream's catalogue entry, its reader, its accumulator.

Reads `generated/`; returns one `Checked` for a stream. Never imports a stream that is not asked for.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from codegen.catalogue import Stream, stream_from_json
from codegen.errors import Finding, SpecError
from codegen.installed import own
from codegen.lint.reach import Reach

OWN = own("generated")
"""Where the folder lies in a checkout or in the installed generator, whatever the current folder is."""


@dataclass(frozen=True)
class Checked:
    """What checks one stream. The package's classes have no types here: they are imported when they are needed.

    framing      how a reader takes the stream's bytes
    accumulator  class of the accumulator; None for what a client sends
    problems     from an event to what its schema does not allow
    value_of     from an event and a name to the property's value
    reached      from an event and a path of names to the value there
    """

    stream: Stream
    wire: Any
    framing: Any
    accumulator: Any
    problems: Callable[[Any], list[Any]]
    encode: Callable[[Any], dict[str, Any]]
    value_of: Callable[[Any, str], Any]
    reached: Reach
    runtime: Any


@dataclass(frozen=True)
class _Runtime:
    """Modules of the package's runtime."""

    reader: Any
    blocks: Any
    rules: Any
    records: Any
    errors: Any
    problems: Any


class Package:
    """The streams of a generated folder. Raises SpecError where it is none."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder if (folder / "catalogue").is_dir() else OWN
        paths = sorted((self.folder / "catalogue").glob("*.json"))
        if not paths or not (self.folder / "stream_events").is_dir():
            what = "holds no generated package"
            raise SpecError([Finding(str(folder), what, "Run: codegen generate")])
        self._paths = {path.stem: path for path in paths}
        self._streams: dict[str, Stream] = {}
        if str(self.folder) not in sys.path:
            sys.path.insert(0, str(self.folder))

    @property
    def streams(self) -> list[Stream]:
        """All streams, by name."""
        return [self.stream(name) for name in self._paths]

    def stream(self, name: str) -> Stream:
        """The catalogue entry of a stream. Raises SpecError naming those that exist."""
        if name not in self._paths:
            action = "Name one of: " + ", ".join(self._paths) + "."
            raise SpecError([Finding(f"--stream {name}", "there is no such stream", action)])
        if name not in self._streams:
            text = self._paths[name].read_text(encoding="utf-8")
            self._streams[name] = stream_from_json(json.loads(text))
        return self._streams[name]

    def checked(self, name: str) -> Checked:
        """What checks a stream."""
        stream = self.stream(name)
        module = import_module(f"stream_events.{stream.module}")
        runtime = _Runtime(
            *(
                import_module(f"stream_events._runtime.{part}")
                for part in ("reader", "blocks", "rules", "records", "errors", "problems")
            )
        )
        accumulator, framing = None, None
        if stream.snapshot:
            accumulating = import_module(f"stream_events.{stream.module}.accumulator")
            accumulator = accumulating.Accumulator
            framing = getattr(accumulating, "FRAMING", None)
        if framing is None:
            framing = _framing(runtime, module, stream, accumulator)
        wire = framing.stream.wire
        return Checked(
            stream=stream,
            wire=wire,
            framing=framing,
            accumulator=accumulator,
            problems=module.problems,
            encode=module.encode,
            value_of=runtime.rules.value_of,
            reached=Reach(runtime.rules.reached, runtime.records.Record),
            runtime=runtime,
        )


def _framing(runtime: _Runtime, module: Any, stream: Stream, accumulator: Any) -> Any:
    """The framing of messages without one: each is an event, and none says that it is the last."""
    decoder = accumulator.PLAN.stream if accumulator is not None else module.CLIENT
    departures = accumulator.PLAN.departures if accumulator is not None else None
    events = (*stream.events, *stream.unlisted)
    return runtime.reader.Framing(
        stream=decoder,
        named=False,
        done=False,
        terminal=(*stream.terminal, *(event.tag for event in stream.unlisted if event.terminal)),
        errors=(),
        fails=(),
        known=frozenset(event.tag for event in events),
        follow=dict(stream.follow),
        error_tag=stream.error,
        departures=departures,
    )
