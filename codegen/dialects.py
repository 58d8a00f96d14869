"""Dialects: how servers depart from streams.

Reads the files of spec/fragments/dialects and a catalogue; returns the catalogue with the dialects of each stream in it, the
events of their own among the unlisted ones of the stream, and their further rules with the stream's. Never changes what a
stream is without a dialect but for that.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


from codegen.catalogue import Catalogue, Dialect, Event, Package, Stream
from codegen.documents import locate, parse, read_bytes
from codegen.errors import Finding, SpecError
from codegen.fragment_names import Validator
from codegen.rule_faults import rule_faults
from codegen.yaml_lines import escape

SCHEMA = Path(__file__).with_name("dialect.schema.json")
_ACTION = "Correct the dialect, or the stream's fragment."


@dataclass(frozen=True)
class DialectFragment:
    """One file: the mapping that it holds, and where its parts stand."""

    path: str
    values: Mapping[str, Any]
    data: bytes = field(default=b"", repr=False)

    def where(self, *steps: str) -> str:
        """The place of a key, for an error."""
        pointer = "".join(f"/{escape(step)}" for step in steps)
        line = locate(self.data, pointer) if self.data else None
        return f"{self.path}:{line} (#{pointer})" if line else f"{self.path} (#{pointer})"


def read_dialects(folder: Path, streams: Sequence[str]) -> tuple[DialectFragment, ...]:
    """The dialects in a folder, in the order of their names; none where it does not exist. SpecError with all findings."""
    validator = Validator(json.loads(SCHEMA.read_bytes()))
    findings: list[Finding] = []
    found = []
    for path in sorted(folder.glob("*.yaml")):
        data = read_bytes(path)
        fragment = DialectFragment(str(path), parse(data, str(path)), data)
        faults = list(_faults(fragment, path.stem, validator, streams))
        findings += faults
        if not faults:
            found.append(fragment)
    if findings:
        raise SpecError(findings)
    return tuple(found)


def _faults(
    fragment: DialectFragment,
    name: str,
    validator: Any,
    streams: Sequence[str],
) -> Iterator[Finding]:
    values = fragment.values
    for error in validator.iter_errors(values):
        where = fragment.where(*map(str, error.absolute_path))
        yield Finding(where, error.message[:200], "See codegen/dialect.schema.json.")
    if not isinstance(values, dict):
        return
    if values.get("dialect", name) != name:
        what = f"the dialect is called {values['dialect']!r} and the file {name!r}"
        yield Finding(fragment.where("dialect"), what, "Rename one of them.")
    departures = values.get("streams")
    for stream in departures if isinstance(departures, dict) else ():
        if stream not in streams:
            action = "Name one of: " + ", ".join(sorted(streams)) + "."
            yield Finding(
                fragment.where("streams", stream), f"there is no stream {stream!r}", action
            )


def with_dialects(catalogue: Catalogue, fragments: Sequence[DialectFragment]) -> Catalogue:
    """The catalogue with the dialects of its streams. Raises SpecError with everything that does not fit the streams."""
    findings: list[Finding] = []
    packages = []
    for package in catalogue.packages:
        streams = []
        for stream in package.streams:
            builder = _Builder(package, stream)
            for fragment in fragments:
                if stream.name in fragment.values["streams"]:
                    builder.add(fragment)
            streams.append(builder.stream())
            findings += builder.findings
        packages.append(dataclasses.replace(package, streams=tuple(streams)))
    if findings:
        raise SpecError(findings)
    return dataclasses.replace(catalogue, packages=tuple(packages))


class _Builder:
    """The dialects of one stream, and what they bring into it."""

    def __init__(self, package: Package, stream: Stream) -> None:
        self.package = package
        self.plain = stream
        self.events = {event.tag: event for event in stream.events}
        self.unlisted = {event.tag: event for event in stream.unlisted}
        self.dialects: list[Dialect] = []
        self.findings: list[Finding] = []

    def stream(self) -> Stream:
        """The stream with all of them."""
        return dataclasses.replace(
            self.plain,
            events=tuple(self.events.values()),
            unlisted=tuple(self.unlisted[tag] for tag in sorted(self.unlisted)),
            dialects=tuple(self.dialects),
        )

    def add(self, fragment: DialectFragment) -> None:
        """Take one dialect in."""
        departure = fragment.values["streams"][self.plain.name]
        name = fragment.values["dialect"]
        own = []
        for tag, entry in departure.get("events", {}).items():
            if tag in self.events:
                self._extend(fragment, tag, tuple(entry.get("rule", ())))
            else:
                own.append(tag)
                self._include(fragment, tag, entry)
        self._check(fragment, departure)
        framing = departure.get("framing", {})
        self.dialects.append(
            Dialect(
                name=name,
                sentence=fragment.values["sentence"],
                sources=tuple(fragment.values["sources"]),
                notes=tuple(fragment.values.get("notes", ())),
                event_line=framing.get("event_line", self.plain.event_line),
                done=framing.get("done", self.plain.done),
                terminal=tuple(departure.get("terminal", self.plain.terminal)),
                follow=_joined(self.plain.follow, departure.get("follow", {})),
                tags=tuple(departure.get("tags", ())),
                own=tuple(own),
                prefix=departure.get("prefix", ""),
                repairs=tuple(departure.get("repairs", ())),
                leaves_out=_pairs(departure.get("leaves_out", {})),
                expects=tuple(departure.get("expects", ())),
                sentences=tuple(
                    (tag, entry["sentence"]) for tag, entry in departure.get("events", {}).items()
                ),
                fields=tuple(
                    (tag, tuple(entry["fields"].items()))
                    for tag, entry in departure.get("events", {}).items()
                    if "fields" in entry
                ),
            )
        )

    def _extend(self, fragment: DialectFragment, tag: str, rules: tuple[str, ...]) -> None:
        """Let further rules hold for an event of the stream."""
        event = self.events[tag]
        new = tuple(rule for rule in rules if rule not in event.rules)
        added = dataclasses.replace(event, rules=new)
        self._report_rules(fragment, tag, rule_faults(added, self.plain, self.package), _ACTION)
        self.events[tag] = dataclasses.replace(event, rules=event.rules + new)

    def _include(self, fragment: DialectFragment, tag: str, entry: Mapping[str, Any]) -> None:
        """Let an event of the dialect's own be known, without a dialect too."""
        event = Event(
            tag,
            "",
            family=entry.get("family", ""),
            sentence=entry["sentence"],
            provenance=f"seen in the dialect {fragment.values['dialect']}",
            rules=tuple(entry.get("rule", ())),
            terminal=entry.get("terminal", False),
        )
        self._report_rules(fragment, tag, rule_faults(event, self.plain, self.package), _ACTION)
        other = self.unlisted.setdefault(tag, event)
        if "rule" in entry and other.rules != event.rules:
            what = f"{tag!r} has other rules elsewhere ({other.provenance})"
            self._report_rules(fragment, tag, [what], "Let both have the same.")

    def _report_rules(
        self, fragment: DialectFragment, tag: str, faults: Sequence[str], action: str
    ) -> None:
        for fault in faults:
            where = fragment.where("streams", self.plain.name, "events", tag)
            self.findings.append(Finding(where, fault, action))

    def _check(self, fragment: DialectFragment, departure: Mapping[str, Any]) -> None:
        """Every tag and property that the dialect names exists."""
        known = {*self.events, *self.unlisted}
        for key in ("tags", "terminal", "follow", "leaves_out"):
            for tag in departure.get(key, ()):
                if tag not in known:
                    self._report(fragment, key, f"{tag!r} is no tag of the stream or the dialect")
        for tag, names in departure.get("leaves_out", {}).items():
            model = self.events[tag].model if tag in self.events else ""
            declared = [each.name for each in self.package.model(model).fields] if model else names
            for name in names:
                if name.removesuffix(".*") not in declared:
                    self._report(fragment, "leaves_out", f"{model} has no property {name!r}")
        repairable = {self.plain.tag, *(name for name, _ in self.plain.repair)}
        for name in departure.get("repairs", ()):
            if name not in repairable:
                self._report(fragment, "repairs", f"the stream's `repair` does not have {name!r}")

    def _report(self, fragment: DialectFragment, key: str, what: str) -> None:
        where = fragment.where("streams", self.plain.name, key)
        self.findings.append(Finding(where, what, _ACTION))


def _pairs(values: Mapping[str, Sequence[str]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((key, tuple(names)) for key, names in values.items())


def _joined(
    plain: tuple[tuple[str, tuple[str, ...]], ...], own: Mapping[str, Sequence[str]]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Tags that may follow others: the stream's and the dialect's."""
    joined = {tag: list(tags) for tag, tags in plain}
    for tag, tags in own.items():
        joined[tag] = list(dict.fromkeys([*joined.get(tag, ()), *tags]))
    return _pairs(joined)
