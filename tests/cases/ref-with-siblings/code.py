# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`.

    part: Said beside the ref."""

    __slots__ = ("part", "wider", "typed", "type")
    part: Part | None
    wider: EvWider | None
    typed: Part | None
    type: Literal["ev"]

    def __init__(
        self,
        part: Part | None = None,
        wider: EvWider | None = None,
        typed: Part | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.part = part
        self.wider = wider
        self.typed = typed
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev, {"type": ("const", "ev")}, {"part": "Part", "wider": "EvWider", "typed": "Part"}
    )
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class EvWider(Record):
    """`wider` in `Ev`."""

    __slots__ = ("more", "text")
    more: int
    text: str | None

    def __init__(self, more: int, text: str | None = None, _wire: Kept | None = None) -> None:
        self.more = more
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
    "EvWider": Table(EvWider, {"more": "int"}, {"text": "str"}),
    "Part": Table(Part, {}, {"text": "str"}),
}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
