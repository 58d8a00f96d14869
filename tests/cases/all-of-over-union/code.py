# s/events.py


@dataclass(init=False, repr=False, eq=False)
class C(Record):
    """The schema `C`."""

    __slots__ = ("part", "type")
    part: CPart | None
    type: Literal["c"]

    def __init__(
        self, part: CPart | None = None, type: Literal["c"] = "c", _wire: Kept | None = None
    ) -> None:
        self.part = part
        self.type = type
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class EvA(Record):
    """The schema `Ev`."""

    __slots__ = ("text", "lane", "type")
    text: str | None
    lane: str | None
    type: Literal["a"]

    def __init__(
        self,
        text: str | None = None,
        lane: str | None = None,
        type: Literal["a"] = "a",
        _wire: Kept | None = None,
    ) -> None:
        self.text = text
        self.lane = lane
        self.type = type
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class EvB(Record):
    """The schema `Ev`."""

    __slots__ = ("number", "lane", "type")
    number: int | None
    lane: str | None
    type: Literal["b"]

    def __init__(
        self,
        number: int | None = None,
        lane: str | None = None,
        type: Literal["b"] = "b",
        _wire: Kept | None = None,
    ) -> None:
        self.number = number
        self.lane = lane
        self.type = type
        self._wire = _wire


Ev: TypeAlias = Union[EvA, EvB, C, UnknownEvent]
Event: TypeAlias = Ev

EVENTS: dict[str, type[EvA] | type[Record]] = {"a": EvA, "b": EvB, "c": C}

TABLES: dict[str, Table] = {
    "C": Table(C, {"type": ("const", "c")}, {"part": "CPart"}),
    "EvA": Table(EvA, {"type": ("const", "a")}, {"text": "str", "lane": "str"}),
    "EvB": Table(EvB, {"type": ("const", "b")}, {"number": "int", "lane": "str"}),
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class CPartX(Record):
    """`part` in `C`."""

    __slots__ = ("note", "type")
    note: str
    type: Literal["x"]

    def __init__(self, note: str, type: Literal["x"] = "x", _wire: Kept | None = None) -> None:
        self.note = note
        self.type = type
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class CPartY(Record):
    """`part` in `C`."""

    __slots__ = ("note", "type")
    note: str
    type: Literal["y"]

    def __init__(self, note: str, type: Literal["y"] = "y", _wire: Kept | None = None) -> None:
        self.note = note
        self.type = type
        self._wire = _wire


CPart: TypeAlias = CPartX | CPartY | UnknownObject

TABLES: dict[str, Table] = {
    "CPartX": Table(CPartX, {"note": "str", "type": ("const", "x")}),
    "CPartY": Table(CPartY, {"note": "str", "type": ("const", "y")}),
}

CHOICES: dict[str, Choice] = {"CPart": Choice("type", {"x": "CPartX", "y": "CPartY"})}

ALIASES: dict[str, object] = {}
