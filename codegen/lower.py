"""From schemas to the types and models of the catalogue.

Reads `Schemas`; returns types, and keeps the models and aliases that they need by name. Decides the name of every inline
schema (by its path) and never looks at a stream.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from codegen import names
from codegen.catalogue import Alias, Field, Model, Type
from codegen.limits import exceeded, limit
from codegen.schemas import Node, Schemas, Shape, is_null, listed
from codegen.unions import dispatch

SCALARS = ("string", "integer", "number", "boolean")
BOUNDS = (
    "exclusiveMaximum exclusiveMinimum maxItems maxLength maxProperties maximum minItems minLength minProperties minimum "
    "multipleOf pattern uniqueItems"
).split()


class Lowering:
    """Models and aliases of one package, made as they are asked for.

    sentences  sentences of our own for component schemas
    reserved   names that the generated modules of this package give to something else
    """

    def __init__(
        self, schemas: Schemas, sentences: dict[str, str], reserved: Iterable[str] = ()
    ) -> None:
        self.schemas = schemas
        self.sentences = sentences
        self.models: dict[str, Model] = {}
        self.aliases: dict[str, Alias] = {}
        self._nodes: dict[str, Node] = {}
        self._names: dict[str, str] = {}
        self._origins: dict[str, str] = {}
        made = names.class_names(schemas.components, reserved)
        self._taken = {*reserved, *made.values()}
        for component, name in made.items():
            node = schemas.component(component)
            self._names[node.pointer] = name
            if (inner := schemas.follow(node).pointer).startswith(node.pointer + "/"):
                self._names[inner] = name
                self._origins[inner] = node.pointer
        self._components = frozenset(self._names)

    def type(self, node: Node) -> Type:
        """The type of the values that a schema describes."""
        if not isinstance(node.schema, dict):
            if not isinstance(node.schema, bool):
                self.schemas.report(node.pointer, "the schema is not an object")
            return Type("any")
        with self.schemas.within(node):
            return self._type(node)

    def _type(self, node: Node) -> Type:
        self.schemas.require_lists(node)
        null = self.schemas.nullable(node)
        target = self.schemas.plain_target(node)
        if target is not None:
            return self._component(target, null)
        single = self.schemas.single(node)
        if single is not None and "allOf" in node.schema:
            return _with_null(self.type(single), null)
        members = self.schemas.members(node)
        if members and not self.schemas.is_object(node):
            return self._union(node, members, null)
        if self.schemas.is_object(node):
            return self._object(node, null)
        return self._simple(node, null)

    def name_of(self, node: Node, hint: str = "") -> str:
        """The class name of an inline schema: its title as a member of a union, else its path."""
        key = f"{node.pointer} {hint}" if hint else node.pointer
        if key not in self._names:
            self._names[key] = names.class_name(hint or self._path(node), self._taken)
            self._taken.add(self._names[key])
        return self._names[key]

    def object_types(self, node: Node) -> list[Type]:
        """One ref per shape of an object: several where its `allOf` has a union."""
        shapes = self.schemas.shapes(node)
        if len(shapes) == 1:
            return [Type("ref", name=self._model(node, shapes[0], self.name_of(node)))]
        owner = self._path(node)
        found = []
        for shape in shapes:
            part = self._names.get(shape.node.pointer) or self._path(shape.node)
            found.append(
                Type("ref", name=self._model(node, shape, self.name_of(node, owner + part)))
            )
        return found

    def _component(self, component: str, null: bool) -> Type:
        node = self.schemas.component(component)
        name = self._names[node.pointer]
        if (inner := self.schemas.follow(node)).pointer.startswith(node.pointer + "/"):
            node = inner
        if self.schemas.is_object(node):
            shapes = self.schemas.shapes(node)
            if len(shapes) == 1:
                return Type("ref", null=null, name=self._model(node, shapes[0], name))
        if name not in self.aliases:
            self._keep(name, node, Type("any"))  # stands in while it is being made
            made = self.type(node)
            if made != Type("ref", null=made.null, name=name):
                self._keep(name, node, made)
        return Type("ref", null=null, name=name)

    def finished(self) -> tuple[tuple[Model, ...], tuple[Alias, ...]]:
        """All models and aliases by name; tables of unions are made here, when every member is complete."""
        aliases = [
            dispatch(self.aliases[name], self._nodes[name], self.models, self.aliases)
            for name in sorted(self.aliases)
        ]
        models = [_with_attributes(self.models[name], self._taken) for name in sorted(self.models)]
        return tuple(models), tuple(aliases)

    def _keep(self, name: str, node: Node, type_: Type) -> None:
        self.aliases[name] = Alias(name, self._origin(node), _without_null(type_))
        self._nodes[name] = node

    def _origin(self, node: Node) -> str:
        """Where a schema stands; the component where it is all that a component holds."""
        return self._origins.get(node.pointer, node.pointer)

    def _object(self, node: Node, null: bool) -> Type:
        types = self.object_types(node)
        if len(types) == 1:
            return Type("ref", null=null, name=types[0].name)
        return self._named_union(node, tuple(types), null)

    def _model(self, node: Node, shape: Shape, name: str) -> str:
        if name in self.models:
            return name
        if len(self.models) >= limit("MAX_CLASSES"):
            raise exceeded(self.schemas.where(node.pointer), "the classes number", "MAX_CLASSES")
        if len(shape.properties) > limit("MAX_FIELDS"):
            raise exceeded(self.schemas.where(node.pointer), "the properties number", "MAX_FIELDS")
        sentence = self._sentence(node)
        place = self._origin(node)
        self.models[name] = Model(name, place, (), sentence)  # so that a recursion finds it
        fields = tuple(
            self._field(wire, shape.properties[wire], wire in shape.required)
            for wire in shape.properties
        )
        extra = self.type(shape.extra) if shape.extra else None
        docs = str(node.schema.get("description", "")) if isinstance(node.schema, dict) else ""
        self.models[name] = Model(
            name, place, fields, sentence, extra=extra, closed=shape.closed, docs=docs
        )
        return name

    def _field(self, wire: str, node: Node, required: bool) -> Field:
        """A field without its attribute, which is named when all classes are (`finished`)."""
        schema = node.schema if isinstance(node.schema, dict) else {}
        default = (schema["default"],) if "default" in schema else ()
        deprecated = schema.get("deprecated") is True
        docs = str(schema.get("description", ""))
        return Field(wire, "", self.type(node), required, default, deprecated, docs)

    def _sentence(self, node: Node) -> str:
        owner, steps = _steps(node.pointer)
        if not steps:
            return self.sentences.get(owner, f"The schema `{owner}`.")
        return f"`{'.'.join(steps).replace('.[]', '[]')}` in `{owner}`."

    def _union(self, node: Node, members: list[Node], null: bool) -> Type:
        plain = list(self.schemas.alternatives(node))
        kinds = {_kind(each.schema) for each in plain if isinstance(each.schema, dict)}
        enums = [each for each in plain if _literals(each)]
        if (
            len(enums)
            and kinds <= {"string", None}
            and all(_literals(e) or _bare(e) for e in plain)
        ):
            values = tuple(dict.fromkeys(value for each in enums for value in _literals(each)))
            return self._enum(node, values, null, len(enums) < len(plain))
        if len(members) > 1 < sum(map(self.schemas.is_object, plain)):
            self.name_of(node)  # before a member takes the name of the same path
        types = tuple(_unique(self.type(member) for member in members))
        if len(types) == 1:
            return _with_null(types[0], null or types[0].null)
        if any(type_.null for type_ in types):
            types = tuple(_without_null(type_) for type_ in types)
        return self._named_union(node, types, null)

    def _named_union(self, node: Node, types: tuple[Type, ...], null: bool) -> Type:
        """The union itself, or a ref to an alias where several of its members are models."""
        union = Type("union", null=null, members=types)
        inside = self._models_in(union, frozenset())
        if len(inside) < 2:
            return union
        name = self.name_of(node)
        if node.pointer in self._components:
            return union
        self._keep(name, node, union)
        return Type("ref", null=null, name=name)

    def _models_in(self, type_: Type, seen: frozenset[str]) -> set[str]:
        if type_.kind == "union":
            return {name for member in type_.members for name in self._models_in(member, seen)}
        if type_.kind == "ref" and type_.name in self.models:
            return {type_.name}
        if type_.kind == "ref" and type_.name not in seen:
            return self._models_in(self.aliases[type_.name].type, seen | {type_.name})
        return set()

    def _enum(self, node: Node, values: tuple[Any, ...], null: bool, is_open: bool) -> Type:
        values = tuple(value for value in values if value is not None)
        if len(values) > limit("MAX_VALUES"):
            raise exceeded(self.schemas.where(node.pointer), "the values number", "MAX_VALUES")
        type_ = Type("enum", null=null, values=values, open=is_open)
        if len(values) < 2 or node.pointer in self._components:
            return type_
        name = self.name_of(node)
        self._keep(name, node, type_)
        return Type("ref", null=null, name=name)

    def _simple(self, node: Node, null: bool) -> Type:
        schema = node.schema
        parts = [part for part in node.children("allOf") if isinstance(part.schema, dict)]
        if parts:
            return self._merged_scalar(node, parts, null)
        if is_null(schema):
            return Type("constant", null=True, values=(None,))
        values = _literals(node)
        if len(values) == 1 and ("const" in schema or schema.get("x-stainless-const") is True):
            return Type("constant", null=null, values=values)
        if values:
            return self._enum(node, values, null, False)
        kinds = schema.get("type")
        kinds = [kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if kind != "null"]
        made = tuple(_unique(self._of_kind(kind, node) for kind in kinds))
        if len(made) == 1:
            return _with_null(made[0], null)
        return Type("union", null=null, members=made) if made else Type("any", null=null)

    def _merged_scalar(self, node: Node, parts: list[Node], null: bool) -> Type:
        """`allOf` over values that are no objects: the first that says what the value is, if all agree."""
        made = [self.type(part) for part in parts]
        said = _unique(_without_null(type_) for type_ in made if type_.kind != "any")
        if len(said) > 1:
            self.schemas.report(node.pointer, "allOf joins schemas that are not objects")
        return _with_null(said[0], null) if said else Type("any", null=null)

    def _of_kind(self, kind: Any, node: Node) -> Type:
        schema = node.schema
        bounds = tuple((word, schema[word]) for word in BOUNDS if word in schema)
        if kind in SCALARS:
            return Type(kind, format=str(schema.get("format", "")), bounds=bounds)
        if kind == "array" or (kind is None and "items" in schema):
            items = (
                self.type(node.child("items"))
                if isinstance(schema.get("items"), dict)
                else Type("any")
            )
            return Type("array", items=items, bounds=bounds)
        if kind == "object" or (kind is None and "additionalProperties" in schema):
            extra = schema.get("additionalProperties")
            values = (
                self.type(node.child("additionalProperties"))
                if isinstance(extra, dict)
                else Type("any")
            )
            return Type("map", items=values, bounds=bounds)
        if kind is not None:
            self.schemas.report(node.pointer, f"{kind!r} is not a JSON type")
        return Type("any")

    def _path(self, node: Node) -> str:
        owner, steps = _steps(node.pointer)
        path = names.path_name(self._names[self.schemas.component(owner).pointer], steps)
        title = node.schema.get("title") if isinstance(node.schema, dict) else None
        last = node.pointer.rsplit("/", 2)[-2]
        if last in ("anyOf", "oneOf"):
            if isinstance(title, str) and title.isidentifier():
                return title
            return path + names.pascal(self._tag(node) or (title if isinstance(title, str) else ""))
        return path

    def _tag(self, node: Node) -> str:
        """The first literal of an inline member, which names it best."""
        shapes = self.schemas.shapes(node) if self.schemas.is_object(node) else []
        if len(shapes) != 1:
            return ""
        for property in shapes[0].properties.values():
            values = _literals(property)
            if len(values) == 1 and isinstance(values[0], str):
                return values[0]
        return ""


def _steps(pointer: str) -> tuple[str, list[str]]:
    """The component that a pointer starts from and the property names on the way; `[]` for the items of a list."""
    owner, *segments = [
        part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[3:]
    ]
    steps: list[str] = []
    index = 0
    while index < len(segments):
        segment = segments[index]
        if segment == "properties" and index + 1 < len(segments):
            steps.append(segments[index + 1])
        elif segment == "items":
            steps.append("[]")
        elif segment == "additionalProperties":
            steps.append("value")
        index += 2 if segment in ("properties", "anyOf", "oneOf", "allOf") else 1
    return owner, steps


def _with_attributes(model: Model, classes: set[str]) -> Model:
    attributes = names.attribute_names([field.name for field in model.fields], classes)
    fields = tuple(
        dataclasses.replace(field, attribute=attributes[field.name]) for field in model.fields
    )
    return dataclasses.replace(model, fields=fields)


def _literals(node: Node) -> tuple[Any, ...]:
    """The values that `const` or `enum` allow, null aside; none where one is a list or an object."""
    schema = node.schema
    if not isinstance(schema, dict):
        return ()
    values = [schema["const"]] if "const" in schema else listed(schema, "enum")
    if any(isinstance(value, (list, dict)) for value in values):
        return ()
    return tuple(value for value in values if value is not None)


def _bare(node: Node) -> bool:
    return isinstance(node.schema, dict) and _kind(node.schema) == "string" and not _literals(node)


def _kind(schema: dict[str, Any]) -> Any:
    """The one type of a schema, null aside: `type: [string, "null"]` is a string's; None without one, "" for several."""
    kinds = schema.get("type")
    if not isinstance(kinds, list):
        return kinds
    kinds = [kind for kind in kinds if kind != "null"]
    return kinds[0] if len(kinds) == 1 else ""


def _unique(types: Iterable[Type]) -> list[Type]:
    return list(dict.fromkeys(types))


def _with_null(type_: Type, null: bool) -> Type:
    return type_ if type_.null == null else dataclasses.replace(type_, null=null)


def _without_null(type_: Type) -> Type:
    return _with_null(type_, False)
