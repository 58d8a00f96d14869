# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("nothing", "ref", "any", "type")
    nothing: EvNothing | None
    ref: Empty | None
    any: Any | None
    type: Literal["ev"]

    def __init__(
        self,
        nothing: EvNothing | None = None,
        ref: Empty | None = None,
        any: Any | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.nothing = nothing
        self.ref = ref
        self.any = any
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev, {"type": ("const", "ev")}, {"nothing": "EvNothing", "ref": "Empty", "any": "any"}
    )
}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class Empty(Record):
    """The schema `Empty`."""

    __slots__ = ()

    def __init__(self, _wire: Kept | None = None) -> None:
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class EvNothing(Record):
    """`nothing` in `Ev`."""

    __slots__ = ()

    def __init__(self, _wire: Kept | None = None) -> None:
        self._wire = _wire


TABLES: dict[str, Table] = {"Empty": Table(Empty, {}), "EvNothing": Table(EvNothing, {})}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
