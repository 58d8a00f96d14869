# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("filter", "type")
    filter: EvFilter | None
    type: Literal["ev"]

    def __init__(
        self, filter: EvFilter | None = None, type: Literal["ev"] = "ev", _wire: Kept | None = None
    ) -> None:
        self.filter = filter
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {"Ev": Table(Ev, {"type": ("const", "ev")}, {"filter": "EvFilter"})}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class Comparison(Record):
    """The schema `Comparison`."""

    __slots__ = ("type", "key")
    type: ComparisonType
    key: str

    def __init__(self, type: ComparisonType, key: str, _wire: Kept | None = None) -> None:
        self.type = type
        self.key = key
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class Compound(Record):
    """The schema `Compound`."""

    __slots__ = ("type",)
    type: CompoundType

    def __init__(self, type: CompoundType, _wire: Kept | None = None) -> None:
        self.type = type
        self._wire = _wire


ComparisonType: TypeAlias = Literal["eq", "ne", "gt"]
CompoundType: TypeAlias = Literal["and", "or"]
EvFilter: TypeAlias = Comparison | Compound | UnknownObject

TABLES: dict[str, Table] = {
    "Comparison": Table(Comparison, {"type": "ComparisonType", "key": "str"}),
    "Compound": Table(Compound, {"type": "CompoundType"}),
}

CHOICES: dict[str, Choice] = {
    "EvFilter": Choice(
        "type",
        {
            "eq": "Comparison",
            "ne": "Comparison",
            "gt": "Comparison",
            "and": "Compound",
            "or": "Compound",
        },
    )
}

ALIASES: dict[str, object] = {
    "ComparisonType": ("enum", "eq", "ne", "gt"),
    "CompoundType": ("enum", "and", "or"),
}
