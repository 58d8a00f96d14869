# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("value", "through_ref", "whole", "type")
    value: EvValue | None
    through_ref: EvThroughRef | None
    whole: Open | None
    type: Literal["ev"]

    def __init__(
        self,
        value: EvValue | None = None,
        through_ref: EvThroughRef | None = None,
        whole: Open | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.value = value
        self.through_ref = through_ref
        self.whole = whole
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"type": ("const", "ev")},
        {"value": "EvValue", "through_ref": "EvThroughRef", "whole": "Open"},
    )
}


# s/models.py


EvThroughRef: TypeAlias = Literal["a", "b"] | str
EvValue: TypeAlias = Literal["a", "b"] | str
Open: TypeAlias = Literal["c", "d"] | str

TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {
    "EvThroughRef": ("open", "a", "b"),
    "EvValue": ("open", "a", "b"),
    "Open": ("open", "c", "d"),
}
