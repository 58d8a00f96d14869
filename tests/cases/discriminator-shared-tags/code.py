# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = ("item", "type")
    item: EvItem | None
    type: Literal["ev"]

    def __init__(
        self, item: EvItem | None = None, type: Literal["ev"] = "ev", _wire: Kept | None = None
    ) -> None:
        self.item = item
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {"Ev": Table(Ev, {"type": ("const", "ev")}, {"item": "EvItem"})}


# s/models.py


@dataclass(init=False, repr=False, eq=False)
class Easy(Record):
    """The schema `Easy`."""

    __slots__ = ("role", "type")
    role: str
    type: Literal["message"] | None

    def __init__(
        self, role: str, type: Literal["message"] | None = None, _wire: Kept | None = None
    ) -> None:
        self.role = role
        self.type = type
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class Input(Record):
    """The schema `Input`."""

    __slots__ = ("role", "type")
    role: InputRole
    type: Literal["message"]

    def __init__(
        self, role: InputRole, type: Literal["message"] = "message", _wire: Kept | None = None
    ) -> None:
        self.role = role
        self.type = type
        self._wire = _wire


@dataclass(init=False, repr=False, eq=False)
class Output(Record):
    """The schema `Output`."""

    __slots__ = ("id", "type", "role")
    id: str
    type: Literal["message"]
    role: Literal["assistant"]

    def __init__(
        self,
        id: str,
        type: Literal["message"] = "message",
        role: Literal["assistant"] = "assistant",
        _wire: Kept | None = None,
    ) -> None:
        self.id = id
        self.type = type
        self.role = role
        self._wire = _wire


EvItem: TypeAlias = Input | Output | Easy | UnknownObject
InputRole: TypeAlias = Literal["user", "system"]

TABLES: dict[str, Table] = {
    "Easy": Table(Easy, {"role": "str"}, {"type": ("const", "message")}),
    "Input": Table(Input, {"role": "InputRole", "type": ("const", "message")}),
    "Output": Table(
        Output, {"id": "str", "type": ("const", "message"), "role": ("const", "assistant")}
    ),
}

CHOICES: dict[str, Choice] = {
    "EvItem": Choice(
        "type",
        {
            "message": (
                Shape("Input", ("role",), ("type", "role"), {"role": ("user", "system")}),
                Shape("Output", ("role", "id"), ("type", "role", "id"), {"role": ("assistant",)}),
                Shape("Easy", ("role",), ("type", "role"), {}),
            )
        },
        (Shape("Easy", ("role",), ("type", "role"), {}),),
    )
}

ALIASES: dict[str, object] = {"InputRole": ("enum", "user", "system")}
