# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("part", "type")
    part: EvPart | None
    type: Literal["ev"]

    def __init__(
        self, part: EvPart | None = None, type: Literal["ev"] = "ev", _wire: Kept | None = None
    ) -> None:
        self.part = part
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {"Ev": Table(Ev, {"type": ("const", "ev")}, {"part": "EvPart"})}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class X(Record):
    """The schema `X`."""

    __slots__ = ("text", "type")
    text: str | None
    type: Literal["x"]

    def __init__(
        self, text: str | None = None, type: Literal["x"] = "x", _wire: Kept | None = None
    ) -> None:
        self.text = text
        self.type = type
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class Y(Record):
    """The schema `Y`."""

    __slots__ = ("number", "type")
    number: int | None
    type: Literal["y"]

    def __init__(
        self, number: int | None = None, type: Literal["y"] = "y", _wire: Kept | None = None
    ) -> None:
        self.number = number
        self.type = type
        self._wire = _wire


EvPart: TypeAlias = X | Y | UnknownObject

TABLES: dict[str, Table] = {
    "X": Table(X, {"type": ("const", "x")}, {"text": "str"}),
    "Y": Table(Y, {"type": ("const", "y")}, {"number": "int"}),
}

CHOICES: dict[str, Choice] = {"EvPart": Choice("type", {"x": "X", "y": "Y"})}

ALIASES: dict[str, object] = {}
