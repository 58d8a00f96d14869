"""From a specification to the catalogue.

Reads a `Specification`; returns the `Catalogue`, in a fixed order that depends on nothing but the specification.
Never reads a file and never formats code. All findings of all streams are raised together as one `SpecError`.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from codegen.catalogue import Catalogue, Event, Model, Package, Sequence, Stream
from codegen.dialects import with_dialects
from codegen.errors import Finding, SpecError
from codegen.load import Fragment, Specification
from codegen.lower import Lowering
from codegen.names import event_alias
from codegen.order import order_faults, order_of, usage_of
from codegen.rule_faults import rule_findings
from codegen.schemas import Node, Schemas
from codegen.unions import component_of, literal_values, mapped_tags


def resolve(specification: Specification) -> Catalogue:
    """The catalogue of all streams that the fragments name, grouped into packages by their module's first part."""
    groups: dict[str, list[Fragment]] = {}
    for fragment in sorted(specification.fragments, key=_place):
        groups.setdefault(fragment["module"].split(".")[0], []).append(fragment)
    findings: list[Finding] = []
    packages = []
    for name, fragments in groups.items():
        builder = _Builder(specification, fragments)
        packages.append(builder.package(name))
        findings += builder.findings
    if findings:
        raise SpecError(findings)
    catalogue = Catalogue(
        specification.sources, tuple(packages), specification.envelopes, specification.flags
    )
    findings = rule_findings(specification.fragments, catalogue)
    if findings:
        raise SpecError(findings)
    return with_dialects(catalogue, specification.dialects)


def _place(fragment: Fragment) -> tuple[str, bool, str]:
    """A module before those below it, so that a class stands where it is first needed; server before client."""
    return fragment["module"], fragment["direction"] == "client", fragment["stream"]


class _Builder:
    """One package: its streams share the document, the models and the names."""

    def __init__(self, specification: Specification, fragments: list[Fragment]) -> None:
        self.fragments = fragments
        self.first_seen = specification.first_seen
        document = specification.documents[fragments[0]["document"]]
        self.schemas = Schemas(document.tree["components"]["schemas"], document.where)
        sentences: dict[str, str] = {}
        for fragment in fragments:
            sentences |= fragment.get("models", {})
        tables = [fragment["table"] for fragment in fragments]
        self.lowering = Lowering(
            self.schemas, sentences, [*tables, *map(event_alias, dict.fromkeys(tables))]
        )
        self.findings = self.schemas.findings
        self.modules: dict[str, str] = {}
        self.sentences: dict[str, str] = {}

    def package(self, name: str) -> Package:
        shared = {fragment["stream"]: self._components(fragment) for fragment in self.fragments}
        for fragment in self.fragments:
            if "shares" in fragment:
                self._fold(fragment, shared.get(fragment["shares"], []))
        streams = tuple(self._stream(fragment) for fragment in self.fragments)
        models, aliases = self.lowering.finished()
        return Package(name, streams, tuple(map(self._placed, models)), aliases)

    def _placed(self, model: Model) -> Model:
        sentence = self.sentences.get(model.name, model.sentence)
        return dataclasses.replace(
            model, module=self.modules.get(model.name, ""), sentence=sentence
        )

    def _members(self, fragment: Fragment) -> list[Node]:
        """The members of the stream's union; an object schema is a union of itself."""
        union = fragment["union"]
        if union not in self.schemas.components:
            where = self.schemas.where("#/components/schemas")
            self.findings.append(
                Finding(
                    where,
                    f"the union {union!r} of stream {fragment['stream']} does not exist",
                    f"Correct `union` in {fragment.path} or add an overlay.",
                )
            )
            return []
        node = self.schemas.component(union)
        if not isinstance(node.schema, dict):
            self.schemas.report(node.pointer, "the schema is not an object")
            return []
        self.schemas.require_lists(node)
        found: list[Node] = []
        for member in self.schemas.members(node) or [node]:
            found += self._opened(member, () if member is node else (node.pointer,))
        return found

    def _opened(self, member: Node, above: tuple[str, ...]) -> list[Node]:
        """The member, or those of the union that it is; none where it is not there, which is reported."""
        followed = self.schemas.follow(member)
        if not isinstance(followed.schema, dict):
            self.schemas.report(followed.pointer, "the schema is not an object")
            return []
        if "$ref" in followed.schema and self.schemas.target(followed) is None:
            return []
        if followed.pointer in above:
            self.schemas.report(followed.pointer, "the union contains itself")
            return []
        inner = self.schemas.members(followed)
        if inner and not self.schemas.is_object(followed):
            above += (followed.pointer,)
            return [each for part in inner for each in self._opened(part, above)]
        return [member if self.schemas.plain_target(member) is None else followed]

    def _components(self, fragment: Fragment) -> list[str]:
        return [member.pointer for member in self._members(fragment)]

    def _fold(self, fragment: Fragment, pointers: list[str]) -> None:
        """Give the shared class the optional properties that this union's member adds to it."""
        for member in self._members(fragment):
            base = self._shared(member, pointers)
            if base is None:
                continue
            for part in member.children("allOf"):
                if "properties" in part.schema and self._is_new(base, part):
                    self.schemas.additions.setdefault(base.pointer, []).append(part)

    def _is_new(self, base: Node, part: Node) -> bool:
        return all(
            part.schema != other.schema for other in self.schemas.additions.get(base.pointer, ())
        )

    def _shared(self, member: Node, pointers: list[str]) -> Node | None:
        """The shared event that a member `allOf: [event, optional additions]` stands for."""
        parts = member.children("allOf") if isinstance(member.schema, dict) else []
        if not all(isinstance(part.schema, dict) for part in parts):
            return None
        bases = [node for part in parts if (node := self.schemas.follow(part)).pointer in pointers]
        additions = [part for part in parts if "$ref" not in part.schema]
        if len(bases) != 1 or len(additions) != len(parts) - 1:
            return None
        known = self.schemas.shapes(bases[0])[0].properties
        for part in additions:
            for name, schema in (part.schema.get("properties") or {}).items():
                if name in known and known[name].schema != schema:
                    return None
        return None if any(part.schema.get("required") for part in additions) else bases[0]

    def _stream(self, fragment: Fragment) -> Stream:
        pointers = [member.pointer for member in self._members(self._sharing(fragment))]
        entries = fragment.get("events", {})
        events: dict[str, Event] = {}
        faults = len(self.findings)
        members = self._members(fragment)
        is_whole = len(self.findings) == faults
        for member in members:
            base = self._shared(member, pointers) if "shares" in fragment else None
            for type_ in self.lowering.object_types(base or member):
                for event in self._events(type_.name, member, fragment, entries):
                    other = events.setdefault(event.tag, event)
                    if other.model != event.model:
                        both = f"{other.model} and {event.model}"
                        what = (
                            f"two members of {fragment['union']} have the tag {event.tag!r}, {both}"
                        )
                        self.schemas.report(member.pointer, what)
        if is_whole:  # a tag that is missing because its event is was told already
            self._check_tags(fragment, events)
            known = frozenset(events) | frozenset(fragment.get("unlisted", {}))
            self.findings += order_faults(fragment, known)
        return self._record(fragment, tuple(events[tag] for tag in sorted(events)))

    def _sharing(self, fragment: Fragment) -> Fragment:
        named = {each["stream"]: each for each in self.fragments}
        return named.get(fragment.get("shares", ""), fragment)

    def _events(
        self, model: str, member: Node, fragment: Fragment, entries: dict[str, Any]
    ) -> list[Event]:
        found = self.lowering.models[model]
        field = next((field for field in found.fields if field.name == fragment["tag"]), None)
        tags = literal_values(field.type, self.lowering.aliases) if field else ()
        mapped = mapped_tags(self.schemas.component(fragment["union"]))
        tags = tuple(tag for tag in tags if isinstance(tag, str)) or mapped.get(
            component_of(found), ()
        )
        if not tags:
            self.schemas.report(
                member.pointer,
                f"the event {model} has no constant in its tag property {fragment['tag']!r}",
            )
        events = []
        for tag in tags:
            entry = entries.get(tag, {})
            self.modules.setdefault(model, fragment["module"])
            if "sentence" in entry:
                self.sentences.setdefault(model, entry["sentence"])
            seen = self.first_seen.get((fragment["stream"], tag), ())
            events.append(dataclasses.replace(_event(tag, model, entry, fragment), first_seen=seen))
        return events

    def _check_tags(self, fragment: Fragment, events: dict[str, Event]) -> None:
        named = {tag: f"terminal/{at}" for at, tag in enumerate(fragment.get("terminal", ()))}
        named |= {tag: tag for tag in fragment.own_events}
        for tag, place in named.items():
            if tag not in events:
                self.findings.append(
                    Finding(
                        fragment.where(place),
                        f"stream {fragment['stream']} has no event {tag!r} in {fragment['union']}",
                        "Remove the entry, or add the event by an overlay in spec/overlays/.",
                    )
                )

    def _record(self, fragment: Fragment, events: tuple[Event, ...]) -> Stream:
        framing = fragment.get("framing", {})
        sequence = fragment.get("sequence")
        return Stream(
            name=fragment["stream"],
            document=fragment["document"],
            union=fragment["union"],
            module=fragment["module"],
            table=fragment["table"],
            direction=fragment["direction"],
            transport=fragment["transport"],
            tag=fragment["tag"],
            sentence=fragment["sentence"],
            events=events,
            event_line=framing.get("event_line", ""),
            done=framing.get("done", False),
            untagged=fragment.get("untagged", ""),
            lane=fragment.get("lane", ""),
            sequence=Sequence(**sequence) if sequence else None,
            terminal=tuple(fragment.get("terminal", ())),
            snapshot=self._snapshot(fragment),
            snapshot_name=fragment.get("snapshot_name", ""),
            error=fragment.get("error", ""),
            follow=tuple((tag, tuple(tags)) for tag, tags in fragment.get("follow", {}).items()),
            reads=tuple(fragment.get("reads", {}).items()),
            complete=_complete(fragment.get("complete")),
            repair=tuple(fragment.get("repair", {}).items()),
            line_needed=framing.get("line_needed", False),
            order=order_of(fragment),
            usage=usage_of(fragment),
            unlisted=tuple(
                Event(
                    tag,
                    "",
                    sentence=entry["sentence"],
                    provenance=f"seen on {entry['seen']}",
                    rules=_rules(entry, fragment),
                    terminal=entry.get("terminal", False),
                )
                for tag, entry in sorted(fragment.get("unlisted", {}).items())
            ),
        )

    def _snapshot(self, fragment: Fragment) -> str:
        component = fragment.get("snapshot", "")
        if not component:
            return ""
        if component not in self.schemas.components:
            self.findings.append(
                Finding(
                    fragment.where("snapshot"),
                    f"the snapshot schema {component!r} does not exist",
                    "Correct `snapshot`.",
                )
            )
            return ""
        return self.lowering.object_types(self.schemas.component(component))[0].name


def _rules(entry: dict[str, Any], fragment: Fragment) -> tuple[str, ...]:
    """The rules of an unlisted event: its own, or those of the event that it is like."""
    events = fragment.get("events", {})
    return tuple(entry["rule"] if "rule" in entry else events.get(entry["as"], {}).get("rule", ()))


def _complete(entry: dict[str, Any] | None) -> tuple[str, tuple[Any, ...]]:
    return (entry["path"], tuple(entry["values"])) if entry else ("", ())


def _event(tag: str, model: str, entry: dict[str, Any], fragment: Fragment) -> Event:
    provenance = entry.get("provenance", "documented")
    if isinstance(provenance, dict):
        provenance = ", ".join(f"{word} {value}" for word, value in provenance.items())
    return Event(
        tag,
        model,
        family=entry.get("family", ""),
        sentence=entry.get("sentence", ""),
        stability=entry.get("stability", fragment.get("stability", "ga")),
        provenance=provenance,
        rules=tuple(entry.get("rule", ())),
    )
