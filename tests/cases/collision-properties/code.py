# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("x_y2", "x_y", "x_y3", "class_2", "class_", "type")
    x_y2: str | None
    x_y: int | None
    x_y3: bool | None
    class_2: str | None
    class_: str | None
    type: Literal["ev"]

    def __init__(
        self,
        x_y2: str | None = None,
        x_y: int | None = None,
        x_y3: bool | None = None,
        class_2: str | None = None,
        class_: str | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.x_y2 = x_y2
        self.x_y = x_y
        self.x_y3 = x_y3
        self.class_2 = class_2
        self.class_ = class_
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"type": ("const", "ev")},
        {"x-y": "str", "x_y": "int", "x.y": "bool", "class": "str", "class_": "str"},
        {"x-y": "x_y2", "x.y": "x_y3", "class": "class_2"},
    )
}


# s/models.py


TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
