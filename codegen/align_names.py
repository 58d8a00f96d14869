"""Names for drafts: which of them are one record, and what each is called.

Reads the drafts of a package and the records of the document; returns models and aliases. What equals the document's record keeps
its name, and so does the first that differs from it; never gives one name to two that differ.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from codegen.align_merge import Draft
from codegen.align_parts import Reader
from codegen.catalogue import Alias, Model, Type
from codegen.names import class_name
from codegen.schemas import REF_PREFIX
from codegen.show import reached

Record = Model | Alias


def settled(
    drafts: Mapping[str, Draft], roots: Iterable[str], document: Reader
) -> tuple[dict[str, str], list[Record]]:
    """Token → name for the roots, and the records that they lead to."""
    stands_for = _shared(drafts)
    kept = {
        token: _renamed(draft.record, stands_for)
        for token, draft in drafts.items()
        if stands_for[token] == token
    }
    groups = _groups(drafts, kept)
    names = _names(drafts, kept, groups, document)
    final = {token: names[groups[target]] for token, target in stands_for.items()}
    records = {
        name: dataclasses.replace(_renamed(record, final), name=name)
        for token, record in reversed(kept.items())
        for name in (final[token],)
    }
    for token in kept:
        if not drafts[token].key[
            0
        ]:  # its own pointer may be that of another schema of the document
            name = final[token]
            records[name] = dataclasses.replace(records[name], schema=REF_PREFIX + name)
    originals: dict[str, Record] = {**document.models, **document.aliases}
    settled_records = {
        name: _cleared(record, originals.get(name)) for name, record in records.items()
    }
    left = reached((final[root] for root in roots), settled_records)
    named = {root: final[root] for root in roots}
    return named, [settled_records[name] for name in sorted(left)]


def _shared(drafts: Mapping[str, Draft]) -> dict[str, str]:
    """Token → the token that stands for it: the client's model that stands for a record elsewhere is that record here too."""
    by_name: dict[str, str] = {}
    by_client: dict[str, str] = {}
    for token, draft in drafts.items():
        name, parts = draft.key
        if name and parts is not None:
            by_name.setdefault(name, token)
            if isinstance(draft.record, Model):
                by_client.setdefault(parts.models[0], token)
    found = {}
    for token, draft in drafts.items():
        name, parts = draft.key
        if parts is None:
            found[token] = by_name.get(name, token)
        else:
            found[token] = token if name else by_client.get(parts.models[0], token)
    return found


def _groups(drafts: Mapping[str, Draft], kept: Mapping[str, Record]) -> dict[str, int]:
    """Token → number of its group: drafts of one record are in one group where all that they lead to is the same."""
    groups: dict[str, Any] = {token: drafts[token].key[0] or token for token in kept}
    count = 0
    while True:
        said = {token: (groups[token], _facts(record, groups)) for token, record in kept.items()}
        numbers = {each: number for number, each in enumerate(dict.fromkeys(said.values()))}
        groups = {token: numbers[each] for token, each in said.items()}
        if len(numbers) == count:
            return groups
        count = len(numbers)


def _facts(record: Record, groups: Mapping[str, Any]) -> Any:
    """What tells two drafts of one record apart; refs by the groups of what they lead to."""
    if isinstance(record, Alias):
        return _type_facts(record.type, groups)
    return tuple(
        (field.name, field.required, _type_facts(field.type, groups)) for field in record.fields
    )


def _type_facts(type_: Type, groups: Mapping[str, Any]) -> Any:
    inner = _type_facts(type_.items, groups) if type_.items else None
    members = tuple(_type_facts(member, groups) for member in type_.members)
    target = groups[type_.name] if type_.kind == "ref" else None
    return type_.kind, type_.null, type_.values, type_.open, target, inner, members


def _names(
    drafts: Mapping[str, Draft],
    kept: Mapping[str, Record],
    groups: Mapping[str, int],
    document: Reader,
) -> dict[int, str]:
    """Group → name."""
    originals: dict[str, Record] = {**document.models, **document.aliases}
    plain = {token: drafts[token].key[0] or token for token in drafts}
    owners: dict[str, int] = {}
    for token, record in kept.items():
        name = drafts[token].key[0]
        if name and _renamed(record, plain) == originals[name]:
            owners.setdefault(name, groups[token])
    for token in kept:
        if drafts[token].key[0]:
            owners.setdefault(drafts[token].key[0], groups[token])
    names = {group: name for name, group in owners.items()}
    taken = set(originals)
    for token, record in kept.items():
        if groups[token] not in names:
            names[groups[token]] = class_name(record.name, taken)
            taken.add(names[groups[token]])
    return names


def _renamed(record: Any, names: Mapping[str, str]) -> Any:
    """The record with other names in its refs."""
    if isinstance(record, Alias):
        return dataclasses.replace(record, type=_renamed_type(record.type, names))
    fields = tuple(
        dataclasses.replace(field, type=_renamed_type(field.type, names)) for field in record.fields
    )
    extra = _renamed_type(record.extra, names) if record.extra else None
    return dataclasses.replace(record, fields=fields, extra=extra)


def _renamed_type(type_: Type, names: Mapping[str, str]) -> Type:
    if type_.kind == "ref":
        return dataclasses.replace(type_, name=names[type_.name])
    if not type_.items and not type_.members:
        return type_
    items = _renamed_type(type_.items, names) if type_.items else None
    members = tuple(_renamed_type(member, names) for member in type_.members)
    return dataclasses.replace(type_, items=items, members=members)


def _cleared(record: Record, original: Record | None) -> Record:
    """An alias without the table of its union, where that is no longer the document's."""
    if isinstance(record, Alias) and record != original:
        return Alias(record.name, record.schema, record.type)
    return record
