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

    __slots__ = ("event",)
    event: Literal["x"]

    def __init__(self, event: Literal["x"] = "x", _wire: Kept | None = None) -> None:
        self.event = event
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class Y(Record):
    """The schema `Y`."""

    __slots__ = ("event",)
    event: Literal["y"]

    def __init__(self, event: Literal["y"] = "y", _wire: Kept | None = None) -> None:
        self.event = event
        self._wire = _wire


EvPart: TypeAlias = X | Y | UnknownObject

TABLES: dict[str, Table] = {
    "X": Table(X, {"event": ("const", "x")}),
    "Y": Table(Y, {"event": ("const", "y")}),
}

CHOICES: dict[str, Choice] = {"EvPart": Choice("event", {"x": "X", "y": "Y"})}

ALIASES: dict[str, object] = {}
