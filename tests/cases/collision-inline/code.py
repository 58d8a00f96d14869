# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("part_one", "partOne", "type")
    part_one: EvPartOne2 | None
    partOne: EvPartOne3 | None
    type: Literal["ev"]

    def __init__(
        self,
        part_one: EvPartOne2 | None = None,
        partOne: EvPartOne3 | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.part_one = part_one
        self.partOne = partOne
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(Ev, {"type": ("const", "ev")}, {"part_one": "EvPartOne2", "partOne": "EvPartOne3"})
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class EvPartOne2(Record):
    """`part_one` in `Ev`."""

    __slots__ = ("a",)
    a: str | None

    def __init__(self, a: str | None = None, _wire: Kept | None = None) -> None:
        self.a = a
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class EvPartOne3(Record):
    """`partOne` in `Ev`."""

    __slots__ = ("b",)
    b: str | None

    def __init__(self, b: str | None = None, _wire: Kept | None = None) -> None:
        self.b = b
        self._wire = _wire


TABLES: dict[str, Table] = {
    "EvPartOne2": Table(EvPartOne2, {}, {"a": "str"}),
    "EvPartOne3": Table(EvPartOne3, {}, {"b": "str"}),
}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
