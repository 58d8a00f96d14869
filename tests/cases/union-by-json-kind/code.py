# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("value", "type")
    value: str | list[Part] | Part | bool | None
    type: Literal["ev"]

    def __init__(
        self,
        value: str | list[Part] | Part | bool | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.value = value
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev, {"type": ("const", "ev")}, {"value": ("union", "str", ("list", "Part"), "Part", "bool")}
    )
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class Part(Record):
    """The schema `Part`."""

    __slots__ = ("text",)
    text: str

    def __init__(self, text: str, _wire: Kept | None = None) -> None:
        self.text = text
        self._wire = _wire


TABLES: dict[str, Table] = {"Part": Table(Part, {"text": "str"})}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
