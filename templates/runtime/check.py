"""What a payload has that its specification does not allow.

Reads JSON values and tables; returns problems with paths. Never raises and never changes what is decoded: strictness is
a call, not a mode. Types are those of JSON Schema: 1.0 is an integer, true is no number.
"""

from __future__ import annotations

from typing import Any

from .records import Level, Problem, UnknownEvent
from .tables import Choice, Expression, Table, candidates, chosen
from .wire import Wire

_KINDS = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "map": "object",
}


def check_record(wire: Wire, record: Any) -> list[Problem]:
    """Every problem of a record against the table of its class, in the order of the table."""
    if isinstance(record, UnknownEvent):
        return [Problem("unknown-event", "info", f"unknown event {record.tag!r}", tag=record.tag)]
    found: list[Problem] = []
    table = wire.table(type(record).__name__)
    if table is not None:
        try:
            _check_table(wire, table, wire.encode(record), "", found)
        except RecursionError:
            found.append(Problem("too-deep", "error", "nested too deep to be checked"))
    return found


def _check_table(
    wire: Wire, table: Table, data: dict[str, Any], path: str, found: list[Problem]
) -> None:
    for name, expression in table.required.items():
        if name not in data:
            what = f"required property {name!r} is missing"
            found.append(Problem("missing-property", "error", what, f"{path}.{name}"))
        else:
            _check(wire, expression, data[name], f"{path}.{name}", found)
    for name, expression in table.optional.items():
        if name in data:
            _check(wire, expression, data[name], f"{path}.{name}", found)
    for name, value in data.items():
        if name not in table.required and name not in table.optional:
            if table.extra is not None:
                _check(wire, table.extra, value, f"{path}.{name}", found)
            else:
                what = f"unknown property {name!r}"
                found.append(Problem("unknown-property", "info", what, f"{path}.{name}"))


def _check(wire: Wire, expression: Expression, value: Any, path: str, found: list[Problem]) -> None:
    if type(expression) is str and expression not in _KINDS:
        if expression != "any":
            _check_name(wire, expression, value, path, found)
        return
    word = expression if type(expression) is str else expression[0]
    if word == "null":
        if value is not None:
            _check(wire, expression[1], value, path, found)
    elif word in ("const", "enum", "open"):
        _check_values(expression, value, path, found)
    elif word == "union":
        _check_union(wire, tuple(expression[1:]), value, path, found)
    elif not _is_kind(word, value):
        found.append(_wrong(_KINDS[word], value, path))
    elif word == "list":
        for index, item in enumerate(value):
            _check(wire, expression[1], item, f"{path}[{index}]", found)
    elif word == "map":
        for key, item in value.items():
            _check(wire, expression[1], item, f"{path}.{key}", found)


def _check_name(wire: Wire, name: str, value: Any, path: str, found: list[Problem]) -> None:
    choice = wire.loaded.choices.get(name)
    if choice is not None:
        _check_choice(wire, choice, value, path, found)
    elif name in wire.loaded.aliases:
        _check(wire, wire.loaded.aliases[name], value, path, found)
    elif not isinstance(value, dict):
        found.append(_wrong("object", value, path))
    else:
        table = wire.table(name)
        if table is not None:
            _check_table(wire, table, value, path, found)


def _check_choice(wire: Wire, choice: Choice, value: Any, path: str, found: list[Problem]) -> None:
    if not isinstance(value, dict):
        _check_union(wire, choice.others, value, path, found)
        return
    case = candidates(choice, value)
    if not case and choice.others:
        _check_union(wire, choice.others, value, path, found)
        return
    if not case:
        shown = f"{choice.tag} {_shown(value.get(choice.tag))}" if choice.tag else "this shape"
        what = f"no member of the union has {shown}"
        found.append(Problem("unknown-member", "warning", what, path))
        return
    table = wire.table(case if isinstance(case, str) else chosen(case, value))
    if table is not None:
        _check_table(wire, table, value, path, found)


def _check_union(
    wire: Wire, members: tuple[Expression, ...], value: Any, path: str, found: list[Problem]
) -> None:
    """The problems of the member that has fewest: a value fits a union when it fits one of them."""
    best: list[Problem] | None = None
    for member in members:
        tried: list[Problem] = []
        _check(wire, member, value, path, tried)
        if best is None or _weight(tried) < _weight(best):
            best = tried
    if best is None:
        found.append(_wrong("object", value, path))
    elif (
        len(members) > 1
        and len(best) == 1
        and best[0].path == path
        and best[0].kind == "wrong-type"
    ):
        found.append(_wrong("one of " + ", ".join(map(_name, members)), value, path))
    else:
        found += best


def _weight(problems: list[Problem]) -> tuple[int, int, int]:
    levels = [problem.level for problem in problems]
    return levels.count("error"), levels.count("warning"), len(levels)


def _check_values(expression: Expression, value: Any, path: str, found: list[Problem]) -> None:
    word, *values = expression
    if any(
        isinstance(value, bool) is isinstance(known, bool) and value == known for known in values
    ):
        return
    if isinstance(values[0], str) and not isinstance(value, str):
        found.append(_wrong("string", value, path))
        return
    known = ", ".join(map(_shown, values[:8]))
    known += f" and {len(values) - 8} more" if len(values) > 8 else ""
    what = (
        f"expected one of {known}, got {_shown(value)}"
        if len(values) > 1
        else (f"expected {known}, got {_shown(value)}")
    )
    level: Level = "info" if word == "open" else "warning"
    found.append(Problem("unknown-value", level, what, path))


def _is_kind(word: str, value: Any) -> bool:
    if word == "str":
        return isinstance(value, str)
    if word == "bool":
        return isinstance(value, bool)
    if word == "list":
        return isinstance(value, list)
    if word == "map":
        return isinstance(value, dict)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return word == "float" or isinstance(value, int) or value.is_integer()


def _name(expression: Expression) -> str:
    word = expression if type(expression) is str else expression[0]
    return _KINDS.get(word, word if type(expression) is str else "value")


def _wrong(expected: str, value: Any, path: str) -> Problem:
    return Problem("wrong-type", "error", f"expected {expected}, got {_shown(value)}", path)


def _shown(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "an array"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
