# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("value", "quote_d", "tri_ple", "type")
    value: EvValue | None
    quote_d: str | None
    tri_ple: Literal["'''"] | None
    type: Literal["ev"]

    def __init__(
        self,
        value: EvValue | None = None,
        quote_d: str | None = None,
        tri_ple: Literal["'''"] | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.value = value
        self.quote_d = quote_d
        self.tri_ple = tri_ple
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"type": ("const", "ev")},
        {"value": "EvValue", 'quote"d': "str", 'tri"""ple': ("const", "'''")},
        {'quote"d': "quote_d", 'tri"""ple': "tri_ple"},
    )
}


# s/models.py


EvValue: TypeAlias = Literal['a"b', "c\\d", "e\nf", "é", "\u202e", "'|print(1)|'", "a | b[c"]

TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {
    "EvValue": ("enum", 'a"b', "c\\d", "e\nf", "é", "\u202e", "'|print(1)|'", "a | b[c")
}
