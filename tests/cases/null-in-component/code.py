# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("value", "list_", "type")
    value: Maybe | None
    list_: list[Maybe | None] | None
    type: Literal["ev"]

    def __init__(
        self,
        value: Maybe | None = None,
        list_: list[Maybe | None] | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.value = value
        self.list_ = list_
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"type": ("const", "ev")},
        {"value": ("null", "Maybe"), "list": ("list", ("null", "Maybe"))},
        {"list": "list_"},
    )
}


# s/models.py


Maybe: TypeAlias = str

TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {"Maybe": "str"}
