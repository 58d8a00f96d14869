# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("phase", "part", "type")
    phase: MessagePhase2 | None
    part: MessagePart | None
    type: Literal["ev"]

    def __init__(
        self,
        phase: MessagePhase2 | None = None,
        part: MessagePart | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.phase = phase
        self.part = part
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(Ev, {"type": ("const", "ev")}, {"phase": "MessagePhase2", "part": "MessagePart"})
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class MessagePart(Record):
    """The schema `Message-Part`."""

    __slots__ = ("text",)
    text: str | None

    def __init__(self, text: str | None = None, _wire: Kept | None = None) -> None:
        self.text = text
        self._wire = _wire


MessagePhase2: TypeAlias = Literal["commentary", "final"]

TABLES: dict[str, Table] = {"MessagePart": Table(MessagePart, {}, {"text": "str"})}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {"MessagePhase2": ("enum", "commentary", "final")}
