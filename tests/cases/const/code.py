# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("required_number", "text", "number", "flag", "type")
    required_number: Literal[1]
    text: Literal["fixed"] | None
    number: Literal[3] | None
    flag: Literal[True] | None
    type: Literal["ev"]

    def __init__(
        self,
        required_number: Literal[1],
        text: Literal["fixed"] | None = None,
        number: Literal[3] | None = None,
        flag: Literal[True] | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.required_number = required_number
        self.text = text
        self.number = number
        self.flag = flag
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"required_number": ("const", 1), "type": ("const", "ev")},
        {"text": ("const", "fixed"), "number": ("const", 3), "flag": ("const", True)},
    )
}


# s/models.py


TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
