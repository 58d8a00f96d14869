# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("value", "bare", "type")
    value: EvValue | None
    bare: EvBare | None
    type: Literal["ev"]

    def __init__(
        self,
        value: EvValue | None = None,
        bare: EvBare | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.value = value
        self.bare = bare
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev, {"type": ("const", "ev")}, {"value": ("null", "EvValue"), "bare": ("null", "EvBare")}
    )
}


# s/models.py


EvBare: TypeAlias = Literal["a", "b"]
EvValue: TypeAlias = Literal["a", "b"]

TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {"EvBare": ("enum", "a", "b"), "EvValue": ("enum", "a", "b")}
