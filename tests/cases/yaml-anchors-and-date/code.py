# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("first", "second", "date", "third", "fourth", "type")
    first: str | None
    second: str | None
    date: EvDate | None
    third: int | None
    fourth: int | None
    type: Literal["ev"]

    def __init__(
        self,
        first: str | None = None,
        second: str | None = None,
        date: EvDate | None = None,
        third: int | None = None,
        fourth: int | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.first = first
        self.second = second
        self.date = date
        self.third = third
        self.fourth = fourth
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"type": ("const", "ev")},
        {"first": "str", "second": "str", "date": "EvDate", "third": "int", "fourth": "int"},
    )
}


# s/models.py


EvDate: TypeAlias = Literal["2024-06-01", "on"]

TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {"EvDate": ("enum", "2024-06-01", "on")}
