# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("part", "choices", "by_key", "type")
    part: EvPart | None
    choices: list[EvChoice] | None
    by_key: dict[str, EvByKeyValue] | None
    type: Literal["ev"]

    def __init__(
        self,
        part: EvPart | None = None,
        choices: list[EvChoice] | None = None,
        by_key: dict[str, EvByKeyValue] | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.part = part
        self.choices = choices
        self.by_key = by_key
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"type": ("const", "ev")},
        {"part": "EvPart", "choices": ("list", "EvChoice"), "by_key": ("map", "EvByKeyValue")},
    )
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class EvByKeyValue(Record):
    """`by_key.value` in `Ev`."""

    __slots__ = ("count",)
    count: int | None

    def __init__(self, count: int | None = None, _wire: Kept | None = None) -> None:
        self.count = count
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class EvChoice(Record):
    """`choices[]` in `Ev`."""

    __slots__ = ("index",)
    index: int | None

    def __init__(self, index: int | None = None, _wire: Kept | None = None) -> None:
        self.index = index
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class EvPart(Record):
    """`part` in `Ev`."""

    __slots__ = ("kind", "inner")
    kind: EvPartKind
    inner: EvPartInner | None

    def __init__(
        self, kind: EvPartKind, inner: EvPartInner | None = None, _wire: Kept | None = None
    ) -> None:
        self.kind = kind
        self.inner = inner
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class EvPartInner(Record):
    """`part.inner` in `Ev`."""

    __slots__ = ("deep",)
    deep: str | None

    def __init__(self, deep: str | None = None, _wire: Kept | None = None) -> None:
        self.deep = deep
        self._wire = _wire


EvPartKind: TypeAlias = Literal["x", "y"]

TABLES: dict[str, Table] = {
    "EvByKeyValue": Table(EvByKeyValue, {}, {"count": "int"}),
    "EvChoice": Table(EvChoice, {}, {"index": "int"}),
    "EvPart": Table(EvPart, {"kind": "EvPartKind"}, {"inner": "EvPartInner"}),
    "EvPartInner": Table(EvPartInner, {}, {"deep": "str"}),
}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {"EvPartKind": ("enum", "x", "y")}
