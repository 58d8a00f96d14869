# s/events.py


@dataclass(init=False, repr=False, eq=False)
class A(Record):
    """The schema `A`."""

    __slots__ = ("part", "type")
    part: Part
    type: Literal["a"]

    def __init__(self, part: Part, type: Literal["a"] = "a", _wire: Kept | None = None) -> None:
        self.part = part
        self.type = type
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class B(Record):
    """The schema `B`."""

    __slots__ = ("type",)
    type: Literal["b"]

    def __init__(self, type: Literal["b"] = "b", _wire: Kept | None = None) -> None:
        self.type = type
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class C(Record):
    """The schema `C`."""

    __slots__ = ("type",)
    type: Literal["c"]

    def __init__(self, type: Literal["c"] = "c", _wire: Kept | None = None) -> None:
        self.type = type
        self._wire = _wire


Ev: TypeAlias = Union[A, B, C, UnknownEvent]
Event: TypeAlias = Ev

EVENTS: dict[str, type[A] | type[Record]] = {"a": A, "b": B, "c": C}

TABLES: dict[str, Table] = {
    "A": Table(A, {"part": "Part", "type": ("const", "a")}),
    "B": Table(B, {"type": ("const", "b")}),
    "C": Table(C, {"type": ("const", "c")}),
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


@dataclass(init=False, repr=False, eq=False)
class Z(Record):
    """The schema `Z`."""

    __slots__ = ("type",)
    type: Literal["z"]

    def __init__(self, type: Literal["z"] = "z", _wire: Kept | None = None) -> None:
        self.type = type
        self._wire = _wire


InnerPart: TypeAlias = X | Y | UnknownObject
Part: TypeAlias = InnerPart | Z | UnknownObject

TABLES: dict[str, Table] = {
    "X": Table(X, {"type": ("const", "x")}),
    "Y": Table(Y, {"type": ("const", "y")}),
    "Z": Table(Z, {"type": ("const", "z")}),
}

CHOICES: dict[str, Choice] = {
    "InnerPart": Choice("type", {"x": "X", "y": "Y"}),
    "Part": Choice("type", {"x": "X", "y": "Y", "z": "Z"}),
}

ALIASES: dict[str, object] = {}
