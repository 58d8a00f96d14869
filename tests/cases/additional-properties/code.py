# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = (
        "texts",
        "anything",
        "bare",
        "parts",
        "closed",
        "empty_closed",
        "mixed",
        "open",
        "type",
    )
    texts: dict[str, str] | None
    anything: dict[str, Any] | None
    bare: dict[str, Any] | None
    parts: dict[str, Part] | None
    closed: EvClosed | None
    empty_closed: dict[str, Any] | None
    mixed: EvMixed | None
    open: EvOpen | None
    type: Literal["ev"]

    def __init__(
        self,
        texts: dict[str, str] | None = None,
        anything: dict[str, Any] | None = None,
        bare: dict[str, Any] | None = None,
        parts: dict[str, Part] | None = None,
        closed: EvClosed | None = None,
        empty_closed: dict[str, Any] | None = None,
        mixed: EvMixed | None = None,
        open: EvOpen | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.texts = texts
        self.anything = anything
        self.bare = bare
        self.parts = parts
        self.closed = closed
        self.empty_closed = empty_closed
        self.mixed = mixed
        self.open = open
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"type": ("const", "ev")},
        {
            "texts": ("map", "str"),
            "anything": ("map", "any"),
            "bare": ("map", "any"),
            "parts": ("map", "Part"),
            "closed": "EvClosed",
            "empty_closed": ("map", "any"),
            "mixed": "EvMixed",
            "open": "EvOpen",
        },
    )
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class EvClosed(Record):
    """`closed` in `Ev`."""

    __slots__ = ("k",)
    k: str | None

    def __init__(self, k: str | None = None, _wire: Kept | None = None) -> None:
        self.k = k
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class EvMixed(Record):
    """`mixed` in `Ev`."""

    __slots__ = ("k",)
    k: str | None

    def __init__(self, k: str | None = None, _wire: Kept | None = None) -> None:
        self.k = k
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class EvOpen(Record):
    """`open` in `Ev`."""

    __slots__ = ("k",)
    k: str | None

    def __init__(self, k: str | None = None, _wire: Kept | None = None) -> None:
        self.k = k
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
    "EvClosed": Table(EvClosed, {}, {"k": "str"}),
    "EvMixed": Table(EvMixed, {}, {"k": "str"}, {}, "int"),
    "EvOpen": Table(EvOpen, {}, {"k": "str"}),
    "Part": Table(Part, {}, {"text": "str"}),
}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
