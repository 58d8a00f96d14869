# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("a", "b", "c", "type")
    a: Schema2D | None
    b: FooBarBaz | None
    c: Private | None
    type: Literal["ev"]

    def __init__(
        self,
        a: Schema2D | None = None,
        b: FooBarBaz | None = None,
        c: Private | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.a = a
        self.b = b
        self.c = c
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(Ev, {"type": ("const", "ev")}, {"a": "Schema2D", "b": "FooBarBaz", "c": "Private"})
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class FooBarBaz(Record):
    """The schema `foo.bar_baz`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class Private(Record):
    """The schema `_private`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class Schema2D(Record):
    """The schema `2D`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


TABLES: dict[str, Table] = {
    "FooBarBaz": Table(FooBarBaz, {}, {"x": "str"}),
    "Private": Table(Private, {}, {"x": "str"}),
    "Schema2D": Table(Schema2D, {}, {"x": "str"}),
}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
