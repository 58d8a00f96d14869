# s/events.py


@dataclass(init=False, repr=False, eq=False)
class Ev(Record):
    """The schema `Ev`."""

    __slots__ = (
        "id",
        "object",
        "str_",
        "int_",
        "float_",
        "bool_",
        "list_",
        "dict_",
        "print",
        "tuple",
        "set",
        "list_after",
        "Any_",
        "Literal_",
        "Union_",
        "Property",
        "type",
    )
    id: str | None
    object: str | None
    str_: str | None
    int_: int | None
    float_: float | None
    bool_: bool | None
    list_: list[str] | None
    dict_: dict[str, Any] | None
    print: str | None
    tuple: str | None
    set: str | None
    list_after: list[str] | None
    Any_: Any | None
    Literal_: Literal["x"] | None
    Union_: str | None
    Property: str | None
    type: Literal["ev"]

    def __init__(
        self,
        id: str | None = None,
        object: str | None = None,
        str_: str | None = None,
        int_: int | None = None,
        float_: float | None = None,
        bool_: bool | None = None,
        list_: list[str] | None = None,
        dict_: dict[str, Any] | None = None,
        print: str | None = None,
        tuple: str | None = None,
        set: str | None = None,
        list_after: list[str] | None = None,
        Any_: Any | None = None,
        Literal_: Literal["x"] | None = None,
        Union_: str | None = None,
        Property: str | None = None,
        type: Literal["ev"] = "ev",
        _wire: Kept | None = None,
    ) -> None:
        self.id = id
        self.object = object
        self.str_ = str_
        self.int_ = int_
        self.float_ = float_
        self.bool_ = bool_
        self.list_ = list_
        self.dict_ = dict_
        self.print = print
        self.tuple = tuple
        self.set = set
        self.list_after = list_after
        self.Any_ = Any_
        self.Literal_ = Literal_
        self.Union_ = Union_
        self.Property = Property
        self.type = type
        self._wire = _wire


Event: TypeAlias = Union[Ev, UnknownEvent]

EVENTS: dict[str, type[Record]] = {"ev": Ev}

TABLES: dict[str, Table] = {
    "Ev": Table(
        Ev,
        {"type": ("const", "ev")},
        {
            "id": "str",
            "object": "str",
            "str": "str",
            "int": "int",
            "float": "float",
            "bool": "bool",
            "list": ("list", "str"),
            "dict": ("map", "any"),
            "print": "str",
            "tuple": "str",
            "set": "str",
            "list_after": ("list", "str"),
            "Any": "any",
            "Literal": ("const", "x"),
            "Union": "str",
            "Property": "str",
        },
        {
            "str": "str_",
            "int": "int_",
            "float": "float_",
            "bool": "bool_",
            "list": "list_",
            "dict": "dict_",
            "Any": "Any_",
            "Literal": "Literal_",
            "Union": "Union_",
        },
    )
}


# s/models.py


TABLES: dict[str, Table] = {}

CHOICES: dict[str, Choice] = {}

ALIASES: dict[str, object] = {}
