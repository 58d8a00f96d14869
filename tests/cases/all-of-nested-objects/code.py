# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("part", "type")
    part: EvPart
    type: Literal["ev"]

    def __init__(self, part: EvPart, type: Literal["ev"] = "ev", _wire: Kept | None = None) -> None:
        self.part = part
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {"Ev": Table(Ev, {"part": "EvPart", "type": ("const", "ev")})}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class EvPart(Record):
    """`part` in `Ev`."""

    __slots__ = ("first", "second")
    first: str
    second: int

    def __init__(self, first: str, second: int, _wire: Kept | None = None) -> None:
        self.first = first
        self.second = second
        self._wire = _wire


TABLES: dict[str, Table] = {"EvPart": Table(EvPart, {"first": "str", "second": "int"})}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
