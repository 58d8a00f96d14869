# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("part", "alone", "type")
    part: EvPart | None
    alone: Part | None
    type: Literal["ev"]

    def __init__(
        self,
        part: EvPart | None = None,
        alone: Part | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.part = part
        self.alone = alone
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(Ev, {"type": ("const", "ev")}, {"part": "EvPart", "alone": "Part"})
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class EvPart(Record):
    """`part` in `Ev`."""

    __slots__ = ("text",)
    text: str

    def __init__(self, text: str, _wire: Kept | None = None) -> None:
        self.text = text
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class Part(Record):
    """The schema `Part`."""

    __slots__ = ("text",)
    text: str | None

    def __init__(self, text: str | None = None, _wire: Kept | None = None) -> None:
        self.text = text
        self._wire = _wire


TABLES: dict[str, Table] = {
    "EvPart": Table(EvPart, {"text": "str"}),
    "Part": Table(Part, {}, {"text": "str"}),
}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
