# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("field_2d", "field_id", "field_private", "field", "field_9", "type")
    field_2d: str | None
    field_id: str | None
    field_private: str | None
    field: str | None
    field_9: int | None
    type: Literal["ev"]

    def __init__(
        self,
        field_2d: str | None = None,
        field_id: str | None = None,
        field_private: str | None = None,
        field: str | None = None,
        field_9: int | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.field_2d = field_2d
        self.field_id = field_id
        self.field_private = field_private
        self.field = field
        self.field_9 = field_9
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"type": ("const", "ev")},
        {"2d": "str", "_id": "str", "__private": "str", "_": "str", "9": "int"},
        {
            "2d": "field_2d",
            "_id": "field_id",
            "__private": "field_private",
            "_": "field",
            "9": "field_9",
        },
    )
}


# s/models.py


TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
