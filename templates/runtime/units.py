"""Which rules of an event are run as one: those that go through one list as one loop over it.

Reads rules; returns units, the same for every stream that has these rules. Never looks at an event or a tree.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .rules import Rule

_OPTIONAL = ("last", "first", "merge", "extend", "rest", "fail", "add", "unfold")


class Unit(NamedTuple):
    """Rules that are run as one.

    names      the properties without which they do nothing; none where they have to look themselves
    rule       the rule, where there is one alone; else the first
    inner      units within the object or the list that the rules have in common; none for a rule alone
    is_shared  whether a list in place of the rule's text, or text in place of a list, is the affair of other rules
    loop       what to go through; None for the object at the first step
    """

    names: tuple[str, ...]
    rule: Rule
    inner: tuple[Unit, ...] = ()
    is_shared: bool = False
    loop: Loop | None = None


class Loop(NamedTuple):
    """A list of an event, and the list of the tree that has its elements' entries.

    source  the path of the event's list
    name    the property that has to be `wanted` in an element; "" for all
    path    the path of the tree's list, with `key` for its entries; () where the node stays as it is
    """

    source: tuple[Any, ...]
    name: str
    wanted: str
    path: tuple[Any, ...]
    key: tuple[str, ...]
    may_be_text: bool


def units(rules: tuple[Rule, ...], is_inside: bool = False) -> tuple[Unit, ...]:
    """The units of rules, in their order; inside a list a rule whose source is absent does nothing, also where it would be
    missed outside."""
    groups: dict[Any, list[Rule]] = {}
    for number, rule in enumerate(rules):
        groups.setdefault(_common(rule) or number, []).append(rule)
    lists = {rule.source[:1] for rule in rules if _list_at(rule) == 1}
    texts = {rule.source for rule in rules if rule.verb == "append"}
    return tuple([_unit(group, lists, texts, is_inside) for group in groups.values()])


def _unit(
    rules: list[Rule], lists: set[tuple[Any, ...]], texts: set[tuple[Any, ...]], is_inside: bool
) -> Unit:
    first = rules[0]
    at_list = _list_at(first)
    if at_list is not None and at_list < 2:
        return _looped(rules, at_list, texts)
    if len(rules) > 1:
        inner = tuple([rule._replace(source=rule.source[1:]) for rule in rules])
        return Unit(_names(first.source), first, units(inner, True))
    shared = texts if first.verb == "extend" else lists
    return Unit(_guard(first, is_inside), first, is_shared=first.source in shared)


def _looped(rules: list[Rule], at_list: int, texts: set[tuple[Any, ...]]) -> Unit:
    first = rules[0]
    at_key = _key_at(first)
    path, key = (first.path[:at_key], first.path[at_key]) if at_key is not None else ((), ())
    after = 0 if at_key is None else at_key + 1
    inner = [
        rule._replace(source=rule.source[at_list + 1 :], path=rule.path[after:]) for rule in rules
    ]
    name, _, wanted = first.source[at_list].strip("[]").partition("=")
    source = first.source[:at_list]
    loop = Loop(source, name, wanted, path, key, source in texts)
    return Unit(_names(first.source), first, units(tuple(inner), True), loop=loop)


def _common(rule: Rule) -> Any:
    """What rules have in common that are run as one: the list they go through and the one they go to, or the object they
    look into; None for a rule that stands alone."""
    at_list = _list_at(rule)
    if at_list is not None and at_list < 2:
        at_key = _key_at(rule)
        path = rule.path[: at_key + 1] if at_key is not None else ()
        return "list", rule.source[: at_list + 1], path
    return ("object", rule.source[0]) if len(rule.source) > 1 else None


def _guard(rule: Rule, is_inside: bool) -> tuple[str, ...]:
    """The properties without which a rule does nothing; none where it has to look."""
    if rule.verb == "fail" and rule.path:
        return rule.path
    is_optional = rule.verb in _OPTIONAL or (rule.verb.startswith("append") and is_inside)
    return _names(rule.source) if rule.source and is_optional else ()


def _names(source: tuple[Any, ...]) -> tuple[str, ...]:
    """The names of the first step of a source."""
    if not source or (isinstance(source[0], str) and source[0][:1] == "["):
        return ()
    return source[0] if isinstance(source[0], tuple) else (source[0],)


def _key_at(rule: Rule) -> int | None:
    return next((at for at, step in enumerate(rule.path) if type(step) is tuple), None)


def _list_at(rule: Rule) -> int | None:
    found = (n for n, step in enumerate(rule.source) if type(step) is str and step[:1] == "[")
    return next(found, None)
