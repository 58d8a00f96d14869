# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("list_", "object", "union", "type")
    list_: Any | None
    object: dict[str, Any] | None
    union: str | dict[str, Any] | None
    type: Literal["ev"]

    def __init__(
        self,
        list_: Any | None = None,
        object: dict[str, Any] | None = None,
        union: str | dict[str, Any] | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.list_ = list_
        self.object = object
        self.union = union
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"type": ("const", "ev")},
        {"list": "any", "object": ("map", "any"), "union": ("union", "str", ("map", "any"))},
        {"list": "list_"},
    )
}


# s/models.py


TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
