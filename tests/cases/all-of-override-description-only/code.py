# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`.

    number: The number again."""

    __slots__ = ("number", "type")
    number: int
    type: Literal["ev"]

    def __init__(self, number: int, type: Literal["ev"] = "ev", _wire: Kept | None = None) -> None:
        self.number = number
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {"Ev": Table(Ev, {"number": "int", "type": ("const", "ev")})}


# s/models.py


TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
