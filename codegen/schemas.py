"""Schemas of one document as written, made comparable: refs followed, `allOf` merged, null taken out.

Reads the tree of a document (never anything outside of it); returns nodes and shapes that `lower` turns into types.
Never names anything. Faults are collected in `Schemas.findings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from codegen.cut import ref_name
from codegen.errors import Finding
from codegen.forms import usable
from codegen.limits import exceeded, limit
from codegen.yaml_lines import escape

REF_PREFIX = "#/components/schemas/"
STRUCTURAL = frozenset(
    "$ref $recursiveRef type enum const properties required items prefixItems additionalProperties patternProperties "
    "allOf anyOf oneOf".split()
)
"""Keywords that say what a value is; all others only annotate or bound it."""
COMBINING = frozenset({"allOf", "anyOf", "oneOf"})
OVERLAY = "Add an overlay in spec/overlays/."


@dataclass(frozen=True)
class Node:
    """A schema and where it stands: `pointer` is a JSON pointer that starts with #."""

    schema: Any
    pointer: str

    def child(self, *steps: str | int) -> Node:
        """The node below, by keys and indexes."""
        schema, pointer = self.schema, self.pointer
        for step in steps:
            schema = schema[step]
            pointer += "/" + str(step).replace("~", "~0").replace("/", "~1")
        return Node(schema, pointer)

    def children(self, keyword: str) -> list[Node]:
        """The members of a list under `keyword`."""
        members = listed(self.schema, keyword) if isinstance(self.schema, dict) else []
        return [self.child(keyword, index) for index in range(len(members))]


@dataclass
class Shape:
    """An object with everything that `allOf` adds: properties in order, the names required."""

    node: Node
    properties: dict[str, Node] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    extra: Node | None = None
    closed: bool = False


class _Around:
    """How many schemas lie around the one that is looked at."""

    def __init__(self) -> None:
        self.count = 0

    def __enter__(self) -> None:
        self.count += 1

    def __exit__(self, *_: object) -> None:
        self.count -= 1


class Schemas:
    """The schemas of one document."""

    def __init__(self, components: dict[str, Any], where: Callable[[str], str]) -> None:
        self.where = where
        self.findings: list[Finding] = []
        self.additions: dict[str, list[Node]] = {}
        self._steps = limit("MAX_STEPS")
        self._around = _Around()
        self._most = limit("MAX_SHAPES")
        if len(components) > limit("MAX_COMPONENTS"):
            raise exceeded(where("#/components/schemas"), "the schemas number", "MAX_COMPONENTS")
        self.components = {
            name: usable(schema, REF_PREFIX + escape(name), self.report)
            for name, schema in components.items()
        }

    def _step(self, node: Node) -> None:
        """Count a look at a schema: with few schemas there may be very many ways to them."""
        self._steps -= 1
        if self._steps < 0:
            raise exceeded(self.where(node.pointer), "the ways to schemas number", "MAX_STEPS")

    def within(self, node: Node) -> _Around:
        """Count the schemas around the one that is looked at while the block lasts: no call may lie too deep in others."""
        if self._around.count >= limit("MAX_CHAIN"):
            what = "the schemas within one another number"
            raise exceeded(self.where(node.pointer), what, "MAX_CHAIN")
        return self._around

    def component(self, name: str) -> Node:
        """The node of a component."""
        escaped = name.replace("~", "~0").replace("/", "~1")
        return Node(self.components[name], REF_PREFIX + escaped)

    def report(self, pointer: str, what: str, action: str = OVERLAY) -> None:
        """Keep a fault for later."""
        self.findings.append(Finding(self.where(pointer), what, action))

    def require_lists(self, node: Node) -> None:
        """Report lists that allow no value, and mappings to what is not there."""
        schema = node.schema
        if schema.get("type") == [] or schema.get("enum") == []:
            self.report(node.pointer, "an empty list allows no value")
        for target in schema.get("discriminator", {}).get("mapping", {}).values():
            name = _unescape(str(target).removeprefix(REF_PREFIX))
            if name not in self.components:
                what = f"the mapping names the component {str(target)!r}, which does not exist"
                self.report(f"{node.pointer}/discriminator", what)

    def target(self, node: Node) -> str | None:
        """The component that the node's `$ref` or `$recursiveRef` names; None without one or when it is missing."""
        schema = node.schema
        if not isinstance(schema, dict):
            return None
        if schema.get("$recursiveRef") == "#":
            return _unescape(node.pointer[len(REF_PREFIX) :].split("/", 1)[0])
        if "$ref" not in schema:
            return None
        ref = schema["$ref"]
        name = ref_name(ref) if isinstance(ref, str) else None
        if name is None:
            self.report(node.pointer, f"$ref {ref!r} is not of the form {REF_PREFIX}NAME")
            return None
        if name not in self.components:
            self.report(node.pointer, f"$ref names the component {name!r}, which does not exist")
            return None
        return name

    def plain_target(self, node: Node) -> str | None:
        """As `target`, but only where nothing structural stands beside the ref."""
        if not isinstance(node.schema, dict) or not (
            {"$ref", "$recursiveRef"} & node.schema.keys()
        ):
            return None
        beside = (node.schema.keys() & STRUCTURAL) - {"$ref", "$recursiveRef", "type"}
        return None if beside else self.target(node)

    def follow(self, node: Node) -> Node:
        """The node at the end of a chain of plain refs, single-member unions of one non-null member included."""
        seen: set[str] = set()
        while True:
            self._step(node)
            if node.pointer in seen:
                self.report(node.pointer, "refs go round in a circle without an object between")
                return Node({}, node.pointer)
            seen.add(node.pointer)
            target = self.plain_target(node)
            if target is not None:
                node = self.component(target)
                continue
            single = self.single(node)
            if single is None:
                return node
            node = single

    def single(self, node: Node) -> Node | None:
        """The one member that a union or an allOf comes down to, where nothing else stands beside it."""
        schema = node.schema
        if not isinstance(schema, dict) or _structural(node) - COMBINING - {"type"}:
            return None
        alternatives = self.members(node)
        if len(alternatives) == 1 and "allOf" not in schema:
            return alternatives[0]
        parts = [part for part in node.children("allOf") if _structural(part)]
        return (
            parts[0]
            if len(parts) == 1 and not alternatives and len(schema.get("allOf", ()))
            else None
        )

    def members(self, node: Node) -> list[Node]:
        """The members of the node's own anyOf or oneOf that are not null and say something about the value."""
        found = []
        for keyword in ("anyOf", "oneOf"):
            for member in node.children(keyword):
                if not is_null(member.schema) and _structural(member) - {"required"}:
                    found.append(member)
        return found

    def nullable(self, node: Node, seen: frozenset[str] = frozenset()) -> bool:
        """Whether null is allowed, in each of its spellings, refs followed."""
        self._step(node)
        schema = node.schema
        if not isinstance(schema, dict) or node.pointer in seen:
            return False
        seen |= {node.pointer}
        kinds = schema.get("type")
        if schema.get("nullable") is True or (isinstance(kinds, list) and "null" in kinds):
            return True
        if "null" == kinds or None in listed(schema, "enum") or schema.get("const", 0) is None:
            return True
        with self.within(node):
            return self._nullable_below(node, seen)

    def _nullable_below(self, node: Node, seen: frozenset[str]) -> bool:
        members = [*node.children("anyOf"), *node.children("oneOf")]
        if any(self.nullable(member, seen) for member in members):
            return True
        parts = [part for part in node.children("allOf") if _structural(part)]
        if parts and all(self.nullable(part, seen) for part in parts):
            return True
        target = self.target(node)
        return target is not None and self.nullable(self.component(target), seen)

    def alternatives(self, node: Node, seen: frozenset[str] = frozenset()) -> Iterator[Node]:
        """The members of a union, nested unions opened, each followed to where it is an object, a list or a scalar."""
        node = self.follow(node)
        members = self.members(node)
        if not members or node.schema.keys() & {"properties", "allOf"}:
            yield node
            return
        if node.pointer in seen:
            self.report(node.pointer, "the union contains itself")
            return
        with self.within(node):
            for member in members:
                yield from self.alternatives(member, seen | {node.pointer})

    def is_object(self, node: Node, seen: frozenset[str] = frozenset()) -> bool:
        """Whether the followed node is an object with properties of its own or by `allOf`."""
        schema = node.schema
        if not isinstance(schema, dict):
            return False
        if "properties" in schema or ("$ref" in schema and self.plain_target(node) is None):
            return True
        if node.pointer in seen:  # `shapes` reports it
            return False
        seen |= {node.pointer}
        parts = [self.follow(part) for part in node.children("allOf")]
        with self.within(node):
            return any(self.is_object(part, seen) or self.members(part) for part in parts)

    def shapes(self, node: Node, stack: tuple[str, ...] = ()) -> list[Shape]:
        """The object as shapes: one, or one per alternative where `allOf` has a union among its members."""
        node = self.follow(node)
        if node.pointer in stack:
            self.report(node.pointer, "allOf contains itself")
            return [Shape(node)]
        with self.within(node):
            return self._shapes(node, (*stack, node.pointer))

    def _shapes(self, node: Node, stack: tuple[str, ...]) -> list[Shape]:
        shapes = [Shape(node)]
        parts = node.children("allOf")
        if "$ref" in node.schema and self.target(node) is not None:
            parts.insert(0, Node({"$ref": node.schema["$ref"]}, node.pointer + "/$ref"))
        for index, part in enumerate(parts):
            if _structural(part):
                shapes = self._joined(shapes, self._part(node, index, part, stack))
        own = self._own(node)
        shapes = self._joined(shapes, [own])
        members = [member for member in self.members(node) if self.is_object(self.follow(member))]
        if members:
            branches = [shape for member in members for shape in self.shapes(member, stack)]
            shapes = self._joined(shapes, branches)
        for addition in self.additions.get(node.pointer, ()):
            shapes = self._joined(shapes, [self._own(addition)])
        return shapes

    def _part(self, node: Node, index: int, part: Node, stack: tuple[str, ...]) -> list[Shape]:
        found = self.follow(part)
        if not isinstance(found.schema, dict):  # true or false, which say nothing of properties
            return [Shape(node)]
        if (
            self.is_object(found)
            or found.schema.get("type", "object") == "object"
            and not self.members(found)
        ):
            return self.shapes(part, stack)
        alternatives = list(self.alternatives(part))
        if alternatives and all(self.is_object(self.follow(each)) for each in alternatives):
            return [shape for each in alternatives for shape in self.shapes(each, stack)]
        self.report(node.pointer, f"allOf member {index} is not an object")
        return [Shape(node)]

    def _own(self, node: Node) -> Shape:
        schema = node.schema
        self.require_lists(node)
        shape = Shape(node, required=list(listed(schema, "required")))
        properties = schema.get("properties") or {}
        shape.properties = {name: node.child("properties", name) for name in properties}
        extra = schema.get("additionalProperties")
        if extra is False:
            shape.closed = True
        elif isinstance(extra, dict) and extra:
            shape.extra = node.child("additionalProperties")
        return shape

    def _joined(self, first: list[Shape], second: list[Shape]) -> list[Shape]:
        """Every shape of `first` with every one of `second` laid over it."""
        joined = []
        if len(first) * len(second) > self._most:
            raise exceeded(
                self.where(first[0].node.pointer), "the objects of allOf number", "MAX_SHAPES"
            )
        for left in first:
            for right in second:
                alternative = right.node if len(second) > 1 else left.node
                shape = Shape(alternative, dict(left.properties), list(left.required))
                for name, node in right.properties.items():
                    shape.properties[name] = self._override(shape.properties.get(name), node)
                shape.required += [name for name in right.required if name not in left.required]
                shape.extra = right.extra or left.extra
                shape.closed = right.closed or left.closed
                joined.append(shape)
        return joined

    def _override(self, earlier: Node | None, later: Node) -> Node:
        """The later declaration of a property over the earlier one: it wins, unless it says less about the value."""
        if (
            earlier is None
            or not isinstance(later.schema, dict)
            or not isinstance(earlier.schema, dict)
        ):
            return later
        if not _structural(later):  # it annotates what the earlier one says
            return Node({**earlier.schema, **later.schema}, earlier.pointer)
        if _says_less(later.schema, earlier.schema):
            words = {key: value for key, value in later.schema.items() if key not in STRUCTURAL}
            return Node({**earlier.schema, **words}, earlier.pointer)
        if "properties" in later.schema and "properties" in earlier.schema:
            return Node({"allOf": [earlier.schema, later.schema]}, later.pointer)
        return later


def is_null(schema: Any) -> bool:
    """Whether the schema allows nothing but null."""
    return isinstance(schema, dict) and (
        schema.get("type") in ("null", ["null"])
        or schema.get("enum") == [None]
        or schema.get("const", 0) is None
    )


def _says_less(schema: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether a schema allows all that another allows, which has known values or is of whole numbers, and more."""
    values, known = (
        [each["const"]] if "const" in each else listed(each, "enum") for each in (schema, other)
    )
    if known:
        return (
            all(value in values for value in known)
            if values
            else set(schema) & STRUCTURAL == {"type"}
        )
    return other.get("type") == "integer" and schema.get("type") == "number"


def listed(schema: dict[str, Any], keyword: str) -> list[Any]:
    """The list under a keyword; empty where there is none."""
    value = schema.get(keyword)
    return value if isinstance(value, list) else []


def _structural(node: Node) -> set[str]:
    return set(node.schema.keys() & STRUCTURAL) if isinstance(node.schema, dict) else set()


def _unescape(text: str) -> str:
    return text.replace("~1", "/").replace("~0", "~")
