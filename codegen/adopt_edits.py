"""Edits of a document's tree as actions of an overlay.

Reads the tree as it stands before a pass; returns actions, each with the reason that it is given. Never edits one place twice in a
pass: what stands there afterwards is for the next one to see.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from codegen.adopt_schema import below, json_path, literal, node_at, quoted
from codegen.diff_scope import is_component
from codegen.schemas import listed
from codegen.yaml_lines import unescape

COMPONENTS = "#/components/schemas"
Action = dict[str, Any]


class Edits:
    """The actions of one pass. Every `why` is what the client's types do: "have the event x".

    evidence  the client and its version, as in `openai 3.57.0`
    """

    def __init__(self, tree: Mapping[str, Any], evidence: str) -> None:
        self.tree = tree
        self.evidence = evidence
        self.actions: list[Action] = []
        self._edited: set[str] = set()

    def components(self, schemas: Mapping[str, Any]) -> None:
        """Add components, before everything that refers to them."""
        if schemas:
            self._put(COMPONENTS, dict(schemas), "have these schemas, to which other actions refer")
            self.actions.insert(0, self.actions.pop())

    def add_members(self, union: str, members: Iterable[Any], why: str) -> None:
        """Add schemas to the union at a pointer."""
        keyword = _keyword(node_at(self.tree, union) or {})
        for member in members:
            if self.once(f"{union} {json.dumps(member, sort_keys=True)}"):
                self._put(union, {keyword: [member]}, why)

    def remove_member(self, union: str, member: str, why: str) -> None:
        """Take a member out of a union: by its ref, or where it stands if it is written out there."""
        keyword = _keyword(node_at(self.tree, union) or {})
        if is_component(member):
            path = f"{json_path(union)}.{keyword}[?@['$ref'] == {quoted(member)}]"
            self._remove(path, why)
        elif self.once(f"{union} inline"):  # only one a pass, since the others then stand elsewhere
            self._remove(json_path(member), why)

    def has_members(self, union: str, refs: Iterable[str]) -> bool:
        """Whether the schema at a pointer is a union that itself lists all these refs."""
        node = node_at(self.tree, union)
        if not isinstance(node, dict) or _keyword(node) not in node:
            return False
        members = listed(node, _keyword(node))
        return set(refs) <= {each.get("$ref") for each in members if isinstance(each, dict)}

    def add_property(self, pointer: str, schema: Any, required: bool, why: str) -> None:
        """Add a property at the pointer that it shall have, or in the part of an `allOf` there that has properties."""
        if not self.once(pointer):
            return
        holder, name = _split(pointer)
        parts = node_at(self.tree, f"{holder}/allOf")
        if "properties" not in (node_at(self.tree, holder) or {}):
            inner = [at for at, part in enumerate(parts or ()) if "properties" in part]
            holder = f"{holder}/allOf/{inner[-1]}" if inner else holder
        update: Action = {"properties": {name: schema}}
        if required:
            update["required"] = [name]
        self._put(holder, update, why)

    def remove_property(self, pointer: str) -> None:
        """Remove a property, and its name from what is required."""
        if not self.once(pointer):
            return
        holder, name = _split(pointer)
        why = f"do not have the property {name}"
        self._not_required([holder], name, why)
        self._remove(json_path(pointer), why)

    def require(self, pointer: str) -> None:
        """Require a property."""
        if self.once(f"{pointer} required"):
            holder, name = _split(pointer)
            self._put(holder, {"required": [name]}, f"require the property {name}")

    def release(self, pointer: str, owner: str) -> None:
        """No longer require a property, wherever the schema at `owner` and its component do."""
        if self.once(f"{pointer} required"):
            holder, name = _split(pointer)
            component = "/".join(owner.split("/")[:4])
            places = dict.fromkeys((holder, owner, component))
            self._not_required(places, name, f"do not require the property {name}")

    def _not_required(self, places: Iterable[str], name: str, why: str) -> None:
        for place in places:
            for node, at in below(node_at(self.tree, place), place):
                if name in listed(node, "required") and self.once(f"{at} {name}"):
                    self._remove(f"{json_path(at)}.required[?@ == {quoted(name)}]", why)

    def values(self, pointer: str, came: list[Any], gone: list[Any]) -> None:
        """Add values to an enum and take some from it."""
        said = ", ".join(map(str, came))
        if came:
            why = f"have the value{'s' * (len(came) > 1)} {said}"
            self._put(pointer, {"enum": came}, why)
        for value in gone:
            path = f"{json_path(pointer)}.enum[?@ == {literal(value)}]"
            self._remove(path, f"do not have the value {value}")

    def enum(self, pointer: str) -> str | None:
        """Where the one enum of the schema at a pointer is that values can be added to; None for none or several."""
        lists = [(each, at) for each, at in below(node_at(self.tree, pointer), pointer)]
        found = [(each, at) for each, at in lists if "enum" in each]
        if len(found) != 1 or {"const", "x-stainless-const"} & found[0][0].keys():
            return None
        return found[0][1]

    def replace(self, pointer: str, schema: Any, why: str) -> None:
        """Write the schema at a pointer anew."""
        if node_at(self.tree, pointer):
            self._remove(f"{json_path(pointer)}.*", f"{why}; what stands there goes first")
        if schema:
            self._put(pointer, schema, why)

    def once(self, key: str) -> bool:
        """Whether this is the first time in this pass that a place is asked for."""
        is_new = key not in self._edited
        self._edited.add(key)
        return is_new

    def _put(self, pointer: str, update: Any, why: str) -> None:
        action = {"target": json_path(pointer), "description": self._told(why), "update": update}
        self.actions.append(action)

    def _remove(self, path: str, why: str) -> None:
        self.actions.append({"target": path, "description": self._told(why), "remove": True})

    def _told(self, why: str) -> str:
        return f"The types of the official client ({self.evidence}) {why}."


def _split(pointer: str) -> tuple[str, str]:
    """The pointer of the object and the name of its property."""
    holder, _, name = pointer.rpartition("/properties/")
    return holder, unescape(name)


def _keyword(node: Mapping[str, Any]) -> str:
    return "oneOf" if "oneOf" in node else "anyOf"
