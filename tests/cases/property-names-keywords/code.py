# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("class_", "from_", "None_", "async_", "match", "type")
    class_: str | None
    from_: str | None
    None_: str | None
    async_: str | None
    match: str | None
    type: Literal["ev"]

    def __init__(
        self,
        class_: str | None = None,
        from_: str | None = None,
        None_: str | None = None,
        async_: str | None = None,
        match: str | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.class_ = class_
        self.from_ = from_
        self.None_ = None_
        self.async_ = async_
        self.match = match
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"type": ("const", "ev")},
        {"class": "str", "from": "str", "None": "str", "async": "str", "match": "str"},
        {"class": "class_", "from": "from_", "None": "None_", "async": "async_"},
    )
}


# s/models.py


TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
