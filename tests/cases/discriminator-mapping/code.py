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

    __slots__ = ("type", "text")
    type: str
    text: str | None

    def __init__(self, type: str, text: str | None = None, _wire: Kept | None = None) -> None:
        self.type = type
        self.text = text
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


@dataclass(init=False, repr=False, eq=False)
class Z(Record):
    """The schema `Z`."""

    __slots__ = ("type", "flag")
    type: str
    flag: bool | None

    def __init__(self, type: str, flag: bool | None = None, _wire: Kept | None = None) -> None:
        self.type = type
        self.flag = flag
        self._wire = _wire


EvPart: TypeAlias = X | Y | Z | UnknownObject

TABLES: dict[str, Table] = {
    "X": Table(X, {"type": "str"}, {"text": "str"}),
    "Y": Table(Y, {"type": ("const", "y")}, {"number": "int"}),
    "Z": Table(Z, {"type": "str"}, {"flag": "bool"}),
}

CHOICES: dict[str, Choice] = {"EvPart": Choice("type", {"ex": "X", "y": "Y", "z1": "Z", "z2": "Z"})}

ALIASES: dict[str, object] = {}
