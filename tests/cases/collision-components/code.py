# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("a", "b", "c", "ev_part", "type")
    a: PartOne2 | None
    b: PartOne | None
    c: PartOne3 | None
    ev_part: EvEvPart2 | None
    type: Literal["ev"]

    def __init__(
        self,
        a: PartOne2 | None = None,
        b: PartOne | None = None,
        c: PartOne3 | None = None,
        ev_part: EvEvPart2 | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.a = a
        self.b = b
        self.c = c
        self.ev_part = ev_part
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"type": ("const", "ev")},
        {"a": "PartOne2", "b": "PartOne", "c": "PartOne3", "ev_part": "EvEvPart2"},
    )
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class EvEvPart2(Record):
    """`ev_part` in `Ev`."""

    __slots__ = ("x",)
    x: str | None

    def __init__(self, x: str | None = None, _wire: Kept | None = None) -> None:
        self.x = x
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class PartOne(Record):
    """The schema `PartOne`."""

    __slots__ = ("second",)
    second: str | None

    def __init__(self, second: str | None = None, _wire: Kept | None = None) -> None:
        self.second = second
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class PartOne2(Record):
    """The schema `Part-One`."""

    __slots__ = ("first",)
    first: str | None

    def __init__(self, first: str | None = None, _wire: Kept | None = None) -> None:
        self.first = first
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class PartOne3(Record):
    """The schema `part_one`."""

    __slots__ = ("third",)
    third: str | None

    def __init__(self, third: str | None = None, _wire: Kept | None = None) -> None:
        self.third = third
        self._wire = _wire


TABLES: dict[str, Table] = {
    "EvEvPart2": Table(EvEvPart2, {}, {"x": "str"}),
    "PartOne": Table(PartOne, {}, {"second": "str"}),
    "PartOne2": Table(PartOne2, {}, {"first": "str"}),
    "PartOne3": Table(PartOne3, {}, {"third": "str"}),
}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
