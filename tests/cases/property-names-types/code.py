# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("Part_", "Part2", "type")
    Part_: Part | None
    Part2: Part | None
    type: Literal["ev"]

    def __init__(
        self,
        Part_: Part | None = None,
        Part2: Part | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.Part_ = Part_
        self.Part2 = Part2
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(Ev, {"type": ("const", "ev")}, {"Part": "Part", "Part2": "Part"}, {"Part": "Part_"})
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class Part(Record):
    """The schema `Part`."""

    __slots__ = ("text", "Part_")
    text: str | None
    Part_: Part | None

    def __init__(
        self, text: str | None = None, Part_: Part | None = None, _wire: Kept | None = None
    ) -> None:
        self.text = text
        self.Part_ = Part_
        self._wire = _wire


TABLES: dict[str, Table] = {
    "Part": Table(Part, {}, {"text": "str", "Part": "Part"}, {"Part": "Part_"})
}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
