# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("value", "json", "loop", "type")
    value: Nested | None
    json: JsonValue | None
    loop: Loop | None
    type: Literal["ev"]

    def __init__(
        self,
        value: Nested | None = None,
        json: JsonValue | None = None,
        loop: Loop | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.value = value
        self.json = json
        self.loop = loop
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev, {"type": ("const", "ev")}, {"value": "Nested", "json": "JsonValue", "loop": "Loop"}
    )
}


# s/models.py


JsonValue: TypeAlias = Union[str, list["JsonValue"], dict[str, "JsonValue"]]
Loop: TypeAlias = Union[Literal["Loop | list[Loop]"], list["Loop"]]
Nested: TypeAlias = Union[list["Nested"]]

TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {
    "JsonValue": ("union", "str", ("list", "JsonValue"), ("map", "JsonValue")),
    "Loop": ("union", ("const", "Loop | list[Loop]"), ("list", "Loop")),
    "Nested": ("list", "Nested"),
}
