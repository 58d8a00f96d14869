# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = (
        "package",
        "any",
        "list_",
        "union",
        "literal",
        "record",
        "table",
        "exception",
        "unknown",
        "lower",
        "wire",
        "tables",
        "events",
        "event",
        "server",
        "type",
    )
    package: PackageSchema | None
    any: AnySchema | None
    list_: List | None
    union: UnionSchema | None
    literal: LiteralSchema | None
    record: RecordSchema | None
    table: TableSchema | None
    exception: ExceptionSchema | None
    unknown: UnknownObjectSchema | None
    lower: List2 | None
    wire: WireSchema | None
    tables: TABLESSchema | None
    events: EVENTSSchema | None
    event: EventSchema | None
    server: SERVERSchema | None
    type: Literal["ev"]

    def __init__(
        self,
        package: PackageSchema | None = None,
        any: AnySchema | None = None,
        list_: List | None = None,
        union: UnionSchema | None = None,
        literal: LiteralSchema | None = None,
        record: RecordSchema | None = None,
        table: TableSchema | None = None,
        exception: ExceptionSchema | None = None,
        unknown: UnknownObjectSchema | None = None,
        lower: List2 | None = None,
        wire: WireSchema | None = None,
        tables: TABLESSchema | None = None,
        events: EVENTSSchema | None = None,
        event: EventSchema | None = None,
        server: SERVERSchema | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.package = package
        self.any = any
        self.list_ = list_
        self.union = union
        self.literal = literal
        self.record = record
        self.table = table
        self.exception = exception
        self.unknown = unknown
        self.lower = lower
        self.wire = wire
        self.tables = tables
        self.events = events
        self.event = event
        self.server = server
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"type": ("const", "ev")},
        {
            "package": "PackageSchema",
            "any": "AnySchema",
            "list": "List",
            "union": "UnionSchema",
            "literal": "LiteralSchema",
            "record": "RecordSchema",
            "table": "TableSchema",
            "exception": "ExceptionSchema",
            "unknown": "UnknownObjectSchema",
            "lower": "List2",
            "wire": "WireSchema",
            "tables": "TABLESSchema",
            "events": "EVENTSSchema",
            "event": "EventSchema",
            "server": "SERVERSchema",
        },
        {"list": "list_"},
    )
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class AnySchema(Record):
    """The schema `Any`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class EVENTSSchema(Record):
    """The schema `EVENTS`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class EventSchema(Record):
    """The schema `Event`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class ExceptionSchema(Record):
    """The schema `Exception`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class List(Record):
    """The schema `List`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class List2(Record):
    """The schema `list`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class LiteralSchema(Record):
    """The schema `Literal`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class PackageSchema(Record):
    """The schema `Package`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class RecordSchema(Record):
    """The schema `Record`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class SERVERSchema(Record):
    """The schema `SERVER`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class TABLESSchema(Record):
    """The schema `TABLES`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class TableSchema(Record):
    """The schema `Table`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class UnionSchema(Record):
    """The schema `Union`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class UnknownObjectSchema(Record):
    """The schema `UnknownObject`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class WireSchema(Record):
    """The schema `Wire`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


TABLES: dict[str, Table] = {
    "AnySchema": Table(AnySchema, {}, {"x": "str"}),
    "EVENTSSchema": Table(EVENTSSchema, {}, {"x": "str"}),
    "EventSchema": Table(EventSchema, {}, {"x": "str"}),
    "ExceptionSchema": Table(ExceptionSchema, {}, {"x": "str"}),
    "List": Table(List, {}, {"x": "str"}),
    "List2": Table(List2, {}, {"x": "str"}),
    "LiteralSchema": Table(LiteralSchema, {}, {"x": "str"}),
    "PackageSchema": Table(PackageSchema, {}, {"x": "str"}),
    "RecordSchema": Table(RecordSchema, {}, {"x": "str"}),
    "SERVERSchema": Table(SERVERSchema, {}, {"x": "str"}),
    "TABLESSchema": Table(TABLESSchema, {}, {"x": "str"}),
    "TableSchema": Table(TableSchema, {}, {"x": "str"}),
    "UnionSchema": Table(UnionSchema, {}, {"x": "str"}),
    "UnknownObjectSchema": Table(UnknownObjectSchema, {}, {"x": "str"}),
    "WireSchema": Table(WireSchema, {}, {"x": "str"}),
}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
