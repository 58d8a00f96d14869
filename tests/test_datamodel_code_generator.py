"""What datamodel-code-generator makes of the catalogue, and what stands in `generated/`, against a direct reading.

Reads the catalogue of `spec/`, the annotations of `codegen.emit.typed`, and the syntax trees of the generated modules;
compares both with annotations that a few lines here derive from the catalogue's types. Never imports what was generated,
and never takes the order of a union's members for a difference.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias, cast

import pytest

from codegen.catalogue import Alias, Field, Model, Package, Type
from codegen.emit.typed import annotated
from codegen.load import load
from codegen.resolve import resolve

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ["beta_responses", "chat", "completions", "images", "messages", "responses"]
HOLDERS = {"AliasHolder", "Package", "UnknownObject"}
"""Classes that the generator is given or makes besides models and aliases: none of them is rendered."""
NAMES = {"any": "Any", "boolean": "bool", "integer": "int", "number": "float", "string": "str"}

Members: TypeAlias = frozenset[tuple[Any, ...]]
"""The members of a union: (name,), ("list", members), ("dict", members, members), ("Literal", type, value)."""


def direct(type_: Type) -> str:
    """The annotation of a type, as DESIGN section 7 and the kinds of `Type` have it."""
    return f"{_plain(type_)} | None" if type_.null else _plain(type_)


def _plain(type_: Type) -> str:
    if type_.kind in NAMES:
        return NAMES[type_.kind]
    if type_.kind == "ref":
        return type_.name
    if type_.kind == "array" and type_.items is not None:
        return f"list[{direct(type_.items)}]"
    if type_.kind == "map" and type_.items is not None:
        return f"dict[str, {direct(type_.items)}]"
    if type_.kind == "union":
        return " | ".join(map(direct, type_.members))
    known = f"Literal[{', '.join(map(repr, type_.values))}]"
    return f"{known} | str" if type_.open else known


def of_field(field: Field) -> str:
    """The annotation of a field: what is not required reads as None where it is absent."""
    return direct(field.type) if field.required else f"{direct(field.type)} | None"


def of_alias(alias: Alias) -> str:
    """The annotation of an alias: a union of several objects has `UnknownObject` as its last member."""
    chosen = alias.cases or alias.untagged
    return f"{direct(alias.type)} | UnknownObject" if chosen else direct(alias.type)


def members(annotation: str | ast.expr) -> Members:
    """The members of an annotation, unions within it opened, literals one by one. None is in Any."""
    node = ast.parse(annotation, mode="eval").body if isinstance(annotation, str) else annotation
    found = frozenset(_members(node))
    return frozenset({("Any",)}) if ("Any",) in found else found


def _members(node: ast.expr) -> Iterator[tuple[Any, ...]]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield from _members(node.left)
        yield from _members(node.right)
    elif isinstance(node, ast.Name):
        yield (node.id,)
    elif isinstance(node, ast.Constant) and node.value is None:
        yield ("None",)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from _members(ast.parse(node.value, mode="eval").body)
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        yield from _subscribed(node.value.id, parts)
    else:
        raise AssertionError(f"not an annotation: {ast.unparse(node)}")


def _subscribed(name: str, parts: list[ast.expr]) -> Iterator[tuple[Any, ...]]:
    if name == "Union":
        for part in parts:
            yield from _members(part)
    elif name == "Literal":
        for value in map(ast.literal_eval, parts):
            yield "Literal", type(value).__name__, value
    else:
        yield name, *map(members, parts)


@functools.cache
def packages() -> dict[str, Package]:
    """The packages of the committed specification by name."""
    return {package.name: package for package in resolve(load(ROOT / "spec")).packages}


def expected(package: Package) -> dict[str, dict[str, Members]]:
    """Class → attribute → members, and for an alias "" → members."""
    models = {
        model.name: {field.attribute: members(of_field(field)) for field in model.fields}
        for model in package.models
    }
    return models | {alias.name: {"": members(of_alias(alias))} for alias in package.aliases}


@pytest.fixture(scope="module", params=PACKAGES)
def package(request: pytest.FixtureRequest) -> Package:
    """Each package of the catalogue."""
    return packages()[request.param]


def test_all_packages_are_tested() -> None:
    assert sorted(packages()) == PACKAGES


def _assert_typed_as_the_catalogue(package: Package) -> None:
    typed = annotated(package)
    wanted = expected(package)
    assert typed.keys() - wanted.keys() == HOLDERS
    found = {
        name: {attribute: members(text) for attribute, text in fields.items()}
        for name, fields in typed.items()
        if name not in HOLDERS
    }
    assert found == wanted


def test_the_generator_invents_nothing_and_agrees_on_every_field(package: Package) -> None:
    _assert_typed_as_the_catalogue(package)


ODD = ("", "'", '"', "\\", "None", "a, b", "] | str", "\u00e9\u2028", "{{ x }}", "#/$defs/Other")
TAG = Type("constant", values=("x",))
KINDS = [
    *(Type(cast(Any, kind)) for kind in NAMES),
    TAG,
    Type("constant", values=(1,)),
    Type("constant", values=(True,)),
    Type("enum", values=ODD),
    Type("enum", values=ODD, open=True),
    Type("enum", values=(1, 2, -3)),
    Type("ref", name="Other"),
    Type("ref", name="Selection"),
    Type("union", members=(Type("string"), Type("ref", name="Other"))),
]


def _every_type() -> Iterator[Type]:
    for type_ in KINDS:
        for null in (False, True):
            inner = Type(
                type_.kind, null, type_.name, type_.values, type_.open, None, type_.members
            )
            yield inner
            yield Type("array", null, items=inner)
            yield Type("map", null, items=inner)


def test_the_generator_agrees_on_every_kind_of_type() -> None:
    fields = tuple(
        Field(f"{word}{number}", f"{word}{number}", type_, required)
        for word, required in (("required", True), ("optional", False))
        for number, type_ in enumerate(_every_type())
    )
    other = Model("Other", "", (Field("type", "type", TAG, True),), "")
    union = Type("union", members=(Type("ref", name="Other"), Type("ref", name="Every")))
    choice = Alias("Selection", "", union, tag="type", cases=(("x", ()),))
    _assert_typed_as_the_catalogue(
        Package("p", (), (Model("Every", "", fields, ""), other), (choice,))
    )


def module_path(package: Package, module: str) -> Path:
    """Where the classes of a module stand; payloads have none."""
    folder = ROOT / "generated" / "stream_events"
    return (
        folder.joinpath(*module.split("."), "events.py")
        if module
        else folder / package.name / "models.py"
    )


def tree(path: Path) -> list[ast.stmt]:
    """The statements of a generated module."""
    return ast.parse(path.read_text(encoding="utf-8")).body


def ordered(model: Model) -> list[Field]:
    """DESIGN section 9: required, optional, constants with their default; each in the specification's order."""
    return sorted(model.fields, key=lambda field: 2 if _has_default(field) else not field.required)


def _has_default(field: Field) -> bool:
    """A required constant text, which the constructor fills in."""
    values = field.type.values if field.type.kind == "constant" and not field.type.null else ()
    return field.required and bool(values) and isinstance(values[0], str)


def default(field: Field) -> tuple[Any, ...]:
    """The default of a parameter, or () where it has none."""
    return field.type.values if _has_default(field) else () if field.required else (None,)


def _body(class_: ast.ClassDef, kind: type[Any]) -> list[Any]:
    return [statement for statement in class_.body if isinstance(statement, kind)]


def _fields(class_: ast.ClassDef) -> list[tuple[str, Members]]:
    found: Iterable[ast.AnnAssign] = _body(class_, ast.AnnAssign)
    return [(cast(ast.Name, each.target).id, members(each.annotation)) for each in found]


def _parameters(function: ast.FunctionDef) -> list[tuple[str, Members, tuple[Any, ...]]]:
    """Name, annotation and default of each parameter after self."""
    arguments = function.args
    assert not (
        arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg or arguments.kwarg
    )
    texts = [tuple([ast.literal_eval(each)]) for each in arguments.defaults]
    defaults = [()] * (len(arguments.args) - len(texts)) + texts
    return [
        (argument.arg, members(cast(ast.expr, argument.annotation)), given)
        for argument, given in list(zip(arguments.args, defaults))[1:]
    ]


def test_generated_classes_are_the_models(package: Package) -> None:
    modules = {stream.module for stream in package.streams} | {""}
    assert {model.module for model in package.models} <= modules
    for module in sorted(modules):
        own = {model.name: model for model in package.models if model.module == module}
        statements = tree(module_path(package, module))
        classes = [each for each in statements if isinstance(each, ast.ClassDef)]
        assert sorted(class_.name for class_ in classes) == sorted(own)
        for class_ in classes:
            _assert_is_the_model(class_, own[class_.name])


def _assert_is_the_model(class_: ast.ClassDef, model: Model) -> None:
    fields = [(field.attribute, members(of_field(field))) for field in ordered(model)]
    assert _fields(class_) == fields, class_.name
    (slots,) = _body(class_, ast.Assign)
    assert ast.unparse(slots.targets[0]) == "__slots__"
    assert ast.literal_eval(slots.value) == tuple(name for name, _ in fields), class_.name
    (constructor,) = _body(class_, ast.FunctionDef)
    assert constructor.name == "__init__"
    given = [(*field, default(each)) for field, each in zip(fields, ordered(model))]
    wire = ("_wire", members("Kept | None"), (None,))
    assert _parameters(constructor) == [*given, wire], class_.name


def test_generated_aliases_are_those_of_the_catalogue(package: Package) -> None:
    found = {
        cast(ast.Name, each.target).id: members(each.value)
        for each in tree(module_path(package, ""))
        if isinstance(each, ast.AnnAssign)
        and each.value is not None
        and ast.unparse(each.annotation) == "TypeAlias"
    }
    assert found == {alias.name: members(of_alias(alias)) for alias in package.aliases}
