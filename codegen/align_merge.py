"""A client's types laid over a document's, place by place.

Reads two packages; returns drafts: the document's records, each with what the client says in its place. Whatever the client cannot
say is taken from the document. Never matches by the name of a class: an object of the client stands for the document's in
the same place, and in a union for the one most like it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from codegen.align_parts import Parts, Reader, joined, matched, unique
from codegen.catalogue import Alias, Field, Json, Kind, Model, Package, Type

Key: TypeAlias = "tuple[str, Parts | None]"
"""A record of the document (or "" for none) and what stands in its place at the client (None: it says nothing)."""

ANY = Type("any")


@dataclass(frozen=True)
class Draft:
    """A record whose refs are tokens of other drafts."""

    key: Key
    record: Model | Alias


class Merge:
    """Drafts by token, made as they are asked for."""

    def __init__(self, document: Package, client: Package) -> None:
        self.document = Reader(document)
        self.client = Reader(client)
        self.drafts: dict[str, Draft] = {}
        self._tokens: dict[Key, str] = {}
        self._todo: list[Key] = []

    def paired(self, name: str, client: str) -> str:
        """The token of a model of the document, with a model of the client in its place."""
        return self._token((name, Parts(models=(client,))))

    def own(self, name: str) -> str:
        """The token of a record of the document about which the client says nothing."""
        return self._token((name, None))

    def new(self, client: str) -> str:
        """The token of a model that only the client has."""
        return self._token(("", Parts(models=(client,))))

    def finish(self) -> dict[str, Draft]:
        """All drafts that were asked for, and those that they lead to."""
        while self._todo:
            key = self._todo.pop()
            self.drafts[self._tokens[key]] = Draft(key, self._record(*key))
        return self.drafts

    def _token(self, key: Key) -> str:
        if key not in self._tokens:
            self._tokens[key] = f"{len(self._tokens)} {key[0]}"
            self._todo.append(key)
        return self._tokens[key]

    def _record(self, name: str, parts: Parts | None) -> Model | Alias:
        if not name and parts is not None:
            model = self.client.models[parts.models[0]]
            fields = tuple(map(self._new_field, model.fields))
            return dataclasses.replace(model, fields=fields, extra=None)
        if name in self.document.models:
            return self._model(self.document.models[name], parts)
        alias = self.document.aliases[name]
        made = self._kept(alias.type) if parts is None else self._merged(alias.type, parts)
        return dataclasses.replace(alias, type=made)

    def _model(self, model: Model, parts: Parts | None) -> Model:
        extra = self._kept(model.extra) if model.extra else None
        if parts is None:
            fields = [
                dataclasses.replace(field, type=self._kept(field.type)) for field in model.fields
            ]
            return dataclasses.replace(model, fields=tuple(fields), extra=extra)
        theirs = {field.name: field for field in self.client.models[parts.models[0]].fields}
        ours = {field.name for field in model.fields}
        fields = [
            self._field(field, theirs[field.name]) for field in model.fields if field.name in theirs
        ]
        fields += [self._new_field(field) for name, field in theirs.items() if name not in ours]
        return dataclasses.replace(model, fields=tuple(fields), extra=extra)

    def _field(self, ours: Field, theirs: Field) -> Field:
        """The document's property with the client's type; prose, default and deprecation are not the client's to say."""
        required, null = theirs.required, theirs.type.null
        if is_unsaid(theirs):
            told = ours.required and not ours.type.null
            required, null = (False, False) if told else (ours.required, ours.type.null)
        type_ = self._merged(ours.type, self.client.parts(theirs.type))
        return dataclasses.replace(ours, required=required, type=_null(type_, null))

    def _new_field(self, field: Field) -> Field:
        """A property that only the client has; of one that need not be there it says that null is possible as well."""
        return Field(field.name, "", self._made(self.client.parts(field.type)), field.required)

    def _kept(self, type_: Type) -> Type:
        """A type of the document as it is."""
        return dataclasses.replace(
            type_,
            name=self.own(type_.name) if type_.kind == "ref" else "",
            items=self._kept(type_.items) if type_.items else None,
            members=tuple(map(self._kept, type_.members)),
        )

    def _merged(self, ours: Type, parts: Parts) -> Type:
        """A type of the document, changed to what the client's parts are; null is left to the caller."""
        parts = dataclasses.replace(parts, null=False)
        mine = self.document.parts(ours)
        if mine.is_free and parts.is_free:
            return self._kept(ours)
        pairs = matched(mine.models, parts.models, self.document, self.client)
        if mine.is_free or parts.is_free or not _in_common(mine, parts, pairs):
            return _null(self._made(parts), ours.null)
        if ours.kind == "ref" and ours.name in self.document.aliases:
            return dataclasses.replace(ours, name=self._token((ours.name, parts)))
        members = ours.members if ours.kind == "union" else (ours,)
        portions, left = self._shares(members, parts, pairs)
        made = [self._member(*pair) for pair in zip(members, portions) if pair[1]]
        rest = self._made(left) if left else None
        made += () if rest is None else rest.members if rest.kind == "union" else (rest,)
        if len(made) == 1:
            return _null(made[0], ours.null)
        union = ours if ours.kind == "union" else Type("union", null=ours.null)
        return dataclasses.replace(union, members=tuple(made))

    def _shares(
        self, members: Iterable[Type], parts: Parts, pairs: dict[str, str]
    ) -> tuple[list[Parts], Parts]:
        """What of the client's parts goes to each member of a union, and what is left for new members."""
        claims = [self.document.parts(member) for member in members]
        wide = any("number" in claim.kinds for claim in claims)
        portions = [_portion(claim, parts, pairs, wide) for claim in claims]
        given = joined(portions)
        literals = unique([*given.literals, *parts.literals])[len(given.literals) :]
        kinds = parts.kinds - given.kinds
        known = [at for at, claim in enumerate(claims) if claim.literals]
        if known:  # more values of an enum, not a second one; any string as well: it is open
            more = Parts(kinds & {"string"}, literals)
            portions[known[-1]] = joined([portions[known[-1]], more])
            literals, kinds = (), kinds - {"string"}
        covered = any(name not in pairs for claim in claims for name in claim.models)
        left = Parts(
            kinds - {"any"} if covered else kinds,
            literals,
            tuple(name for name in parts.models if name not in pairs.values()),
            () if given.items else parts.items,
            () if given.values or (covered and parts.covers) else parts.values,
        )
        return portions, left

    def _member(self, ours: Type, parts: Parts) -> Type:
        """One member of a union with its share of what the client says."""
        if ours.kind in ("constant", "enum"):
            return _literals(ours, parts)
        if ours.kind == "array":
            return dataclasses.replace(ours, items=self._inner(ours.items, parts.items))
        if ours.kind == "map":
            return dataclasses.replace(ours, items=self._inner(ours.items, parts.values))
        if ours.kind == "union":
            return self._merged(ours, parts)
        if ours.kind != "ref":
            return ours
        if ours.name in self.document.aliases:
            return dataclasses.replace(ours, name=self._token((ours.name, parts)))
        token = self.paired(ours.name, parts.models[0]) if parts.models else self.own(ours.name)
        return dataclasses.replace(ours, name=token)

    def _inner(self, ours: Type | None, theirs: Iterable[Type]) -> Type:
        """The type of items or of free values, where the client does say whether null is allowed."""
        parts = joined(map(self.client.parts, theirs))
        return _null(self._merged(ours or ANY, parts), parts.null)

    def _made(self, parts: Parts) -> Type:
        """A type of the client alone; what the document has elsewhere is found when all drafts are there."""
        kinds = set(parts.kinds)
        made: list[Type] = []
        if parts.literals:
            is_open = "string" in kinds
            kinds -= {"string"}
            kind: Kind = "enum" if is_open or len(parts.literals) > 1 else "constant"
            made.append(Type(kind, values=parts.literals, open=is_open))
        made += [Type(each) for each in _KINDS if each in kinds]
        made += [Type("ref", name=self.new(name)) for name in parts.models]
        for inner, container in ((parts.items, Type("array")), (parts.values, Type("map"))):
            if inner:
                items = self._made(joined(map(self.client.parts, inner)))
                made.append(dataclasses.replace(container, items=items))
        if len(made) == 1:
            return _null(made[0], parts.null)
        return Type("union", null=parts.null, members=tuple(made)) if made else ANY


_KINDS: tuple[Kind, ...] = ("string", "integer", "number", "boolean", "any")


def is_unsaid(field: Field) -> bool:
    """Whether a client's property is in the form that stands for optional, for nullable and for both.

    That is `Optional[…] = None`, the only one that it has besides required.
    """
    return not field.required and field.type.null and field.default == (None,)


def _portion(claim: Parts, parts: Parts, pairs: dict[str, str], wide: bool) -> Parts:
    """What a member that allows `claim` takes of the client's parts; `wide`: a number is allowed beside it."""
    known = {(type(value).__name__, value) for value in claim.literals}
    kinds = claim.kinds & parts.kinds
    if "integer" in claim.kinds and wide and "number" in parts.kinds:
        kinds |= {"integer"}  # an integer beside a number says nothing
    covers = parts.covers and any(name not in pairs for name in claim.models)
    return Parts(
        kinds,
        tuple(value for value in parts.literals if (type(value).__name__, value) in known),
        tuple(pairs[name] for name in claim.models if name in pairs),
        parts.items if claim.items else (),
        parts.values if claim.values else (ANY,) if covers else (),
    )


def _in_common(mine: Parts, parts: Parts, pairs: dict[str, str]) -> bool:
    strings = mine.literals and (parts.literals or "string" in parts.kinds)
    lists = (mine.items and parts.items) or (mine.values and parts.values)
    covered = mine.models and parts.covers
    return bool(mine.kinds & parts.kinds or strings or lists or pairs or covered)


def _literals(ours: Type, parts: Parts) -> Type:
    """An enum or constant with the client's values. A closed list of the client says nothing: it accepts any value."""
    is_open = ours.open or "string" in parts.kinds
    if not parts.literals:  # any string: the client lists no values, which takes none away
        values: tuple[Json, ...] = ours.values
    else:
        known = {(type(value).__name__, value) for value in parts.literals}
        values = tuple(each for each in ours.values if (type(each).__name__, each) in known)
        values = unique([*values, *parts.literals])
    if values == ours.values and is_open == ours.open:
        return ours
    single = ours.kind == "constant" and len(values) == 1 and not is_open
    return dataclasses.replace(
        ours, kind="constant" if single else "enum", values=values, open=is_open
    )


def _null(type_: Type, null: bool) -> Type:
    return type_ if type_.null == null else dataclasses.replace(type_, null=null)
