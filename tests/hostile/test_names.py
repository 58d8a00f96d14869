"""Names that a specification may not take: those that our own modules bind, whatever templates come to say."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from codegen.names import TAKEN_ATTRIBUTES, class_name

PACKAGE = Path(__file__).resolve().parents[2] / "generated" / "stream_events"
MODULES = sorted(
    path
    for name in ("__init__", "accumulator", "events", "models")
    for path in PACKAGE.glob(f"*/**/{name}.py")
    if "_runtime" not in path.parts
)


def ours(path: Path) -> set[str]:
    """The names that a module takes from the runtime or the standard library, and those of its own tables."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (
            "_runtime" in (node.module or "") or not node.level
        ):
            found |= {alias.asname or alias.name for alias in node.names}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and path.stem == "accumulator":
            found.add(node.name)
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
            found |= {name for name in names if name.isupper() and not name.endswith("_EVENTS")}
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_class_takes_a_name_of_ours(path: Path) -> None:
    named = {name for name in ours(path) if class_name(name, ()) == name}
    assert named == set()


def test_attributes_leave_the_words_of_annotations_alone() -> None:
    assert {
        "str",
        "int",
        "float",
        "bool",
        "list",
        "dict",
        "Any",
        "Literal",
        "self",
    } <= TAKEN_ATTRIBUTES
