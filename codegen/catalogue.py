"""The catalogue: the one value between reading and writing.

Reads nothing. Defines the records that `resolve` returns and that every emitter and the differ take, and turns them
into JSON values and back (`to_json`, `from_json`). Never holds a document, a path or a Python object of a library.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, cast

Json: TypeAlias = Any
"""A JSON value: dict, list, str, int, float, bool or None."""

Kind: TypeAlias = Literal[
    "any",
    "array",
    "boolean",
    "constant",
    "enum",
    "integer",
    "map",
    "number",
    "ref",
    "string",
    "union",
]


@dataclass(frozen=True)
class Type:
    """The type of a value.

    kind     any, boolean, integer, number, string: JSON types; constant and enum: literal `values`;
             array and map: of `items`; ref: a model or an alias of the same package by `name`; union: of `members`
    null     whether null is allowed besides
    open     enum: whether other values than `values` are expected (`anyOf: [string, enum]`)
    format   the `format` of the specification, for people and the differ
    bounds   keyword and number, such as ("minLength", 1), sorted
    """

    kind: Kind
    null: bool = False
    name: str = ""
    values: tuple[Json, ...] = ()
    open: bool = False
    items: Type | None = None
    members: tuple[Type, ...] = ()
    format: str = ""
    bounds: tuple[tuple[str, Json], ...] = ()


@dataclass(frozen=True)
class Field:
    """A property of a model: `name` on the wire, `attribute` in Python.

    `default` is a tuple of no or one JSON value, so that a default of null differs from none. `schema` is the JSON pointer
    of the property where it stands elsewhere than below the pointer of its model; only what is compared has it.
    """

    name: str
    attribute: str
    type: Type
    required: bool = False
    default: tuple[Json, ...] = ()
    deprecated: bool = False
    docs: str = ""
    schema: str = ""


@dataclass(frozen=True)
class Model:
    """An object of the specification, `allOf` merged, as one class.

    schema   JSON pointer of the schema in its document
    module   module of the package in which its class stands ("responses", "responses.websocket", or "" for payloads)
    extra    the type of undeclared properties where the schema gives one
    closed   `additionalProperties: false`
    """

    name: str
    schema: str
    fields: tuple[Field, ...]
    sentence: str
    module: str = ""
    extra: Type | None = None
    closed: bool = False
    docs: str = ""


@dataclass(frozen=True)
class Case:
    """One model that a value of a union's tag selects, with what tells it from others of the same tag.

    literals  properties whose values are known, as (property, values)
    """

    model: str
    required: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()
    literals: tuple[tuple[str, tuple[Json, ...]], ...] = ()


@dataclass(frozen=True)
class Alias:
    """A named type that is no object: an enum, a map, an array, a union.

    For a union of several models: `tag` is the property that tells them apart ("" for none), `cases` maps its values
    to models in the order of the union; `untagged` lists the models in which the tag may be absent; `others` are the
    members that are no models, unions in the union opened.
    """

    name: str
    schema: str
    type: Type
    tag: str = ""
    cases: tuple[tuple[str, tuple[Case, ...]], ...] = ()
    untagged: tuple[Case, ...] = ()
    others: tuple[Type, ...] = ()


@dataclass(frozen=True)
class Event:
    """A typed event of a stream: the key is (stream, tag). `rules` are accumulation rules in the fragment's notation.

    An event that was seen live and is in no union has no `model`; `terminal` says whether such a one ends the stream.
    `first_seen` is name and day of the oldest catalogue snapshot of upstream that has the event; empty where none has it.
    """

    tag: str
    model: str
    family: str = ""
    sentence: str = ""
    stability: str = "ga"
    provenance: str = "documented"
    rules: tuple[str, ...] = ()
    terminal: bool = False
    first_seen: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sequence:
    """Where the sequence number stands, its first value and its step."""

    field: str
    first: int
    step: int


Named = tuple[tuple[str, tuple[str, ...]], ...]
"""Names, and some others for each of them."""


@dataclass(frozen=True)
class Order:
    """In what order events come, beyond what accumulation rules say; see `fragment.schema.json` for what each value means.

    statuses    list of the snapshot ("$" for the snapshot itself) and groups of statuses
    steady      paths of names, dotted
    ends        tag and the statuses of the snapshot that its events carry
    given       tag and paths of names, dotted
    identities  list of the snapshot and properties of its entries
    unique      list and properties of its entries
    json        list and paths of names in its entries, dotted
    signed      list, type of its entries and properties of these
    """

    stages: tuple[tuple[str, ...], ...] = ()
    once: tuple[str, ...] = ()
    finished_by: tuple[str, ...] = ()
    statuses: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = ()
    steady: tuple[str, ...] = ()
    ends: Named = ()
    given: Named = ()
    identities: Named = ()
    unique: Named = ()
    json: Named = ()
    signed: tuple[tuple[str, Named], ...] = ()


@dataclass(frozen=True)
class Usage:
    """Where the usage stands in an event, the tags that have it, and which of its numbers is the sum of others.

    tags  none where the usage comes only if the request asks for it
    """

    at: str
    tags: tuple[str, ...] = ()
    total: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True)
class Dialect:
    """How one server's stream departs from the stream that it belongs to; see `dialect.schema.json`.

    event_line, done, terminal, follow  as the dialect has them, whether or not the stream has the same
    own        tags that are not in the stream's union; their rules are with the stream's `unlisted`
    sentences  tag → what the event is in this dialect
    fields     tag → properties in words
    """

    name: str
    sentence: str
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    event_line: str = ""
    done: bool = False
    terminal: tuple[str, ...] = ()
    follow: tuple[tuple[str, tuple[str, ...]], ...] = ()
    tags: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    prefix: str = ""
    repairs: tuple[str, ...] = ()
    leaves_out: tuple[tuple[str, tuple[str, ...]], ...] = ()
    expects: tuple[str, ...] = ()
    sentences: tuple[tuple[str, str], ...] = ()
    fields: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()


@dataclass(frozen=True)
class Stream:
    """A union delivered by one endpoint; see `fragment.schema.json` for what each value means."""

    name: str
    document: str
    union: str
    module: str
    table: str
    direction: str
    transport: str
    tag: str
    sentence: str
    events: tuple[Event, ...]
    event_line: str = ""
    done: bool = False
    untagged: str = ""
    lane: str = ""
    sequence: Sequence | None = None
    terminal: tuple[str, ...] = ()
    snapshot: str = ""
    snapshot_name: str = ""
    error: str = ""
    follow: tuple[tuple[str, tuple[str, ...]], ...] = ()
    reads: tuple[tuple[str, str], ...] = ()
    complete: tuple[str, tuple[Json, ...]] = ("", ())
    unlisted: tuple[Event, ...] = ()
    repair: tuple[tuple[str, str], ...] = ()
    dialects: tuple[Dialect, ...] = ()
    line_needed: bool = False
    order: Order | None = None
    usage: Usage | None = None


@dataclass(frozen=True)
class Package:
    """A subpackage of what is generated: streams that share payload models. Models and aliases are sorted by name."""

    name: str
    streams: tuple[Stream, ...]
    models: tuple[Model, ...]
    aliases: tuple[Alias, ...]

    def model(self, name: str) -> Model:
        """The model called `name`; KeyError if there is none."""
        return {model.name: model for model in self.models}[name]


@dataclass(frozen=True)
class Source:
    """What a document was cut from."""

    name: str
    url: str
    version: str
    commit: str
    date: str
    sha256: str


@dataclass(frozen=True)
class Envelope:
    """Test vectors that do not follow from the types: the cases of one file, as JSON text.

    name    where the file goes, such as "accumulate/responses/items"; its first word is the operation
    stream  whose vectors they are; "" where they are of none
    source  what they were made from, in words
    """

    name: str
    operation: str
    stream: str
    source: str
    cases: str


@dataclass(frozen=True)
class Catalogue:
    """Everything that the specification says, resolved. Equal catalogues give equal files.

    flags  what the flags of the envelopes stand for, as JSON text
    """

    sources: tuple[Source, ...] = ()
    packages: tuple[Package, ...] = field(default=())
    envelopes: tuple[Envelope, ...] = ()
    flags: str = ""

    @property
    def streams(self) -> tuple[Stream, ...]:
        """All streams, in the order of their packages."""
        return tuple(stream for package in self.packages for stream in package.streams)


def to_json(record: Any) -> Json:
    """A record as a JSON value; whatever equals its default is left out."""
    if isinstance(record, tuple):
        return [to_json(item) for item in record]
    if not dataclasses.is_dataclass(record):
        return record
    return {
        part.name: to_json(getattr(record, part.name))
        for part in dataclasses.fields(record)
        if getattr(record, part.name) != part.default
    }


def from_json(value: Json) -> Catalogue:
    """The catalogue that `to_json` gave `value`. Raises KeyError or TypeError for anything else."""
    return cast(Catalogue, _read(Catalogue, value))


def stream_from_json(value: Json) -> Stream:
    """The stream that `to_json` gave `value`. Raises KeyError or TypeError for anything else."""
    return cast(Stream, _read(Stream, value))


def _tuples(value: Json) -> Json:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


def _read(record: type[Any], value: Json) -> Any:
    """`value` as `record`; parts that are records themselves are listed in `_PARTS`."""
    parts = _PARTS.get(record, {})
    arguments: dict[str, Any] = {}
    for name, item in value.items():
        if name == "default":  # a JSON value in a tuple, whose lists stay lists
            arguments[name] = tuple(item)
        elif name not in parts:
            arguments[name] = _tuples(item)
        elif isinstance(item, list) and name == "cases":
            arguments[name] = tuple(
                (tag, tuple(_read(Case, case) for case in cases)) for tag, cases in item
            )
        elif isinstance(item, list):
            arguments[name] = tuple(_read(parts[name], part) for part in item)
        else:
            arguments[name] = _read(parts[name], item)
    return record(**arguments)


_PARTS: dict[type[Any], dict[str, type[Any]]] = {
    Catalogue: {"sources": Source, "packages": Package, "envelopes": Envelope},
    Package: {"streams": Stream, "models": Model, "aliases": Alias},
    Stream: {
        "events": Event,
        "sequence": Sequence,
        "unlisted": Event,
        "dialects": Dialect,
        "order": Order,
        "usage": Usage,
    },
    Model: {"fields": Field, "extra": Type},
    Field: {"type": Type},
    Alias: {"type": Type, "cases": Case, "untagged": Case, "others": Type},
    Type: {"items": Type, "members": Type},
}
