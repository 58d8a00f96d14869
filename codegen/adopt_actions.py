"""The actions that make a document say what a client says, for changes that were picked.

Reads the document's catalogue and tree, the aligned client's catalogue and the picked changes; returns actions of an overlay.
Never edits more than the place of a change: a list is added to and taken from, and only what has no finer edit is written anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from codegen.adopt_edits import Action, Edits
from codegen.adopt_schema import Writer
from codegen.align_names import Record
from codegen.catalogue import Alias, Catalogue, Field, Model, Package, Stream, Type
from codegen.changes import Change
from codegen.diff_scope import field_pointer
from codegen.schemas import REF_PREFIX
from codegen.show import references
from codegen.yaml_lines import escape

PRESENCE = frozenset({"made-optional", "made-required"})
_ADDED = frozenset({"field-added", "field-renamed", "required-field-added"})
_REMOVED = frozenset({"field-removed", "field-renamed"})
_VALUE_CAME = ("enum-value-added", "enum-value-listed")
_VALUE_GONE = ("enum-value-removed", "enum-value-unlisted")
_LITERALS = ("constant", "enum")


def actions(
    tree: Mapping[str, Any],
    document: Catalogue,
    client: Catalogue,
    picked: Iterable[Change],
    evidence: str,
) -> list[Action]:
    """The actions of one pass; what they bring may need another.

    tree      the document as it is now; document: its catalogue; client: the client's, aligned with it
    evidence  the client and its version, as in `openai 3.57.0`
    """
    edits = Edits(tree, evidence)
    made: dict[str, Any] = {}
    places = _places(picked)
    theirs = {package.name: package for package in client.packages}
    for package in document.packages:
        if package.name in theirs:
            _Package(package, theirs[package.name], edits, made, places).edit()
    edits.components(made)
    return edits.actions


def _places(picked: Iterable[Change]) -> dict[str, list[Change]]:
    """The changes by the pointers at which they are, in either document."""
    found: dict[str, list[Change]] = {}
    for change in picked:
        for each in (change, *change.beneath):
            for pointer in {pointer for place in each.places for pointer in (place.old, place.new)}:
                found.setdefault(pointer, []).append(each)
    return found


class _Package:
    """The edits for one package."""

    def __init__(
        self,
        document: Package,
        client: Package,
        edits: Edits,
        made: dict[str, Any],
        places: Mapping[str, list[Change]],
    ) -> None:
        self.streams = document.streams
        self.theirs = {stream.name: stream for stream in client.streams}
        self.own = _records(document)
        self.records = _records(client)
        self.edits = edits
        self.writer = Writer(edits.tree, self.own, self.records, made)
        self.places = places
        self.forms = self._forms()

    def edit(self) -> None:
        """Add the actions for everything that was picked."""
        for stream in self.streams:
            if stream.name in self.theirs:
                self._stream(stream, self.theirs[stream.name])
        for name in sorted(self.own.keys() & self.records.keys()):
            ours, theirs = self.own[name], self.records[name]
            if isinstance(ours, Model) and isinstance(theirs, Model):
                self._model(ours, theirs)
            elif isinstance(ours, Alias) and isinstance(theirs, Alias):
                self._type(ours.schema, ours.type, theirs.type)

    def _forms(self) -> set[str]:
        """Records of which the client has a second form, other than the document's, if a picked change is in one of them."""
        schemas = {record.schema for record in self.own.values()}
        new = self.records.keys() - self.own.keys()
        forms = {name for name in new if self.records[name].schema in schemas}
        roots = {self.records[name].schema for name in forms}
        touched = any(
            f"{pointer}/".startswith(f"{root}/") for root in roots for pointer in self.places
        )
        return forms if touched else set()

    def _picked(self, pointer: str, kinds: Iterable[str] = ()) -> list[Change]:
        found = self.places.get(pointer, [])
        return [change for change in found if not kinds or change.kind in kinds]

    def _stream(self, ours: Stream, theirs: Stream) -> None:
        """Events that came and that went."""
        union = REF_PREFIX + escape(ours.union)
        before = {event.tag: self.own[event.model] for event in ours.events}
        after = {event.tag: self.records[event.model] for event in theirs.events}
        for tag, record in after.items():
            if tag not in before and self._is_picked(record, "event-added", tag):
                member = self.writer.schema(Type("ref", name=record.name))
                self.edits.add_members(union, [member], f"have the event {tag}")
        for tag, record in before.items():
            if tag not in after and self._is_picked(record, "event-removed", tag):
                self.edits.remove_member(union, record.schema, f"do not have the event {tag}")

    def _is_picked(self, record: Record, kind: str, tag: str) -> bool:
        return any(change.subject == tag for change in self._picked(record.schema, [kind]))

    def _model(self, ours: Model, theirs: Model) -> None:
        before = {field.name: field for field in ours.fields}
        after = {field.name: field for field in theirs.fields}
        for name, field in before.items():
            pointer = field_pointer(ours.schema, field)
            if name in after:
                self._presence(ours, field, after[name])
                self._type(pointer, field.type, after[name].type)
            elif self._picked(pointer, _REMOVED):
                self.edits.remove_property(pointer)
        for name, field in after.items():
            pointer = field_pointer(ours.schema, field)
            if name not in before and self._picked(pointer, _ADDED):
                self._add(pointer, field)

    def _presence(self, owner: Model, ours: Field, theirs: Field) -> None:
        pointer = field_pointer(owner.schema, ours)
        if ours.required == theirs.required or not self._picked(pointer, PRESENCE):
            return
        if theirs.required:
            self.edits.require(pointer)
        else:
            self.edits.release(pointer, owner.schema)

    def _add(self, pointer: str, field: Field) -> None:
        why = f"have the property {field.name}"
        if field.type.null and not field.required:
            why += ", and do not tell absent from null: both are allowed"
        schema = self.writer.schema(field.type)
        self.edits.add_property(pointer, schema, field.required, why)

    def _type(self, pointer: str, ours: Type, theirs: Type) -> None:
        """The edit of what stands at a pointer, a property or a component."""
        forked = bool(self.forms & set(references(theirs)))
        changes = [each for each in self._picked(pointer) if each.kind not in PRESENCE]
        if ours == theirs or not (changes or forked) or not self.edits.once(f"{pointer} type"):
            return
        if not forked and self._values(pointer, ours, theirs, changes):
            return
        if not self._members(pointer, ours, theirs):
            self.edits.replace(pointer, self.writer.schema(theirs), _why(changes))

    def _values(self, pointer: str, ours: Type, theirs: Type, changes: Sequence[Change]) -> bool:
        """Values added to and taken from the one enum at a place; False where it takes more than that."""
        mine, their = _literals(ours), _literals(theirs)
        place = self.edits.enum(pointer)
        if not mine or not their or place is None:
            return False
        if (mine.open, mine.null) != (their.open, their.null):
            return False
        wanted = {(change.kind, change.old or change.new) for change in changes}
        came = [each for each in their.values if each not in mine.values]
        gone = [each for each in mine.values if each not in their.values]
        came = [each for each in came if wanted & {(kind, _json(each)) for kind in _VALUE_CAME}]
        gone = [each for each in gone if wanted & {(kind, _json(each)) for kind in _VALUE_GONE}]
        self.edits.values(place, came, gone)
        return bool(came or gone)

    def _members(self, pointer: str, ours: Type, theirs: Type) -> bool:
        """Members added to and taken from a union of components; False where it takes more than that."""
        if ours.kind != "union" or theirs.kind != "union" or ours.null != theirs.null:
            return False
        gone = [each for each in ours.members if each not in theirs.members]
        came = [each for each in theirs.members if each not in ours.members]
        refs = [self.own[each.name].schema for each in gone if each.kind == "ref"]
        if len(refs) < len(gone) or not self.edits.has_members(pointer, refs):
            return False
        for ref in refs:
            name = ref.rpartition("/")[2]
            self.edits.remove_member(pointer, ref, f"do not have {name} in this place")
        names = ", ".join(each.name or each.kind for each in came)
        schemas = [self.writer.schema(each) for each in came]
        self.edits.add_members(pointer, schemas, f"have {names} in this place")
        return True


def _records(package: Package) -> dict[str, Record]:
    records: tuple[Record, ...] = (*package.models, *package.aliases)
    return {each.name: each for each in records}


def _literals(type_: Type) -> Type | None:
    """The enum that a type is, or that is the one thing with known values in it."""
    if type_.kind in _LITERALS:
        return type_
    inner = [type_.items] if type_.items else list(type_.members)
    found = [each for part in inner if (each := _literals(part))]
    return found[0] if len(found) == 1 else None


def _why(changes: Iterable[Change]) -> str:
    said = [
        f"{change.kind} {change.subject}"
        + (
            f" ({change.old or 'none'} → {change.new or 'none'})"
            if change.old or change.new
            else ""
        )
        for change in changes
    ]
    return f"say otherwise: {'; '.join(dict.fromkeys(said))}" if said else "have another form here"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
