"""The sequence of a stream as nested steps.

Reads a stream's rules and order; returns steps: what begins an object, what comes within it, what ends it. Never draws: the page's
template and its style sheet do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from codegen.catalogue import Event, Stream
from codegen.rules import Rule, parse

Place: TypeAlias = tuple[str, ...]
"""The names of nested lists; () is the object itself."""


@dataclass
class Frame:
    """What happens to one entry of a list, or to the object itself.

    within  family → events that come any number of times
    inner   frames of lists in the entry
    closes  what comes after all that, in this order
    ends    any one of these is the last
    """

    name: str
    begins: list[Event] = field(default_factory=list)
    within: dict[str, list[Event]] = field(default_factory=dict)
    inner: list[Frame] = field(default_factory=list)
    closes: list[Event] = field(default_factory=list)
    ends: list[Event] = field(default_factory=list)


def frame_of(stream: Stream) -> Frame:
    """The frame of the whole stream: each event stands in it once."""
    rules = {event.tag: _rules(event) for event in stream.events}
    opened = _opened([rule for found in rules.values() for rule in found])
    root = Frame("")
    frames: dict[Place, Frame] = {(): root}
    for place in sorted(opened):
        frames[place] = Frame(place[-1])
        frames[_above(place, frames)].inner.append(frames[place])
    stages = _stages(stream)
    for event in _in_order(stream, stages):
        place = _deepest(rules[event.tag], frames)
        frame = frames[place]
        if event.tag in stream.terminal:
            root.ends.append(event)
        elif stages.get(event.tag, 0) > 0:
            root.closes.append(event)
        elif event.tag in stages or any(rule.verb == "start" for rule in rules[event.tag]):
            root.begins.append(event)
        elif place and any(_opening(rule) == place for rule in rules[event.tag]):
            frame.begins.append(event)
        elif place and any(_ending(rule) == place for rule in rules[event.tag]):
            frame.ends.append(event)
        else:
            frame.within.setdefault(event.family, []).append(event)
    return root


def events_of(frame: Frame) -> list[Event]:
    """The events of a frame and those in it, from top to bottom."""
    found = list(frame.begins)
    for each in frame.inner:
        found += events_of(each)
    for events in frame.within.values():
        found += events
    return found + frame.closes + frame.ends


def _opened(rules: list[Rule]) -> set[Place]:
    """The lists whose entries are begun and then added to or finished; an entry that comes whole has no frame."""
    opened = {place for rule in rules if (place := _opening(rule))}
    used = {place for rule in rules if rule.verb != "open" for place, _ in _lists(rule)}
    return opened & used


def _rules(event: Event) -> list[Rule]:
    return [rule for text in event.rules if (rule := parse(text)) is not None]


def _stages(stream: Stream) -> dict[str, int]:
    """Tags that have their place before all others (negative numbers) or after them (positive ones)."""
    stages = stream.order.stages if stream.order else ()
    middle = next((at for at, tags in enumerate(stages) if "*" in tags), len(stages))
    return {tag: at - middle for at, tags in enumerate(stages) for tag in tags if tag != "*"}


def _in_order(stream: Stream, stages: dict[str, int]) -> Iterator[Event]:
    """Events by stage, and those that end the stream as the fragment lists them."""
    last = max(stages.values(), default=0)
    places = {tag: last + at for at, tag in enumerate(stream.terminal, 1)}
    yield from sorted(stream.events, key=lambda event: {**stages, **places}.get(event.tag, 0))


def _lists(rule: Rule) -> Iterator[tuple[Place, int]]:
    """The lists that a path goes through, with the number of steps that lead to an entry."""
    names: list[str] = []
    for at, step in enumerate(rule.path):
        if isinstance(step, tuple):
            yield tuple(names), at + 1
        else:
            names.append(step.rstrip("?"))


def _opening(rule: Rule) -> Place:
    return _entry(rule) if rule.verb == "open" else ()


def _ending(rule: Rule) -> Place:
    return _entry(rule) if rule.verb in ("put", "close") else ()


def _entry(rule: Rule) -> Place:
    """The list to whose entry the path leads; () where it leads elsewhere."""
    return next((place for place, steps in _lists(rule) if steps == len(rule.path)), ())


def _deepest(rules: list[Rule], frames: dict[Place, Frame]) -> Place:
    found = [place for rule in rules for place, _ in _lists(rule) if place in frames]
    return max(found, key=len, default=())


def _above(place: Place, frames: dict[Place, Frame]) -> Place:
    return next((place[:at] for at in range(len(place) - 1, 0, -1) if place[:at] in frames), ())
