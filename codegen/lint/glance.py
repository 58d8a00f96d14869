"""What an event is about, in a few words: the place in the snapshot and the piece of text.

Reads events by the rules of their tags; returns places and pieces. Never says whether they are right.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, NamedTuple

from codegen.catalogue import Stream
from codegen.lint.places import Act, acts_of
from codegen.lint.reach import Reach
from codegen.lint.texts import Texts
from codegen.rules import Rule, bare, parse

PIECES = ("append", "append64", "appendjson")


class Glance(NamedTuple):
    """Indexes that name the place, the text that the event shows, and how many characters it adds."""

    keys: tuple[Any, ...]
    text: str
    added: int


NOTHING = Glance((), "", 0)


class Glances:
    """The glances of one stream. `of` gives the function for the events of a tag, `place` the place in words."""

    def __init__(self, stream: Stream, reach: Reach) -> None:
        self._reach = reach
        self._acts = acts_of(stream)
        self._pieces: dict[str, list[Rule]] = {}
        for event in (*stream.events, *stream.unlisted):
            rules = [rule for text in event.rules if (rule := parse(text)) is not None]
            self._pieces[event.tag] = [
                rule
                for rule in rules
                if rule.verb in PIECES and len(rule.source) > 2 and rule.source[1] == "[]"
            ]

    def of(self, tag: str) -> Callable[[Any], Glance]:
        """What gives the glance of an event of this tag."""
        acts = [act for act in self._acts.get(tag, ()) if act.verb != "touch"]
        pieces = self._pieces.get(tag)
        if pieces:
            return self._elements(pieces)
        if not acts:
            return lambda event: NOTHING
        if len(acts) == 1 and acts[0].verb == "append" and len(acts[0].source) == 1:
            return self._quick(acts[0])
        return lambda event: self._of_acts(event, acts)

    def _quick(self, act: Act) -> Callable[[Any], Glance]:
        names = [key[0] for key in act.keys]
        getter = attrgetter(*names, act.source[0]) if names else None

        def glance(event: Any) -> Glance:
            try:
                *keys, text = getter(event) if getter is not None else ((), "")
                if type(text) is str:
                    return Glance(tuple(keys), text, len(text))
                return self._of_acts(event, [act])
            except (AttributeError, TypeError):
                return self._of_acts(event, [act])

        return glance if getter is not None else lambda event: self._of_acts(event, [act])

    def _of_acts(self, event: Any, acts: list[Act]) -> Glance:
        """The glance by the first act that has text; by the first one where none has."""
        first = NOTHING
        for act in acts:
            keys = tuple(self._reach(event, (key[0],)) for key in act.keys)
            text = act.value or self._reach(event, act.source)
            if isinstance(text, str) and text:
                return Glance(keys, text, len(text) if act.verb == "append" else 0)
            first = Glance(keys, "", 0) if first is NOTHING else first
        return first

    def _elements(self, rules: list[Rule]) -> Callable[[Any], Glance]:
        """The glance of what has the texts of several entries in one list."""
        paths = enumerate(bare(rule.source)[2:] for rule in rules)
        texts = Texts(paths, self._reach)
        elements_of = self._reach.reader((rules[0].source[0],))
        index_of = self._reach.reader(("index",))

        def glance(event: Any) -> Glance:
            elements = elements_of(event)
            if not isinstance(elements, list) or not elements:
                return NOTHING
            found = [text for element in elements for text in texts.of(element)]
            text = found[0] if len(found) == 1 else "".join(found)
            return Glance((index_of(elements[0]),), text, len(text))

        return glance

    def place(self, tag: str, keys: tuple[Any, ...]) -> str:
        """The place that the keys of a glance name."""
        pieces = self._pieces.get(tag)
        lists: tuple[str, ...] = ()
        if pieces:
            lists = (pieces[0].source[0],)
        else:
            acts = [act for act in self._acts.get(tag, ()) if act.verb != "touch"]
            lists = acts[0].lists if acts else ()
        return ".".join(
            f"{name.lstrip('@')}[{key if type(key) is int else '?'}]" for name, key in zip(lists, keys, strict=False)
        )  # fmt: skip
