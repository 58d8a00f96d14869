"""Whether the parts of a catalogue that was read from a file fit together.

Reads a catalogue; returns, or raises ValueError for the first thing that no writer of ours writes. Never repairs anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import get_args

from codegen.catalogue import Catalogue, Kind, Package, Type

_KINDS = frozenset(get_args(Kind))


def require_whole(catalogue: Catalogue) -> None:
    """ValueError for an unknown kind of type, a name that leads nowhere, and an alias that stands for itself."""
    for package in catalogue.packages:
        models = {model.name for model in package.models}
        names = models | {alias.name for alias in package.aliases}
        for stream in package.streams:
            for event in stream.events:
                if event.model not in models:
                    raise ValueError(f"there is no model {event.model!r}")
        for type_ in _types(package):
            _require_type(type_, names)
        _require_ends(package)


def _types(package: Package) -> Iterator[Type]:
    for model in package.models:
        yield from (field.type for field in model.fields)
        yield from (model.extra,) if model.extra else ()
    for alias in package.aliases:
        yield from (alias.type, *alias.others)


def _require_type(type_: Type, names: set[str]) -> None:
    if type_.kind not in _KINDS:
        raise ValueError(f"there is no kind of type {type_.kind!r}")
    if type_.kind == "ref" and type_.name not in names:
        raise ValueError(f"there is no type {type_.name!r}")
    for inner in (*type_.members, *((type_.items,) if type_.items else ())):
        _require_type(inner, names)


def _require_ends(package: Package) -> None:
    """An alias may hold itself in a list, a map or a model, but cannot be itself."""
    leads = {alias.name: set(_names((alias.type,))) for alias in package.aliases}
    while ends := {name for name, after in leads.items() if not after & leads.keys()}:
        leads = {name: after for name, after in leads.items() if name not in ends}
    if leads:
        raise ValueError(f"the type {min(leads)!r} stands for itself")


def _names(types: Iterable[Type]) -> Iterator[str]:
    """The names that a type may be, without looking into lists and maps."""
    for type_ in types:
        if type_.kind == "ref":
            yield type_.name
        elif type_.kind == "union":
            yield from _names(type_.members)
