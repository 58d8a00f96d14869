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
class EvPartXOne(Record):
    """`part` in `Ev`."""

    __slots__ = ("text", "kind")
    text: str | None
    kind: Literal["x.one"]

    def __init__(
        self, text: str | None = None, kind: Literal["x.one"] = "x.one", _wire: Kept | None = None
    ) -> None:
        self.text = text
        self.kind = kind
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class EvPartZ(Record):
    """`part` in `Ev`."""

    __slots__ = ("more", "kind")
    more: str | None
    kind: Literal["z"]

    def __init__(
        self, more: str | None = None, kind: Literal["z"] = "z", _wire: Kept | None = None
    ) -> None:
        self.more = more
        self.kind = kind
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class TitledMember(Record):
    """`part` in `Ev`."""

    __slots__ = ("number", "kind")
    number: int | None
    kind: Literal["y"]

    def __init__(
        self, number: int | None = None, kind: Literal["y"] = "y", _wire: Kept | None = None
    ) -> None:
        self.number = number
        self.kind = kind
        self._wire = _wire


EvPart: TypeAlias = EvPartXOne | TitledMember | EvPartZ | UnknownObject

TABLES: dict[str, Table] = {
    "EvPartXOne": Table(EvPartXOne, {"kind": ("const", "x.one")}, {"text": "str"}),
    "EvPartZ": Table(EvPartZ, {"kind": ("const", "z")}, {"more": "str"}),
    "TitledMember": Table(TitledMember, {"kind": ("const", "y")}, {"number": "int"}),
}

CHOICES: dict[str, Choice] = {
    "EvPart": Choice("kind", {"x.one": "EvPartXOne", "y": "TitledMember", "z": "EvPartZ"})
}

ALIASES: dict[str, object] = {}
