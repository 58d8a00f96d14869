# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("value", "wrapped", "type")
    value: Part | None
    wrapped: Part | None
    type: Literal["ev"]

    def __init__(
        self,
        value: Part | None = None,
        wrapped: Part | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.value = value
        self.wrapped = wrapped
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev, {"type": ("const", "ev")}, {"value": ("null", "Part"), "wrapped": ("null", "Part")}
    )
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class Part(Record):
    """The schema `Part`."""

    __slots__ = ("text",)
    text: str | None

    def __init__(self, text: str | None = None, _wire: Kept | None = None) -> None:
        self.text = text
        self._wire = _wire


TABLES: dict[str, Table] = {"Part": Table(Part, {}, {"text": "str"})}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
