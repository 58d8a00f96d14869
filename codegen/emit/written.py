"""The classes whose decoding and encoding is written out: those through which the pieces of a text come.

Reads the accumulation rules and the models of the catalogue; returns the text of written.py of every subpackage. Nearly
every event of a stream goes through these few classes, and written out they take half the time. Never names a class or a
tag itself: a class is written out because a rule appends what it holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from codegen.catalogue import Alias, Catalogue, Field, Model, Package, Type
from codegen.emit import literals
from codegen.emit.render import Files, header, render
from codegen.names import local_name, pair_name
from codegen.rules import bare, parse

_CHECKED = {"string": "str", "integer": "int", "boolean": "bool"}


@dataclass(frozen=True)
class FieldView:
    """A field: `key` is its name on the wire as a literal.

    checked   the Python type that the encoder takes without a copy; "" where it copies
    converts  how the value is converted: "" for not at all, "filled" where it is not empty, "always"
    number    tells the names that go with it from those that go with others
    """

    key: str
    attribute: str
    local: str
    nullable: bool
    checked: str
    converts: str
    number: int


@dataclass(frozen=True)
class WrittenView:
    """What two functions need: the fields as the table has them, `constants` among the required ones.

    nullable  the optional fields in whose place null may stand, each with its bit
    """

    function: str
    first: str
    required: tuple[FieldView, ...]
    constants: tuple[FieldView, ...]
    optional: tuple[FieldView, ...]
    nullable: tuple[tuple[str, int], ...]

    @property
    def copies(self) -> bool:
        """Whether the encoder copies something."""
        return not all(field.checked for field in self.required + self.optional)

    @property
    def plain(self) -> tuple[FieldView, ...]:
        """The required fields that are no constants."""
        return tuple(field for field in self.required if field not in self.constants)


def emit(catalogue: Catalogue) -> Files:
    """stream_events/<package>/written.py by path, where a rule appends something."""
    files: Files = {}
    for package in catalogue.packages:
        pairs = _pairs(package)
        if pairs:
            files[f"stream_events/{package.name}/written.py"] = render(
                "written.jinja",
                header=header(catalogue, package, "written.jinja"),
                package=package.name,
                pairs=dict.fromkeys(pairs.values()),
                rows=[(literals.literal(name), view.function) for name, view in pairs.items()],
            )
    return files


def is_written(package: Package) -> bool:
    """Whether a package has a module written.py."""
    return bool(_pairs(package))


def _pairs(package: Package) -> dict[str, WrittenView]:
    """What is written out, by the name of the model: the same for all with the same fields."""
    reached = set(_reached(package))
    views: dict[tuple[object, ...], WrittenView] = {}
    found: dict[str, WrittenView] = {}
    for model in package.models:
        if model.name in reached and not model.extra:
            view = _view(model, package)
            same = (view.required, view.constants, view.optional)
            found[model.name] = views.setdefault(same, view)
    return found


def _reached(package: Package) -> Iterator[str]:
    """The models on the way to the pieces of text that rules append."""
    for stream in package.streams:
        for event in stream.events:
            for text in event.rules:
                rule = parse(text)
                if rule is not None and rule.verb.startswith("append"):
                    yield from _along(package, event.model, bare(rule.source))


def _along(
    package: Package, model: str, source: tuple[str | tuple[str, ...], ...]
) -> Iterator[str]:
    """A model and those that the rest of a source goes through from it, if it has the first step."""
    while source and source[0] == "[]":
        source = source[1:]
    names = source[:1] if source and isinstance(source[0], str) else source[0] if source else ()
    fields = [field for field in package.model(model).fields if field.name in names]
    if fields:
        yield model
    for field in fields:
        for name in _objects(package, field.type):
            yield from _along(package, name, source[1:])


def _objects(package: Package, type_: Type) -> Iterator[str]:
    """The models that a value of a type may be, or that its items are."""
    if type_.items is not None and type_.kind == "array":
        yield from _objects(package, type_.items)
    for member in type_.members:
        yield from _objects(package, member)
    alias = _alias(package, type_)
    if alias is not None:
        yield from _objects(package, alias.type)
    elif type_.kind == "ref":
        yield type_.name


def _alias(package: Package, type_: Type) -> Alias | None:
    if type_.kind != "ref":
        return None
    return next((alias for alias in package.aliases if alias.name == type_.name), None)


def _view(model: Model, package: Package) -> WrittenView:
    fields = literals.ordered(model)
    views = {field.name: _field(field, at, package) for at, field in enumerate(fields)}
    optional = [field for field in fields if not field.required]
    return WrittenView(
        pair_name(model.name),
        model.name,
        tuple(views[field.name] for field in fields if field.required),
        tuple(views[field.name] for field in fields if literals.is_defaulted(field)),
        tuple(views[field.name] for field in optional),
        tuple(
            (field.attribute, 1 << at)
            for at, field in enumerate(each for each in optional if each.type.null)
        ),
    )


def _field(field: Field, at: int, package: Package) -> FieldView:
    type_ = field.type
    checked = _checked(type_, package)
    converts = "filled" if type_.kind in ("array", "map") else "always"
    if checked or type_.kind in ("any", "number"):
        converts = ""
    key, local = literals.literal(field.name), local_name(field.attribute)
    return FieldView(key, field.attribute, local, type_.null, checked, converts, at)


def _checked(type_: Type, package: Package) -> str:
    """The Python type of all values of a type; "" where there are several, or it is not one that JSON gives."""
    alias = _alias(package, type_)
    if alias is not None:
        return "" if alias.cases or alias.untagged else _checked(alias.type, package)
    if type_.kind in ("constant", "enum"):
        kinds = {type(value).__name__ for value in type_.values}
        return kinds.pop() if len(kinds) == 1 and kinds <= set(_CHECKED.values()) else ""
    return _CHECKED.get(type_.kind, "")
