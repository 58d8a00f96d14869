# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = (
        "self_",
        "field_wire",
        "field_class",
        "field_init",
        "field_slots",
        "cls",
        "data",
        "Kept_",
        "type",
    )
    self_: str | None
    field_wire: str | None
    field_class: str | None
    field_init: str | None
    field_slots: str | None
    cls: str | None
    data: str | None
    Kept_: str | None
    type: Literal["ev"]

    def __init__(
        self,
        self_: str | None = None,
        field_wire: str | None = None,
        field_class: str | None = None,
        field_init: str | None = None,
        field_slots: str | None = None,
        cls: str | None = None,
        data: str | None = None,
        Kept_: str | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.self_ = self_
        self.field_wire = field_wire
        self.field_class = field_class
        self.field_init = field_init
        self.field_slots = field_slots
        self.cls = cls
        self.data = data
        self.Kept_ = Kept_
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"type": ("const", "ev")},
        {
            "self": "str",
            "_wire": "str",
            "__class__": "str",
            "__init__": "str",
            "__slots__": "str",
            "cls": "str",
            "data": "str",
            "Kept": "str",
        },
        {
            "self": "self_",
            "_wire": "field_wire",
            "__class__": "field_class",
            "__init__": "field_init",
            "__slots__": "field_slots",
            "Kept": "Kept_",
        },
    )
}


# s/models.py


TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
