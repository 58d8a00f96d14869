# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("value", "type")
    value: EvValue | None
    type: Literal["ev"]

    def __init__(
        self, value: EvValue | None = None, type: Literal["ev"] = "ev", _wire: Kept | None = None
    ) -> None:
        self.value = value
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(Ev, {"type": ("const", "ev")}, {"value": ("null", "EvValue")})
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class X(Record):
    """The schema `X`."""

    __slots__ = ("type",)
    type: Literal["x"]

    def __init__(self, type: Literal["x"] = "x", _wire: Kept | None = None) -> None:
        self.type = type
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class Y(Record):
    """The schema `Y`."""

    __slots__ = ("type",)
    type: Literal["y"]

    def __init__(self, type: Literal["y"] = "y", _wire: Kept | None = None) -> None:
        self.type = type
        self._wire = _wire


EvValue2: TypeAlias = Literal["auto", "none"]
EvValue: TypeAlias = EvValue2 | str | X | Y | UnknownObject

TABLES: dict[str, Table] = {
    "X": Table(X, {"type": ("const", "x")}),
    "Y": Table(Y, {"type": ("const", "y")}),
}

CHOICES: dict[str, Choice] = {
    "EvValue": Choice("type", {"x": "X", "y": "Y"}, (), ("EvValue2", "str"))
}

ALIASES: dict[str, object] = {"EvValue2": ("enum", "auto", "none")}
