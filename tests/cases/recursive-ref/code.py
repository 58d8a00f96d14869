# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("filter", "type")
    filter: Filter | None
    type: Literal["ev"]

    def __init__(
        self, filter: Filter | None = None, type: Literal["ev"] = "ev", _wire: Kept | None = None
    ) -> None:
        self.filter = filter
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {"Ev": Table(Ev, {"type": ("const", "ev")}, {"filter": "Filter"})}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class Filter(Record):
    """The schema `Filter`."""

    __slots__ = ("filters",)
    filters: list[Filter]

    def __init__(self, filters: list[Filter], _wire: Kept | None = None) -> None:
        self.filters = filters
        self._wire = _wire


TABLES: dict[str, Table] = {"Filter": Table(Filter, {"filters": ("list", "Filter")})}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
