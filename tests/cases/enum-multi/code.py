# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("value", "number", "type")
    value: EvValue | None
    number: EvNumber | None
    type: Literal["ev"]

    def __init__(
        self,
        value: EvValue | None = None,
        number: EvNumber | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.value = value
        self.number = number
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(Ev, {"type": ("const", "ev")}, {"value": "EvValue", "number": "EvNumber"})
}


# s/models.py


EvNumber: TypeAlias = Literal[1, 2]
EvValue: TypeAlias = Literal["a", "b"]

TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {"EvNumber": ("enum", 1, 2), "EvValue": ("enum", "a", "b")}
