# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("plain", "nested", "pair", "untyped", "type")
    plain: list[Any] | None
    nested: list[list[int]] | None
    pair: list[Any] | None
    untyped: list[str] | None
    type: Literal["ev"]

    def __init__(
        self,
        plain: list[Any] | None = None,
        nested: list[list[int]] | None = None,
        pair: list[Any] | None = None,
        untyped: list[str] | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.plain = plain
        self.nested = nested
        self.pair = pair
        self.untyped = untyped
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"type": ("const", "ev")},
        {
            "plain": ("list", "any"),
            "nested": ("list", ("list", "int")),
            "pair": ("list", "any"),
            "untyped": ("list", "str"),
        },
    )
}


# s/models.py


TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
