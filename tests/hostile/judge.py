"""What the text of a generated package may be, whatever stood in the specification.

Reads the files of `emit` and the catalogue that they came from; compares their syntax trees with the catalogue, and with those of a
package from a harmless document: the statements, calls, imports and functions of our templates, and names of the catalogue. Never
runs generated code.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from codegen.catalogue import Catalogue, Model, from_json, to_json
from codegen.emit import emit
from codegen.emit.literals import expression, is_defaulted, ordered
from codegen.emit.render import TEMPLATES, Files

CONSTRUCTORS = frozenset({"Table", "Choice", "Shape", "Rule"})
"""What tables call besides what every module calls."""
ANNOTATIONS = frozenset("Any Literal Union UnknownObject None str int float bool list dict".split())
"""What types are written with besides names of classes."""
PATH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")
_LITERALS = (ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.UnaryOp, ast.USub, ast.BinOp, ast.BitOr, ast.Subscript, ast.Pass)  # fmt: skip


@dataclass(frozen=True)
class Vocabulary:
    """What modules of one kind (events, models …) say, wherever their document came from."""

    names: frozenset[str]
    calls: frozenset[str]
    imports: frozenset[str]
    nodes: frozenset[type[ast.AST]]
    functions: frozenset[str]
    comments: frozenset[str]


def require_ours(files: Files, catalogue: Catalogue, harmless: Vocabularies) -> None:
    """AssertionError, naming the file, where anything in it is not of ours or the catalogue's."""
    assert from_json(to_json(catalogue)) == catalogue
    for path, text in files.items():
        assert PATH.fullmatch(path) and ".." not in path, path
        text.encode("utf-8")
        if path.endswith(".py"):
            _require_module(path, text, catalogue, harmless)
    for package in catalogue.packages:
        models = [model for model in package.models if not model.module]
        _require_classes(files[f"stream_events/{package.name}/models.py"], models)
        for module in {stream.module for stream in package.streams}:
            own = [model for model in package.models if model.module == module]
            text = files[f"stream_events/{module.replace('.', '/')}/events.py"]
            _require_classes(text, own)
            for stream in package.streams:
                if stream.module == module:
                    rows = _assigned(text)[stream.table]
                    assert isinstance(rows, ast.Dict)
                    found = {
                        _value(key): _name(value) for key, value in zip(rows.keys, rows.values)
                    }
                    assert found == {event.tag: event.model for event in stream.events}


def _require_module(path: str, text: str, catalogue: Catalogue, harmless: Vocabularies) -> None:
    if "/_runtime/" in path:
        own = (TEMPLATES / "runtime" / path.rpartition("/")[2]).read_text(encoding="utf-8")
        assert text.endswith("\n" + own)
        text = text[: -len(own)]
    for line in text.split("\n"):
        assert line.isprintable(), (path, line[:200])
    tree = parsed(text)
    if "/_runtime/" in path:
        assert not tree.body
        return
    names = _catalogue_names(catalogue) | ANNOTATIONS | CONSTRUCTORS
    known = harmless.of(path)
    seen = vocabulary(text)
    assert seen.names <= known.names | names, (path, seen.names - known.names - names)
    assert seen.calls <= known.calls | CONSTRUCTORS, (path, seen.calls - known.calls)
    assert seen.imports <= known.imports, (path, seen.imports - known.imports)
    assert seen.nodes <= known.nodes | set(_LITERALS), (path, seen.nodes - known.nodes)
    assert seen.functions <= known.functions, (path, seen.functions - known.functions)
    assert seen.comments <= known.comments, (path, seen.comments - known.comments)
    _require_once(path, tree)


def parsed(text: str) -> ast.Module:
    """The syntax tree; what Python warns of is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile(text, "generated", "exec", dont_inherit=True)
        return ast.parse(text)


def same_tree(first: str, second: str) -> bool:
    """Whether two texts are the same program, the indentation of docstrings aside."""
    return _without_indents(first) == _without_indents(second)


def _without_indents(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.Module)) and (
            found := ast.get_docstring(node)
        ):
            lines = [line.rstrip() for line in found.split("\n")]
            node.body[0] = ast.Expr(ast.Constant("\n".join(lines).strip()))
    return ast.dump(tree)


def _require_once(path: str, tree: ast.Module) -> None:
    """No name at the top of a module is given to two things."""
    bound: list[str] = []
    for statement in tree.body:
        if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            bound.append(statement.name)
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            bound.append(statement.target.id)
        elif isinstance(statement, ast.Assign):
            bound += [target.id for target in statement.targets if isinstance(target, ast.Name)]
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            bound += [alias.asname or alias.name for alias in statement.names]
    twice = {name for name in bound if bound.count(name) > 1}
    assert not twice, (path, twice)


def _require_classes(text: str, models: list[Model]) -> None:
    """The classes of a module and their tables are those of the catalogue."""
    tree = parsed(text)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assert [node.name for node in classes] == [model.name for model in models]
    for node, model in zip(classes, models):
        _require_class(node, model)
    tables = _assigned(text)["TABLES"]
    assert isinstance(tables, ast.Dict)
    rows = {_value(key): value for key, value in zip(tables.keys, tables.values)}
    assert list(rows) == [model.name for model in models]
    for model in models:
        _require_row(rows[model.name], model)


def _require_class(node: ast.ClassDef, model: Model) -> None:
    attributes = [field.attribute for field in ordered(model)]
    docstring, slots, *fields, init = node.body
    assert isinstance(docstring, ast.Expr) and isinstance(_value(docstring.value), str)
    assert [_name(base) for base in node.bases] == ["Record"] and not node.keywords
    assert isinstance(slots, ast.Assign) and _value(slots.value) == tuple(attributes)
    assert [_name(each.target) for each in fields if isinstance(each, ast.AnnAssign)] == attributes
    assert all(isinstance(each, ast.AnnAssign) and each.value is None for each in fields)
    assert isinstance(init, ast.FunctionDef) and init.name == "__init__"
    names = [each.arg for each in init.args.args]
    assert names == ["self", *attributes, "_wire"]
    assert not (
        init.args.kwonlyargs or init.args.vararg or init.args.kwarg or init.args.posonlyargs
    )
    defaults = [_value(each) for each in init.args.defaults]
    constants = [field.type.values[0] for field in ordered(model) if is_defaulted(field)]
    optional = [None for field in model.fields if not field.required]
    assert defaults == [*optional, *constants, None]
    lines = [f"self.{name} = {name}" for name in [*attributes, "_wire"]]
    assert [ast.unparse(each) for each in init.body] == lines


def _require_row(row: ast.expr, model: Model) -> None:
    assert isinstance(row, ast.Call) and _name(row.func) == "Table" and not row.keywords
    cls, *parts = row.args
    assert _name(cls) == model.name
    values = [_value(part) for part in parts] + [{}, {}, {}]
    for found, required in zip(values, (True, False)):
        wanted = {
            field.name: expression(field.type)
            for field in model.fields
            if field.required is required
        }
        assert found == wanted
    renamed = {
        field.name: field.attribute for field in model.fields if field.name != field.attribute
    }
    assert values[2] == renamed


def vocabulary(text: str) -> Vocabulary:
    """What a module says."""
    tree = parsed(text)
    nodes = list(ast.walk(tree))
    modules = {
        f"{'.' * node.level}{node.module or ''}"
        for node in nodes
        if isinstance(node, ast.ImportFrom)
    }
    assert not any(isinstance(node, ast.Import) for node in nodes)
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Vocabulary(
        names=frozenset(_identifiers(nodes)),
        calls=frozenset(ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)),
        imports=frozenset(modules),
        nodes=frozenset(map(type, nodes)),
        functions=frozenset(map(ast.unparse, filter(_is_function, tree.body))),
        comments=frozenset(
            token.string
            for token in tokens
            if token.type == tokenize.COMMENT and token.start[0] > 2
        ),
    )


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))


def _identifiers(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        for field in ("id", "attr", "name", "asname", "arg"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                yield value


def _catalogue_names(catalogue: Catalogue) -> frozenset[str]:
    names: set[str] = set()
    for package in catalogue.packages:
        names |= {model.name for model in package.models} | {
            alias.name for alias in package.aliases
        }
        names |= {field.attribute for model in package.models for field in model.fields}
        names |= {stream.table for stream in package.streams}
    return frozenset(names)


def _assigned(text: str) -> dict[str, ast.expr]:
    found = {}
    for node in parsed(text).body:
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            found[_name(node.target)] = node.value
    return found


def _name(node: ast.AST) -> str:
    assert isinstance(node, ast.Name), ast.dump(node)
    return node.id


def _value(node: ast.AST | None) -> Any:
    assert isinstance(node, ast.expr)
    return ast.literal_eval(node)


class Vocabularies:
    """What the modules of a package from a harmless document say, by the last part of their path."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._found = {
            path: vocabulary(text)
            for path, text in emit(catalogue).items()
            if path.endswith(".py") and "/_runtime/" not in path
        }

    def of(self, path: str) -> Vocabulary:
        """The vocabulary of the module at a path."""
        return self._found[path]
