# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("value", "several", "list_", "type")
    value: str | None
    several: str | int | None
    list_: list[str] | None
    type: Literal["ev"]

    def __init__(
        self,
        value: str | None = None,
        several: str | int | None = None,
        list_: list[str] | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.value = value
        self.several = several
        self.list_ = list_
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"type": ("const", "ev")},
        {
            "value": ("null", "str"),
            "several": ("null", ("union", "str", "int")),
            "list": ("null", ("list", "str")),
        },
        {"list": "list_"},
    )
}


# s/models.py


TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
