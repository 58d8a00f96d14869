# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("number", "status", "type")
    number: int
    status: Literal["done"]
    type: Literal["a"]

    def __init__(
        self,
        number: int,
        status: Literal["done"],
        type: Literal["a"] = "a",
        _wire: Kept | None = None,
    ) -> None:
        self.number = number
        self.status = status
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"a": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(Ev, {"number": "int", "status": ("enum", "done"), "type": ("const", "a")})
}


# s/models.py


TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
